import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusals';
import type { Tx } from '../../db/tx.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { notify } from '../notifications/notify.ts';
import { announce } from './live.ts';
import { lockReceipt, moneyJournal, mpesaFloat, suspense, wallet } from './receipts.ts';
import { lockWithdrawal, payWithdrawal, returnWithdrawal } from './settle-withdrawal.ts';
import { inWords } from './wallet.rules.ts';

/** `credit`: into a member's wallet. `return_note`: the money has left our M-Pesa account. `dismiss`: nothing to do. */
export type ExceptionAction = 'credit' | 'return_note' | 'dismiss';

interface ExceptionRow {
  readonly id: string;
  readonly receipt: string | null;
  readonly about_id: string | null;
  readonly held_in: 'nowhere' | 'suspense' | 'reserve';
  readonly resolved_at: Date | null;
  /** Of the payment that it is about, as the books have it; null where they have none. */
  readonly bookedCents: Cents | null;
}

/** What an operator can do about an exception, by where its money stands. Money in the books is never just dismissed. */
export function actionsFor(exception: { readonly held_in: string }): readonly ExceptionAction[] {
  return exception.held_in === 'nowhere' ? ['dismiss'] : ['credit', 'return_note'];
}

/**
 * Resolves an exception, once. Money in suspense goes to a member's wallet (`credit`, with `userId`), or out again
 * (`return_note`). A withdrawal's reserve goes back to its member (`credit`), or is settled as paid (`return_note`).
 * Throws `not_found`, `exception_already_resolved`, and `validation_failed` for an action that does not fit.
 */
export async function resolveException(
  tx: Tx,
  actor: { readonly userId: string },
  input: {
    readonly exceptionId: string;
    readonly action: ExceptionAction;
    readonly userId?: string | undefined;
    readonly reason: string;
  },
): Promise<void> {
  const { action, reason } = input;
  const exception = await lockException(tx, input.exceptionId);
  if (!exception) throw new Refusal('not_found');
  if (exception.resolved_at) throw new Refusal('exception_already_resolved');
  if (!actionsFor(exception).includes(action)) throw wrong('action', 'That action does not fit this exception.');
  const creditedUserId = action === 'credit' ? await beneficiary(tx, exception, input.userId) : null;
  await tx.sql`
    update money_exceptions set resolved_at = ${tx.now}, resolved_by = ${actor.userId}, resolution = ${action},
      reason = ${reason}, credited_user_id = ${creditedUserId}
    where id = ${exception.id}`;
  if (exception.held_in === 'suspense') await moveSuspense(tx, actor, exception, creditedUserId);
  if (exception.held_in === 'reserve') await settleReserve(tx, exception, action);
}

/** The receipt's row first, then the exception's, as everybody locks them. */
async function lockException(tx: Tx, id: string): Promise<ExceptionRow | null> {
  const [seen] = await tx.sql<{ receipt: string | null; about_id: string | null; held_in: string }[]>`
    select receipt, about_id, held_in from money_exceptions where id = ${id}`;
  if (seen?.held_in === 'reserve' && seen.about_id) await lockWithdrawal(tx, seen.about_id);
  const receipt = seen?.receipt ? await lockReceipt(tx, seen.receipt) : null;
  const [row] = await tx.sql<Omit<ExceptionRow, 'bookedCents'>[]>`
    select id, receipt, about_id, held_in, resolved_at from money_exceptions where id = ${id} for update`;
  return row ? { ...row, bookedCents: receipt?.amount_cents ?? null } : null;
}

async function beneficiary(tx: Tx, exception: ExceptionRow, userId: string | undefined): Promise<string> {
  if (exception.held_in === 'reserve') {
    const withdrawal = exception.about_id ? await lockWithdrawal(tx, exception.about_id) : null;
    if (!withdrawal) throw new Refusal('not_found');
    return withdrawal.user_id;
  }
  const [user] = userId ? await tx.sql<{ id: string }[]>`select id from users where id = ${userId}` : [];
  if (!user) throw wrong('user', 'Say whom to credit: nobody has that id.');
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
    await tx.sql`update mpesa_receipts set credited_to = 'returned' where receipt = ${exception.receipt}`;
    await postOrRefuse(tx, moneyJournal('suspense_returned', about, actor.userId, suspense, mpesaFloat, amountCents));
    return;
  }
  await tx.sql`
    update mpesa_receipts set credited_to = 'wallet', user_id = ${creditedUserId} where receipt = ${exception.receipt}`;
  await postOrRefuse(
    tx,
    moneyJournal('suspense_credited', about, actor.userId, suspense, wallet(creditedUserId), amountCents),
  );
  await notify(tx, {
    userId: creditedUserId,
    template: 'deposit_credited_after_review',
    topic: 'money',
    text: {
      en: `${inWords(amountCents)} is in your wallet after our review.`,
      sw: `${inWords(amountCents)} imeingia kwenye pochi yako baada ya ukaguzi wetu.`,
    },
  });
  await announce(tx, [{ userId: creditedUserId, thing: 'wallet', id: '' }]);
}

/** An operator has looked into M-Pesa's own statement: a reserve is returned, or settled as paid. */
async function settleReserve(tx: Tx, exception: ExceptionRow, action: ExceptionAction): Promise<void> {
  const withdrawal = exception.about_id ? await lockWithdrawal(tx, exception.about_id) : null;
  if (!withdrawal) throw new Refusal('not_found');
  if (withdrawal.state === 'paid' || withdrawal.state === 'returned') throw new Refusal('exception_already_resolved');
  if (action === 'return_note') return payWithdrawal(tx, withdrawal, null);
  await returnWithdrawal(tx, withdrawal, 'operator', 'It was not paid. Your money is back in your wallet.');
}

function wrong(field: string, message: string): Refusal {
  return new Refusal('validation_failed', { message, errors: { [field]: [message] } });
}
