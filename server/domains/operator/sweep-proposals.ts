import { Refusal, refusals } from '@ushirika/contract/refusals';
import type { Database, Tx } from '../../db/tx.ts';
import { hasPayerHadTime } from './payer-notices.ts';
import { kindOf } from './proposal-kinds.ts';
import { closeProposal, lockProposal } from './proposals.ts';

const BATCH = 50;

/**
 * Carries out what two operators agreed on and no payer objected to in 48 hours; and closes what nobody confirmed in time.
 * Each is one transaction under the lock of what it is about, so that it may run twice or be cut off anywhere.
 */
export async function sweepProposals(database: Database, now: Date): Promise<void> {
  await database.sql`
    update operator_proposals set state = 'lapsed', closed_at = ${now}, closing = 'Nobody confirmed it in time.'
    where id in (select id from operator_proposals where state = 'proposed' and lapses_at <= ${now}
                 order by proposed_at, id limit ${BATCH} for update skip locked)`;
  const due = await database.sql<{ id: string }[]>`
    select id from operator_proposals where state = 'waiting' and due_at <= ${now} order by due_at, id limit ${BATCH}`;
  for (const { id } of due) await carryOutDue(database, id);
}

async function carryOutDue(database: Database, id: string): Promise<void> {
  try {
    await database.transaction((tx) => carryOut(tx, id));
  } catch (error) {
    if (!(error instanceof Refusal) || refusals[error.code].retryable) throw error;
    // Its payer claimed it meanwhile, or it cannot be done any more: who looks at the list reads why.
    await database.transaction(async (tx) => {
      const proposal = await lockProposal(tx, id);
      if (proposal.state === 'waiting') await closeProposal(tx, id, 'lapsed', error.message);
    });
  }
}

async function carryOut(tx: Tx, id: string): Promise<void> {
  const proposal = await lockProposal(tx, id);
  if (proposal.state !== 'waiting' || proposal.due_at === null || proposal.due_at > tx.now) return;
  if (!(await hasPayerHadTime(tx, proposal))) return;
  await kindOf(proposal.kind).carryOut(tx, proposal);
  await closeProposal(tx, id, 'done', null);
}
