import type { Database, Tx } from '../../db/tx.ts';
import { changeState } from './change-state.ts';
import { lockSacco } from './lock-sacco.ts';

/**
 * Ends the suspensions that no second operator upheld within 14 days: each in one transaction under the sacco's lock, so that
 * this may run twice, or be cut off anywhere. One that fails holds up no other.
 * @throws AggregateError of those that failed, after the others
 */
export async function lapseSuspensions(database: Database): Promise<void> {
  const due = await database.sql<{ sacco_id: string }[]>`
    select sacco_id from sacco_suspensions
    where ended_at is null and upheld_by is null and lapses_at <= ${database.now()} order by lapses_at, sacco_id`;
  const faults: unknown[] = [];
  for (const { sacco_id: saccoId } of due) {
    await database.transaction((tx) => lapse(tx, saccoId)).catch((fault) => faults.push(fault));
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} suspensions could not end: ${faults[0]}`);
}

async function lapse(tx: Tx, saccoId: string): Promise<void> {
  const sacco = await lockSacco(tx, saccoId);
  // Upheld or ended meanwhile: nothing is left to do.
  const ended = await tx.sql`
    update sacco_suspensions set ended_at = ${tx.now}, ended_because = 'lapsed'
    where sacco_id = ${saccoId} and ended_at is null and upheld_by is null and lapses_at <= ${tx.now}`;
  if (ended.count > 0) await changeState(tx, { userId: null }, { sacco, to: 'active', reason: null });
}
