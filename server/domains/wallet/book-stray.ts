import type { Tx } from '../../db/tx.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { closeExceptions, type ExceptionKind, openException } from './money-exceptions.ts';
import { moneyJournal, mpesaFloat, suspense, takeReceipt } from './receipts.ts';
import { payerOf, type StoredAnswer } from './status-queries.ts';

/**
 * Books confirmed money that no rule gives to a person into suspense, with an exception for an operator. The receipt is
 * a unique row, so the money is booked once.
 */
export async function bookStray(
  tx: Tx,
  stray: {
    readonly receipt: string;
    readonly answer: StoredAnswer;
    /**
     * Given by the caller, not read from an open exception about this receipt: a forged callback may have opened that
     * one.
     */
    readonly kind: ExceptionKind;
    readonly about: { readonly type: string; readonly id: string } | null;
    readonly source?: 'claim' | 'paybill' | 'stray';
    readonly claimId?: string | null;
    readonly detail?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  const { receipt, answer } = stray;
  const amountCents = answer.amountCents as number;
  const isNew = await takeReceipt(tx, {
    receipt,
    amountCents,
    source: stray.source ?? 'stray',
    userId: null,
    claimId: stray.claimId ?? null,
    paidAt: answer.paidAt === null ? null : new Date(answer.paidAt),
    phone: payerOf(answer),
  });
  if (!isNew) {
    await closeExceptions(tx, { receipt }, 'That receipt is in the books already.');
    return;
  }
  const exceptionId = await openException(tx, {
    kind: stray.kind,
    receipt,
    phone: answer.payerPhone,
    amountCents,
    about: stray.about,
    heldIn: 'suspense',
    detail: { ...stray.detail, payer: payerOf(answer), confirmed: true },
  });
  await closeExceptions(tx, { receipt }, 'The money stands in suspense, under another exception.');
  const about = { type: 'money_exception', id: exceptionId };
  await postOrRefuse(tx, moneyJournal('money_unmatched', about, null, mpesaFloat, suspense, amountCents));
}
