import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The data folder cannot be used; its message is all that the person who starts us needs. */
export class UnusableFolder extends Error {}

/**
 * Writes and removes a file in the data folder, which it makes when missing: before PostgreSQL is asked to do so and
 * fails in its own words.
 * @throws UnusableFolder
 */
export function checkDataFolder(folder: string): void {
  const probe = join(folder, `.may-write-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const why = REASONS[code] ?? `it cannot be written (${code})`;
    throw new UnusableFolder(`The data folder ${folder} cannot be used: ${why}. Set DATA_DIR to a folder of your own.`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the quota of its disk is used up',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'there is a file of this name',
  ENOENT: 'it cannot be made there',
};
