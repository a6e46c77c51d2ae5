import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { proposeWaiver as route } from '@ushirika/contract/loans';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import type { AccountKey } from '../../ledger/ledger.types.ts';
import { notify } from '../notifications/notify.ts';
import type { About, ChangeExecutor } from '../saccos/changes.types.ts';
import { INTERESTED, interestsOf, lockLoanOfSacco } from './loan-officials.ts';
import { addLoanEvents, type LoanRow, type Reader } from './loan-rows.ts';
import { postAll } from './pledges.ts';
import { closeWhenPaid } from './recover-loan.ts';
import { PAYABLE } from './repay-loans.ts';
import { refreshDue } from './write-recovery.ts';

/* Two officials waive penalty, or interest that is due, of one loan (docs/decisions/221). */

interface Waived {
  readonly loanId: string;
  readonly penalty: Cents;
  readonly interest: Cents;
  readonly reason: string;
}

/** A waiver as a change keeps it: in shillings, with the loan's number for its readers. @throws Refusal `not_found` */
export async function waiverToKeep(
  reader: Reader,
  saccoId: string,
  { loanId, penalty, interest, reason }: Waived,
): Promise<ChangedValues> {
  const [loan] = await (reader.sql as Tx['sql'])<{ number: string }[]>`
    select number from loans where id = ${loanId} and sacco_id = ${saccoId}`;
  if (!loan) throw new Refusal('not_found', { message: sentence('There is no such loan.') });
  return {
    loan: loanId,
    number: loan.number,
    penalty: shillingsFromCents(penalty),
    interest: shillingsFromCents(interest),
    reason,
  };
}

/** A waiver holds as soon as a second official confirms it. */
export const loanWaiverChange: ChangeExecutor = {
  offices: route.offices ?? [],
  isDelayed: false,
  words: sentence('what a borrower owes'),
  current: async (_, __, { loan }) => ({ loan: loan ?? '' }),
  refusalOf: (tx, about, payload) => refusalOf(tx, about, waivedBy(payload)),
  refusalTo: async (tx, userId, payload) =>
    (await interestsOf(tx, userId, [waivedBy(payload).loanId])).size === 0
      ? null
      : new Refusal('not_allowed', { message: INTERESTED }),
  announce: async () => {},
  recall: async () => {},
  apply: (tx, about, payload) => waive(tx, about, waivedBy(payload)),
};

const waivedBy = ({ loan, penalty, interest, reason }: ChangedValues): Waived => ({
  loanId: String(loan),
  penalty: Math.round(Number(penalty) * 100),
  interest: Math.round(Number(interest) * 100),
  reason: String(reason),
});

async function refusalOf(tx: Tx, about: About, waived: Waived): Promise<Refusal | null> {
  const loan = await lockLoanOfSacco(tx, saccoOf(about), waived.loanId);
  if (!PAYABLE.has(loan.state)) return new Refusal('loan_conflict');
  const interest = await interestThatIsDue(tx, loan);
  if (waived.penalty <= loan.penalty_cents && waived.interest <= interest) return null;
  const said = (cents: Cents) => formatShillings(shillingsFromCents(cents));
  return new Refusal('loan_conflict', {
    message: sentence('{penalty} of penalty and {interest} of interest are due now. No more than that can be waived.', {
      penalty: said(loan.penalty_cents),
      interest: said(interest),
    }),
  });
}

/** Interest of instalments whose day has come, as far as it is owed. */
async function interestThatIsDue(tx: Tx, loan: Pick<LoanRow, 'id' | 'interest_cents'>): Promise<Cents> {
  const [due] = await tx.sql<{ cents: Cents }[]>`
    select coalesce(sum(interest_cents - greatest(paid_interest_cents, 0)), 0)::bigint as cents from loan_instalments
    where loan_id = ${loan.id} and paid_on is null and due_on <= ${nairobiDay(tx.now)}`;
  return Math.min(loan.interest_cents, due?.cents ?? 0);
}

async function waive(tx: Tx, about: About, waived: Waived): Promise<void> {
  const loan = await lockLoanOfSacco(tx, saccoOf(about), waived.loanId);
  const { penalty, interest, reason } = waived;
  const own = (kind: AccountKey['kind']): AccountKey => ({ book: loan.sacco_id, kind, owner: null });
  await postAll(tx, [
    {
      kind: 'loan_charges_waived',
      idempotencyKey: `loan_charges_waived:${tx.newId()}`,
      causedBy: about.proposedBy,
      about: { type: 'loan', id: loan.id },
      transfers: [
        { debit: own('penalty_income'), credit: own('penalty_receivable'), amount: penalty },
        { debit: own('interest_income'), credit: own('interest_receivable'), amount: interest },
      ].filter(({ amount }) => amount > 0),
    },
  ]);
  await tx.sql`
    update loans set penalty_cents = penalty_cents - ${penalty}, interest_cents = interest_cents - ${interest} where id = ${loan.id}`;
  // The oldest instalment is waived first.
  await tx.sql`
    with due as (
      select number, interest_cents - greatest(paid_interest_cents, 0) as cents,
        sum(interest_cents - greatest(paid_interest_cents, 0)) over (order by number) as up_to
      from loan_instalments where loan_id = ${loan.id} and paid_on is null and due_on <= ${nairobiDay(tx.now)})
    update loan_instalments i
    set interest_cents = i.interest_cents - least(d.cents, greatest(0, ${interest}::bigint - (d.up_to - d.cents)))
    from due d where i.loan_id = ${loan.id} and i.number = d.number`;
  await refreshDue(tx, loan.id);
  await addLoanEvents(tx, [
    {
      loanId: loan.id,
      kind: 'charges_waived',
      byId: about.proposedBy,
      amountCents: penalty + interest,
      text: reason,
    },
  ]);
  await closeWhenPaid(tx, about.proposedBy, loan);
  await tell(tx, about.proposedBy, loan, { cents: penalty + interest, reason });
}

async function tell(
  tx: Tx,
  causedBy: string,
  loan: LoanRow,
  { cents, reason }: { readonly cents: Cents; readonly reason: string },
): Promise<void> {
  const [sacco] = await tx.sql<{ name: string }[]>`select name from saccos where id = ${loan.sacco_id}`;
  const text = sentence(
    '{sacco}: two officials waive {amount} of penalty and interest of your loan {number}. The reason: {reason}',
    {
      sacco: sacco?.name ?? '',
      amount: formatShillings(shillingsFromCents(cents)),
      number: loan.number,
      reason,
    },
  );
  await notify(tx, { userId: loan.borrower_id, topic: 'loans', template: 'loan_charges_waived', text, causedBy });
}

function saccoOf({ saccoId }: About): string {
  if (saccoId === null) throw new Error('A loan is of a sacco.');
  return saccoId;
}
