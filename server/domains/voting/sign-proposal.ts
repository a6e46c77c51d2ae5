import { Refusal } from '@ushirika/contract/refusal';
import { longDateTime, sentence } from '@ushirika/contract/sentence';
import { nominationsEndOf, rulesUnder, windowOf } from '@ushirika/contract/voting-rules';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { independentOf } from '../identity/second-account.ts';
import { tellPeople } from '../saccos/change-officials.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { makeKey } from './ballot-keys.ts';
import { officialsOfBoard } from './board.ts';
import { isOutdated } from './carry-out.ts';
import { refuseUnlessRunning, refuseWithoutRights } from './draft-proposal.ts';
import { makeRoll } from './make-roll.ts';
import { refuseOffRoll, wouldVoteAmong } from './off-roll.ts';
import {
  addEvent,
  electorateNamed,
  lockProposal,
  type ProposalRow,
  stateAt,
  tellRoll,
  voteSaid,
} from './proposal-rows.ts';
import { governanceOf } from './vote-rules.ts';
import {
  barredAmong,
  busyAmong,
  lacksPlace,
  refuseBarred,
  refuseBusy,
  refuseWaiting,
  votesInTheWay,
  waitingAmong,
  waitsBehind,
} from './votes-underway.ts';

/** What became of a draft by a signature. */
export type Signed = 'signed' | 'published' | 'waits_for_vote' | 'waits_for_place';

/**
 * Signs a draft. A board's draft is signed by its officials, a members' draft by members who could vote on it. The draft is published
 * once enough signers are still entitled. While another vote on the same is not over, or no place is free, it waits, and is published by itself
 * after that (docs/decisions/190). A second call by the same person adds nothing.
 * @throws Refusal `sacco_inactive`, `not_found`, `not_allowed` for another account of whoever signed, `full_rights_required`,
 *   `vote_conflict` where it is no draft any more, or cannot be published, and what the change's executor says
 */
export async function signProposal(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly id: string; readonly saccoId: string },
  executors: ChangeExecutors,
): Promise<Signed> {
  const sacco = await lockSacco(tx, input.saccoId);
  refuseUnlessRunning(sacco);
  const row = await lockProposal(tx, input);
  const signers = await signersOf(tx, row.id);
  const hasSigned = signers.includes(actor.userId);
  if (stateAt(row, tx.now) !== 'draft') {
    if (hasSigned) return 'signed';
    throw new Refusal('vote_conflict');
  }
  if (!hasSigned) await addSignature(tx, row, actor.userId, signers);
  const given = await validOf(tx, row, hasSigned ? signers : [...signers, actor.userId]);
  await tx.sql`update proposals set signatures = ${given} where id = ${row.id} and signatures <> ${given}`;
  if (given < row.signatures_needed) return 'signed';
  const waits = await whyWaits(tx, row);
  if (waits !== null) {
    await refuseImpossible(tx, row, executors);
    await tx.sql`update proposals set complete_at = ${tx.now} where id = ${row.id} and complete_at is null`;
    return waits;
  }
  await publish(tx, row, executors);
  return 'published';
}

/** The reason why a draft with its signatures is not published now: another vote on the same, or that no place is free. */
export async function whyWaits(tx: Tx, row: ProposalRow): Promise<'waits_for_vote' | 'waits_for_place' | null> {
  const isBehind = (await votesInTheWay(tx, [row.id], tx.now)).has(row.id) || (await waitsBehind(tx, row.id));
  if (isBehind && isGuarded('voting.one_at_a_time')) return 'waits_for_vote';
  return (await lacksPlace(tx, row)) ? 'waits_for_place' : null;
}

/**
 * How many signatures count now: one of whoever was busy with another vote counts again once that is counted. Who of all signers might still
 * sign is asked once there may be enough: asked at each signature, it would grow with their square.
 */
export async function validOf(tx: Tx, row: ProposalRow, signers: readonly string[]): Promise<number> {
  if (signers.length < row.signatures_needed) return signers.length;
  const kept = [
    ...(await busyAmong(tx, row, signers)),
    ...(await barredAmong(tx, row.id, signers)),
    ...(await waitingAmong(tx, row.id, signers)),
  ];
  return (await thoseWhoMightSign(tx, row, signers)).filter((id) => !kept.includes(id)).length;
}

