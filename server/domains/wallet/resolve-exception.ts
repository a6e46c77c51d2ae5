import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { notify } from '../notifications/notify.ts';
import { amountValue, receiptValue } from '../notifications/sms-values.ts';
import { announce } from './live.ts';
import { lockReceipt, moneyJournal, mpesaFloat, suspense, wallet } from './receipts.ts';
import { lockWithdrawal, payWithdrawal, returnWithdrawal } from './settle-withdrawal.ts';
import { inWords } from './wallet.rules.ts';
import { walletSms } from './wallet.sms.ts';

/** `credit`: into a member's wallet. `return_note`: the money has left our M-Pesa account. `dismiss`: nothing to do. */
export type ExceptionAction = 'credit' | 'return_note' | 'dismiss';

interface ExceptionRow {
  readonly id: string;
  readonly receipt: string | null;
  readonly about_id: string | null;
  readonly held_in: 'nowhere' | 'suspense' | 'reserve';
  /** As operators see it; null where no amount is known. */
  readonly amount_cents: Cents | null;
  readonly resolved_at: Date | null;
  /** The booked amount of its payment; null where nothing is booked. */
  readonly bookedCents: Cents | null;
}

/** What an operator may do about an exception, by where its money is. Booked money cannot be dismissed. */
export function actionsFor(exception: { readonly held_in: string }): readonly ExceptionAction[] {
  return exception.held_in === 'nowhere' ? ['dismiss'] : ['credit', 'return_note'];
}

interface Resolution {
  readonly exceptionId: string;
  readonly action: ExceptionAction;
  readonly userId?: string | undefined;
}

/**
 * Checks a resolution under the exception's lock, and changes nothing. Returns the amount and whose the money becomes;
 * for a withdrawal's reserve, whose it is.
 * @throws Refusal `not_found`, `exception_already_resolved`, or `validation_failed` for an action that does not fit
 */
export async function examineResolution(
  tx: Tx,
  { exceptionId, action, userId }: Resolution,
): Promise<{ readonly beneficiaryId: string | null; readonly amountCents: Cents | null }> {
  const exception = await lockUnresolved(tx, exceptionId, action);
  const isSomebodys = exception.held_in === 'reserve' || action === 'credit';
  const beneficiaryId = isSomebodys ? await beneficiary(tx, exception, userId) : null;
  return { beneficiaryId, amountCents: exception.bookedCents ?? exception.amount_cents };
}

/**
 * The payer of money in suspense, who may object: null when the payer gets the money, or when the one who gets it had
 * claimed its receipt.
 */
export async function payerOfException(
  tx: Tx,
  exceptionId: string,
  beneficiaryId: string | null,
): Promise<{ readonly phone: string | null; readonly receipt: string; readonly amountCents: Cents } | null> {
  const [row] = await tx.sql<{ phone: string | null; receipt: string; amount_cents: Cents; is_theirs: boolean }[]>`
    select e.phone, r.receipt, coalesce(r.held_cents, r.amount_cents) as amount_cents,
      coalesce(e.detail ->> 'claimed_by' = ${beneficiaryId}::text
        or exists (select from users u where u.id = ${beneficiaryId}::uuid and u.phone = e.phone
                     and u.phone_confirmed_at is not null), false) as is_theirs
    from money_exceptions e join mpesa_receipts r on r.receipt = e.receipt
    where e.id = ${exceptionId} and e.held_in = 'suspense'`;
  if (!row || row.is_theirs) return null;
  return { phone: row.phone, receipt: row.receipt, amountCents: row.amount_cents };
}

/**
 * Resolves an exception, once. Money in suspense goes to a member's wallet (`credit`, with `userId`) or leaves the
 * books (`return_note`). A withdrawal's reserve returns to its member (`credit`) or is settled as paid (`return_note`).
 * Two operators must agree before money moves: `proposalId` is their proposal, which the database requires too.
 * @throws Refusal `not_found`, `exception_already_resolved`, or `validation_failed` for an action that does not fit
 */
export async function resolveException(
  tx: Tx,
  actor: { readonly userId: string },
  input: Resolution & { readonly reason: string; readonly proposalId: string | null },
): Promise<void> {
  const { action, reason, proposalId } = input;
  const exception = await lockUnresolved(tx, input.exceptionId, action);
  const creditedUserId = action === 'credit' ? await beneficiary(tx, exception, input.userId) : null;
  await tx.sql`
    update money_exceptions set resolved_at = ${tx.now}, resolved_by = ${actor.userId}, resolution = ${action},
      reason = ${reason}, credited_user_id = ${creditedUserId}, proposal_id = ${proposalId}
    where id = ${exception.id}`;
  if (exception.held_in === 'suspense') await moveSuspense(tx, actor, exception, creditedUserId);
  if (exception.held_in === 'reserve') await settleReserve(tx, actor.userId, exception, action);
}

