import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A data folder of one product in this process, gone when the process ends: each database has its own file of signed heads. */
export function ownDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ushirika-prove-data-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
