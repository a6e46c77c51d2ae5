import { isDeepStrictEqual } from 'node:util';
import { inWords } from '@ushirika/contract/in-words';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { fillOffice, whyNotInOffice } from './fill-office.ts';
import { addEvent, lockProposal, type ProposalRow, stateAt } from './proposal-rows.ts';

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
    const isDue = row.eta !== null && row.eta <= tx.now && (state === 'queued' || state === 'execution_failed');
    if (!isDue) return;
    const reason = await whyNot(tx, row, executors);
    if (reason !== null) return fail(tx, row, reason);
    await apply(tx, row, executors);
    await tx.sql`update proposals set executed_at = ${tx.now} where id = ${id}`;
    await addEvent(tx, id, { kind: 'executed' });
  });
}

async function apply(tx: Tx, row: ProposalRow, executors: ChangeExecutors): Promise<void> {
  if (row.kind === 'election') return fillOffice(tx, row);
  if (row.change_kind === null || row.payload === null) return;
  const about = { saccoId: row.sacco_id, proposedBy: row.drafted_by, proposalId: row.id };
  await executors[row.change_kind].apply(tx, about, row.payload);
}

async function whyNot(tx: Tx, row: ProposalRow, executors: ChangeExecutors): Promise<Sentence | null> {
  if (row.kind === 'election') return whyNotInOffice(tx, row);
  if (row.change_kind === null || row.payload === null) return null;
  const executor = executors[row.change_kind];
  const about = { saccoId: row.sacco_id, proposedBy: row.drafted_by };
  const refusal = await executor.refusalOf(tx, about, row.payload);
  if (refusal) return refusal.sentence;
  return isDeepStrictEqual(await executor.current(tx, about, row.payload), row.expected) ? null : CHANGED;
}

const CHANGED = sentence('What it was to change has changed since members saw it.');

/** Written down once; it is tried again as long as it may be. */
async function fail(tx: Tx, row: ProposalRow, reason: Sentence): Promise<void> {
  if (row.failed_at !== null) return;
  await tx.sql`update proposals set failed_at = ${tx.now} where id = ${row.id}`;
  await addEvent(tx, row.id, { kind: 'failed', text: inWords(reason, 'en') });
}
