import { isDeepStrictEqual } from 'node:util';
import { inWords } from '@ushirika/contract/in-words';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { RETRY_HOURS } from '@ushirika/contract/voting-rules';
import type { Database, Tx } from '../../db/tx.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { openClosing, withoutClosing } from './changes-by-vote.ts';
import { fillOffice, whyNotInOffice } from './fill-office.ts';
import { recall } from './hold-result.ts';
import { addEvent, lockProposal, type ProposalRow, stateAt } from './proposal-rows.ts';

const HOUR_MS = 3_600_000;

/**
 * Carries out what passed and has waited its time, in one transaction under the sacco's lock: the values that members saw must still
 * be those that hold. Where they are not, or the change is refused, nothing is changed and the reason is written down.
 */
export async function carryOut(
  database: Database,
  { id, saccoId }: { readonly id: string; readonly saccoId: string },
  executors: ChangeExecutors,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockSacco(tx, saccoId);
    const row = await lockProposal(tx, { id, saccoId });
    const state = stateAt(row, tx.now);
    const from = row.next_try_at ?? row.eta;
    const isDue = from !== null && from <= tx.now && (state === 'queued' || state === 'execution_failed');
    if (!isDue) return;
    const failure = (await whyNot(tx, row, executors)) ?? (await tryIt(tx, row, executors));
    if (failure !== null) return fail(tx, row, failure, executors);
    await tx.sql`update proposals set executed_at = ${tx.now} where id = ${id}`;
    await addEvent(tx, id, { kind: 'executed' });
  });
}

/** Makes the change. Where it is refused, all that was written is taken back. @returns why it is refused */
async function tryIt(tx: Tx, row: ProposalRow, executors: ChangeExecutors): Promise<Failure | null> {
  try {
    await tx.alone(() => apply(tx, row, executors));
    return null;
  } catch (error) {
    if (error instanceof Refusal) return { reason: error.sentence, isForGood: false };
    throw error;
  }
}

async function apply(tx: Tx, row: ProposalRow, executors: ChangeExecutors): Promise<void> {
  if (row.kind === 'election') return fillOffice(tx, row);
  if (row.change_kind === null || row.payload === null) return;
  const about = aboutOf(row);
  await executors[row.change_kind].apply(tx, about, row.payload);
}

const aboutOf = ({ id, sacco_id, drafted_by, published_at }: ProposalRow) => ({
  ...{ saccoId: sacco_id, proposedBy: drafted_by },
  ...{ proposalId: id, publishedAt: published_at },
});

/** Why it cannot be carried out: for now, or for good. */
interface Failure {
  readonly reason: Sentence;
  readonly isForGood: boolean;
}

async function whyNot(tx: Tx, row: ProposalRow, executors: ChangeExecutors): Promise<Failure | null> {
  if (row.kind === 'election') {
    const reason = await whyNotInOffice(tx, row);
    return reason && { reason, isForGood: false };
  }
  if (row.change_kind === null || row.payload === null) return null;
  const about = aboutOf(row);
  if (await isOutdated(tx, row, executors)) {
    // What officials have closed for a while opens again, and then it is tried once more (docs/decisions/191).
    const closing = await openClosing(tx, { saccoId: row.sacco_id, kind: row.change_kind, payload: row.payload });
    return { reason: CHANGED, isForGood: closing === null };
  }
  const refusal = await executors[row.change_kind].refusalOf(tx, about, row.payload);
  return refusal && { reason: refusal.sentence, isForGood: false };
}

/** Whether what it changes is not any more what its drafter, its signers and its voters saw. */
export async function isOutdated(tx: Tx, row: ProposalRow, executors: ChangeExecutors): Promise<boolean> {
  if (row.change_kind === null || row.payload === null) return false;
  const about = { saccoId: row.sacco_id, proposedBy: row.drafted_by };
  const now = await executors[row.change_kind].current(tx, about, row.payload);
  if (isDeepStrictEqual(now, row.expected)) return false;
  const closing = await openClosing(tx, { saccoId: row.sacco_id, kind: row.change_kind, payload: row.payload });
  // A vote that was published before the closing does not end it: it waits until it is open again.
  if (closing !== null && row.published_at !== null && row.published_at <= closing.effective_at) return true;
  return !isDeepStrictEqual(withoutClosing(now, closing), row.expected);
}

const CHANGED = sentence('What it was to change has changed since members saw it.');

/**
 * The first refusal is written down. What is refused is tried again each hour, as long as it may be. What had changed is given up, so
 * that others may change it, and members who were told that it comes are told that it does not.
 */
async function fail(
  tx: Tx,
  row: ProposalRow,
  { reason, isForGood }: Failure,
  executors: ChangeExecutors,
): Promise<void> {
  const next = new Date(tx.now.getTime() + RETRY_HOURS * HOUR_MS);
  await tx.sql`
    update proposals set failed_at = ${row.failed_at ?? tx.now}, given_up_at = ${isForGood ? tx.now : null}, next_try_at = ${next}
    where id = ${row.id}`;
  if (row.failed_at !== null && !isForGood) return;
  await addEvent(tx, row.id, { kind: 'failed', text: inWords(reason, 'en') });
  if (isForGood) await recall(tx, null, row, executors);
}

/** Writes down that its 30 days are over, and tells those who were told that it comes that it does not. */
export async function expireResult(
  database: Database,
  { id, saccoId }: { readonly id: string; readonly saccoId: string },
  executors: ChangeExecutors,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockSacco(tx, saccoId);
    const row = await lockProposal(tx, { id, saccoId });
    if (stateAt(row, tx.now) !== 'expired' || row.expired_at !== null) return;
    await tx.sql`update proposals set expired_at = ${tx.now} where id = ${id}`;
    await addEvent(tx, id, { kind: 'expired' });
    await recall(tx, null, row, executors);
  });
}
