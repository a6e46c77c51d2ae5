import type { previewRepayment as contract, Surplus } from '@ushirika/contract/loans';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { ReplyOf } from '@ushirika/contract/route';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { askedOf } from './arrears.rules.ts';
import { allocateOrClose } from './closing.rules.ts';
import { followingOf, owedWith, payableLoans, unpaidOfLoan } from './payable-loans.ts';
import { carryOn, PAYABLE } from './repay-loans.ts';
import { type OwedInstalment, unpaidInterest, unpaidOf } from './repayment.rules.ts';

/**
 * A loan as it would be after a payment of today: the next instalment, the day of the last one, and the saved interest. Reads only.
 * @throws Refusal `loan_conflict`
 */
export async function previewRepayment(
  tx: Tx,
  {
    loanId,
    amountCents,
    surplus,
  }: { readonly loanId: string; readonly amountCents: Cents; readonly surplus?: Surplus | undefined },
): Promise<ReplyOf<typeof contract>> {
  const day = nairobiDay(tx.now);
  const [payable] = await payableLoans(tx, [loanId], day);
  if (!payable || payable.owed.principal === 0 || !PAYABLE.has(payable.loan.state)) throw new Refusal('loan_conflict');
  const following = await followingOf(tx, [payable]);
  const before = owedWith(payable, following);
  const payment = { amount: amountCents, day, surplus: surplus ?? payable.loan.surplus };
  const shared = allocateOrClose(before, payment, null, payable.loan.tolerance_cents);
  carryOn(payable, following, shared, []);
  const after = shared.settled.isPaidOff ? [] : owedWith(payable, following).instalments;
  const asked = askedOf(unpaidOfLoan(payable, following.get(loanId)));
  // A rest within the tolerance is owed all the same, with the next instalment.
  const next = asked ? after[asked.index] : after.find((each) => each.dueOn >= day && unpaidOf(each) > 0);
  const interest = (some: readonly OwedInstalment[]) => some.reduce((sum, each) => sum + unpaidInterest(each), 0);
  return {
    amount: shillingsFromCents(shared.allocation.amount),
    surplus: payment.surplus,
    next_due: next ? { date: next.dueOn, amount: shillingsFromCents(asked?.cents ?? unpaidOf(next)) } : null,
    last_due_on: after.findLast((each) => unpaidOf(each) > 0)?.dueOn ?? null,
    saved: shillingsFromCents(Math.max(0, interest(before.instalments) - shared.allocation.interest - interest(after))),
  };
}
