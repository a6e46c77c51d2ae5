import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { HELD_DAYS_MAX } from '@ushirika/contract/voting-rules';
import type { Tx } from '../../db/tx.ts';
import { refuseSecondAccount } from '../identity/second-account.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { refuseWithoutOffice } from '../saccos/propose-change.ts';
import { addEvent, lockProposal, type ProposalRow, stateAt } from './proposal-rows.ts';

/*
 * A result that passed waits for its time. Until then the supervisory committee may hold it, once and for 14 days at most, to see
 * whether it is lawful. One member holds; another one voids. A hold that nobody decides ends by itself.
 */

const DAY_MS = 86_400_000;

interface Held {
  readonly id: string;
  readonly saccoId: string;
}

/** @throws Refusal `not_found`, `vote_conflict` where it is not queued or was held before */
export async function holdResult(
  tx: Tx,
  actor: { readonly userId: string },
  input: Held & { readonly reason: string },
): Promise<void> {
  const row = await lockResult(tx, actor, input);
  const state = stateAt(row, tx.now);
  if (state === 'held' && row.held_by === actor.userId) return;
  if (state !== 'queued' || row.held_by !== null) throw new Refusal('vote_conflict');
  const until = new Date(tx.now.getTime() + HELD_DAYS_MAX * DAY_MS);
  await tx.sql`update proposals set held_by = ${actor.userId}, held_until = ${until} where id = ${row.id}`;
  await addEvent(tx, row.id, { kind: 'held', byId: actor.userId, text: input.reason });
}

/** Any member of the committee lets it go on. @throws Refusal `not_found`, `vote_conflict` */
export async function releaseResult(tx: Tx, actor: { readonly userId: string }, input: Held): Promise<void> {
  const row = await lockResult(tx, actor, input);
  if (row.released_at !== null) return;
  if (stateAt(row, tx.now) !== 'held') throw new Refusal('vote_conflict');
  await tx.sql`update proposals set released_at = ${tx.now} where id = ${row.id}`;
  await addEvent(tx, row.id, { kind: 'released', byId: actor.userId });
}

/**
 * Another member of the committee finds it unlawful. Members who were told of the change are told that it does not come.
 * @throws Refusal `not_found`, `second_official_required` for whoever holds it, `not_allowed` for their second account, `vote_conflict`
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
  await refuseSecondAccount(tx, actor.userId, [row.held_by], ONE_PERSON);
  await tx.sql`update proposals set voided_by = ${actor.userId}, voided_at = ${tx.now} where id = ${row.id}`;
  await addEvent(tx, row.id, { kind: 'voided', byId: actor.userId, text: input.reason });
  await recall(tx, row, executors);
}

const ONE_PERSON = sentence(
  'Your account and that of the official who holds this look like one person’s. Another official must void it.',
);

async function lockResult(tx: Tx, { userId }: { readonly userId: string }, input: Held): Promise<ProposalRow> {
  await lockSacco(tx, input.saccoId);
  await refuseWithoutOffice(tx, { saccoId: input.saccoId, userId }, { offices: ['supervisory_committee'] });
  return lockProposal(tx, input);
}

/** Tells those who were told at the count that the change comes that it does not. */
export async function recall(tx: Tx, row: ProposalRow, executors: ChangeExecutors): Promise<void> {
  if (row.change_kind === null || row.counted_at === null || row.eta === null) return;
  const about = { saccoId: row.sacco_id, proposedBy: row.drafted_by };
  const confirmed = { confirmedAt: row.counted_at, effectiveAt: row.eta };
  await executors[row.change_kind].recall(tx, about, confirmed, []);
}
