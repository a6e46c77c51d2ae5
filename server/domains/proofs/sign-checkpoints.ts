import { areEqual, toBase64, utf8 } from '@ushirika/verifier/bytes';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { checkpointText, signatureLine } from '@ushirika/verifier/note';
import { isConsistent } from '@ushirika/verifier/tree';
import type { Database, Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import type { Keyring } from '../identity/keyring.ts';
import type { ChainWitness } from './chain-witness.ts';
import { type Fork, forkFrom, type HaltedLog, haltLog, type KnownHead } from './halt-log.ts';
import { currentKey, type LogKey } from './log-keys.ts';
import { consistencyProof, orDamaged, rootAt } from './read-tree.ts';
import type { SignedHeads } from './signed-heads.ts';

const { sha256 } = nodeCrypto;
/** Logs in one run, those first that were signed longest ago; the others follow in the next. */
const AT_ONCE = 200;

export interface SigningDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  /** The heads that this machine has signed before. */
  readonly heads: SignedHeads;
  /** The chain's heads, asked before this process signs a log for the first time. */
  readonly chainWitness: ChainWitness;
  /** Logs in one run. */
  readonly atOnce?: number;
}

/** A log as it is, and the checkpoint that was signed last. */
export interface Head {
  readonly id: number;
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
  readonly signed_size: number | null;
  readonly signed_root: Buffer | null;
}

/**
 * Signs the heads of the logs that have grown. A log that does not continue what was signed or anchored before is halted. Each head is in the
 * file of this machine before anybody can read it.
 * @returns how many heads were signed
 * @throws where the file cannot be used, or where the chain is silent: nothing is signed then
 */
export async function signCheckpoints(
  { database, keyring, heads, chainWitness, atOnce = AT_ONCE }: SigningDeps,
  onHalted: (halted: HaltedLog) => void = () => {},
): Promise<number> {
  const grown = await grownLogs(database, atOnce);
  if (grown.length === 0) return 0;
  const onChain = await chainWitness.unseen(grown.map(({ origin }) => origin));
  const kept = await heads.read();
  const sound: Head[] = [];
  for (const log of grown) {
    const fork = await forkOf(database, log, { file: kept.get(log.origin), chain: onChain.get(log.origin) });
    if (fork) onHalted(await haltLog(database, log, fork));
    else sound.push(log);
  }
  chainWitness.saw(onChain.keys());
  if (sound.length === 0) return 0;
  return database.transaction(async (tx) => {
    const key = await currentKey(tx, keyring);
    const signed = (await stillRunning(tx, sound)).map((log) => ({ ...log, note: signedNote(key, log) }));
    await heads.keep(new Map(signed.map(({ origin, size, root, note }) => [origin, { size, root, note }])));
    await store(tx, key, signed);
    return signed.length;
  });
}

const grownLogs = ({ sql }: Database, most: number) => sql<Head[]>`
  select l.id, l.origin, l.size, l.root, c.size as signed_size, c.root as signed_root
  from logs l
  left join lateral (select size, root, signed_at from checkpoints where log_id = l.id order by size desc limit 1) c on true
  where l.ended_at is null and l.halted_at is null and l.size > coalesce(c.size, 0)
  order by c.signed_at nulls first, l.id limit ${most}`;

/** These logs without those that another process has halted or ended while they were compared. */
async function stillRunning({ sql }: Tx, logs: readonly Head[]): Promise<Head[]> {
  const ids = integers(logs.map(({ id }) => id));
  const rows = await sql<{ id: number }[]>`
    select id from logs where id = any(${ids}::bigint[]) and halted_at is null and ended_at is null`;
  const running = new Set(rows.map(({ id }) => id));
  return logs.filter(({ id }) => running.has(id));
}

/** Compares the tree of a log with what is known outside of this database, and with the checkpoint that was signed last. */
export async function forkOf(
  database: Database,
  log: Head,
  known: { readonly file: KnownHead | undefined; readonly chain: KnownHead | undefined },
): Promise<Fork | null> {
  const outside =
    (await forkFrom(database, log, 'chain', known.chain)) ?? (await forkFrom(database, log, 'file', known.file));
  if (outside || (await continues(database, log))) return outside;
  return { by: 'database', head: null, because: 'its entries do not continue the checkpoint that was signed last' };
}

/** Whether the stored tree has the root that the log says, and begins with the tree that was signed last. */
async function continues(database: Database, log: Head): Promise<boolean> {
  const root = await orDamaged(rootAt(database, log.id, log.size));
  if (!root || !areEqual(root, log.root)) return false;
  if (log.signed_size === null || log.signed_root === null) return true;
  const proof = await orDamaged(consistencyProof(database, log.id, log.signed_size, log.size));
  const trees = { from: log.signed_size, fromRoot: log.signed_root, to: log.size, toRoot: log.root };
  return proof !== null && isConsistent(sha256, trees, proof);
}

function signedNote(key: LogKey, { origin, size, root }: Head): string {
  const text = checkpointText(origin, size, root);
  const signature = key.sign(utf8(text));
  return `${text}\n${signatureLine(sha256, { name: origin, type: 'log', publicKey: key.publicKey }, signature)}`;
}

async function store(tx: Tx, key: LogKey, logs: readonly (Head & { readonly note: string })[]): Promise<void> {
  await tx.sql`
    insert into checkpoints (log_id, size, root, note, key_id, signed_at)
    select s.id, s.size, decode(s.root, 'base64'), s.note, ${key.id}, ${tx.now}
    from unnest(
      ${integers(logs.map(({ id }) => id))}::bigint[], ${integers(logs.map(({ size }) => size))}::bigint[],
      ${texts(logs.map(({ root }) => toBase64(root)))}::text[], ${texts(logs.map(({ note }) => note))}::text[]
    ) as s (id, size, root, note)
    on conflict do nothing`;
}
