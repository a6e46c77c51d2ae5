import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Figures stand at the end of their column. */
  readonly end?: boolean;
  /** What the row is about: on a phone it heads the row's card and needs no label. */
  readonly title?: boolean;
}

/** A table; on a phone each row is a card in which each cell names its column. `caption` is its accessible name. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}) {
  return (
    <table className="data-table num">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, end }) => (
            <th key={head} scope="col" className={end ? 'end' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ head, cell, end, title }) => (
              <td key={head} data-label={head} className={title ? 'title' : end ? 'end' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
