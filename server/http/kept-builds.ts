import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Builds whose files are kept, this one among them: pages stay open for days, and installed ones longer. */
const KEPT_MAX = 5;
/** An empty file, written anew by each server that starts with the build. */
const LAST_USE = 'last-use';
const ASSET = /^\/assets\/([\w.-]+)$/;

/**
 * Keeps the files of this build of the web client in a folder, for the servers of later builds: a page that is open, an
 * installed one, or one whose other files came from another server still asks for them. The oldest go.
 * @param kept a folder of DATA_DIR; where it cannot be written, this server has the files of its own build alone
 */
export function keepBuild(webFolder: string, kept: string): void {
  const id = createHash('sha256')
    .update(readFileSync(join(webFolder, 'index.html')))
    .digest('hex')
    .slice(0, 16);
  const folder = join(kept, id);
  try {
    if (!existsSync(folder)) {
      const unfinished = `${folder}.${process.pid}`;
      mkdirSync(kept, { recursive: true });
      cpSync(join(webFolder, 'assets'), join(unfinished, 'assets'), { recursive: true });
      renameSync(unfinished, folder);
    }
    writeFileSync(join(folder, LAST_USE), '');
    for (const old of newestFirst(kept).slice(KEPT_MAX)) rmSync(join(kept, old), { recursive: true, force: true });
  } catch {
    // Another server keeps the same build at this moment, or the folder cannot be written.
  }
}

/** The kept build that has the asset of this address, with its path in the build; null where none has it. */
export function findKept(kept: string, url: string): { folder: string; path: string } | null {
  const name = ASSET.exec(url.split('?')[0] ?? '')?.[1];
  if (!name || name.startsWith('.') || !existsSync(kept)) return null;
  const path = join('assets', name);
  const build = newestFirst(kept).find((each) => existsSync(join(kept, each, path)));
  return build ? { folder: join(kept, build), path } : null;
}

function newestFirst(kept: string): string[] {
  const usedAt = (name: string) => statSync(join(kept, name, LAST_USE), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return readdirSync(kept).sort((one, other) => usedAt(other) - usedAt(one));
}
