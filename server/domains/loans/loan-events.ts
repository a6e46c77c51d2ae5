import { LOAN_MOVEMENTS_SHOWN, type LoanEvent, type LoanEventKind } from '@ushirika/contract/loans';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import type { Unsaid } from '@ushirika/contract/said';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import type { LoanRow, Reader } from './loan-rows.ts';

interface EventRow {
  readonly id: string;
  readonly kind: LoanEventKind;
  readonly at: Date;
  readonly amount_cents: Cents | null;
  readonly by_name: string | null;
  readonly guarantor_name: string | null;
  readonly number: number | null;
  readonly journal_id: string | null;
}

interface Filled {
  /** Who did it, or the guarantor whom it is about. */
  readonly name: string;
  readonly amount: string;
  readonly n: number;
}

const words: Readonly<Record<LoanEventKind, (values: Filled) => Sentence>> = {
  applied: ({ amount }) => sentence('Applied for {amount}.', { amount }),
  guarantor_asked: ({ name, amount }) => sentence('{name} was asked to guarantee {amount}.', { name, amount }),
  guarantor_accepted: ({ name, amount }) => sentence('{name} signed to guarantee {amount}.', { name, amount }),
  guarantor_refused: ({ name }) => sentence('{name} does not guarantee it.', { name }),
  guarantor_lapsed: ({ name }) => sentence('{name} did not answer within 7 days.', { name }),
  guarantor_replaced: ({ name, amount }) =>
    sentence('{name} stands in for another guarantor, with {amount}.', { name, amount }),
  guarantor_needless: ({ name }) => sentence('{name} need not stand in: the other pledge is free.', { name }),
  submitted: () => sentence('Handed to the credit committee.'),
  returned: () => sentence('Given back to be changed.'),
  reviewed: () => sentence('A reviewer voted.'),
  approved: () => sentence('Approved.'),
  rejected: () => sentence('Rejected.'),
  withdrawn: () => sentence('Taken back by the borrower.'),
  expired: () => sentence('Expired: nothing was done with it for 30 days.'),
  accepted: () => sentence('The borrower accepted the key facts.'),
  disbursement_ordered: () => sentence('The treasurer ordered it to be paid out.'),
  disbursement_refused: () => sentence('The payment was refused.'),
  disbursed: ({ amount }) => sentence('Paid out: {amount} to the wallet.', { amount }),
  repaid: ({ amount }) => sentence('{amount} was repaid.', { amount }),
  prepaid: ({ amount }) =>
    sentence('{amount} was repaid, more than was due: the rest of the schedule is new.', { amount }),
  paid_off: ({ amount }) => sentence('Paid off with {amount}.', { amount }),
  instalment_missed: () => sentence('An instalment was not paid on its day.'),
  reminded: () => sentence('The borrower was reminded of the next instalment.'),
  notice_borrower: () => sentence('The borrower was told that the loan is in arrears.'),
  notice_guarantors: () => sentence('The guarantors were told that the loan is in arrears.'),
  second_notice: () => sentence('The borrower was told a second time, with the offer of a new schedule.'),
  defaulted: () => sentence('The committee declared a default.'),
  final_notice: () => sentence('The final notice was given: 14 days until the recovery.'),
  recovered: ({ amount }) => sentence('{amount} was recovered.', { amount }),
  guarantor_paid: ({ name, amount }) => sentence('{name} paid {amount} as a guarantor.', { name, amount }),
  guarantor_refunded: ({ name, amount }) => sentence('{name} got {amount} back.', { name, amount }),
  restructured: () => sentence('The loan has a new schedule.'),
  schedule_offered: ({ amount, n }) =>
    sentence('A new schedule was offered: {amount} in {n, plural, one {# month} other {# months}}.', { amount, n }),
  schedule_refused: ({ name }) => sentence('{name} did not agree to the new schedule. The old one holds.', { name }),
  schedule_withdrawn: () => sentence('The sacco took its offer of a new schedule back.'),
  schedule_lapsed: () => sentence('Not everybody answered the offer of a new schedule in time. The old one holds.'),
  refinanced: ({ amount }) => sentence('Paid off with {amount} from a new loan.', { amount }),
  written_off: ({ amount }) => sentence('Written off in the books: {amount}. It is still owed.', { amount }),
  closed: () => sentence('The loan is over.'),
};

