import type { RecoveryStep } from '@ushirika/contract/loan-recovery';
import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { type PoolCover, poolCoversOf } from '../pools/guarantee-cover.ts';
import type { LoanRow, Reader } from './loan-rows.ts';
import { type RecoveryFacts, recoverySteps, type StepNow } from './recovery.rules.ts';

/** A loan with the day on which its arrears began: a recovery is about those. */
export type LateLoan = LoanRow & { readonly arrears_since: string | null };

export interface StepTaken {
  readonly loan_id: string;
  readonly step: RecoveryStep;
  readonly at: Date;
  readonly by_id: string;
  readonly amount_cents: Cents;
}

export interface Recovery {
  readonly facts: RecoveryFacts;
  readonly taken: readonly StepTaken[];
  readonly steps: readonly StepNow[];
  /** What a pool has paid for the loan and has not got back. */
  readonly poolsClaim: Cents;
}

interface FactsRow {
  readonly loan_id: string;
  readonly second_at: Date | null;
  readonly formal_at: Date | null;
  readonly final_at: Date | null;
  readonly unnoticed: number;
  readonly unfinal: number;
  readonly guarantors: number;
  readonly offered_until: Date | null;
}

/** How the recovery of a loan stands: its steps, and the notices that they wait for. */
export async function recoveryOf(reader: Reader, loan: LateLoan): Promise<Recovery> {
  return (await recoveriesOf(reader, [loan])).get(loan.id) as Recovery;
}

/** The same of several loans, by the loan's id, in a constant number of statements. */
export async function recoveriesOf(reader: Reader, loans: readonly LateLoan[]): Promise<ReadonlyMap<string, Recovery>> {
  if (loans.length === 0) return new Map();
  const sql = reader.sql as Tx['sql'];
  const ids = loans.map(({ id }) => id);
  const [rows, taken, pools] = await Promise.all([
    factsOf(reader, loans),
    takenOf(sql, loans),
    poolCoversOf({ sql }, ids),
  ]);
  const takenBy = Map.groupBy(taken, ({ loan_id }) => loan_id);
  const factsBy = new Map(rows.map((row) => [row.loan_id, row]));
  return new Map(
    loans.map((loan) => {
      const own = takenBy.get(loan.id) ?? [];
      const facts = recoveryFacts(loan, factsBy.get(loan.id) as FactsRow, own, pools.get(loan.id));
      const poolsClaim = pools.get(loan.id)?.claim ?? 0;
      return [loan.id, { facts, taken: own, steps: recoverySteps(facts, reader.now), poolsClaim }];
    }),
  );
}

/** The loans, and since when each is behind. */
const arrearsOf = (sql: Tx['sql'], loans: readonly LateLoan[]) => sql`
  unnest(${texts(loans.map(({ id }) => id))}::uuid[], ${texts(loans.map(({ borrower_id }) => borrower_id))}::uuid[],
    ${texts(loans.map(({ arrears_since }) => arrears_since))}::date[]) as a (loan_id, borrower_id, since)`;

async function factsOf(reader: Reader, loans: readonly LateLoan[]): Promise<FactsRow[]> {
  const sql = reader.sql as Tx['sql'];
  return sql<FactsRow[]>`
    with arrears as (select * from ${arrearsOf(sql, loans)}), live as (
      select g.loan_id, g.guarantor_id from loan_guarantees g join arrears a using (loan_id)
      where g.kind = 'member' and g.state = 'live' and g.pledged_cents > 0
    ), told as (
      select n.loan_id, n.kind, n.user_id, n.at from loan_notices n join arrears a on a.loan_id = n.loan_id and a.since = n.arrears_since
      where n.kind in ('formal', 'second', 'final')
    )
    select a.loan_id,
      (select min(t.at) from told t where t.loan_id = a.loan_id and t.kind = 'second' and t.user_id = a.borrower_id) as second_at,
      (select max(t.at) from told t join live l on l.loan_id = t.loan_id and l.guarantor_id = t.user_id
       where t.loan_id = a.loan_id and t.kind = 'formal') as formal_at,
      (select max(t.at) from told t where t.loan_id = a.loan_id and t.kind = 'final') as final_at,
      (select count(*)::int from live l where l.loan_id = a.loan_id and not exists (
         select from told t where t.loan_id = l.loan_id and t.kind = 'formal' and t.user_id = l.guarantor_id)) as unnoticed,
      (select count(*)::int from live l where l.loan_id = a.loan_id and not exists (
         select from told t where t.loan_id = l.loan_id and t.kind = 'final' and t.user_id = l.guarantor_id)) as unfinal,
      (select count(*)::int from live l where l.loan_id = a.loan_id) as guarantors,
      -- One that nobody can agree to any more, because the principal has changed, is not waited for.
      (select max(r.answer_by) from loan_restructures r join loans l on l.id = r.loan_id
       where r.loan_id = a.loan_id and r.state = 'proposed' and r.answer_by > ${reader.now}
         and r.principal_cents = l.principal_cents) as offered_until
    from arrears a`;
}

async function takenOf(sql: Tx['sql'], loans: readonly LateLoan[]): Promise<StepTaken[]> {
  return sql<StepTaken[]>`
    select s.loan_id, s.step, s.at, s.by_id, s.amount_cents
    from loan_recovery_steps s join ${arrearsOf(sql, loans)} on a.loan_id = s.loan_id and a.since = s.arrears_since
    order by s.at`;
}

function recoveryFacts(
  loan: LateLoan,
  row: FactsRow,
  taken: readonly StepTaken[],
  pool: PoolCover | undefined,
): RecoveryFacts {
  return {
    state: loan.state,
    daysPastDue: loan.days_past_due,
    secondNoticeAt: row.second_at,
    // Each of them: one who signed later is told later, and has as long as the others.
    guarantorsNoticeAt: row.unnoticed > 0 ? null : row.formal_at,
    hasGuarantors: row.guarantors > 0,
    isPoolBacked: pool !== undefined && pool.outstanding > 0,
    offeredUntil: row.offered_until,
    finalNoticeAt: row.unfinal > 0 ? null : row.final_at,
    done: Object.fromEntries(taken.map(({ step, at }) => [step, at])),
    principal: loan.principal_cents,
  };
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
