import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { strFromU8, unzipSync, zipSync } from 'fflate';
import readWorkbook from 'read-excel-file/node';

/** Rows, columns and sheets with something in them that a spreadsheet does not show. */
export interface Hidden {
  readonly rows: number;
  readonly columns: number;
  readonly sheets: number;
}

/** The rows of each sheet as text, and how much is hidden; or why there are none. */
export type ReadWorkbook =
  | { readonly sheets: readonly (readonly (readonly string[])[])[]; readonly hidden: Hidden }
  | 'too_large'
  | 'unreadable';

/** A workbook is compressed: so much of it is unpacked. */
const UNPACKED_MAX = 48 * 1_024 * 1_024;
const ENTRIES_MAX = 500;
/** The parts of a workbook that its values are in. */
const READ_PARTS =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:workbook\.xml|_rels\/[^/]+|sharedStrings\.xml|styles\.xml|worksheets\/[^/]+\.xml))$/;

class TooLarge extends Error {}

async function read(bytes: Uint8Array): Promise<ReadWorkbook> {
  try {
    const parts = unpacked(bytes);
    const book = parts['xl/workbook.xml'];
    if (!book || !/<(?:\w+:)?workbook\b/.test(strFromU8(book).slice(0, 2_000))) return 'unreadable';
    // Packed anew: the reader unpacks without a limit of its own.
    const sheets = await readWorkbook(Buffer.from(zipSync(parts, { level: 0 })));
    const xmls = Object.entries(parts).flatMap(([name, xml]) => (name.includes('worksheets/') ? [xml] : []));
    const merged = xmls.flatMap(mergedIn);
    const texts = sheets.map(({ data }) =>
      underMerged(
        data.map((row) => row.map(cellText)),
        merged,
      ),
    );
    return {
      sheets: texts,
      hidden: hiddenIn(
        texts,
        strFromU8(book),
        xmls.map((xml) => strFromU8(xml)),
      ),
    };
  } catch (error) {
    return error instanceof TooLarge ? 'too_large' : 'unreadable';
  }
}

/** The parts of a workbook that are read. @throws TooLarge where it would become too much, whatever it says of its size */
function unpacked(bytes: Uint8Array): Record<string, Uint8Array> {
  let [size, entries] = [0, 0];
  return unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      size += originalSize;
      entries += 1;
      if (size > UNPACKED_MAX || entries > ENTRIES_MAX) throw new TooLarge();
      return READ_PARTS.test(name);
    },
  });
}

/** Rows at the beginning, where a heading may be merged over several columns. */
const HEADINGS_WITHIN = 20;
const SHEET_END = 100_000;

interface Merged {
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

/** Cells that are merged over several columns near the beginning of a sheet. They are listed at its end. */
function mergedIn(xml: Uint8Array): Merged[] {
  const end = strFromU8(xml.subarray(-SHEET_END));
  return [...end.matchAll(/<(?:\w+:)?mergeCell ref="([A-Z]{1,3})(\d+):([A-Z]{1,3})\d+"/g)]
    .map(([, from = '', row, to = '']) => ({ row: Number(row) - 1, from: columnOf(from), to: columnOf(to) }))
    .filter(({ row, from, to }) => row < HEADINGS_WITHIN && to > from);
}

const columnOf = (letters: string): number =>
  [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** Rows in which a merged cell's text stands in every column that it covers. */
const underMerged = (rows: string[][], merged: readonly Merged[]): string[][] =>
  rows.map((cells, index) => {
    const over = merged.filter(({ row }) => row === index);
    if (over.length === 0) return cells;
    return cells.map((cell, column) => {
      const whole = over.find(({ from, to }) => column >= from && column <= to);
      return whole ? (cells[whole.from] ?? cell) : cell;
    });
  });

/** An element of a name, with its attributes and what is in it. */
const elements = (xml: string, name: string) =>
  xml.matchAll(
    new RegExp(`<(?:\\w+:)?${name}\\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:/>|>(.*?)</(?:\\w+:)?${name}>)`, 'gs'),
  );

const isHidden = (attributes = ''): boolean => /\bhidden\s*=\s*["'](?:1|true)["']/.test(attributes);
const hasValue = (xml = ''): boolean => /<(?:\w+:)?[vt]\b[^>]*>[^<]*[^<\s]/.test(xml);

/** Counts what is hidden, by hand, by a filter or in a folded group, and not empty. */
function hiddenIn(sheets: readonly string[][][], book: string, xmls: readonly string[]): Hidden {
  const states = [...elements(book, 'sheet')].map(([, attributes = '']) =>
    /\bstate\s*=\s*["'](?:h|veryH)idden["']/.test(attributes),
  );
  const some = xmls.filter((xml) => /\bhidden\b/.test(xml));
  const count = (each: (xml: string) => number) => some.reduce((sum, xml) => sum + each(xml), 0);
  return {
    rows: count((xml) => [...elements(xml, 'row')].filter(([, how, cells]) => isHidden(how) && hasValue(cells)).length),
    columns: count(hiddenColumns),
    sheets: sheets.filter((rows, index) => states[index] && rows.some((row) => row.some((cell) => cell !== ''))).length,
  };
}

function hiddenColumns(xml: string): number {
  const number = (attributes: string, name: string) =>
    Number(new RegExp(`\\b${name}\\s*=\\s*["'](\\d+)["']`).exec(attributes)?.[1]);
  const hidden = [...elements(xml, 'col')]
    .filter(([, attributes]) => isHidden(attributes))
    .map(([, attributes = '']) => ({ from: number(attributes, 'min') - 1, to: number(attributes, 'max') - 1 }));
  if (hidden.length === 0) return 0;
  const filled = new Set<number>();
  for (const [, attributes = '', value] of elements(xml, 'c'))
    if (hasValue(value)) filled.add(columnOf(/\br\s*=\s*["']([A-Z]{1,3})\d/.exec(attributes)?.[1] ?? ''));
  return [...filled].filter((column) => hidden.some(({ from, to }) => column >= from && column <= to)).length;
}

/**
 * A value as its cell shows it. A number has fifteen digits in a workbook; more come of how computers keep them. A long one that ends in five
 * noughts was saved as a spreadsheet shortens it, 7.12E+08: its last digits are lost.
 */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value !== 'number') return String(value).trim();
  const isShortened = value >= 1e8 && value % 1e5 === 0;
  return isShortened ? value.toExponential() : String(Number(value.toPrecision(15)));
}

if (!isMainThread && parentPort) parentPort.postMessage(await read(workerData as Uint8Array));
