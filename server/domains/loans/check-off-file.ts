import { Worker } from 'node:worker_threads';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { parse } from 'csv-parse/sync';
import type { Hidden, ReadWorkbook } from './check-off-workbook.ts';

/** One line of a list in its cells, with the number by which its writer finds it; null where its quotation marks do not fit. */
export interface Row {
  readonly line: number;
  readonly text: string;
  readonly cells: readonly string[] | null;
  /** The sign between the cells of a line of text; null in a workbook. */
  readonly separator: string | null;
}

/** The contents of a file: text to be read line by line, rows of a workbook, or a sentence that says which file to save instead. */
export type FileOfList = { readonly text: string } | { readonly rows: readonly Row[] } | { readonly problem: Sentence };

const SAVE_AS = sentence(
  'That file cannot be read. Save the list as an Excel workbook (.xlsx) or as CSV, and choose that file.',
);
const OLD_WORKBOOK = sentence(
  'That is an old Excel workbook, or one with a password. Save it without a password as an Excel workbook (.xlsx) or as CSV.',
);
const TOO_LARGE = sentence('That workbook is too large to be read. Save its sheet as CSV, and choose that file.');
const SEVERAL_SHEETS = sentence(
  'Several sheets of the workbook have something in them. Save the list as a workbook with one sheet.',
);
const HIDDEN_SHEET = sentence(
  'A hidden sheet of the workbook has something in it. Show it or delete it, and save the workbook again.',
);

/** So long a workbook is read. */
const READ_MS_MAX = 20_000;

/** Reads a file by its first bytes: its name and its type are what somebody wrote. */
export async function readFileOfList(bytes: Buffer): Promise<FileOfList> {
  const first = bytes.subarray(0, 8).toString('latin1');
  if (first.startsWith('PK\x03\x04')) return workbook(bytes);
  if (first.startsWith('\xd0\xcf\x11\xe0')) return { problem: OLD_WORKBOOK };
  const text = decoded(bytes);
  const isText = text !== null && !/^\s*(?:<|\{\\rtf|%PDF|\{)/.test(text.slice(0, 100)) && !text.includes('\0');
  return isText ? { text } : { problem: SAVE_AS };
}

/** The text of a file: UTF-16 as "Unicode text" is saved, UTF-8, or the letters of Windows; null where it is none. */
function decoded(bytes: Buffer): string | null {
  const [one, two] = bytes;
  if (one === 0xff && two === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (one === 0xfe && two === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (two === 0 && one !== 0) return new TextDecoder('utf-16le').decode(bytes);
  if (one === 0 && two !== 0) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const isOfWindows = !bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32));
    return isOfWindows ? new TextDecoder('windows-1252').decode(bytes) : null;
  }
}

/** Reads a workbook in a thread of its own: others do not wait for it, and it has so much memory and time. */
async function workbook(bytes: Buffer): Promise<FileOfList> {
  const found = await new Promise<ReadWorkbook>((resolve) => {
    const thread = new Worker(new URL('./check-off-workbook.ts', import.meta.url), {
      workerData: bytes,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    const late = setTimeout(() => void thread.terminate(), READ_MS_MAX);
    thread.once('message', resolve);
    thread.once('error', () => resolve('too_large'));
    thread.once('exit', () => {
      clearTimeout(late);
      resolve('too_large');
    });
  });
  if (found === 'too_large') return { problem: TOO_LARGE };
  if (found === 'unreadable') return { problem: SAVE_AS };
  const hidden = hiddenProblem(found.hidden);
  if (hidden) return { problem: hidden };
  const [cells, ...others] = found.sheets.filter((rows) => rows.some((row) => row.some((cell) => cell !== '')));
  if (others.length > 0) return { problem: SEVERAL_SHEETS };
  const rows = (cells ?? []).map((row, index) => ({
    line: index + 1,
    text: row.filter((cell) => cell !== '').join(', '),
    cells: row,
    separator: null,
  }));
  return { rows };
}

/** A list is paid as its reader sees it: nothing of a workbook may be hidden. */
function hiddenProblem({ rows, columns, sheets }: Hidden): Sentence | null {
  if (sheets > 0) return HIDDEN_SHEET;
  if (rows > 0)
    return sentence(
      '{n, plural, one {# row of the workbook is hidden, perhaps by a filter. Show it or delete it} other {# rows of the workbook are hidden, perhaps by a filter. Show them or delete them}}, and save the workbook again.',
      { n: rows },
    );
  if (columns > 0)
    return sentence(
      '{n, plural, one {# column of the workbook is hidden. Show it or delete it} other {# columns of the workbook are hidden. Show them or delete them}}, and save the workbook again.',
      { n: columns },
    );
  return null;
}

/** The separator of the cells of a line: tabs, else semicolons, else commas. In quotes a comma belongs to the amount. */
function between(line: string): string {
  const bare = line.replace(/"[^"]*"/g, '');
  return bare.includes('\t') ? '\t' : bare.includes(';') ? ';' : ',';
}

/** The cells of lines of text, in their order. */
export function cellsOfLines(lines: readonly { readonly line: number; readonly text: string }[]): Row[] {
  const cells = new Map<number, string[]>();
  const kinds = Map.groupBy(
    lines.filter(({ text }) => (text.match(/"/g)?.length ?? 0) % 2 === 0),
    ({ text }) => between(text),
  );
  for (const [delimiter, group] of kinds) {
    const read = parsed(group.map(({ text }) => text).join('\n'), delimiter);
    const each = read?.length === group.length ? read : group.map(({ text }) => parsed(text, delimiter)?.[0]);
    group.forEach(({ line }, index) => {
      const found = each[index];
      if (found) cells.set(line, found);
    });
  }
  return lines.map(({ line, text }) => ({ line, text, cells: cells.get(line) ?? null, separator: between(text) }));
}

function parsed(text: string, delimiter: string): string[][] | null {
  try {
    return parse(text, { delimiter, relax_quotes: true, relax_column_count: true, trim: true });
  } catch {
    return null;
  }
}
