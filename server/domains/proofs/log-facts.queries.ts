import type { LogFacts } from '@ushirika/contract/proofs';
import { toBase64 } from '@ushirika/verifier/bytes';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { formatKey } from '@ushirika/verifier/note';
import type { Database } from '../../db/tx.ts';
import type { Chain } from '../../gateways/chain/chain.types.ts';
import { factReceipts } from './fact-receipts.queries.ts';
import { keyDatesOf, keysOf } from './log-keys.ts';
import { nameOf } from './log-name.ts';
import { logOf } from './proofs.queries.ts';

const { sha256 } = nodeCrypto;
const CHECKPOINTS_SHOWN = 30;
const ANCHORS_SHOWN = 30;

/** @param chain the one that anchors are on, once it is ready */
export async function logFactsOf(database: Database, name: string, chain: Chain | null): Promise<LogFacts> {
  const log = await logOf(database, name);
  const keys = await keysOf(database, log.origin);
  const generations = await generationsOf(database, log.sacco_id);
  const checkpoints = await database.sql<{ size: number; root: Buffer; signed_at: Date }[]>`
    select size, root, signed_at from checkpoints where log_id = ${log.id} order by size desc limit ${CHECKPOINTS_SHOWN}`;
  return {
    origin: log.origin,
    sacco: log.sacco_id && log.sacco_name ? { id: log.sacco_id, name: log.sacco_name } : null,
    started_at: log.started_at.toISOString(),
    size: log.size,
    keys: keys.map((key) => formatKey(sha256, key)),
    key_dates: await keyDatesOf(database),
    checkpoints: checkpoints.map(({ size, root, signed_at }) => ({
      size,
      root: toBase64(root),
      signed_at: signed_at.toISOString(),
    })),
    anchors: chain ? await anchorsOf(database, log.id, chain) : [],
    chain: chain && { chain_id: chain.chainId, contract: chain.contract, rpc_url: chain.publicRpcUrl },
    halted_at: log.halted_at?.toISOString() ?? null,
    halted_by: log.halted_by,
    generations,
    beginning: log.follows === null ? null : await beginningOf(database, log.id),
  };
}

async function anchorsOf(
  { sql }: Database,
  logId: number,
  { chainId, contract }: Pick<Chain, 'chainId' | 'contract'>,
): Promise<LogFacts['anchors']> {
  const rows = await sql<{ size: number; root: Buffer; block: number; transaction: string; block_at: Date }[]>`
    select size, root, block, transaction, block_at from anchors
    where log_id = ${logId} and state = 'confirmed' and chain_id = ${chainId} and contract = ${contract}
    order by size desc limit ${ANCHORS_SHOWN}`;
  return rows.map(({ size, root, block, transaction, block_at }) => ({
    size,
    root: toBase64(root),
    block,
    transaction,
    at: block_at.toISOString(),
  }));
}

interface GenerationRow {
  readonly origin: string;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  /** The head of this log that the first entry of the next one names. */
  readonly follows: { readonly size: number; readonly root: string | null } | null;
}

/** All logs of a sacco, the first one first: more than one where a log was begun anew. */
async function generationsOf({ sql }: Database, saccoId: string | null): Promise<LogFacts['generations']> {
  const rows = await sql<GenerationRow[]>`
    select l.origin, l.started_at, l.ended_at, f.head -> 'follows' as follows
    from logs l left join logs n on n.follows = l.id left join log_facts f on f.log_id = n.id and f.i = 0
    where ${saccoId === null} and l.sacco_id is null or l.sacco_id = ${saccoId}::uuid order by l.id`;
  return rows.map(({ origin, started_at, ended_at, follows }) => ({
    log: nameOf(origin),
    origin,
    started_at: started_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
    last_head: follows?.root ? { size: follows.size, root: follows.root } : null,
  }));
}

/** The receipt of a log's first entry, which names the log before it. */
async function beginningOf(database: Database, logId: number): Promise<LogFacts['beginning']> {
  const receipts = await factReceipts(database, database.sql`e.log_id = ${logId} and e.i = 0`, () => true);
  return [...receipts.values()][0] ?? null;
}
