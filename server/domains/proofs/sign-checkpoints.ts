import { areEqual, utf8 } from '@ushirika/verifier/bytes';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { checkpointText, signatureLine } from '@ushirika/verifier/note';
import { isConsistent } from '@ushirika/verifier/tree';
import type { Database } from '../../db/tx.ts';
import type { Keyring } from '../identity/keyring.ts';
import { currentKey, type LogKey } from './log-keys.ts';
import { consistencyProof, rootAt } from './read-tree.ts';

const { sha256 } = nodeCrypto;
/** Logs in one run; the others follow in the next. */
const AT_ONCE = 200;

export interface SigningDeps {
  readonly database: Database;
  readonly keyring: Keyring;
}

interface Grown {
  readonly id: number;
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
  readonly signed_size: number | null;
  readonly signed_root: Buffer | null;
}

/** A log whose tree does not continue what was signed. Nothing more is signed of it. */
export class BrokenLog extends Error {
  constructor(origin: string) {
    super(
      `The log ${origin} does not continue what was signed before. It is not signed any more: see docs/operation.md.`,
    );
  }
}

/** Signs the heads of the logs that have grown. Of a log that does not continue its last signed head nothing is signed. */
export async function signCheckpoints(
  { database, keyring }: SigningDeps,
  onBroken: (error: BrokenLog) => void = () => {},
): Promise<number> {
  const grown = await database.sql<Grown[]>`
    select l.id, l.origin, l.size, l.root, c.size as signed_size, c.root as signed_root
    from logs l
    left join lateral (select size, root from checkpoints where log_id = l.id order by size desc limit 1) c on true
    where l.ended_at is null and l.halted_at is null and l.size > coalesce(c.size, 0)
    order by l.id limit ${AT_ONCE}`;
  if (grown.length === 0) return 0;
  const key = await database.transaction((tx) => currentKey(tx, keyring));
  let signed = 0;
  for (const log of grown) {
    if (await continues(database, log)) {
      await store(database, key, log);
      signed += 1;
    } else {
      onBroken(new BrokenLog(log.origin));
    }
  }
  return signed;
}

/** Whether the stored tree has the root that the log says, and begins with the tree that was signed last. */
async function continues(database: Database, log: Grown): Promise<boolean> {
  try {
    if (!areEqual(await rootAt(database, log.id, log.size), log.root)) return false;
    if (log.signed_size === null || log.signed_root === null) return true;
    const proof = await consistencyProof(database, log.id, log.signed_size, log.size);
    const trees = { from: log.signed_size, fromRoot: log.signed_root, to: log.size, toRoot: log.root };
    return isConsistent(sha256, trees, proof);
  } catch {
    return false;
  }
}

async function store(database: Database, key: LogKey, { id, origin, size, root }: Grown): Promise<void> {
  const text = checkpointText(origin, size, root);
  const signature = key.sign(utf8(text));
  const line = signatureLine(sha256, { name: origin, type: 'log', publicKey: key.publicKey }, signature);
  await database.transaction(
    (tx) => tx.sql`
      insert into checkpoints (log_id, size, root, note, key_id, signed_at)
      values (${id}, ${size}, ${root}, ${`${text}\n${line}`}, ${key.id}, ${tx.now})
      on conflict do nothing`,
  );
}
