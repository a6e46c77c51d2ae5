import type { LoanNoticeKind } from '@ushirika/contract/loan-recovery';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import type { SaccoState } from '@ushirika/contract/saccos';
import { daysSaid, longDate, type Sentence, sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { notifyAll } from '../notifications/notify.ts';
import { amountValue, countValue, personValue, saccoValue } from '../notifications/sms-values.ts';
import type { Sms } from '../notifications/sms-words.ts';
import { DEMAND_DAYS, demandGuarantees } from '../pools/demand-guarantee.ts';
import { lockPoolsOf } from '../pools/guarantee-life.ts';
import { ARREARS_NOTICES, type ArrearsNotice, noticeDue } from './arrears.rules.ts';
import { type LoanSmsValues, loanRecoverySms } from './loan-recovery.sms.ts';
import { addLoanEvents, type LoanEventInput } from './loan-rows.ts';

/** Loans whose notices one transaction gives. */
const NOTICES_AT_ONCE = 200;

/** A loan, as notices are written from it. */
export interface ToldLoan {
  readonly id: string;
  readonly number: string;
  readonly sacco_id: string;
  readonly sacco_name: string;
  readonly sacco_state: SaccoState;
  readonly borrower_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly principal_cents: Cents;
  readonly interest_cents: Cents;
  readonly penalty_cents: Cents;
  readonly overdue_cents: Cents;
  readonly due_cents: Cents | null;
  readonly due_on: string | null;
  readonly days_past_due: number;
  readonly arrears_since: string | null;
  readonly notices_given: number;
}

/** A member who guarantees a loan with savings that are still pledged. */
export interface LiveGuarantor {
  readonly id: string;
  readonly loan_id: string;
  readonly guarantor_id: string;
  readonly pledged_cents: Cents;
}

/** One thing told to one person about a loan. */
export interface LoanNotice {
  readonly loan: ToldLoan;
  readonly kind: LoanNoticeKind;
  readonly to: string;
  readonly guaranteeId?: string;
  readonly amount: Cents;
  readonly text: Sentence;
  readonly sms?: Sms;
}

export const said = (cents: Cents) => formatShillings(shillingsFromCents(cents));
export const borrowerOf = ({ first_name, last_name }: ToldLoan) => `${first_name} ${last_name}`;

/**
 * Loans and those who guarantee them, in two statements. Their rows are locked by whoever asks. What is late is told as of today:
 * the last day that was run may be days ago.
 */
export async function loansToTell(
  tx: Tx,
  loanIds: readonly string[],
): Promise<{ loans: readonly ToldLoan[]; guarantorsOf: (loanId: string) => readonly LiveGuarantor[] }> {
  const ids = texts(loanIds);
  const today = nairobiDay(tx.now);
  const [loans, guarantors] = await Promise.all([
    tx.sql<ToldLoan[]>`
      select l.id, l.number, l.sacco_id, s.name as sacco_name, s.state as sacco_state, l.borrower_id, u.first_name, u.last_name,
        l.principal_cents, l.interest_cents, l.penalty_cents, l.due_cents, l.due_on, l.arrears_since, l.notices_given,
        coalesce(greatest(${today}::date - l.due_on, 0), 0) as days_past_due,
        case when l.due_on < ${today} then (
          select coalesce(sum(principal_cents - paid_principal_cents + interest_cents - paid_interest_cents), 0)::bigint
          from loan_instalments i where i.loan_id = l.id and i.paid_on is null and i.due_on < ${today})
        else 0 end as overdue_cents
      from loans l join saccos s on s.id = l.sacco_id join users u on u.id = l.borrower_id
      where l.id = any (${ids}::uuid[]) order by l.id`,
    tx.sql<LiveGuarantor[]>`
      select id, loan_id, guarantor_id, pledged_cents from loan_guarantees
      where loan_id = any (${ids}::uuid[]) and kind = 'member' and state = 'live' and pledged_cents > 0 order by id`,
  ]);
  const byLoan = Map.groupBy(guarantors, ({ loan_id }) => loan_id);
  return { loans, guarantorsOf: (loanId) => byLoan.get(loanId) ?? [] };
}

/** What an SMS about a loan may hold. */
export function smsValues(loan: ToldLoan, amount: Cents): LoanSmsValues {
  return {
    sacco: saccoValue({ name: loan.sacco_name, state: loan.sacco_state }),
    borrower: personValue(loan),
    amount: amountValue(amount),
    days: countValue(loan.days_past_due),
  };
}

/**
 * Tells people, and keeps by which rows of the list and of the outbox each was told. A constant number of statements.
 * @param causedBy the account whose act it was; null for the clock
 * @param runOf the day whose run tells them
 */
export async function sendNotices(
  tx: Tx,
  causedBy: string | null,
  notices: readonly LoanNotice[],
  runOf: string | null = null,
): Promise<void> {
  if (notices.length === 0) return;
  const delivered = await notifyAll(
    tx,
    notices.map(({ to, kind, text, sms }) => ({
      userId: to,
      topic: 'loans' as const,
      template: `loan_${kind}`,
      text,
      causedBy,
      ...(sms ? { sms } : {}),
    })),
  );
  await tx.sql`
    insert into loan_notices (id, loan_id, kind, user_id, guarantee_id, arrears_since, days_past_due, amount_cents, at,
      run_of, notification_id, sms_id)
    select id, loan_id, kind, user_id, guarantee_id, arrears_since, days_past_due, amount_cents, ${tx.now}, ${runOf}::date,
      notification_id, sms_id
    from unnest(
      ${texts(notices.map(() => tx.newId()))}::uuid[], ${texts(notices.map(({ loan }) => loan.id))}::uuid[],
      ${texts(notices.map(({ kind }) => kind))}::text[], ${texts(notices.map(({ to }) => to))}::uuid[],
      ${texts(notices.map(({ guaranteeId }) => guaranteeId ?? null))}::uuid[],
      ${texts(notices.map(({ loan, kind }) => (kind === 'reminder' ? null : loan.arrears_since)))}::date[],
      ${integers(notices.map(({ loan }) => loan.days_past_due))}::integer[],
      ${integers(notices.map(({ amount }) => amount))}::bigint[],
      ${texts(delivered.map(({ notificationId }) => notificationId))}::uuid[],
      ${texts(delivered.map(({ smsId }) => smsId))}::uuid[]
    ) as told (id, loan_id, kind, user_id, guarantee_id, arrears_since, days_past_due, amount_cents, notification_id, sms_id)`;
}

/** Three days before an instalment. The loans' rows are locked by the day's run. */
export async function remindBorrowers(tx: Tx, loanIds: readonly string[]): Promise<void> {
  const { loans } = await loansToTell(tx, loanIds);
  await sendNotices(
    tx,
    null,
    loans.map((loan): LoanNotice => {
      const amount = loan.due_cents ?? 0;
      const text = sentence('{sacco}: {amount} of your loan {number} is due on {day}.', {
        ...namesOf(loan),
        amount: said(amount),
        day: dayOf(loan.due_on),
      });
      return {
        loan,
        kind: 'reminder',
        to: loan.borrower_id,
        amount,
        text,
        sms: loanRecoverySms.reminder(smsValues(loan, amount)),
      };
    }),
  );
  await addLoanEvents(
    tx,
    loans.map(({ id, due_cents }) => ({ loanId: id, kind: 'reminded', amountCents: due_cents ?? 0 })),
  );
}

/** A calendar day, said as a long date: noon in Nairobi is on it. */
export const dayOf = (day: string | null) => longDate(new Date(`${day}T09:00:00Z`));
const namesOf = ({ sacco_name, number }: ToldLoan) => ({ sacco: sacco_name, number });

/**
 * Gives the notices that are due to the borrowers in arrears of a sacco, and to those who guarantee them: each loan its next one.
 * Repeated until none is due.
 */
export async function giveNotices(
  tx: Tx,
  { saccoId, day }: { readonly saccoId: string; readonly day: string },
): Promise<{ given: number; isDone: boolean }> {
  const from = integers(ARREARS_NOTICES.map((notice) => notice.from));
  const due = await tx.sql<{ id: string }[]>`
    select id from loans
    where sacco_id = ${saccoId} and arrears_since is not null and state = 'in_arrears'
      and days_past_due >= (${from}::integer[])[notices_given + 1]
    order by id limit ${NOTICES_AT_ONCE} for no key update`;
  if (due.length === 0) {
    await demandOfPools(tx, saccoId);
    return { given: await tellNewGuarantors(tx, saccoId, day), isDone: true };
  }
  const { loans, guarantorsOf } = await loansToTell(
    tx,
    due.map(({ id }) => id),
  );
  const committee = await committeeOf(tx, saccoId);
  const notices = loans.flatMap((loan) => noticesOf(loan, guarantorsOf(loan.id), committee));
  await sendNotices(tx, null, notices, day);
  await addLoanEvents(tx, loans.flatMap(eventsOf));
  await tx.sql`
    update loans set notices_given = notices_given + 1 where id = any (${texts(loans.map(({ id }) => id))}::uuid[])`;
  return { given: notices.length, isDone: false };
}

/**
 * Pools are told of late loans that they guarantee, and their money is demanded; each step once, as pools keep it. Of a loan in recovery
 * it is demanded however late the loan is: what the borrower pays meanwhile does not end a recovery.
 */
async function demandOfPools(tx: Tx, saccoId: string): Promise<void> {
  const guaranteed = await tx.sql<{ id: string }[]>`
    select l.id from loans l join pool_contracts c on c.loan_id = l.id
    where l.sacco_id = ${saccoId} and l.arrears_since is not null and c.state <> 'RELEASED'`;
  // Pools are locked before loans.
  await lockPoolsOf(tx, { loanIds: guaranteed.map(({ id }) => id) });
  const late = await tx.sql<{ id: string; days_past_due: number }[]>`
    select id, case when state = 'recovering' then greatest(days_past_due, ${DEMAND_DAYS}) else days_past_due end as days_past_due
    from loans
    where sacco_id = ${saccoId} and arrears_since is not null
      and (state in ('in_arrears', 'defaulted') and days_past_due >= 30 or state = 'recovering')
      and exists (select from pool_contracts c where c.loan_id = loans.id and c.state <> 'RELEASED')
    order by id for no key update`;
  await demandGuarantees(
    tx,
    late.map(({ id, days_past_due }) => ({ loanId: id, daysPastDue: days_past_due })),
  );
}

/** Who has come to guarantee a loan since its formal notice gets that notice now, and has as long as the others. */
async function tellNewGuarantors(tx: Tx, saccoId: string, day: string): Promise<number> {
  const missing = await tx.sql<{ loan_id: string; id: string }[]>`
    select g.loan_id, g.id from loans l join loan_guarantees g on g.loan_id = l.id
    where l.sacco_id = ${saccoId} and l.arrears_since is not null and l.state = 'in_arrears' and l.notices_given >= 3
      and g.kind = 'member' and g.state = 'live' and g.pledged_cents > 0
      and not exists (select from loan_notices n
                      where n.loan_id = l.id and n.kind = 'formal' and n.user_id = g.guarantor_id
                        and n.arrears_since = l.arrears_since)
    limit ${NOTICES_AT_ONCE}`;
  if (missing.length === 0) return 0;
  const { loans, guarantorsOf } = await loansToTell(tx, [...new Set(missing.map(({ loan_id }) => loan_id))]);
  const isMissing = new Set(missing.map(({ id }) => id));
  const notices = loans.flatMap((loan) =>
    guarantorsOf(loan.id)
      .filter(({ id }) => isMissing.has(id))
      .map((each) => guarantorsNotice(loan, 'formal', each)),
  );
  await sendNotices(tx, null, notices, day);
  return notices.length;
}

async function committeeOf(tx: Tx, saccoId: string): Promise<readonly string[]> {
  const rows = await tx.sql<{ user_id: string }[]>`
    select distinct user_id from offices
    where sacco_id = ${saccoId} and office = 'credit_committee' and ended_at is null and until > ${tx.now}`;
  return rows.map(({ user_id }) => user_id);
}

const dueOf = (loan: ToldLoan): ArrearsNotice | null => noticeDue(loan.days_past_due, loan.notices_given);
const overdueOf = (loan: ToldLoan): Cents => loan.overdue_cents + loan.penalty_cents;

function noticesOf(loan: ToldLoan, guarantors: readonly LiveGuarantor[], committee: readonly string[]): LoanNotice[] {
  const kind = dueOf(loan);
  if (kind === null) return [];
  const amount = overdueOf(loan);
  const common = { loan, kind, amount };
  if (kind === 'default_due') {
    const text = sentence(
      '{sacco}: the loan {number} is {days} late. The credit committee may now decide that it is in default.',
      {
        ...namesOf(loan),
        days: daysSaid(loan.days_past_due),
      },
    );
    const others = committee.filter(
      (id) => id !== loan.borrower_id && !guarantors.some((each) => each.guarantor_id === id),
    );
    return others.map((to) => ({ ...common, to, text }));
  }
  const values = smsValues(loan, amount);
  const toBorrower = { ...common, to: loan.borrower_id, text: textOf(loan, kind), sms: loanRecoverySms[kind](values) };
  if (kind !== 'formal' && kind !== 'second') return [toBorrower];
  return [toBorrower, ...guarantors.map((each) => guarantorsNotice(loan, kind, each))];
}

function guarantorsNotice(loan: ToldLoan, kind: 'formal' | 'second', guarantor: LiveGuarantor): LoanNotice {
  const amount = overdueOf(loan);
  const values = smsValues(loan, amount);
  return {
    loan,
    kind,
    to: guarantor.guarantor_id,
    guaranteeId: guarantor.id,
    amount,
    text: guarantorsText(loan, kind, guarantor.pledged_cents),
    sms: kind === 'formal' ? loanRecoverySms.formalToGuarantor(values) : loanRecoverySms.secondToGuarantor(values),
  };
}

function textOf(loan: ToldLoan, kind: Exclude<ArrearsNotice, 'default_due'>): Sentence {
  const amount = said(overdueOf(loan));
  const late = { ...namesOf(loan), amount, days: daysSaid(loan.days_past_due) };
  switch (kind) {
    case 'missed':
      return sentence(
        '{sacco}: {amount} of your loan {number} was due on {day} and is not paid. From the sixth day on a penalty is charged.',
        { ...namesOf(loan), amount, day: dayOf(loan.due_on) },
      );
    case 'first':
      return sentence(
        '{sacco}: your loan {number} is {days} late. {amount} is overdue. Pay it, or talk to your sacco.',
        late,
      );
    case 'formal':
      return sentence(
        '{sacco}: your loan {number} is {days} late. {amount} is overdue. Today your guarantors are told.',
        late,
      );
    case 'second':
      return sentence(
        'Second notice of {sacco}: your loan {number} is {days} late. {amount} is overdue. Ask your sacco for a new schedule if you cannot pay. From day 90 on the credit committee may decide that the loan is in default.',
        late,
      );
  }
}

function guarantorsText(loan: ToldLoan, kind: 'formal' | 'second', pledged: Cents): Sentence {
  const late = {
    ...namesOf(loan),
    borrower: borrowerOf(loan),
    pledge: said(pledged),
    amount: said(overdueOf(loan)),
    days: daysSaid(loan.days_past_due),
  };
  return kind === 'formal'
    ? sentence(
        'Formal notice of {sacco}: the loan {number} of {borrower}, which you guarantee with {pledge}, is {days} late. {amount} is overdue. You may talk to {borrower} or pay for them. If it is still not paid on day 90, the credit committee may decide that the loan is in default.',
        late,
      )
    : sentence(
        'Second notice of {sacco}: the loan {number} of {borrower}, which you guarantee with {pledge}, is {days} late. {amount} is overdue.',
        late,
      );
}

/** How the timeline names a notice. */
const EVENT_OF: Readonly<Record<ArrearsNotice, readonly LoanEventInput['kind'][]>> = {
  missed: ['instalment_missed'],
  first: ['notice_borrower'],
  formal: ['notice_borrower', 'notice_guarantors'],
  second: ['second_notice'],
  default_due: [],
};

function eventsOf(loan: ToldLoan): LoanEventInput[] {
  const kind = dueOf(loan);
  if (kind === null) return [];
  return EVENT_OF[kind].map((event) => ({
    loanId: loan.id,
    kind: event,
    amountCents: overdueOf(loan),
    number: loan.days_past_due,
  }));
}
