import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export const SOURCE_FILE = path('../../../verifier/contract/SaccoAnchor.sol');
const PROGRAM = path('./compile-anchor.program.ts');
const CACHE = path('../../../node_modules/.cache/anchor');

/** The creation code of SaccoAnchor, hexadecimal. Compiled once for each version of the source; kept beside the packages, not in the repo. */
export async function compileAnchor(): Promise<`0x${string}`> {
  const version = createHash('sha256').update(readFileSync(SOURCE_FILE)).update(readFileSync(PROGRAM)).digest('hex');
  const kept = join(CACHE, version);
  if (existsSync(kept)) return readFileSync(kept, 'utf8') as `0x${string}`;
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { maxBuffer: 1_000_000 });
  if (!/^0x[0-9a-f]{1000,}$/.test(stdout)) throw new Error('SaccoAnchor.sol was not compiled.');
  mkdirSync(dirname(kept), { recursive: true });
  // Renamed: another process never reads half of it.
  writeFileSync(`${kept}.${process.pid}`, stdout);
  renameSync(`${kept}.${process.pid}`, kept);
  return stdout as `0x${string}`;
}
