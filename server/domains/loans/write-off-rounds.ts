import { WRITE_OFF_REFUSALS_DAYS, WRITE_OFF_REFUSALS_MAX } from '@ushirika/contract/loan-recovery';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import type { LateLoan } from './recovery-facts.ts';

const DAY_MS = 86_400_000;

/**
 * The round in which a voice for a write-off counts: one more than the rounds that were declined during these arrears.
 * @throws Refusal `loan_conflict` where it was declined too often lately
 */
export async function roundOf(tx: Tx, loan: LateLoan): Promise<number> {
  const since = new Date(tx.now.getTime() - WRITE_OFF_REFUSALS_DAYS * DAY_MS);
  const [refused] = await tx.sql<{ all: number; lately: number }[]>`
    select count(*)::int as all, (count(*) filter (where at > ${since}))::int as lately from loan_write_off_refusals
    where loan_id = ${loan.id} and arrears_since = ${loan.arrears_since}`;
  const { all = 0, lately = 0 } = refused ?? {};
  if (lately < WRITE_OFF_REFUSALS_MAX) return all + 1;
  throw new Refusal('loan_conflict', {
    message: sentence('It was declined {n} times in {days} days. Wait before you propose it again.', {
      n: WRITE_OFF_REFUSALS_MAX,
      days: WRITE_OFF_REFUSALS_DAYS,
    }),
  });
}
