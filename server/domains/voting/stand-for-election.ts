import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { CANDIDATES_MAX, ROLL_MEMBER_DAYS } from '@ushirika/contract/voting-rules';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { refuseOperatorsName } from '../identity/operators.ts';
import { refuseBarred } from '../saccos/offices.ts';
import { rollSince } from './off-roll.ts';
import { addEvent, lockProposal, type ProposalRow, stateAt } from './proposal-rows.ts';

/**
 * Somebody on the roll stands for an election, while nominations are open. Standing is the consent to the office, so it asks for what
 * taking an office up asks for: a confirmed phone, no operator's name, and an ID card that was seen. Members vote for the name that they had
 * when the vote was published, and its number, which the database keeps: nobody takes the name of a candidate, and namesakes both stand. Once more changes the words. The proposal's lock is enough: what may change meanwhile, such as offices, is
 * asked again when the office is filled.
 * @throws Refusal `not_found`, `vote_conflict`, also for a card that was not seen before the publication under the name of now, `not_on_roll`,
 *   `phone_unconfirmed`, `validation_failed` for an operator's name, `office_conflict`, `votes_limit_reached`
 */
export async function standForElection(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly id: string; readonly saccoId: string; readonly words: string },
): Promise<void> {
  const row = await lockProposal(tx, input);
  if (!mayStand(row, tx.now)) throw new Refusal('vote_conflict');
  await refuseUnfit(tx, row, actor.userId);
  const others = await tx.sql<{ member_id: string }[]>`
    select member_id from election_candidates where proposal_id = ${row.id} and withdrawn_at is null`;
  const isNew = others.every(({ member_id }) => member_id !== actor.userId);
  if (isNew && others.length >= CANDIDATES_MAX) {
    throw new Refusal('votes_limit_reached', { message: sentence('Fifty members stand already.') });
  }
  await tx.sql`
    insert into election_candidates (id, proposal_id, member_id, words, nominated_at)
    values (${tx.newId()}, ${row.id}, ${actor.userId}, ${input.words}, ${tx.now})
    on conflict (proposal_id, member_id) do update set words = excluded.words, nominated_at = excluded.nominated_at, withdrawn_at = null`;
  if (isNew) await addEvent(tx, row.id, { kind: 'nominated', byId: actor.userId });
}

/**
 * Whoever stands does not any more; until voting begins, also once nominations are over. Where nobody is left then, the election ends.
 * @throws Refusal `not_found`, `vote_conflict`, also for whoever does not stand
 */
export async function standDown(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly id: string; readonly saccoId: string },
): Promise<void> {
  const row = await lockProposal(tx, input);
  if (!mayStandDown(row, tx.now)) throw new Refusal('vote_conflict');
  const [own] = await tx.sql<{ withdrawn_at: Date | null }[]>`
    select withdrawn_at from election_candidates where proposal_id = ${row.id} and member_id = ${actor.userId}`;
  if (!own) throw new Refusal('vote_conflict');
  if (own.withdrawn_at !== null) return;
  await tx.sql`
    update election_candidates set withdrawn_at = ${tx.now} where proposal_id = ${row.id} and member_id = ${actor.userId}`;
  await addEvent(tx, row.id, { kind: 'stood_down', byId: actor.userId });
}

/** Whether candidates may stand down now: nobody has voted yet. */
export const mayStandDown = (row: ProposalRow, now: Date): boolean =>
  row.kind === 'election' && row.round === 1 && stateAt(row, now) === 'published';

/** Whether members stand for an election now. */
export const mayStand = (row: ProposalRow, now: Date): boolean =>
  row.kind === 'election' &&
  stateAt(row, now) === 'published' &&
  row.nominations_end !== null &&
  now < row.nominations_end;

async function refuseUnfit(tx: Tx, row: ProposalRow, userId: string): Promise<void> {
  const [place] = await tx.sql<{ first_name: string; last_name: string; is_confirmed: boolean }[]>`
    select u.first_name, u.last_name, u.phone_confirmed_at is not null as is_confirmed
    from proposal_roll r join users u on u.id = r.member_id where r.proposal_id = ${row.id} and r.member_id = ${userId}`;
  if (!place) throw new Refusal('not_on_roll');
  if (!place.is_confirmed) throw new Refusal('phone_unconfirmed');
  await refuseOperatorsName(tx, { userId, firstName: place.first_name, lastName: place.last_name });
  const before = isGuarded('voting.name_of_publication') ? row.published_at : null;
  if (!(await isCardSeen(tx, row.sacco_id, userId, before))) throw new Refusal('vote_conflict', { message: UNSEEN });
  if (row.office !== null) await refuseBarred(tx, { saccoId: row.sacco_id, office: row.office }, userId);
}

const UNSEEN = sentence(
  'You stand under the name under which your ID card was seen before this vote was published. Yours has changed since.',
);

/**
 * Whether somebody's ID card counts as seen under the name that they have now: as for a roll, but for a check that a new name ended.
 * @param before then it was seen already; null: whenever
 */
export async function isCardSeen(
  tx: Tx,
  saccoId: string,
  userId: string,
  before: Date | null = null,
): Promise<boolean> {
  const [seen] = await tx.sql`
    select from identity_checks
    where user_id = ${userId} and (sacco_id is null or sacco_id = ${saccoId}) and seen_at <= coalesce(${before}::timestamptz, ${tx.now})
      and (ended_at is null or end_kind <> 'renamed' and ended_at > ${rollSince(tx.now)}
        and ended_at >= seen_at + ${ROLL_MEMBER_DAYS} * interval '1 day')
    limit 1`;
  return seen !== undefined;
}
