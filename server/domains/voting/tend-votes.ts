import { RETRY_DAYS } from '@ushirika/contract/voting-rules';
import type { Database } from '../../db/tx.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { carryOut } from './carry-out.ts';
import { clearTracesAtOnce } from './clear-traces.ts';
import { countRound, endWithoutCandidates } from './count-votes.ts';
import { tellRoll } from './proposal-rows.ts';
import { settleClosing, toSettle } from './settle-closing.ts';
import { tellVoters } from './tell-voters.ts';

const CHUNK = 100;
const DAY_MS = 86_400_000;

interface Due {
  readonly id: string;
  readonly saccoId: string;
}

/**
 * What time does to votes: says that voting begins, counts rounds that are over, carries out what has waited its time, opens again what
 * officials had closed and no vote confirmed, and tells the members. Each vote in a transaction of its own; it may run twice at once, or again after it was cut off. What fails holds up no other.
 * @throws AggregateError of what failed, after everything else was done
 */
export async function tendVotes(database: Database, executors: ChangeExecutors): Promise<void> {
  const faults: unknown[] = [];
  const each = async (due: readonly Due[], act: (one: Due) => Promise<void>) => {
    for (const one of due) await act(one).catch((fault) => faults.push(fault));
  };
  await each(await withoutCandidates(database), (one) => endWithoutCandidates(database, one));
  await each(await toOpen(database), ({ id }) => database.transaction((tx) => tellRoll(tx, id, 'opened')));
  await each(await toCount(database), (one) => countRound(database, one, executors));
  await clearTracesAtOnce(database).catch((fault) => faults.push(fault));
  await each(await toCarryOut(database), (one) => carryOut(database, one, executors));
  await each(await toSettle(database), (one) => settleClosing(database, one, executors));
  await tellVoters(database).catch((fault) => faults.push(fault));
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} votes could not be tended: ${faults[0]}`);
}

/** Elections whose nominations are over, and for which nobody stands. */
async function withoutCandidates({ sql, now }: Database): Promise<Due[]> {
  return sql<Due[]>`
    select id, sacco_id as "saccoId" from proposals p
    where nominations_end <= ${now()} and cancelled_at is null and counted_at is null and round = 1
      and not exists (select from election_candidates c where c.proposal_id = p.id)
    order by nominations_end, id limit ${CHUNK}`;
}

/** Voting has begun, and nobody was told so in this round. The second round says when it begins as it is announced. */
async function toOpen({ sql, now }: Database): Promise<Due[]> {
  return sql<Due[]>`
    select id, sacco_id as "saccoId" from proposals p
    where published_at is not null and cancelled_at is null and counted_at is null and closes_at > ${now()} and opens_at <= ${now()}
      and round = 1 and not exists (select from proposal_tellings t where t.proposal_id = p.id and t.what = 'opened')
    order by closes_at, id limit ${CHUNK}`;
}

async function toCount({ sql, now }: Database): Promise<Due[]> {
  return sql<Due[]>`
    select id, sacco_id as "saccoId" from proposals
    where published_at is not null and cancelled_at is null and counted_at is null and closes_at <= ${now()}
    order by closes_at, id limit ${CHUNK}`;
}

async function toCarryOut({ sql, now }: Database): Promise<Due[]> {
  return sql<Due[]>`
    select id, sacco_id as "saccoId" from proposals
    where eta <= ${now()} and eta > ${new Date(now().getTime() - RETRY_DAYS * DAY_MS)} and executed_at is null and voided_at is null
      and given_up_at is null
      and (held_until is null or released_at is not null or held_until <= ${now()})
    order by eta, id limit ${CHUNK}`;
}
