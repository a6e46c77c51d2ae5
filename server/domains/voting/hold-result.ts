import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { HELD_DAYS_MAX } from '@ushirika/contract/voting-rules';
import type { Fragment } from 'postgres';
import type { Database, Tx } from '../../db/tx.ts';
import { otherAccountsAmong, refuseSecondAccount } from '../identity/second-account.ts';
import { isPlaceNow } from '../pools/pool-access.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { refuseWithoutOffice } from '../saccos/propose-change.ts';
import { addEvent, lockProposal, type ProposalRow, stateAt, tellRoll } from './proposal-rows.ts';

/*
 * A result that passed waits for its time, or could not be carried out yet. Each member of the supervisory committee may hold it once, to
 * see whether it is lawful; all holds end 14 days after the first one began. One member holds; another one voids, while the first one
 * still sits. A hold that nobody decides ends by itself. Whoever holds it first and lets go cannot use up the hold of the others.
 */

const DAY_MS = 86_400_000;

interface Held {
  readonly id: string;
  readonly saccoId: string;
}

/** @throws Refusal `not_found`, `vote_conflict` where it does not wait, is held by another, or after one's own hold or the 14 days */
export async function holdResult(
  tx: Tx,
  actor: { readonly userId: string },
  input: Held & { readonly reason: string },
): Promise<void> {
  const row = await lockResult(tx, actor, input);
  const state = stateAt(row, tx.now);
  if (state === 'held' && row.held_by === actor.userId) return;
  const until = row.held_until ?? new Date(tx.now.getTime() + HELD_DAYS_MAX * DAY_MS);
  const isFree =
    state === 'queued' || state === 'execution_failed' || (state === 'held' && !(await holderSits(tx, row)));
  if (!isFree || until <= tx.now || (await hasHeld(tx, row.id, actor.userId))) throw new Refusal('vote_conflict');
  await tx.sql`
    update proposals set held_by = ${actor.userId}, held_until = ${until}, released_at = null where id = ${row.id}`;
  await addEvent(tx, row.id, { kind: 'held', byId: actor.userId, text: input.reason });
  await tellRoll(tx, row.id, 'held');
}

async function hasHeld(tx: Tx, proposalId: string, userId: string): Promise<boolean> {
  const [found] = await tx.sql`
    select from proposal_events where proposal_id = ${proposalId} and kind = 'held' and by_id = ${userId}`;
  return found !== undefined;
}

async function holderSits(tx: Tx, { sacco_id, held_by }: ProposalRow): Promise<boolean> {
  const [found] = await tx.sql`
    select from offices
    where sacco_id = ${sacco_id} and user_id = ${held_by}::uuid and office = 'supervisory_committee' and ended_at is null
      and until > ${tx.now}`;
  return found !== undefined;
}

/**
 * Any member of the committee lets it go on, but not with a second account of whoever holds it.
 * @throws Refusal `not_found`, `vote_conflict`, `not_allowed` for that account
 */
export async function releaseResult(tx: Tx, actor: { readonly userId: string }, input: Held): Promise<void> {
  const row = await lockResult(tx, actor, input);
  if (row.released_at !== null) return;
  if (stateAt(row, tx.now) !== 'held' || row.held_by === null) throw new Refusal('vote_conflict');
  if (row.held_by !== actor.userId) await refuseSecondAccount(tx, actor.userId, [row.held_by], NOT_RELEASED);
  await tx.sql`update proposals set released_at = ${tx.now} where id = ${row.id}`;
  await addEvent(tx, row.id, { kind: 'released', byId: actor.userId });
}

/**
 * Another member of the committee finds it unlawful. Members who were told of the change are told that it does not come.
 * @throws Refusal `not_found`, `second_official_required` for whoever holds it, `not_allowed` for their second account, `vote_conflict`, also
 *   where the holder left the committee, or where it is about a place on the committee
 */
export async function voidResult(
  tx: Tx,
  actor: { readonly userId: string },
  input: Held & { readonly reason: string },
  executors: ChangeExecutors,
): Promise<void> {
  const row = await lockResult(tx, actor, input);
  if (row.voided_at !== null) return;
  if (stateAt(row, tx.now) !== 'held' || row.held_by === null) throw new Refusal('vote_conflict');
  if (row.held_by === actor.userId) {
    throw new Refusal('second_official_required', {
      message: sentence('You hold this: another member of the supervisory committee voids it.'),
    });
  }
  if (isOfSupervisors(row, await expelsSupervisor(tx, row)))
    throw new Refusal('vote_conflict', { message: OWN_COMMITTEE });
  await refuseSecondAccount(tx, actor.userId, [row.held_by], ONE_PERSON);
  if (!(await holderSits(tx, row))) throw new Refusal('vote_conflict', { message: HOLDER_LEFT });
  await tx.sql`update proposals set voided_by = ${actor.userId}, voided_at = ${tx.now} where id = ${row.id}`;
  await addEvent(tx, row.id, { kind: 'voided', byId: actor.userId, text: input.reason });
  await tellRoll(tx, row.id, 'voided');
  await recall(tx, actor.userId, row, executors);
}

const ONE_PERSON = sentence(
  'Your account and that of the official who holds this look like one person’s. Another official must void it.',
);