/** Locks the receipt's row, then the exception's: the order of all code that locks both. */
export async function lockException(tx: Tx, id: string): Promise<ExceptionRow | null> {
  const [seen] = await tx.sql<{ receipt: string | null; about_id: string | null; held_in: string }[]>`
    select receipt, about_id, held_in from money_exceptions where id = ${id}`;
  if (seen?.held_in === 'reserve' && seen.about_id) await lockWithdrawal(tx, seen.about_id);
  const receipt = seen?.receipt ? await lockReceipt(tx, seen.receipt) : null;
  const [row] = await tx.sql<Omit<ExceptionRow, 'bookedCents'>[]>`
    select id, receipt, about_id, held_in, amount_cents, resolved_at from money_exceptions where id = ${id} for update`;
  return row ? { ...row, bookedCents: receipt?.held_cents ?? receipt?.amount_cents ?? null } : null;
}

async function lockUnresolved(tx: Tx, id: string, action: ExceptionAction): Promise<ExceptionRow> {
  const exception = await lockException(tx, id);
  if (!exception) throw new Refusal('not_found');
  if (exception.resolved_at) throw new Refusal('exception_already_resolved');
  if (!actionsFor(exception).includes(action))
    throw wrong('action', sentence('That action does not fit this exception.'));
  return exception;
}

async function beneficiary(tx: Tx, exception: ExceptionRow, userId: string | undefined): Promise<string> {
  if (exception.held_in === 'reserve') {
    const withdrawal = exception.about_id ? await lockWithdrawal(tx, exception.about_id) : null;
    if (!withdrawal) throw new Refusal('not_found');
    return withdrawal.user_id;
  }
  const [user] = userId ? await tx.sql<{ id: string }[]>`select id from users where id = ${userId}` : [];
  if (!user) throw wrong('user', sentence('Say whom to credit: nobody has that id.'));
  return user.id;
}

async function moveSuspense(
  tx: Tx,
  actor: { readonly userId: string },
  exception: ExceptionRow,
  creditedUserId: string | null,
): Promise<void> {
  const amountCents = exception.bookedCents;
  if (amountCents === null) throw new Error(`Exception ${exception.id} shows money in suspense that was never booked.`);
  const about = { type: 'money_exception', id: exception.id };
  if (creditedUserId === null) {
    await tx.sql`update mpesa_receipts set credited_to = 'returned', ask_again_at = null where receipt = ${exception.receipt}`;
    await postOrRefuse(tx, moneyJournal('suspense_returned', about, actor.userId, suspense, mpesaFloat, amountCents));
    return tellOfReturn(tx, actor.userId, exception.receipt as string, amountCents);
  }
  await tx.sql`
    update mpesa_receipts set credited_to = 'wallet', user_id = ${creditedUserId}, held_cents = null where receipt = ${exception.receipt}`;
  await postOrRefuse(
    tx,
    moneyJournal('suspense_credited', about, actor.userId, suspense, wallet(creditedUserId), amountCents),
  );
  await notify(tx, {
    userId: creditedUserId,
    template: 'deposit_credited_after_review',
    causedBy: actor.userId,
    topic: 'money',
    text: sentence('{amount} is in your wallet after our review.', { amount: inWords(amountCents) }),
    sms: walletSms.moneyReceived(amountValue(amountCents)),
  });
  await announce(tx, [{ userId: creditedUserId, thing: 'wallet', id: '' }]);
}

/** Tells a member whose phone paid that the money was sent back, and to write to us if it did not arrive. */
async function tellOfReturn(tx: Tx, causedBy: string, receipt: string, amountCents: Cents): Promise<void> {
  const [payer] = await tx.sql<{ id: string }[]>`
    select u.id from money_exceptions e join users u on u.phone = e.phone and u.phone_confirmed_at is not null
    where e.receipt = ${receipt} and e.held_in = 'suspense' order by e.opened_at desc limit 1`;
  if (!payer) return;
  await notify(tx, {
    userId: payer.id,
    template: 'payment_returned',
    causedBy,
    topic: 'money',
    text: sentence(
      '{amount} that you paid us (M-Pesa {receipt}) was sent back to your phone. If it did not come, write to us.',
      { amount: inWords(amountCents), receipt },
    ),
    sms: walletSms.paymentReturned(amountValue(amountCents), receiptValue(receipt)),
  });
}

/**
 * Settles a withdrawal's reserve after an operator looked into M-Pesa's own statement: it is returned, or settled as
 * paid.
 */
async function settleReserve(
  tx: Tx,
  causedBy: string,
  exception: ExceptionRow,
  action: ExceptionAction,
): Promise<void> {
  const withdrawal = exception.about_id ? await lockWithdrawal(tx, exception.about_id) : null;
  if (!withdrawal) throw new Refusal('not_found');
  if (withdrawal.state === 'paid' || withdrawal.state === 'returned') throw new Refusal('exception_already_resolved');
  if (action === 'return_note') return payWithdrawal(tx, causedBy, withdrawal, null);
  const explanation = 'It was not paid. Your money is back in your wallet.' as const;
  await returnWithdrawal(tx, causedBy, withdrawal, { resultCode: 'operator', explanation });
}

function wrong(field: string, message: Sentence): Refusal {
  return new Refusal('validation_failed', { message, errors: { [field]: [message] } });
}
