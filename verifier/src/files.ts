import { randomBytes } from 'node:crypto';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Bytes of a file or of an answer that are read: the largest receipt has a tenth of it. */
export const TEXT_BYTES_MAX = 1_000_000;

/** Something could not be read or asked: nothing was found wrong, and nothing was checked. */
export class Unchecked extends Error {}

/** @throws Unchecked where the file is not there, or is too large */
export async function readText(path: string, bytesMax = TEXT_BYTES_MAX): Promise<string> {
  try {
    if ((await stat(path)).size > bytesMax) throw new Error('it is too large');
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Unchecked(`The file ${path} cannot be read: ${messageOf(error)}.`);
  }
}

/** Writes a file so that after a power cut either the old text or the new one is there, whole. */
export async function writeWhole(path: string, text: string, mode = 0o644): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`;
  const file = await open(draft, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** A name in a folder is on the disk once the folder is written. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Text of others as it is shown on a terminal: without letters that steer it or turn its direction. */
export const shown = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