const NOT_RELEASED = sentence(
  'Your account and that of the official who holds this look like one person’s. Another official must release it.',
);
/** Who sits on the supervisory committee is for members alone: else it could keep everybody out, and keep its own in. */
export const isOfSupervisors = ({ office, change_kind, expected }: ProposalRow, expelsOneOfThem: boolean): boolean =>
  expelsOneOfThem ||
  office === 'supervisory_committee' ||
  (change_kind === 'official_removal' && expected?.office === 'supervisory_committee');

/** In SQL, of votes `p`: whether it expels somebody who sits on the supervisory committee now, or sat on it at the publication. */
export const expellingSupervisor = (sql: Tx['sql'] | Database['sql'], now: Date): Fragment => (sql as Tx['sql'])`
  (p.change_kind = 'expulsion' and exists (
    select from offices o
    where o.sacco_id = p.sacco_id and o.user_id = p.about_id and o.office = 'supervisory_committee'
      and (o.ended_at is null and o.until > ${now}
        or o.since <= p.published_at and o.until > p.published_at and (o.ended_at is null or o.ended_at > p.published_at))))`;

async function expelsSupervisor(tx: Tx, { id }: ProposalRow): Promise<boolean> {
  const [found] = await tx.sql`select from proposals p where p.id = ${id} and ${expellingSupervisor(tx.sql, tx.now)}`;
  return found !== undefined;
}

const OWN_COMMITTEE = sentence(
  'This is about a place on your own committee. You may hold it for 14 days, and not void it.',
);
const ABOUT_YOU = sentence('This vote is about you: others of the supervisory committee examine it.');
const ABOUT_OTHER_ACCOUNT = sentence(
  'Your account looks like the second one of somebody whom this vote is about, or who is a steward of its pool or owes it: others of the supervisory committee examine it.',
);
const OF_POOL = sentence(
  'You are a steward of this pool, owe it money, or it is asked to pay for you: others of the supervisory committee examine its votes.',
);
const HOLDER_LEFT = sentence(
  'Whoever holds this is not of the supervisory committee any more. Hold it yourself: another member then voids it.',
);

async function lockResult(tx: Tx, { userId }: { readonly userId: string }, input: Held): Promise<ProposalRow> {
  await lockSacco(tx, input.saccoId);
  await refuseWithoutOffice(tx, { saccoId: input.saccoId, userId }, { offices: ['supervisory_committee'] });
  const row = await lockProposal(tx, input);
  if (row.about_id === userId) throw new Refusal('vote_conflict', { message: ABOUT_YOU });
  if (row.pool_id !== null && (await isInterested(tx, row.pool_id, userId)))
    throw new Refusal('vote_conflict', { message: OF_POOL });
  if ((await otherAccountsAmong(tx, userId, await concernedBy(tx, row))).size > 0)
    throw new Refusal('vote_conflict', { message: ABOUT_OTHER_ACCOUNT });
  return row;
}

/** Whom a vote is about; of one of a pool also its stewards, and those who owe it. */
async function concernedBy(tx: Tx, { about_id, pool_id }: ProposalRow): Promise<string[]> {
  const rows = await tx.sql<{ id: string }[]>`
    select ${about_id}::uuid as id where ${about_id}::uuid is not null
    union select w.user_id from pool_stewards w where w.pool_id = ${pool_id}::uuid and ${isPlaceNow(tx.sql, tx.now)}
    union select c.user_id from pool_contracts c where c.pool_id = ${pool_id}::uuid and ${owesPool(tx.sql)}`;
  return rows.map(({ id }) => id);
}

/** Stewards of a pool, and whoever owes it, do not examine what its members decide. */
async function isInterested(tx: Tx, poolId: string, userId: string): Promise<boolean> {
  const [found] = await tx.sql<{ is_interested: boolean }[]>`
    select ${interestedInPool(tx, tx.sql`${poolId}::uuid`, tx.sql`${userId}::uuid`)} as is_interested`;
  return found?.is_interested === true;
}

/** In SQL: whether a person is a steward of a pool, or owes it. */
export const interestedInPool = (
  { sql, now }: { readonly sql: Tx['sql'] | Database['sql']; readonly now: Date },
  pool: Fragment,
  user: Fragment,
): Fragment => (sql as Tx['sql'])`
  (exists (select from pool_stewards w where w.pool_id = ${pool} and w.user_id = ${user} and ${isPlaceNow(sql, now)})
    or exists (select from pool_contracts c where c.pool_id = ${pool} and c.user_id = ${user} and ${owesPool(sql)}))`;

/** In SQL, of guarantees `c`: whether the pool has paid for its borrower and not all came back, or is asked to pay. */
const owesPool = (sql: Tx['sql'] | Database['sql']): Fragment => (sql as Tx['sql'])`
  (c.claim_cents > c.recovered_cents or c.state in ('DEMAND', 'DISPUTED', 'CALLED'))`;

/** Tells those who were told at the count that the change comes that it does not. */
export async function recall(
  tx: Tx,
  causedBy: string | null,
  row: ProposalRow,
  executors: ChangeExecutors,
): Promise<void> {
  if (row.change_kind === null || row.counted_at === null || row.eta === null) return;
  const about = { saccoId: row.sacco_id, proposedBy: row.drafted_by };
  const recalled = { confirmedAt: row.counted_at, effectiveAt: row.eta, causedBy };
  await executors[row.change_kind].recall(tx, about, recalled, []);
}
