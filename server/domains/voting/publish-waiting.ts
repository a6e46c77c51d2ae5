import { isDeepStrictEqual } from 'node:util';
import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { inWords } from '@ushirika/contract/in-words';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { takeBack } from './cancel-proposal.ts';
import { openClosing, withoutClosing } from './changes-by-vote.ts';
import { lockProposal, type ProposalRow, stateAt } from './proposal-rows.ts';
import { publish, signersOf, validOf, whyWaits } from './sign-proposal.ts';

/**
 * Publishes a draft that has waited for another vote on the same matter, or for a place, with the terms that hold by then. A draft whose
 * signers might not sign any more waits for signatures again. A draft about a matter that cannot be decided any more is taken back, with
 * the reason.
 */
export async function publishWaiting(
  database: Database,
  { id, saccoId }: { readonly id: string; readonly saccoId: string },
  executors: ChangeExecutors,
): Promise<void> {
  await database.transaction(async (tx) => {
    const { state } = await lockSacco(tx, saccoId);
    const row = await lockProposal(tx, { id, saccoId });
    if (state !== 'active' && state !== 'suspended') return;
    if (row.complete_at === null || stateAt(row, tx.now) !== 'draft' || (await whyWaits(tx, row)) !== null) return;
    const given = await validOf(tx, row, await signersOf(tx, id));
    if (given < row.signatures_needed) {
      await tx.sql`update proposals set signatures = ${given}, complete_at = null where id = ${id}`;
      return;
    }
    await readAnew(tx, row, executors);
    const refusal = (await whyOver(tx, row, executors)) ?? (await refusalOfPublishing(tx, row, executors));
    if (refusal !== null) await takeBack(tx, row, { byId: null, text: inWords(refusal, 'en') });
  });
}

/** Keeps what holds now of that which a draft changes: members read it so. */
async function readAnew(tx: Tx, row: ProposalRow, executors: ChangeExecutors): Promise<void> {
  const expected = await holdsNow(tx, row, executors);
  if (expected === null || isDeepStrictEqual(expected, row.expected)) return;
  await tx.sql`update proposals set expected = ${JSON.stringify(expected)}::text::jsonb where id = ${row.id}`;
}

/** Why nobody need decide it any more: somebody is elected since, or what it asks for holds already. */
async function whyOver(tx: Tx, row: ProposalRow, executors: ChangeExecutors): Promise<Sentence | null> {
  if (row.kind === 'election') return (await isElectedSince(tx, row)) ? ELECTED : null;
  return row.payload !== null && isDeepStrictEqual(await holdsNow(tx, row, executors), row.payload) ? HOLDS : null;
}

/** What holds now of that which a draft changes, without what officials have closed; null where it changes nothing. */
async function holdsNow(tx: Tx, row: ProposalRow, executors: ChangeExecutors): Promise<ChangedValues | null> {
  const { sacco_id: saccoId, change_kind: kind, payload } = row;
  if (kind === null || payload === null) return null;
  const now = await executors[kind].current(tx, { saccoId, proposedBy: row.drafted_by }, payload);
  return withoutClosing(now, await openClosing(tx, { saccoId, kind, payload }));
}

const HOLDS = sentence('That holds already.');
const ELECTED = sentence('Members have elected somebody for this office meanwhile.');

async function isElectedSince(tx: Tx, { sacco_id, office, complete_at }: ProposalRow): Promise<boolean> {
  const [elected] = await tx.sql`
    select from proposals where sacco_id = ${sacco_id} and office = ${office} and executed_at >= ${complete_at} limit 1`;
  return elected !== undefined;
}

/** Publishes it. @returns why that is refused; null once it is published */
async function refusalOfPublishing(tx: Tx, { id, sacco_id }: ProposalRow, executors: ChangeExecutors) {
  try {
    await tx.alone(async () => publish(tx, await lockProposal(tx, { id, saccoId: sacco_id }), executors));
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.sentence;
    throw error;
  }
}
