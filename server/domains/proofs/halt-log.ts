import { areEqual } from '@ushirika/verifier/bytes';
import type { Database } from '../../db/tx.ts';
import { orDamaged, rootAt } from './read-tree.ts';

/** A head that somebody knows of a log: what was signed or anchored before. */
export interface KnownHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/** The witness that knows another history than the database. */
export type HaltedBy = 'database' | 'file' | 'chain';

const KNOWS: Readonly<Record<HaltedBy, string>> = {
  database: 'a signed checkpoint',
  file: 'the file of this machine',
  chain: 'the chain',
};

interface Log {
  readonly id: number;
  readonly origin: string;
}

/** Why a log is halted. */
export interface Fork {
  readonly by: HaltedBy;
  readonly because: string;
  /** The head that the tree does not continue. */
  readonly head: KnownHead | null;
}

/** A log whose tree is not the one that was signed or anchored. */
export class HaltedLog extends Error {
  constructor(origin: string, because: string) {
    super(`The log ${origin} is halted: ${because}. Nothing is signed or anchored for it: see docs/chain.md.`);
  }
}

/**
 * Compares the tree of a log with a head that is known of it. How large the log is now is read here, after the head: another process may have
 * let it grow in between.
 * @returns null where the tree continues that head
 */
export async function forkFrom(
  database: Database,
  { id }: Pick<Log, 'id'>,
  by: HaltedBy,
  head: KnownHead | undefined,
): Promise<Fork | null> {
  if (!head || head.size === 0) return null;
  const { size, root } = head;
  const [log] = await database.sql<{ size: number }[]>`select size from logs where id = ${id}`;
  const has = log?.size ?? 0;
  if (size > has) return { by, head, because: `${KNOWS[by]} has ${size} entries of it, and the database ${has}` };
  const own = await orDamaged(rootAt(database, id, size));
  if (own && areEqual(own, root)) return null;
  return { by, head, because: `${KNOWS[by]} has another root for its first ${size} entries` };
}

/** From then on nothing of this log is signed or anchored, until an operator decides. @returns what is told about it */
export async function haltLog(
  database: Database,
  { id, origin }: Log,
  { by, because, head }: Fork,
): Promise<HaltedLog> {
  await database.transaction(
    (tx) => tx.sql`
      update logs set halted_at = ${tx.now}, halted_because = ${because}, halted_by = ${by},
        halted_size = ${head?.size ?? null}, halted_root = ${head ? Buffer.from(head.root) : null}
      where id = ${id} and halted_at is null`,
  );
  return new HaltedLog(origin, because);
}
