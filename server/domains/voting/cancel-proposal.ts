import { inWords } from '@ushirika/contract/in-words';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { ProposalState } from '@ushirika/contract/voting-rules';
import type { Database, Tx } from '../../db/tx.ts';
import { independentOf } from '../identity/second-account.ts';
import { tellPeople } from '../saccos/change-officials.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { destroyKeys } from './ballot-keys.ts';
import {
  addEvent,
  electorateNamed,
  lockProposal,
  type ProposalRow,
  stateAt,
  tellRoll,
  voteSaid,
} from './proposal-rows.ts';
import { signersOf, thoseWhoMightSign } from './sign-proposal.ts';

interface TakingBack {
  readonly id: string;
  readonly saccoId: string;
  readonly reason: string;
}

/**
 * Takes a draft back, which its drafter does alone; or a published vote, until voting on its first round begins. Two people who signed the
 * vote, and might sign it now, take it back; of a members’ vote one of them is its drafter. The first call asks, a call by another one
 * takes it back: nobody ends a vote alone. An election with candidates goes on. A second call by one person changes nothing. People who
 * were told of the vote are told that it does not come. Both people neither draft nor sign a vote on the same matter for 90 days.
 * @returns whether it is taken back
 * @throws Refusal `not_found`, `vote_conflict`, also for anybody else
 */
export async function cancelProposal(tx: Tx, actor: { readonly userId: string }, input: TakingBack): Promise<boolean> {
  await lockSacco(tx, input.saccoId);
  const row = await lockProposal(tx, input);
  const state = stateAt(row, tx.now);
  if (row.published_at === null) refuseOthersDraft(row, actor.userId);
  if (state === 'cancelled') return true;
  if (!mayTakeBack(state, row)) throw new Refusal('vote_conflict');
  if (row.published_at !== null) {
    const signers = await thoseWhoMightSign(tx, row, await signersOf(tx, row.id));
    if (!(await isAgreed(tx, row, { userId: actor.userId, signers }))) {
      if (row.take_back_by !== actor.userId)
        await ask(tx, row, { ...input, ...actor, signers, name: await electorateNamed(tx, row) });
      return false;
    }
  }
  await takeBack(tx, row, { byId: shownName(row, actor.userId), text: input.reason }, actor.userId);
  return true;
}

/** @param actorId null where the platform does it; else who has signed nothing on this matter for a while afterwards */
export async function takeBack(
  tx: Tx,
  row: ProposalRow,
  said: { readonly byId: string | null; readonly text: string },
  actorId: string | null = null,
): Promise<void> {
  await tx.sql`update proposals set cancelled_at = ${tx.now}, cancelled_by = ${actorId} where id = ${row.id}`;
  await destroyKeys(tx, row.id);
  await addEvent(tx, row.id, { kind: 'cancelled', ...said });
  if (row.published_at !== null) await tellRoll(tx, row.id, 'cancelled');
}

/**
 * Takes back what members of a pool that is closed have not begun to vote on. A vote that is open goes on until its count, and changes nothing.
 */
export async function cancelOfClosedPool(
  database: Database,
  { id, saccoId }: Pick<TakingBack, 'id' | 'saccoId'>,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockSacco(tx, saccoId);
    const row = await lockProposal(tx, { id, saccoId });
    if (mayTakeBack(stateAt(row, tx.now), row))
      await takeBack(tx, row, { byId: null, text: inWords(CLOSED_POOL, 'en') });
  });
}

const CLOSED_POOL = sentence('This pool is closed.');

/** Between its rounds a vote is `published` again: by then members have voted. */
export const mayTakeBack = (state: ProposalState, { round }: Pick<ProposalRow, 'round'>): boolean =>
  state === 'draft' || (state === 'published' && round === 1);

function refuseOthersDraft({ drafted_by }: ProposalRow, userId: string): void {
  if (drafted_by === userId) return;
  throw new Refusal('vote_conflict', { message: sentence('Only whoever drafted this takes it back.') });
}

/** Of a vote of members nobody reads who has signed it, but for whoever drafted it. */
const shownName = ({ drafted_as, drafted_by }: ProposalRow, userId: string): string | null =>
  drafted_as !== null || drafted_by === userId ? userId : null;

/** Whether another one has asked already, who might sign it still. @throws Refusal `vote_conflict` for whoever has no say in it */
async function isAgreed(
  tx: Tx,
  row: ProposalRow,
  { userId, signers }: { readonly userId: string; readonly signers: readonly string[] },
): Promise<boolean> {
  if (!signers.includes(userId)) throw new Refusal('vote_conflict', { message: BY_TWO });
  if (await hasCandidates(tx, row.id)) throw new Refusal('vote_conflict', { message: STANDS });
  const { take_back_by: asker } = row;
  if (asker === null || asker === userId || !signers.includes(asker)) return false;
  if (isDrafterLeftOut(row, { signers, agreeing: [userId, asker] }))
    throw new Refusal('vote_conflict', { message: BY_DRAFTER });
  if ((await independentOf(tx, [userId], [asker])).length > 0) return true;
  throw new Refusal('vote_conflict', { message: BY_TWO });
}

/** A vote that a member drafted is taken back with the drafter, as long as the drafter might sign it: else two signers end what others wanted. */
const isDrafterLeftOut = (
  { drafted_as, drafted_by }: ProposalRow,
  { signers, agreeing }: { readonly signers: readonly string[]; readonly agreeing: readonly string[] },
): boolean => drafted_as === null && signers.includes(drafted_by) && !agreeing.includes(drafted_by);

const BY_DRAFTER = sentence('A vote of members is taken back by whoever drafted it, together with another signer.');
const BY_TWO = sentence('A published vote is taken back by two who have signed it, and who might sign it now.');
const STANDS = sentence('Somebody stands for this election already. It goes on.');

async function hasCandidates(tx: Tx, id: string): Promise<boolean> {
  const [candidate] =
    await tx.sql`select from election_candidates where proposal_id = ${id} and withdrawn_at is null limit 1`;
  return candidate !== undefined;
}

async function ask(
  tx: Tx,
  row: ProposalRow,
  asked: TakingBack & { readonly userId: string; readonly signers: readonly string[]; readonly name: string },
): Promise<void> {
  const { userId, reason, signers, name } = asked;
  await tx.sql`update proposals set take_back_by = ${userId}, take_back_reason = ${reason} where id = ${row.id}`;
  await addEvent(tx, row.id, { kind: 'take_back_asked', byId: shownName(row, userId), text: reason });
  const text = sentence('{name}: somebody who has signed {vote} asks to take it back. Do you agree?', {
    name,
    vote: voteSaid(row),
  });
  await tellPeople(
    tx,
    userId,
    signers.filter((signer) => signer !== userId),
    { template: 'vote_take_back_asked', text },
  );
}