/** Events of which a loan may have any number: its payments. */
const PAYMENTS: readonly LoanEventKind[] = ['prepaid', 'guarantor_refunded'];

/**
 * What happened to a loan, in order; of payments the newest alone (`LOAN_MOVEMENTS_SHOWN`), so that it does not grow with each. Most
 * payments are rows of `loan_repayments` alone; those that did more have an event, and so has what a recovery took. Of one moment payments
 * come first: an event that follows from one is written after it. Names are those that whoever asks sees elsewhere of the loan.
 */
export async function timelineOf(
  reader: Reader,
  loan: Pick<LoanRow, 'id' | 'disbursed_at'>,
): Promise<Unsaid<LoanEvent>[]> {
  const sql = reader.sql as Tx['sql'];
  const payments = texts(PAYMENTS);
  const rows = await sql<EventRow[]>`
    with paid as (
      (select id, kind, at, amount_cents, number, by_id, guarantee_id, repayment_id, place
       from loan_events where loan_id = ${loan.id} and kind = any (${payments}::text[])
       order by at desc, place desc limit ${LOAN_MOVEMENTS_SHOWN})
      union all
      (select id, 'repaid', paid_at, amount_cents, null, paid_by, null, id, null
       from loan_repayments r where loan_id = ${loan.id}
         and not exists (select from loan_events e where e.loan_id = r.loan_id and e.repayment_id = r.id)
         and not exists (select from loan_recovery_steps s where s.loan_id = r.loan_id and s.journal_id = r.journal_id)
       order by paid_at desc, id desc limit ${LOAN_MOVEMENTS_SHOWN})
    ), happened as (
      (select * from paid order by at desc, place desc nulls last, id desc limit ${LOAN_MOVEMENTS_SHOWN})
      union all
      select id, kind, at, amount_cents, number, by_id, guarantee_id, repayment_id, place
      from loan_events where loan_id = ${loan.id} and kind <> all (${payments}::text[])
      union all
      select r.id, 'schedule_offered', confirmed_at, principal_cents, months, null, null, null, null
      from loan_restructures r where loan_id = ${loan.id} and confirmed_at is not null
      union all
      select r.id, 'schedule_' || state, state_at, null, null,
        (select a.user_id from loan_restructure_answers a where a.restructure_id = r.id and not a.agrees limit 1), null, null, null
      from loan_restructures r
      where loan_id = ${loan.id} and confirmed_at is not null and state in ('refused', 'withdrawn', 'lapsed')
    )
    select e.id, e.kind, e.at, e.amount_cents, e.number, by.first_name || ' ' || by.last_name as by_name,
      g.first_name || ' ' || g.last_name as guarantor_name,
      coalesce(r.journal_id::text, case when e.kind = 'disbursed' then
        (select id::text from journals where idempotency_key = 'loan_disbursed:' || ${loan.id}) end) as journal_id
    from happened e
    left join users by on by.id = e.by_id
    left join loan_guarantees of_guarantee on of_guarantee.id = e.guarantee_id
    left join users g on g.id = of_guarantee.guarantor_id
    left join loan_repayments r on r.loan_id = ${loan.id} and r.id = e.repayment_id
    order by e.at, e.place nulls first, r.journal_id`;
  return rows.map((row) => ({
    at: row.at.toISOString(),
    kind: row.kind,
    text: words[row.kind]({
      name: row.guarantor_name ?? row.by_name ?? '',
      amount: formatShillings(shillingsFromCents(row.amount_cents ?? 0)),
      n: row.number ?? 0,
    }),
    amount: row.amount_cents === null ? null : shillingsFromCents(row.amount_cents),
    journal: row.journal_id,
  }));
}
