import { DRAFT_DAYS, retriedFrom } from '@ushirika/contract/voting-rules';
import type { Database } from '../../db/tx.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { isNotOver } from '../saccos/votes-not-over.ts';
import { cancelOfClosedPool } from './cancel-proposal.ts';
import { carryOut, expireResult } from './carry-out.ts';
import { clearTracesAtOnce } from './clear-traces.ts';
import { countRound, endWithoutCandidates } from './count-votes.ts';
import { tellRoll } from './proposal-rows.ts';
import { publishWaiting } from './publish-waiting.ts';
import { settleClosing, toSettle } from './settle-closing.ts';
import { tellVoters } from './tell-voters.ts';

const CHUNK = 100;
const DAY_MS = 86_400_000;
/** For so long after its closing a pool is looked at: no draft or notice that was there lasts longer. */
const POOL_DAYS = 60;
const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);
const FIRST = '00000000-0000-0000-0000-000000000000';

interface Due {
  readonly id: string;
  readonly saccoId: string;
}
/** The next that are due, in the order of their ids: after one, and at most so many. */
type NextDue = (database: Database, after: string, limit: number) => Promise<Due[]>;

/**
 * What time does to votes: says that voting begins, counts rounds that are over, carries out what has waited its time, opens again what
 * officials had closed and no vote confirmed, and tells the members. Each vote in a transaction of its own; it may run twice at once, or
 * again after it was cut off. What fails holds up no other.
 * @throws AggregateError of what failed, after everything else was done
 */
export async function tendVotes(database: Database, executors: ChangeExecutors): Promise<void> {
  const faults: unknown[] = [];
  const each = async (next: NextDue, act: (one: Due) => Promise<void>) => {
    for await (const one of allDue(database, next)) await act(one).catch((fault) => faults.push(fault));
  };
  await each(ofClosedPools, (one) => cancelOfClosedPool(database, one));
  await each(withoutCandidates, (one) => endWithoutCandidates(database, one));
  await each(toOpen, ({ id }) => database.transaction((tx) => tellRoll(tx, id, 'opened')));
  await each(toCount, (one) => countRound(database, one, executors));
  await clearTracesAtOnce(database).catch((fault) => faults.push(fault));
  await each(toCarryOut, (one) => carryOut(database, one, executors));
  await each(toExpire, (one) => expireResult(database, one, executors));
  await each(toPublish, (one) => publishWaiting(database, one, executors));
  await each(toSettle, (one) => settleClosing(database, one, executors));
  await tellVoters(database).catch((fault) => faults.push(fault));
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} votes could not be tended: ${faults[0]}`);
}

/** All that is due: what cannot be done yet stays behind, and the list goes on. */
async function* allDue(database: Database, next: NextDue): AsyncGenerator<Due> {
  let after = FIRST;
  for (;;) {
    const due = await next(database, after, CHUNK);
    yield* due;
    const last = due.at(-1);
    if (!last || due.length < CHUNK) return;
    after = last.id;
  }
}

/** What members of a pool wanted to vote on that is closed by now: drafts, and votes that have not begun. */
async function ofClosedPools({ sql, now }: Database, after: string, limit: number): Promise<Due[]> {
  return sql<Due[]>`
    select p.id, p.sacco_id as "saccoId" from proposals p join pools g on g.id = p.pool_id
    where p.id > ${after} and g.state = 'CLOSED' and g.state_at > ${daysBefore(now(), POOL_DAYS)} and p.cancelled_at is null and p.counted_at is null
      and p.round = 1 and (p.published_at is null and (p.complete_at is not null or p.drafted_at > ${daysBefore(now(), DRAFT_DAYS)}) or p.opens_at > ${now()})
    order by p.id limit ${limit}`;
}

/** Elections whose nominations are over, and for which nobody stands. */
async function withoutCandidates({ sql, now }: Database, after: string, limit: number): Promise<Due[]> {
  return sql<Due[]>`
    select id, sacco_id as "saccoId" from proposals p
    where id > ${after} and published_at is not null and nominations_end <= ${now()} and cancelled_at is null and counted_at is null
      and round = 1 and not exists (select from election_candidates c where c.proposal_id = p.id and c.withdrawn_at is null)
    order by id limit ${limit}`;
}

/** Voting has begun, and nobody was told so in this round. The second round says when it begins as it is announced. */
async function toOpen({ sql, now }: Database, after: string, limit: number): Promise<Due[]> {
  return sql<Due[]>`
    select id, sacco_id as "saccoId" from proposals p
    where id > ${after} and published_at is not null and cancelled_at is null and counted_at is null and closes_at > ${now()} and opens_at <= ${now()}
      and round = 1 and not exists (select from proposal_tellings t where t.proposal_id = p.id and t.what = 'opened')
    order by id limit ${limit}`;
}

async function toCount({ sql, now }: Database, after: string, limit: number): Promise<Due[]> {
  return sql<Due[]>`
    select id, sacco_id as "saccoId" from proposals
    where id > ${after} and published_at is not null and cancelled_at is null and counted_at is null and closes_at <= ${now()}
    order by id limit ${limit}`;
}

/** Drafts with all their signatures that wait for another vote. */
async function toPublish({ sql }: Database, after: string, limit: number): Promise<Due[]> {
  return sql<Due[]>`
    select id, sacco_id as "saccoId" from proposals
    where id > ${after} and complete_at is not null and published_at is null and cancelled_at is null
    order by id limit ${limit}`;
}

async function toCarryOut({ sql, now }: Database, after: string, limit: number): Promise<Due[]> {
  return sql<Due[]>`
    select id, sacco_id as "saccoId" from proposals p
    where id > ${after} and ${isNotOver(sql, now())} and eta <= ${now()} and coalesce(next_try_at, eta) <= ${now()}
      and expired_at is null and (held_until is null or released_at is not null or held_until <= ${now()})
    order by id limit ${limit}`;
}

/** What was not carried out within 30 days of its time, where that is not written down yet. */
async function toExpire({ sql, now }: Database, after: string, limit: number): Promise<Due[]> {
  return sql<Due[]>`
    select id, sacco_id as "saccoId" from proposals
    where id > ${after} and eta <= ${retriedFrom(now())} and executed_at is null and voided_at is null and given_up_at is null
      and expired_at is null and (held_until is null or released_at is not null or held_until <= ${now()})
    order by id limit ${limit}`;
}
