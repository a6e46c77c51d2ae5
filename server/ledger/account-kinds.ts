import type { Asset } from './ledger.types.ts';

interface KindOfAccount {
  readonly asset: Asset;
  /** The side on which the balance grows. A balance is kept positive on its normal side. */
  readonly normal: 'debit' | 'credit';
  /** Whether the balance may pass below zero on its normal side. */
  readonly mayGoNegative: boolean;
}

/** Every kind of account; docs/postings.md says which event moves which. */
export const accountKinds = {
  // The platform's book.
  mpesa_float: { asset: 'KES', normal: 'debit', mayGoNegative: false },
  wallet: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  wallet_hold: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  /** What the platform holds for a sacco; the other side of the sacco's `cash`. Owner: the sacco. */
  settlement: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  /** Money that came in and nobody could be credited with yet. */
  suspense: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  // A sacco's book.
  cash: { asset: 'KES', normal: 'debit', mayGoNegative: false },
  share_capital: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  fee_income: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  marketing_expense: { asset: 'KES', normal: 'debit', mayGoNegative: false },
  /** A member's non-withdrawable savings. Owner: the member. */
  deposits: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  shares_issued: { asset: 'SHARE', normal: 'debit', mayGoNegative: false },
  /** A member's shares. Owner: the member. */
  holding: { asset: 'SHARE', normal: 'credit', mayGoNegative: false },
  holding_hold: { asset: 'SHARE', normal: 'credit', mayGoNegative: false },
} as const satisfies Record<string, KindOfAccount>;

export type AccountKind = keyof typeof accountKinds;
