import { logIdOf } from '@ushirika/verifier/chain';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import type { Database } from '../../db/tx.ts';
import { type Chain, ChainRefusal } from '../../gateways/chain/chain.types.ts';
import { forkFrom, HaltedLog, haltLog } from './halt-log.ts';
import { consistencyProof } from './read-tree.ts';

const { sha256 } = nodeCrypto;
/** Logs in one run, those first that were tried longest ago: docs/decisions/241 says what that costs. */
const AT_ONCE = 50;
/** Confirmed anchors are looked at again for so long: a chain may take back blocks. */
const LOOKED_AT_AGAIN_MS = 2 * 3_600_000;
/** An intent whose transaction the chain does not know is given up after this; it may have been on its way until then. */
const ON_ITS_WAY_MS = 10 * 60_000;

export interface PublishingDeps {
  readonly database: Database;
  readonly chain: Chain;
}

interface Grown {
  readonly id: number;
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

interface AnchorRow {
  readonly id: number;
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
  readonly state: 'pending' | 'confirmed';
  readonly transaction: string | null;
  readonly created_at: Date;
}

/**
 * Anchors the newest checkpoint of each log that has grown. The chain's word decides everything: what it has is not sent again, and what it has
 * otherwise halts the log. Safe to run twice at once and to break off anywhere.
 * @throws after all logs were tried: the first alarm or refusal, so that the operators' health page shows it
 */
export async function publishAnchors(deps: PublishingDeps): Promise<number> {
  const { database } = deps;
  await noteLook(deps);
  await settleAnchors(deps);
  const troubles: Error[] = [];
  let anchored = 0;
  for (const log of await grownLogs(deps)) {
    try {
      const sent = await anchorLog(deps, log);
      if (sent) anchored += 1;
      // A transaction that is still waiting would be replaced by the next one.
      if (sent === 'waiting') break;
    } catch (error) {
      if (!(error instanceof HaltedLog) && !(error instanceof ChainRefusal)) throw error;
      troubles.push(error);
      if (error instanceof ChainRefusal && error.reason === 'no_funds') break;
    }
  }
  await settleAnchors(deps);
  const halted = await database.sql<{ origin: string; halted_because: string }[]>`
    select origin, halted_because from logs where halted_at is not null and ended_at is null order by id limit 1`;
  const [alarm = troubles[0]] = halted.map((log) => new HaltedLog(log.origin, log.halted_because));
  if (alarm) throw alarm;
  return anchored;
}

const grownLogs = ({ database, chain }: PublishingDeps) => database.sql<Grown[]>`
  select l.id, l.origin, c.size, c.root
  from logs l
  cross join lateral (select size, root from checkpoints where log_id = l.id order by size desc limit 1) c
  left join lateral (select max(created_at) as tried_at from anchors where log_id = l.id) t on true
  where l.ended_at is null and l.halted_at is null
    and not exists (select from anchors a where a.log_id = l.id and a.state = 'pending')
    and not exists (
      select from anchors a where a.log_id = l.id and a.state = 'confirmed' and a.size >= c.size
        and a.chain_id = ${chain.chainId} and a.contract = ${chain.contract})
  order by t.tried_at nulls first, l.id limit ${AT_ONCE}`;

/** @returns whether it was sent, and whether its block came. @throws HaltedLog, ChainRefusal */
async function anchorLog(deps: PublishingDeps, log: Grown): Promise<'sent' | 'waiting' | null> {
  const { database, chain } = deps;
  const logId = logIdOf(sha256, log.origin);
  const head = await chain.head(logId);
  const fork = await forkFrom(database, log, 'chain', head);
  if (fork) throw await haltLog(database, log, fork);
  const isThere = head.size >= log.size;
  const intent = await intend(deps, log);
  // Another process intends it just now, or the chain has it by a transaction that this database does not know: settled next.
  if (intent === null || isThere) return null;
  try {
    if (head.size === 0) await chain.register(logId);
    const proof = head.size === 0 ? [] : await consistencyProof(database, log.id, head.size, log.size);
    const signed = await chain.sign({ logId, size: log.size, root: log.root, proof });
    await database.transaction(
      (tx) => tx.sql`update anchors set transaction = ${signed.transaction} where id = ${intent}`,
    );
    return (await signed.send()) ? 'sent' : 'waiting';
  } catch (error) {
    if (!(error instanceof ChainRefusal)) throw error;
    if (error.reason === 'overtaken') return null;
    await database.transaction(
      (tx) => tx.sql`
        update anchors set state = 'refused', reason = ${error.reason} where id = ${intent} and state = 'pending'`,
    );
    // Two publishers at once: the other one was first.
    if (error.reason === 'NotGrowing') return null;
    throw error;
  }
}

/** Notes that the chain answers, and whether the key has money there: the operators' page Health shows it. */
async function noteLook({ database, chain }: PublishingDeps): Promise<void> {
  const funds = (await chain.isShortOfFunds()) ? 'short' : 'enough';
  await database.transaction(
    (tx) => tx.sql`
      insert into chain_looks (chain_id, contract, looked_at, funds)
      values (${chain.chainId}, ${chain.contract}, ${tx.now}, ${funds})
      on conflict (chain_id, contract) do update set looked_at = excluded.looked_at, funds = excluded.funds`,
  );
}

/** Stores what is to be anchored, before the chain is called. @returns null where another process has just done so */
const intend = ({ database, chain }: PublishingDeps, { id, size, root }: Grown): Promise<number | null> =>
  database.transaction(async (tx) => {
    const [intent] = await tx.sql<{ id: number }[]>`
      insert into anchors (log_id, size, root, chain_id, contract, state, created_at)
      values (${id}, ${size}, ${root}, ${chain.chainId}, ${chain.contract}, 'pending', ${tx.now})
      on conflict (log_id) where state = 'pending' do nothing
      returning id`;
    return intent?.id ?? null;
  });

/** Asks the chain about everything that is pending, and about what was confirmed lately. */
async function settleAnchors({ database, chain }: PublishingDeps): Promise<void> {
  await leaveOtherChains({ database, chain });
  const since = new Date(database.now().getTime() - LOOKED_AT_AGAIN_MS);
  const rows = await database.sql<AnchorRow[]>`
    select a.id, l.origin, a.size, a.root, a.state, a.transaction, a.created_at
    from anchors a join logs l on l.id = a.log_id
    where a.chain_id = ${chain.chainId} and a.contract = ${chain.contract}
      and (a.state = 'pending' or a.state = 'confirmed' and a.confirmed_at > ${since})
    order by a.id`;
  for (const row of rows) {
    const found = await chain.stateOf({ ...row, logId: logIdOf(sha256, row.origin), transaction: row.transaction });
    if (found.state === 'confirmed') await confirm(database, row, found);
    const isLost = row.state === 'confirmed' || database.now().getTime() - row.created_at.getTime() > ON_ITS_WAY_MS;
    const isNeverSent = row.transaction === null;
    const isGone = found.state === 'absent' || (found.state === 'untraced' && row.state === 'pending');
    if (isGone && (isLost || isNeverSent)) await giveUp(database, row);
  }
}

/** Nobody asks the chain of former settings any more. What is pending there would keep its log from this one. */
const leaveOtherChains = ({ database, chain: { chainId, contract } }: PublishingDeps) =>
  database.transaction(
    (tx) => tx.sql`
      update anchors set state = 'refused', reason = 'other_chain'
      where state = 'pending' and (chain_id, contract) <> (${chainId}, ${contract})`,
  );

/** Confirms an anchor. Where another publisher's anchor of the same size is confirmed, this one is not needed. */
async function confirm(
  database: Database,
  row: AnchorRow,
  { transaction, block, at }: { transaction: string; block: number; at: Date },
): Promise<void> {
  const { count } = await database.transaction(
    (tx) => tx.sql`
      update anchors a set state = 'confirmed', transaction = ${transaction}, block = ${block}, block_at = ${at},
        confirmed_at = coalesce(confirmed_at, ${tx.now})
      where id = ${row.id} and state in ('pending', 'confirmed') and not exists (
        select from anchors other where other.log_id = a.log_id and other.size = a.size and other.chain_id = a.chain_id
          and other.contract = a.contract and other.state = 'confirmed' and other.id <> a.id)`,
  );
  if (count === 0) await giveUp(database, row);
}

const giveUp = (database: Database, { id, state }: AnchorRow) =>
  database.transaction((tx) => tx.sql`update anchors set state = 'absent' where id = ${id} and state = ${state}`);
