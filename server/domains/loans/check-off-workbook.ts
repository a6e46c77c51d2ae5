import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { strFromU8, unzipSync, zipSync } from 'fflate';
import readWorkbook from 'read-excel-file/node';

/** The rows of each sheet as text, or why there are none. */
export type ReadWorkbook = readonly (readonly (readonly string[])[])[] | 'too_large' | 'unreadable';

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
    return sheets.map(({ data }) => data.map((row) => row.map(cellText)));
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

/** A value as its cell shows it. A number has fifteen digits in a workbook; more come of how computers keep them. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return typeof value === 'number' ? String(Number(value.toPrecision(15))) : String(value).trim();
}

if (!isMainThread && parentPort) parentPort.postMessage(await read(workerData as Uint8Array));
