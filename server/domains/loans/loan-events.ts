import { LOAN_MOVEMENTS_SHOWN, type LoanDetail, type LoanEvent, type LoanEventKind } from '@ushirika/contract/loans';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import type { Unsaid } from '@ushirika/contract/said';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import type { LoanRow, Reader } from './loan-rows.ts';

interface EventRow {
  readonly id: string;
  readonly kind: LoanEventKind;
  readonly at: Date;
  readonly amount_cents: Cents | null;
  readonly by_name: string | null;
  readonly guarantor_name: string | null;
  /** The official who confirmed a waiver, and its reason. */
  readonly second_name: string | null;
  readonly reason: string | null;
  readonly number: number | null;
  readonly journal_id: string | null;
}

interface Filled {
  /** Who did it, or the guarantor whom it is about. */
  readonly name: string;
  readonly amount: string;
  readonly n: number;
  readonly second: string;
  readonly reason: string;
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
  charges_taken_back: ({ amount }) =>
    sentence('{amount} of penalty and interest was taken back: a payment counts on the day it was made.', { amount }),
  charges_waived: ({ name, second, amount, reason }) =>
    sentence('{name} and {second} waived {amount} of penalty and interest. The reason: {reason}', {
      name,
      second,
      amount,
      reason,
    }),
  rest_forgiven: ({ amount }) => sentence('The rest of {amount} was forgiven.', { amount }),
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

type Timeline = Pick<LoanDetail, 'timeline' | 'has_more_payments'>;

/** Kinds of which a loan may have any number. */
const PAYMENTS: ReadonlySet<LoanEventKind> = new Set(['repaid', 'prepaid']);
const REFUNDS: ReadonlySet<LoanEventKind> = new Set(['guarantor_refunded']);

/**
 * What happened to a loan, in order. Most payments are rows of `loan_repayments` alone; one that ended the loan has an event, and so has
 * what a recovery took. Of payments and of refunds only the newest are told (`LOAN_MOVEMENTS_SHOWN` of each), so that a loan that is paid
 * each day is told as fast as any. Of one moment payments come first: an event that follows from one is written after it. Names are those
 * that whoever asks sees elsewhere of the loan.
 */
export async function timelineOf(
  reader: Reader,
  loan: Pick<LoanRow, 'id' | 'sacco_id' | 'disbursed_at'>,
): Promise<Unsaid<Timeline>> {
  const rows = await readEvents(reader, loan);
  const olderPayments = rows.filter(({ kind }) => PAYMENTS.has(kind)).slice(0, -LOAN_MOVEMENTS_SHOWN);
  const olderRefunds = rows.filter(({ kind }) => REFUNDS.has(kind)).slice(0, -LOAN_MOVEMENTS_SHOWN);
  const leftOut = new Set([...olderPayments, ...olderRefunds]);
  return {
    timeline: rows.filter((row) => !leftOut.has(row)).map(shownEvent),
    has_more_payments: leftOut.size > 0,
  };
}

/** In order; of payments and refunds one more than is shown. */
function readEvents(reader: Reader, loan: Pick<LoanRow, 'id' | 'sacco_id'>): Promise<EventRow[]> {
  const sql = reader.sql as Tx['sql'];
  // Once payments of more than was due had an event, `prepaid`: they are told by their rows like all others.
  return sql<EventRow[]>`
    with happened as (
      (select r.id, case when r.prepaid_cents > 0 then 'prepaid' else 'repaid' end as kind, r.paid_at as at, r.amount_cents, null::int as number,
         r.paid_by as by_id, null::uuid as guarantee_id, r.id as repayment_id, null::bigint as place
       from loan_repayments r where r.loan_id = ${loan.id}
         and not exists (select from loan_events e where e.loan_id = r.loan_id and e.repayment_id = r.id and e.kind <> 'prepaid')
         and not exists (select from loan_recovery_steps s where s.loan_id = r.loan_id and s.journal_id = r.journal_id)
       order by r.paid_at desc, r.journal_id desc limit ${LOAN_MOVEMENTS_SHOWN + 1})
      union all
      (select id, kind, at, amount_cents, number, by_id, guarantee_id, repayment_id, place
       from loan_events where loan_id = ${loan.id} and kind = 'guarantor_refunded'
       order by at desc, place desc limit ${LOAN_MOVEMENTS_SHOWN + 1})
      union all
      select id, kind, at, amount_cents, number, by_id, guarantee_id, repayment_id, place
      from loan_events where loan_id = ${loan.id} and kind not in ('guarantor_refunded', 'prepaid')
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
      second.first_name || ' ' || second.last_name as second_name, waiver.payload ->> 'reason' as reason,
      coalesce(r.journal_id::text, case when e.kind = 'disbursed' then
        (select id::text from journals where idempotency_key = 'loan_disbursed:' || ${loan.id}) end) as journal_id
    from happened e
    left join users by on by.id = e.by_id
    left join sacco_changes waiver on e.kind = 'charges_waived' and waiver.kind = 'loan_waiver' and waiver.sacco_id = ${loan.sacco_id}
      and waiver.payload ->> 'loan' = ${loan.id}::text and waiver.confirmed_at = e.at
    left join users second on second.id = waiver.confirmed_by
    left join loan_guarantees of_guarantee on of_guarantee.id = e.guarantee_id
    left join users g on g.id = of_guarantee.guarantor_id
    left join loan_repayments r on r.loan_id = ${loan.id} and r.id = e.repayment_id
    order by e.at, e.place nulls first, r.journal_id`;
}

const shownEvent = (row: EventRow): Unsaid<LoanEvent> => ({
  at: row.at.toISOString(),
  kind: row.kind,
  text: words[row.kind]({
    name: row.guarantor_name ?? row.by_name ?? '',
    amount: formatShillings(shillingsFromCents(row.amount_cents ?? 0)),
    n: row.number ?? 0,
    second: row.second_name ?? '',
    reason: row.reason ?? '',
  }),
  amount: row.amount_cents === null ? null : shillingsFromCents(row.amount_cents),
  journal: row.journal_id,
});
