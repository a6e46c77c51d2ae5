import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fromBase64, toBase64 } from '@ushirika/verifier/bytes';
import { checkpointText } from '@ushirika/verifier/note';
import type { KnownHead } from './halt-log.ts';

const NAME = 'signed-heads.txt';
const TITLE =
  '# The heads of the logs that this machine signed last: origin, entries, root, signature. See docs/chain.md.';
const LINE = /^(\S{1,255}) (\d{1,15}) ([A-Za-z0-9+/]{43}=)(?: ([A-Za-z0-9+/]{1,200}={0,2}))?$/;

/** A head with the note that this machine has signed; lines of older versions have none. */
export interface KeptHead extends KnownHead {
  readonly note: string | null;
}

/** The file cannot be read or written. Its message says what to do. */
export class UnusableHeads extends Error {}

/**
 * The heads that this machine has signed, in a file beside the database: a database that is restored to an older second does not know it any more.
 * One line for each log. A machine without the file begins it.
 */
export class SignedHeads {
  readonly path: string;

  constructor(dataDir: string) {
    this.path = join(dataDir, NAME);
  }

  /** The heads by their logs' origins; none where there is no file yet. @throws UnusableHeads */
  async read(): Promise<Map<string, KeptHead>> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw this.#unusable(`cannot be read (${error.code})`);
    });
    const heads = new Map<string, KeptHead>();
    for (const [at, line] of text.split('\n').entries()) {
      if (line === '' || line.startsWith('#')) continue;
      const [, origin, size, root, signature] = LINE.exec(line) ?? [];
      if (!origin || !size || !root) throw this.#unusable(`cannot be understood in line ${at + 1}`);
      const head = { size: Number(size), root: fromBase64(root) };
      heads.set(origin, { ...head, note: signature ? noteOf(origin, head, signature) : null });
    }
    return heads;
  }

  /**
   * Adds heads, and is on the disk when it returns. Of two heads of a log the larger one stays: another process may have signed it meanwhile.
   * The caller lets nobody else write. @throws UnusableHeads
   */
  async keep(heads: ReadonlyMap<string, KeptHead>): Promise<void> {
    const all = await this.read();
    for (const [origin, head] of heads) if (head.size >= (all.get(origin)?.size ?? 0)) all.set(origin, head);
    const lines = [...all].map(([origin, { size, root, note }]) =>
      [origin, size, toBase64(root), ...(note?.trimEnd().split(' ').slice(-1) ?? [])].join(' '),
    );
    const next = `${this.path}.${process.pid}`;
    try {
      await mkdir(dirname(this.path), { recursive: true });
      await written(next, `${[TITLE, ...lines].join('\n')}\n`);
      await rename(next, this.path);
      await synced(dirname(this.path));
    } catch (error) {
      await rm(next, { force: true }).catch(() => {});
      throw this.#unusable(`cannot be written (${(error as NodeJS.ErrnoException).code})`);
    }
  }

  readonly #unusable = (why: string) =>
    new UnusableHeads(
      `The file ${this.path}, in which this machine keeps what it signed, ${why}. Nothing is signed here until it can be used: see docs/chain.md.`,
    );
}

/** The note again, from the last word of its signature line. */
const noteOf = (origin: string, { size, root }: KnownHead, signature: string): string =>
  `${checkpointText(origin, size, root)}\n— ${origin} ${signature}\n`;

async function written(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A renamed file is there after a power cut once its folder is on the disk. */
async function synced(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
