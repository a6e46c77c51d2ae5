import { Refusal } from '@ushirika/contract/refusal';
import { refusals } from '@ushirika/contract/refusals';
import type { Database, Tx } from '../../db/tx.ts';
import { hasPayerHadTime } from './payer-notices.ts';
import { kindOf } from './proposal-kinds.ts';
import { closeProposal, lapseUnconfirmed, lockProposal, refuseFormerOperators } from './proposals.ts';

const BATCH = 50;

/**
 * Carries out what two operators agreed on and no payer objected to in 48 hours; and closes what nobody confirmed in time.
 * Each is one transaction under the lock of what it is about, so that it may run twice or be cut off anywhere. One that
 * cannot be carried out now holds up no other: it stays as it is and is tried again at the next run.
 * @throws AggregateError of what could not be carried out, after everything else was
 */
export async function sweepProposals(database: Database, now: Date): Promise<void> {
  const oldest = database.sql`
    id in (select id from operator_proposals where state = 'proposed' and lapses_at <= ${now}
           order by proposed_at, id limit ${BATCH} for update skip locked)`;
  await lapseUnconfirmed(database, now, oldest);
  const faults: unknown[] = [];
  for await (const id of dueProposals(database, now)) {
    await executeProposal(database, id).catch((fault) => faults.push(fault));
  }
  // The job fails for them, so that an operator sees it.
  if (faults.length > 0)
    throw new AggregateError(faults, `${faults.length} proposals could not be carried out: ${faults[0]}`);
}

/** The ids of all that are due, in the order of their ids: those that cannot go stay behind, and the list goes on. */
async function* dueProposals({ sql }: Database, now: Date): AsyncGenerator<string> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const due = await sql<{ id: string }[]>`
      select id from operator_proposals where id > ${after} and state = 'waiting' and due_at <= ${now}
      order by id limit ${BATCH}`;
    for (const { id } of due) yield id;
    const last = due.at(-1);
    if (!last || due.length < BATCH) return;
    after = last.id;
  }
}

/** Carries out one proposal if it is due; one that is refused is closed with the refusal's words. */
export async function executeProposal(database: Database, id: string): Promise<void> {
  try {
    await database.transaction((tx) => executeIn(tx, id));
  } catch (error) {
    if (!(error instanceof Refusal) || refusals[error.code].retryable) throw error;
    // Its payer claimed it meanwhile, or an operator lost the office, or it cannot be done any more: who looks at the list reads why.
    await database.transaction(async (tx) => {
      const proposal = await lockProposal(tx, id);
      if (proposal.state === 'waiting') await closeProposal(tx, id, 'lapsed', error.message);
    });
  }
}

async function executeIn(tx: Tx, id: string): Promise<void> {
  const proposal = await lockProposal(tx, id);
  if (proposal.state !== 'waiting' || proposal.due_at === null || proposal.due_at > tx.now) return;
  if (!(await hasPayerHadTime(tx, proposal))) return;
  await refuseFormerOperators(tx, [proposal.proposed_by, proposal.confirmed_by]);
  await kindOf(proposal.kind).execute(tx, proposal);
  await closeProposal(tx, id, 'done', null);
}
