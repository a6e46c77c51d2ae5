import { type AccountKind, accountKinds } from '@ushirika/contract/journals';
import type { JournalInput, PostRefusal, TransferInput } from './ledger.types.ts';

/** A locked account while a batch is applied to it. */
export interface OpenAccount {
  readonly id: number;
  /** Both come from its kind: the side on which its balance grows, and whether its balance may be below zero. */
  readonly isDebitNormal: boolean;
  readonly mayGoNegative: boolean;
  /** The balance in the database. */
  before: number;
  balance: number;
  isClosed: boolean;
  /** The physical address of its row (PostgreSQL's ctid) while it is locked; empty when unknown. */
  ctid: string;
}

/** An account whose id and kind are known, and whose balance is not read yet. */
export function newAccount(id: number, kind: AccountKind): OpenAccount {
  const { normal, mayGoNegative } = accountKinds[kind];
  return { id, isDebitNormal: normal === 'debit', mayGoNegative, before: 0, balance: 0, isClosed: false, ctid: '' };
}

export interface Refused {
  readonly reason: PostRefusal;
  readonly transferIndex: number;
}

/**
 * Checks a journal without looking at balances. Returns the first reason of `POST_REFUSALS` that is true of one of its
 * transfers, with the first such transfer; null for a well-formed journal.
 */
export function refusalOfShape({ transfers }: JournalInput): Refused | null {
  if (transfers.length === 0) return { reason: 'journal_must_have_transfers', transferIndex: 0 };
  if (transfers.every(isWellMade)) return null;
  for (const [reason, holds] of shapes) {
    const transferIndex = transfers.findIndex((transfer) => !holds(transfer));
    if (transferIndex >= 0) return { reason, transferIndex };
  }
  return null;
}

/** All of `shapes` in one test, because nearly every transfer passes. */
function isWellMade({ debit, credit, amount }: TransferInput): boolean {
  return (
    Number.isSafeInteger(amount) &&
    amount > 0 &&
    debit.book === credit.book &&
    (debit.kind !== credit.kind || debit.owner !== credit.owner) &&
    accountKinds[debit.kind].asset === accountKinds[credit.kind].asset
  );
}

const shapes: readonly [PostRefusal, (transfer: TransferInput) => boolean][] = [
  ['amount_must_be_positive', ({ amount }) => Number.isSafeInteger(amount) && amount > 0],
  [
    'accounts_must_be_different',
    ({ debit, credit }) => debit.kind !== credit.kind || debit.owner !== credit.owner || debit.book !== credit.book,
  ],
  ['accounts_must_share_a_book', ({ debit, credit }) => debit.book === credit.book],
  [
    'accounts_must_share_an_asset',
    ({ debit, credit }) => accountKinds[debit.kind].asset === accountKinds[credit.kind].asset,
  ],
];

/**
 * Applies one journal to its accounts (two for each transfer: debited, then credited), one transfer after another.
 * Returns both balances after each transfer. A refused journal leaves every balance unchanged. Refusals are checked in
 * this order: `account_closed` for the whole journal; then, at the first transfer that fails, `insufficient_funds`
 * before `balance_limit_exceeded`.
 */
export function applyJournal({ transfers }: JournalInput, accounts: readonly OpenAccount[]): number[] | Refused {
  const closed = accounts.findIndex(({ isClosed }) => isClosed);
  if (closed >= 0) return { reason: 'account_closed', transferIndex: closed >> 1 };
  const balancesAfter: number[] = [];
  for (let index = 0; index < transfers.length; index += 1) {
    const { amount } = transfers[index] as TransferInput;
    const debited = accounts[2 * index] as OpenAccount;
    const credited = accounts[2 * index + 1] as OpenAccount;
    const debitAfter = debited.balance + (debited.isDebitNormal ? amount : -amount);
    const creditAfter = credited.balance + (credited.isDebitNormal ? -amount : amount);
    const short =
      (debitAfter < 0 && debitAfter < debited.balance && !debited.mayGoNegative) ||
      (creditAfter < 0 && creditAfter < credited.balance && !credited.mayGoNegative);
    if (short || !Number.isSafeInteger(debitAfter) || !Number.isSafeInteger(creditAfter)) {
      takeBack(transfers, accounts, index);
      return { reason: short ? 'insufficient_funds' : 'balance_limit_exceeded', transferIndex: index };
    }
    debited.balance = debitAfter;
    credited.balance = creditAfter;
    balancesAfter.push(debitAfter, creditAfter);
  }
  return balancesAfter;
}

/** Undoes the first `count` transfers of a journal. */
function takeBack(transfers: readonly TransferInput[], accounts: readonly OpenAccount[], count: number): void {
  for (let index = 0; index < count; index += 1) {
    const { amount } = transfers[index] as TransferInput;
    const debited = accounts[2 * index] as OpenAccount;
    const credited = accounts[2 * index + 1] as OpenAccount;
    debited.balance += debited.isDebitNormal ? -amount : amount;
    credited.balance += credited.isDebitNormal ? amount : -amount;
  }
}
