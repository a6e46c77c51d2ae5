import type { Cents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';
import { type AccountKey, type JournalInput, PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { REVERSAL_ASKED_AFTER_MS } from './wallet.rules.ts';

/** An incoming payment that is booked. */
export interface ReceiptRow {
  readonly receipt: string;
  readonly amount_cents: Cents;
  readonly source: 'deposit' | 'claim' | 'paybill' | 'stray';
  /** `returned`: it was in suspense, and an operator has sent it back to its payer. */
  readonly credited_to: 'wallet' | 'suspense' | 'returned';
  readonly user_id: string | null;
  readonly deposit_id: string | null;
  /** The part that stands in suspense, where that is less than was paid. */
  readonly held_cents: Cents | null;
}

export interface NewReceipt {
  readonly receipt: string;
  readonly amountCents: Cents;
  readonly source: ReceiptRow['source'];
  /** Null: the money goes into suspense. */
  readonly userId: string | null;
  readonly depositId?: string | null;
  readonly claimId?: string | null;
  readonly paidAt: Date | null;
  /** The payer's number as M-Pesa shows it (`party.ts`). */
  readonly phone: string | null;
}

/**
 * Stores a receipt. True: it is new, and the caller posts its journal in the same transaction. False: it was stored
 * before; a concurrent caller waits here until the first has committed.
 */
export async function takeReceipt(tx: Tx, receipt: NewReceipt): Promise<boolean> {
  const taken = await tx.sql`
    insert into mpesa_receipts
      (receipt, amount_cents, source, credited_to, user_id, deposit_id, claim_id, paid_at, phone, credited_at, ask_again_at)
    values (${receipt.receipt}, ${receipt.amountCents}, ${receipt.source},
            ${receipt.userId === null ? 'suspense' : 'wallet'}, ${receipt.userId}, ${receipt.depositId ?? null},
            ${receipt.claimId ?? null},
            coalesce(${receipt.paidAt}::timestamptz, (
              select paid_at from paybill_payments where receipt = ${receipt.receipt} and listed_at is not null)),
            ${receipt.phone}, ${tx.now}, ${new Date(tx.now.getTime() + REVERSAL_ASKED_AFTER_MS[0])})
    on conflict (receipt) do nothing
    returning receipt`;
  return taken.length === 1;
}

export async function lockReceipt(tx: Tx, receipt: string): Promise<ReceiptRow | null> {
  const [row] = await tx.sql<ReceiptRow[]>`
    select receipt, amount_cents, source, credited_to, user_id, deposit_id, held_cents
    from mpesa_receipts where receipt = ${receipt} for update`;
  return row ?? null;
}

export const wallet = (userId: string): AccountKey => ({ book: PLATFORM_BOOK, kind: 'wallet', owner: userId });
export const walletHold = (userId: string): AccountKey => ({ book: PLATFORM_BOOK, kind: 'wallet_hold', owner: userId });
export const mpesaFloat: AccountKey = { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null };
export const suspense: AccountKey = { book: PLATFORM_BOOK, kind: 'suspense', owner: null };

/** A journal with one transfer, keyed by its kind and the thing that it is about, so that it is posted once. */
export function moneyJournal(
  kind: JournalInput['kind'],
  about: JournalInput['about'],
  causedBy: string | null,
  debit: AccountKey,
  credit: AccountKey,
  amount: Cents,
): JournalInput {
  return { kind, idempotencyKey: `${kind}:${about.id}`, causedBy, about, transfers: [{ debit, credit, amount }] };
}
