import { createHash } from 'node:crypto';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { VOTES_UNDERWAY_MAX } from '@ushirika/contract/voting';
import { nominationsEndOf, ROLL_MEMBER_DAYS, RULES_OF_CLASS, windowOf } from '@ushirika/contract/voting-rules';
import type { Tx } from '../../db/tx.ts';
import { independentOf } from '../identity/second-account.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { makeKey } from './ballot-keys.ts';
import { officialsOfBoard } from './board.ts';
import { refuseOffRoll, refuseUnlessRunning, refuseWithoutRights } from './draft-proposal.ts';
import { addEvent, lockProposal, type ProposalRow, stateAt, tellRoll } from './proposal-rows.ts';

const DAY_MS = 86_400_000;

/**
 * Signs a draft: of the board as one of the board, of members as a member with full rights. The last signature that it needs
 * publishes it. Signed already is signed.
 * @throws Refusal `sacco_inactive`, `not_found`, `not_allowed` for another account of whoever signed, `full_rights_required`,
 *   `vote_conflict` where it is no draft any more, `votes_limit_reached`, and what the change's executor says
 */
export async function signProposal(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly id: string; readonly saccoId: string },
  executors: ChangeExecutors,
): Promise<void> {
  const sacco = await lockSacco(tx, input.saccoId);
  refuseUnlessRunning(sacco);
  const row = await lockProposal(tx, input);
  const signers = await signersOf(tx, row.id);
  if (signers.includes(actor.userId)) return;
  if (stateAt(row, tx.now) !== 'draft') throw new Refusal('vote_conflict');
  await refuseUnlessSigner(tx, row, actor.userId);
  if ((await independentOf(tx, [actor.userId], signers)).length === 0)
    throw new Refusal('not_allowed', { message: ONE_PERSON });
  await tx.sql`insert into proposal_signatures (proposal_id, user_id, at) values (${row.id}, ${actor.userId}, ${tx.now})`;
  await tx.sql`update proposals set signatures = ${signers.length + 1} where id = ${row.id}`;
  await addEvent(tx, row.id, { kind: 'signed', byId: row.drafted_as === null ? null : actor.userId });
  if (signers.length + 1 >= row.signatures_needed) await publish(tx, row, executors);
}

const ONE_PERSON = sentence(
  'Your account and that of somebody who has signed this look like one person’s. Somebody else must sign it.',
);

async function signersOf(tx: Tx, proposalId: string): Promise<string[]> {
  const rows = await tx.sql<{ user_id: string }[]>`
    select user_id from proposal_signatures where proposal_id = ${proposalId} order by user_id`;
  return rows.map(({ user_id }) => user_id);
}

async function refuseUnlessSigner(tx: Tx, row: ProposalRow, userId: string): Promise<void> {
  if (row.drafted_as === null) {
    await refuseWithoutRights(tx, row.sacco_id, userId);
    return refuseOffRoll(tx, row.sacco_id, userId);
  }
  const board = await officialsOfBoard(tx, row.sacco_id);
  if (board.some(({ user_id }) => user_id === userId)) return;
  throw new Refusal('vote_conflict', {
    message: sentence('This is a draft of the board: another of its officials signs it.'),
  });
}

/** Fixes text, rules and roll, and says when members vote. */
async function publish(tx: Tx, row: ProposalRow, executors: ChangeExecutors): Promise<void> {
  await refuseTooMany(tx, row);
  await refuseImpossible(tx, row, executors);
  const rollSize = await makeRoll(tx, row);
  if (rollSize === 0) {
    throw new Refusal('vote_conflict', {
      message: sentence(
        'Nobody could vote yet: a member can whose ID card an official has seen, and who joined 30 days ago or more.',
      ),
    });
  }
  const rules = RULES_OF_CLASS[row.class];
  const { opensAt, closesAt } = windowOf(tx.now, rules);
  await tx.sql`
    update proposals set published_at = ${tx.now}, rules = ${JSON.stringify(rules)}::text::jsonb, roll_size = ${rollSize},
      opens_at = ${opensAt}, closes_at = ${closesAt},
      nominations_end = ${row.kind === 'election' ? nominationsEndOf(tx.now) : null}
    where id = ${row.id}`;
  if (row.ballot === 'secret') await makeKey(tx, row.id, 1);
  await addEvent(tx, row.id, { kind: 'published' });
  await tellRoll(tx, row.id, 'published');
}

/** Votes of the board and of members are counted apart: else three accounts of one member could keep the board from any vote. */
async function refuseTooMany(tx: Tx, { sacco_id, drafted_as }: ProposalRow): Promise<void> {
  const [found] = await tx.sql<{ underway: number }[]>`
    select count(*)::int as underway from proposals
    where sacco_id = ${sacco_id} and (drafted_as is null) = ${drafted_as === null}
      and published_at is not null and cancelled_at is null and counted_at is null`;
  if ((found?.underway ?? 0) >= VOTES_UNDERWAY_MAX) throw new Refusal('votes_limit_reached');
}

/** Nobody is asked about what cannot be carried out by now. */
async function refuseImpossible(tx: Tx, row: ProposalRow, executors: ChangeExecutors): Promise<void> {
  if (row.change_kind === null || row.payload === null) return;
  const about = { saccoId: row.sacco_id, proposedBy: row.drafted_by };
  const refusal = await executors[row.change_kind].refusalOf(tx, about, row.payload);
  if (refusal) throw refusal;
}

/**
 * Writes down who may vote, each under a random handle: 16 bytes of the SHA-256 of a seed that is kept nowhere and of the member's
 * id. So one random number serves for a roll of any size.
 */
async function makeRoll(tx: Tx, { id, sacco_id }: ProposalRow): Promise<number> {
  const seed = createHash('sha256').update(tx.database.randomBytes(32)).digest();
  const since = new Date(tx.now.getTime() - ROLL_MEMBER_DAYS * DAY_MS);
  const inserted = await tx.sql`
    insert into proposal_roll (proposal_id, handle, member_id)
    select ${id}, substr(sha256(${seed}::bytea || uuid_send(member)), 1, 16), member from roll_of(${sacco_id}, ${since}) member`;
  return inserted.count;
}
