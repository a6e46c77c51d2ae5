import type { AccountKind, JournalKind } from '@ushirika/contract/journals';

/** `KES` is kept in cents, `SHARE` in whole shares of the sacco whose book it is. */
export type Asset = 'KES' | 'SHARE';

/** The platform's own book. Every sacco's book has the sacco's id. */
export const PLATFORM_BOOK = '00000000-0000-7000-8000-000000000001';

/** Names an account. It is opened, with balance 0, when it is first posted to or locked. */
export interface AccountKey {
  /** `PLATFORM_BOOK`, or a sacco's id. */
  readonly book: string;
  readonly kind: AccountKind;
  /** A user's, pool's, loan's or sacco's id; null for an account of the book itself. */
  readonly owner: string | null;
}

/** One movement between two accounts of one book and one asset. The amount is a positive safe integer. */
export interface TransferInput {
  readonly debit: AccountKey;
  readonly credit: AccountKey;
  readonly amount: number;
}

/** Transfers that happen together or not at all; they may be in several books. */
export interface JournalInput {
  /** What happened, as contract/src/journals.ts and docs/postings.md name it: `shares_bought`. */
  readonly kind: JournalKind;
  /** Unique for ever: a key is posted once. `shares_bought:<purchase id>`. */
  readonly idempotencyKey: string;
  /** The user who caused it; null for the platform. */
  readonly causedBy: string | null;
  /** The row that the journal is about; its id is a UUID. */
  readonly about: { readonly type: string; readonly id: string };
  /** The journal that this one reverses; set by `reversalOf`. */
  readonly reverses?: string;
  readonly transfers: readonly TransferInput[];
}

/** Why a journal was not posted, in the order in which the reasons are checked. */
export const POST_REFUSALS = [
  'journal_must_have_transfers',
  'amount_must_be_positive',
  'accounts_must_be_different',
  'accounts_must_share_a_book',
  'accounts_must_share_an_asset',
  'exists_with_different_content',
  'account_closed',
  'insufficient_funds',
  'balance_limit_exceeded',
] as const;
export type PostRefusal = (typeof POST_REFUSALS)[number];

export type PostResult =
  | { readonly status: 'posted'; readonly journalId: string }
  /** The same journal was posted under this key before: nothing moved this time. */
  | { readonly status: 'exists'; readonly journalId: string }
  | { readonly status: 'refused'; readonly reason: PostRefusal; readonly transferIndex: number };
