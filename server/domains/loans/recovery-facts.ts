import type { RecoveryStep } from '@ushirika/contract/loan-recovery';
import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { poolCoverOf } from '../pools/guarantee-cover.ts';
import type { LoanRow, Reader } from './loan-rows.ts';
import { type RecoveryFacts, recoverySteps, type StepNow } from './recovery.rules.ts';

/** A loan with the day on which its arrears began: a recovery is about those. */
export type LateLoan = LoanRow & { readonly arrears_since: string | null };

export interface StepTaken {
  readonly step: RecoveryStep;
  readonly at: Date;
  readonly by_id: string;
  readonly amount_cents: Cents;
}

export interface Recovery {
  readonly facts: RecoveryFacts;
  readonly taken: readonly StepTaken[];
  readonly steps: readonly StepNow[];
}

interface FactsRow {
  readonly second_at: Date | null;
  readonly formal_at: Date | null;
  readonly final_at: Date | null;
  readonly unnoticed: number;
  readonly unfinal: number;
  readonly guarantors: number;
}

/** How the recovery of a loan stands: its steps, and the notices that they wait for. */
export async function recoveryOf(reader: Reader, loan: LateLoan): Promise<Recovery> {
  const sql = reader.sql as Tx['sql'];
  const [rows, taken, pool] = await Promise.all([
    sql<FactsRow[]>`
      with live as (
        select guarantor_id from loan_guarantees
        where loan_id = ${loan.id} and kind = 'member' and state = 'live' and pledged_cents > 0
      ), told as (
        select kind, user_id, at from loan_notices
        where loan_id = ${loan.id} and arrears_since = ${loan.arrears_since} and kind in ('formal', 'second', 'final')
      )
      select (select min(at) from told where kind = 'second' and user_id = ${loan.borrower_id}) as second_at,
        (select max(at) from told join live on user_id = guarantor_id where kind = 'formal') as formal_at,
        (select max(at) from told where kind = 'final') as final_at,
        (select count(*)::int from live
         where not exists (select from told where kind = 'formal' and user_id = guarantor_id)) as unnoticed,
        (select count(*)::int from live
         where not exists (select from told where kind = 'final' and user_id = guarantor_id)) as unfinal,
        (select count(*)::int from live) as guarantors`,
    loan.arrears_since === null
      ? []
      : sql<StepTaken[]>`
          select step, at, by_id, amount_cents from loan_recovery_steps
          where loan_id = ${loan.id} and arrears_since = ${loan.arrears_since} order by at`,
    poolCoverOf({ sql }, loan.id),
  ]);
  const [row] = rows;
  if (!row) throw new Error('A statement that counts came back without a row.');
  const facts: RecoveryFacts = {
    state: loan.state,
    daysPastDue: loan.days_past_due,
    secondNoticeAt: row.second_at,
    // Each of them: one who signed later is told later, and has as long as the others.
    guarantorsNoticeAt: row.unnoticed > 0 ? null : row.formal_at,
    hasGuarantors: row.guarantors > 0,
    isPoolBacked: pool !== null && pool.outstanding > 0,
    finalNoticeAt: row.unfinal > 0 ? null : row.final_at,
    done: Object.fromEntries(taken.map(({ step, at }) => [step, at])),
    principal: loan.principal_cents,
  };
  return { facts, taken, steps: recoverySteps(facts, reader.now) };
}

/**
 * The order of a recovery: what is not due now is not done.
 * @throws Refusal `recovery_too_early`, `loan_conflict`
 */
export async function refuseOutOfOrder(tx: Tx, loan: LateLoan, kind: RecoveryStep): Promise<Recovery> {
  const recovery = await recoveryOf(tx, loan);
  const step = recovery.steps.find((each) => each.kind === kind);
  if (step?.state === 'now' || !isGuarded('loans.recovery_in_order')) return recovery;
  throw new Refusal(step?.state === 'later' ? 'recovery_too_early' : 'loan_conflict');
}

/** Keeps that a step was taken. The database refuses one that is out of order once more. */
export async function noteStep(
  tx: Tx,
  loan: LateLoan,
  step: { readonly kind: RecoveryStep; readonly byId: string; readonly amount?: Cents; readonly journalId?: string },
): Promise<void> {
  await tx.sql`
    insert into loan_recovery_steps (loan_id, arrears_since, step, at, by_id, amount_cents, journal_id)
    values (${loan.id}, ${loan.arrears_since}, ${step.kind}, ${tx.now}, ${step.byId}, ${step.amount ?? 0},
            ${step.journalId ?? null})`;
}