async function addSignature(tx: Tx, row: ProposalRow, userId: string, signers: readonly string[]): Promise<void> {
  await refuseUnlessSigner(tx, row, userId);
  if (await isAbout(tx, row, userId)) throw new Refusal('not_allowed', { message: ABOUT_YOU });
  if ((await independentOf(tx, [userId], signers)).length === 0)
    throw new Refusal('not_allowed', { message: ONE_PERSON });
  await refuseBusy(tx, row, userId);
  await refuseBarred(tx, row.id, userId);
  await refuseWaiting(tx, row.id, userId);
  await tx.sql`insert into proposal_signatures (proposal_id, user_id, at) values (${row.id}, ${userId}, ${tx.now})`;
  await addEvent(tx, row.id, { kind: 'signed', byId: row.drafted_as === null ? null : userId });
}

/** Whether it is about this person, also under another account; an offer to be a steward is made by whoever it is about. */
async function isAbout(tx: Tx, { about_id, change_kind }: ProposalRow, userId: string): Promise<boolean> {
  if (about_id === null || change_kind === 'pool_steward') return false;
  return about_id === userId || (await independentOf(tx, [userId], [about_id])).length === 0;
}

const ABOUT_YOU = sentence('This vote is about you: others sign it.');
const ONE_PERSON = sentence(
  'Your account and that of somebody who has signed this look like one person’s. Somebody else must sign it.',
);

/** Who has signed it, in the order of their ids. */
export async function signersOf(tx: Tx, proposalId: string): Promise<string[]> {
  const rows = await tx.sql<{ user_id: string }[]>`
    select user_id from proposal_signatures where proposal_id = ${proposalId} order by user_id`;
  return rows.map(({ user_id }) => user_id);
}

/** Of those who have signed, whose signature counts: they might sign now. */
export async function thoseWhoMightSign(tx: Tx, row: ProposalRow, signers: readonly string[]): Promise<string[]> {
  if (row.drafted_as === null) return wouldVoteAmong(tx, row, signers);
  const board = await officialsOfBoard(tx, row.sacco_id);
  return signers.filter((signer) => board.some(({ user_id }) => user_id === signer));
}

async function refuseUnlessSigner(tx: Tx, row: ProposalRow, userId: string): Promise<void> {
  if (row.drafted_as === null) {
    await refuseWithoutRights(tx, row.sacco_id, userId);
    return refuseOffRoll(tx, row, userId);
  }
  const board = await officialsOfBoard(tx, row.sacco_id);
  if (board.some(({ user_id }) => user_id === userId)) return;
  throw new Refusal('vote_conflict', {
    message: sentence('This is a draft of the board: another of its officials signs it.'),
  });
}

/** Fixes text, rules and roll, and says when members vote. */
export async function publish(tx: Tx, row: ProposalRow, executors: ChangeExecutors): Promise<void> {
  await refuseImpossible(tx, row, executors);
  const rollSize = await makeRoll(tx, row);
  const rules = rulesUnder(await governanceOf(tx, row.sacco_id), row.class);
  const { opensAt, closesAt } = windowOf(tx.now, rules);
  await tx.sql`
    update proposals set published_at = ${tx.now}, rules = ${JSON.stringify(rules)}::text::jsonb, roll_size = ${rollSize},
      opens_at = ${opensAt}, closes_at = ${closesAt},
      nominations_end = ${row.kind === 'election' ? nominationsEndOf(tx.now) : null}
    where id = ${row.id}`;
  if (row.ballot === 'secret') await makeKey(tx, row.id, 1);
  await addEvent(tx, row.id, { kind: 'published' });
  await tellRoll(tx, row.id, 'published');
  if (row.about_id !== null && row.change_kind !== 'pool_steward')
    await tellWhomItIsAbout(tx, row, row.about_id, opensAt);
}

/** Beside what all members are told: how to answer, and until when. */
async function tellWhomItIsAbout(tx: Tx, row: ProposalRow, userId: string, opensAt: Date): Promise<void> {
  const name = await electorateNamed(tx, row);
  const values = { name, vote: voteSaid(row), from: longDateTime(opensAt) };
  const text = sentence(
    '{name}: {vote} is about you. You may answer it until {from}. All members read your answer.',
    values,
  );
  await tellPeople(tx, row.drafted_by, [userId], { template: 'vote_about_you', text });
}

const DRAFT_ANEW = sentence('What it changes has changed since it was drafted. Draft it anew.');

/** Nobody is asked about what cannot be carried out by now. */
async function refuseImpossible(tx: Tx, row: ProposalRow, executors: ChangeExecutors): Promise<void> {
  if (row.change_kind === null || row.payload === null) return;
  if (await isOutdated(tx, row, executors)) throw new Refusal('vote_conflict', { message: DRAFT_ANEW });
  const about = { saccoId: row.sacco_id, proposedBy: row.drafted_by };
  const refusal = await executors[row.change_kind].refusalOf(tx, about, row.payload);
  if (refusal) throw refusal;
}
