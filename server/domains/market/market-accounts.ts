import { type AccountKey, PLATFORM_BOOK } from '../../ledger/ledger.types.ts';

/** The ledger accounts that the market uses. */
export const walletAccountOf = (owner: string): AccountKey => ({ book: PLATFORM_BOOK, kind: 'wallet', owner });
export const walletHoldOf = (owner: string): AccountKey => ({ book: PLATFORM_BOOK, kind: 'wallet_hold', owner });
export const settlementOf = (owner: string): AccountKey => ({ book: PLATFORM_BOOK, kind: 'settlement', owner });
export const holdingOf = (book: string, owner: string): AccountKey => ({ book, kind: 'holding', owner });
export const holdingHoldOf = (book: string, owner: string): AccountKey => ({ book, kind: 'holding_hold', owner });
export const cashOf = (book: string): AccountKey => ({ book, kind: 'cash', owner: null });
export const feeIncomeOf = (book: string): AccountKey => ({ book, kind: 'fee_income', owner: null });
export const sharesIssuedOf = (book: string): AccountKey => ({ book, kind: 'shares_issued', owner: null });
