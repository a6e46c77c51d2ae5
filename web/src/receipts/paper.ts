/** What stands on a receipt, as it is drawn into a file: in the reader's language, as on the screen. */
export interface Paper {
  /** What has become of it: `In the books`. */
  readonly mark: string;
  readonly what: string;
  /** With its sign; null where no money has moved. */
  readonly amount: string | null;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** A sentence below the facts. */
  readonly note?: string;
}

/** The facts that a list on the page shows: each name with its value. */
export function factsOf(list: HTMLDListElement | null): Paper['facts'] {
  const rows = [...(list?.children ?? [])];
  const textIn = (row: Element, part: 'dt' | 'dd') => row.querySelector(part)?.textContent?.trim() ?? '';
  return rows.map((row) => [textIn(row, 'dt'), textIn(row, 'dd')]);
}

/** Words in lines that are no wider than `room`; a word that is wider by itself is broken. */
export function inLines(text: string, room: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    let rest = word;
    if (line && widthOf(`${line} ${rest}`) <= room) {
      line = `${line} ${rest}`;
      continue;
    }
    if (line) lines.push(line);
    while (widthOf(rest) > room && rest.length > 1) {
      const length = longestWithin(rest, room, widthOf);
      lines.push(rest.slice(0, length));
      rest = rest.slice(length);
    }
    line = rest;
  }
  return line ? [...lines, line] : lines;
}

function longestWithin(word: string, room: number, widthOf: (text: string) => number): number {
  let length = word.length - 1;
  while (length > 1 && widthOf(word.slice(0, length)) > room) length -= 1;
  return length;
}
