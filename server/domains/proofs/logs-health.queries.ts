import type { platformHealth } from '@ushirika/contract/operator';
import type { ReplyOf } from '@ushirika/contract/route';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';

type Health = ReplyOf<typeof platformHealth>;

const HALTED_SHOWN = 20;
const LOGS_LOOKED_AT = 200;
/** Runs of the publisher that a chain may miss before it counts as silent, and what it is given beside them. */
const RUNS_MISSED = 3;
const LATE_MS = 10 * 60_000;

/**
 * How the logs and their chain are doing, for the operators' page. Their tables are closed to every person, so it reads as the platform.
 * @param everySeconds null: nothing is anchored
 */
export const healthOfLogs = (
  database: Database,
  everySeconds: number | null,
): Promise<Pick<Health, 'logs' | 'chain'>> =>
  asSystem(async () => {
    const [logs, chain] = await Promise.all([
      logsOf(database),
      everySeconds === null ? null : chainOf(database, everySeconds),
    ]);
    return { logs, chain };
  });

async function logsOf({ sql }: Database): Promise<Health['logs']> {
  const [figures] = await sql<{ count: number; last_signed_at: Date | null; unsigned_since: Date | null }[]>`
    select (select count(*)::int from logs where ended_at is null) as count,
      (select max(signed_at) from logs l cross join lateral (
        select signed_at from checkpoints where log_id = l.id order by size desc limit 1) c) as last_signed_at,
      least(
        (select posted_at from journals where id > (select upto from log_cursors where source = 'journals') order by id limit 1),
        (select min(j.posted_at) from (
          select l.id, coalesce(c.size, 0) as signed from logs l
          left join lateral (select size from checkpoints where log_id = l.id order by size desc limit 1) c on true
          where l.ended_at is null and l.halted_at is null and l.size > coalesce(c.size, 0) limit ${LOGS_LOOKED_AT}) u
        -- Entries that are about no journal may stand before it.
        cross join lateral (
          select journal_id from log_entries where log_id = u.id and i >= u.signed and journal_id is not null order by i limit 1) e
        join journals j on j.id = e.journal_id)
      ) as unsigned_since`;
  const halted = await sql<{ origin: string; sacco: string | null; by: 'database' | 'file' | 'chain'; since: Date }[]>`
    select l.origin, s.name as sacco, l.halted_by as by, l.halted_at as since
    from logs l left join saccos s on s.id = l.sacco_id
    where l.halted_at is not null and l.ended_at is null order by l.halted_at, l.id limit ${HALTED_SHOWN}`;
  return {
    count: figures?.count ?? 0,
    halted: halted.map((log) => ({ ...log, since: log.since.toISOString() })),
    last_signed_at: figures?.last_signed_at?.toISOString() ?? null,
    unsigned_since: figures?.unsigned_since?.toISOString() ?? null,
  };
}

async function chainOf(database: Database, everySeconds: number): Promise<Health['chain']> {
  const [look] = await database.sql<{ looked_at: Date; funds: 'enough' | 'short'; last_anchor_at: Date | null }[]>`
    select k.looked_at, k.funds, (
      select max(block_at) from anchors a
      where a.state = 'confirmed' and a.chain_id = k.chain_id and a.contract = k.contract) as last_anchor_at
    from chain_looks k order by k.looked_at desc limit 1`;
  const silentAfterMs = RUNS_MISSED * everySeconds * 1_000 + LATE_MS;
  return {
    looked_at: look?.looked_at.toISOString() ?? null,
    is_silent: look !== undefined && database.now().getTime() - look.looked_at.getTime() > silentAfterMs,
    last_anchor_at: look?.last_anchor_at?.toISOString() ?? null,
    funds: look?.funds ?? null,
  };
}
