import { isDeepStrictEqual } from 'node:util';
import { inWords } from '@ushirika/contract/in-words';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { takeBack } from './cancel-proposal.ts';
import { openClosing, withoutClosing } from './changes-by-vote.ts';
import { lockProposal, type ProposalRow, stateAt } from './proposal-rows.ts';
import { mustWait, publish, signersOf, validOf } from './sign-proposal.ts';

/**
 * Publishes a draft that has waited for another vote on the same matter, once that is over, with the terms that hold by then. A draft whose
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
    if (row.complete_at === null || stateAt(row, tx.now) !== 'draft' || (await mustWait(tx, row))) return;
    const given = await validOf(tx, row, await signersOf(tx, id));
    if (given < row.signatures_needed) {
      await tx.sql`update proposals set signatures = ${given}, complete_at = null where id = ${id}`;
      return;
    }
    const refusal = (await whyOver(tx, row, executors)) ?? (await refusalOfPublishing(tx, row, executors));
    if (refusal !== null) await takeBack(tx, row, { byId: null, text: inWords(refusal, 'en') });
  });
}

/** Why nobody need decide it any more: what it asks for holds already. Else members read what it changes as that is now. */
async function whyOver(tx: Tx, row: ProposalRow, executors: ChangeExecutors): Promise<Sentence | null> {
  if (row.kind === 'election') return (await isElectedSince(tx, row)) ? ELECTED : null;
  const { sacco_id: saccoId, change_kind: kind, payload } = row;
  if (kind === null || payload === null) return null;
  const now = await executors[kind].current(tx, { saccoId, proposedBy: row.drafted_by }, payload);
  const expected = withoutClosing(now, await openClosing(tx, { saccoId, kind, payload }));
  if (isDeepStrictEqual(expected, payload)) return HOLDS;
  if (!isDeepStrictEqual(expected, row.expected))
    await tx.sql`update proposals set expected = ${JSON.stringify(expected)}::text::jsonb where id = ${row.id}`;
  return null;
}

const HOLDS = sentence('That holds already.');
const ELECTED = sentence('Members have elected somebody for this office meanwhile.');

async function isElectedSince(tx: Tx, { sacco_id, office, complete_at }: ProposalRow): Promise<boolean> {
  const [elected] = await tx.sql`
    select from proposals where sacco_id = ${sacco_id} and office = ${office} and executed_at >= ${complete_at} limit 1`;
  return elected !== undefined;
}

/** Publishes it. @returns why that is refused for good; null also where too many votes are under way now */
async function refusalOfPublishing(tx: Tx, { id, sacco_id }: ProposalRow, executors: ChangeExecutors) {
  try {
    await tx.alone(async () => publish(tx, await lockProposal(tx, { id, saccoId: sacco_id }), executors));
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.code === 'votes_limit_reached' ? null : error.sentence;
    throw error;
  }
}
