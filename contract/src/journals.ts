import type { Words } from './words.ts';

/*
 * Every kind of account and every kind of journal, declared once. The ledger posts no other transfers (server/ledger/postings.ts), docs/postings.md is
 * written from it, and the history of a wallet has its groups and words from it. No schema stands here: the web client loads
 * this file.
 */

/** What the history of a wallet can be narrowed to. One of which there is no journal is not offered. */
export const transactionGroups = {
  top_up: ['Top-ups', 'Uwekaji pesa'],
  withdrawal: ['Withdrawals', 'Utoaji pesa'],
  shares: ['Shares', 'Hisa'],
  savings: ['Savings', 'Akiba'],
  fees: ['Registration fees', 'Ada za usajili'],
  pools: ['Guarantor Pools', 'Vikundi vya Udhamini'],
  loans: ['Loans', 'Mikopo'],
  dividends: ['Dividends and interest', 'Gawio na faida ya akiba'],
  rewards: ['Referral rewards', 'Zawadi za mwaliko'],
  other: ['Other', 'Nyingine'],
} as const satisfies Record<string, Words>;

export type TransactionKind = keyof typeof transactionGroups;
export const TRANSACTION_KINDS = Object.keys(transactionGroups) as readonly TransactionKind[];

interface KindOfAccount {
  /** `KES` is kept in cents, `SHARE` in whole shares of the sacco whose book it is. */
  readonly asset: 'KES' | 'SHARE';
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
  /** A member's money in a guarantor pool. Owner: the row of `pool_members`. */
  pool_position: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  /** A pool's own share of fees, which pays before its members do. Owner: the pool. */
  pool_reserve: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  /** Fees of guarantees that are paid and not earned yet. Owner: the pool. */
  pool_fees_unearned: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  // A sacco's book.
  cash: { asset: 'KES', normal: 'debit', mayGoNegative: false },
  share_capital: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  fee_income: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  marketing_expense: { asset: 'KES', normal: 'debit', mayGoNegative: false },
  /** A member's non-withdrawable savings. Owner: the member. */
  deposits: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  /** Savings that are pledged for a loan: one's own or another member's. Owner: the member who saved them. */
  deposits_hold: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  /** Principal that is owed. Owner: the loan. */
  loan_principal: { asset: 'KES', normal: 'debit', mayGoNegative: false },
  /** Interest and penalty that have accrued and are not paid, of all loans; each loan's row has its part. */
  interest_receivable: { asset: 'KES', normal: 'debit', mayGoNegative: false },
  penalty_receivable: { asset: 'KES', normal: 'debit', mayGoNegative: false },
  interest_income: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  penalty_income: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  loan_fee_income: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  /** What an employer paid for many members and no loan or wallet has had yet. Owner: the list. */
  check_off: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  /** What came in for loans that were written off. */
  recovery_income: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  /** What is set aside for loans that may not be paid, and what that has cost. */
  loan_loss_provision: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  provision_expense: { asset: 'KES', normal: 'debit', mayGoNegative: true },
  /**
   * What of the income of closed years was kept apart. The accounts of income and expense themselves go on: what a sacco has ever
   * earned in fees bounds its rewards (decision 143).
   */
  surplus_appropriated: { asset: 'KES', normal: 'debit', mayGoNegative: false },
  /** The fifth of each surplus that is never distributed; and the rest, which members may declare as dividend. */
  statutory_reserve: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  retained_surplus: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  /** Declared and not paid yet. Owner: the dividend. */
  dividends_payable: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  /** Withheld of dividends and interest, and owed to the tax authority. */
  tax_payable: { asset: 'KES', normal: 'credit', mayGoNegative: false },
  shares_issued: { asset: 'SHARE', normal: 'debit', mayGoNegative: false },
  /** A member's shares. Owner: the member. */
  holding: { asset: 'SHARE', normal: 'credit', mayGoNegative: false },
  holding_hold: { asset: 'SHARE', normal: 'credit', mayGoNegative: false },
} as const satisfies Record<string, KindOfAccount>;

export type AccountKind = keyof typeof accountKinds;

/** Whose account: the member's (`U`), the sacco's (`S`), another thing's (`O`), or, without a mark, the book's own. */
export type Side = AccountKind | `${AccountKind}:${'U' | 'S' | 'O'}`;

/**
 * One transfer that a journal may hold: the book (`P` the platform's, `S` a sacco's), the account debited, the account
 * credited, and when.
 */
export type DeclaredTransfer = readonly [book: 'P' | 'S', debit: Side, credit: Side, when: string];

export interface DeclaredJournal {
  readonly transfers: readonly DeclaredTransfer[];
  /** Of a journal that moves a wallet: where its owner's history has it. */
  readonly group?: TransactionKind;
  /** What it is to the wallet's owner. */
  readonly words?: Words;
  /** What it is to the owner of a wallet that it adds to, where that is something else. */
  readonly wordsIn?: Words;
  /** The phone that it came from or went to is told behind its words. */
  readonly phone?: 'from' | 'to';
}

export const journals = {
  // Membership and shares.
  sacco_joined: {
    group: 'fees',
    words: ['Registration fee', 'Ada ya usajili'],
    transfers: [
      ['P', 'wallet:U', 'settlement:S', 'a person joins: the registration fee leaves the wallet'],
      ['S', 'cash', 'fee_income', '… and is the sacco’s income'],
    ],
  },
  shares_bought: {
    group: 'shares',
    words: ['Shares bought', 'Hisa zimenunuliwa'],
    transfers: [
      ['P', 'wallet:U', 'settlement:S', 'a member buys shares from the sacco itself: the money leaves the wallet'],
      ['S', 'cash', 'share_capital', '… and is the sacco’s share capital'],
      ['S', 'shares_issued', 'holding:U', '… and the shares are the member’s'],
    ],
  },

  // The share market.
  order_placed: {
    group: 'shares',
    words: ['Held for an order to buy shares', 'Zimeshikiliwa kwa agizo la kununua hisa'],
    transfers: [
      [
        'P',
        'wallet:U',
        'wallet_hold:U',
        'an order to buy rests in the market’s book: its price and its fee are set aside',
      ],
      ['S', 'holding:U', 'holding_hold:U', 'an order to sell rests: its shares are set aside'],
    ],
  },
  order_changed: {
    group: 'shares',
    words: ['Held for a changed order', 'Zimeshikiliwa kwa agizo lililobadilishwa'],
    wordsIn: ['Order changed, money back', 'Agizo limebadilishwa, pesa zimerudi'],
    transfers: [
      ['P', 'wallet:U', 'wallet_hold:U', 'a changed order to buy needs more money set aside'],
      ['P', 'wallet_hold:U', 'wallet:U', '… or less'],
      ['S', 'holding:U', 'holding_hold:U', 'a changed order to sell needs more shares set aside'],
      ['S', 'holding_hold:U', 'holding:U', '… or fewer'],
    ],
  },
  order_closed: {
    group: 'shares',
    words: ['Order closed, money back', 'Agizo limefungwa, pesa zimerudi'],
    transfers: [
      [
        'P',
        'wallet_hold:U',
        'wallet:U',
        'an order to buy leaves the book with money still set aside: it is free again',
      ],
      [
        'S',
        'holding_hold:U',
        'holding:U',
        'an order to sell leaves the book with shares still set aside: they are free again',
      ],
    ],
  },
  shares_traded: {
    group: 'shares',
    words: ['Shares bought from a member', 'Hisa zimenunuliwa kutoka kwa mwanachama'],
    wordsIn: ['Shares sold to a member', 'Hisa zimeuzwa kwa mwanachama'],
    transfers: [
      [
        'P',
        'wallet:U',
        'wallet:U',
        'a member sells shares to a member who came to the offer: the value, less the seller’s fee, to the seller',
      ],
      ['P', 'wallet_hold:U', 'wallet:U', '… or out of what the buyer’s waiting order had set aside'],
      ['P', 'wallet:U', 'settlement:S', '… the fees of both sides, from the buyer who came'],
      ['P', 'wallet_hold:U', 'settlement:S', '… or from the buyer who waited'],
      ['S', 'holding:U', 'holding:U', '… and the shares of a seller who came are the buyer’s'],
      ['S', 'holding_hold:U', 'holding:U', '… or those that the seller’s waiting order had set aside'],
    ],
  },
  market_fees: {
    transfers: [
      ['S', 'cash', 'fee_income', 'the fees of all trades that one batch made in a market are the sacco’s income'],
    ],
  },

  // Savings.
  savings_deposited: {
    group: 'savings',
    words: ['Savings deposit', 'Akiba iliyowekwa'],
    transfers: [
      ['P', 'wallet:U', 'settlement:S', 'a member saves, by hand or by a standing order: the money leaves the wallet'],
      ['S', 'cash', 'deposits:U', '… and is owed to the member as savings'],
    ],
  },
  deposits_refunded: {
    group: 'savings',
    words: ['Savings refunded', 'Akiba imerudishwa'],
    transfers: [
      ['S', 'deposits:U', 'cash', '60 days after the notice of an exit: the savings are paid back'],
      ['P', 'settlement:S', 'wallet:U', '… into the wallet'],
    ],
  },

  // Loans.
  savings_pledged: {
    transfers: [
      ['S', 'deposits:U', 'deposits_hold:U', 'savings are pledged for a loan: a guarantor’s or the borrower’s own'],
    ],
  },
  pledge_released: {
    transfers: [
      [
        'S',
        'deposits_hold:U',
        'deposits:U',
        'the loan came to nothing, or another guarantor stands in: they are free again',
      ],
    ],
  },
  loan_disbursed: {
    group: 'loans',
    words: ['Loan paid out', 'Mkopo umetolewa'],
    transfers: [
      ['S', 'loan_principal:O', 'cash', 'two officials pay a loan out: it is owed to the sacco'],
      ['S', 'loan_principal:O', 'loan_fee_income', '… its fee is the sacco’s income'],
      ['P', 'settlement:S', 'wallet:U', '… and the rest is in the borrower’s wallet'],
    ],
  },
  loan_repaid: {
    group: 'loans',
    words: ['Loan repayment', 'Malipo ya mkopo'],
    transfers: [
      [
        'S',
        'interest_receivable',
        'interest_income',
        'interest up to this day, or of the whole period, accrues as it is paid',
      ],
      ['P', 'wallet:U', 'settlement:S', 'a loan is repaid: the money leaves the wallet'],
      ['S', 'cash', 'penalty_receivable', '… it pays penalty'],
      ['S', 'cash', 'interest_receivable', '… interest'],
      ['S', 'cash', 'loan_principal:O', '… and principal'],
      ['S', 'check_off:O', 'penalty_receivable', 'an employer’s payment for many members pays penalty'],
      ['S', 'check_off:O', 'interest_receivable', '… interest'],
      ['S', 'check_off:O', 'loan_principal:O', '… and principal'],
      ['S', 'dividends_payable:O', 'penalty_receivable', 'a member’s dividend pays penalty of a loan that is late'],
      ['S', 'dividends_payable:O', 'interest_receivable', '… interest'],
      ['S', 'dividends_payable:O', 'loan_principal:O', '… and principal'],
      ['S', 'deposits_hold:U', 'deposits:U', '… pledged savings are free again in proportion'],
      ['S', 'loan_loss_provision', 'provision_expense', '… and nothing need be set aside for a loan that is paid'],
    ],
  },
  loan_charges_reversed: {
    group: 'loans',
    words: ['Penalty of a loan, taken back', 'Adhabu ya mkopo imerudishwa'],
    transfers: [
      [
        'S',
        'penalty_income',
        'penalty_receivable',
        'a payment counts on an earlier day than that on which it was booked: the penalty since then is taken back',
      ],
      ['S', 'interest_income', 'interest_receivable', '… and the interest, where it pays the loan off'],
      ['S', 'penalty_income', 'cash', '… and penalty that was paid meanwhile'],
      ['P', 'settlement:S', 'wallet:U', '… is in the borrower’s wallet'],
    ],
  },
  loan_charges_waived: {
    group: 'loans',
    words: ['Penalty or interest of a loan, waived', 'Adhabu au riba ya mkopo imesamehewa'],
    transfers: [
      ['S', 'penalty_income', 'penalty_receivable', 'two officials waive penalty of a loan: it is no income any more'],
      ['S', 'interest_income', 'interest_receivable', '… or interest that is due'],
    ],
  },
  loan_rest_forgiven: {
    group: 'loans',
    words: ['Rest of a loan, forgiven', 'Salio la mkopo limesamehewa'],
    transfers: [
      [
        'S',
        'interest_income',
        'interest_receivable',
        'a payment leaves no more than the tolerance of a loan, which is closed: interest of the rest is no income any more',
      ],
      ['S', 'penalty_income', 'penalty_receivable', '… nor is penalty'],
      ['S', 'provision_expense', 'loan_principal:O', '… and principal is a cost'],
    ],
  },
  check_off_received: {
    group: 'loans',
    words: ['Check-off paid to a sacco', 'Makato ya mshahara yamelipwa kwa sacco'],
    transfers: [
      ['P', 'wallet:U', 'settlement:S', 'an employer pays one sum for many members: the money leaves the wallet'],
      ['S', 'cash', 'check_off:O', '… and the sacco holds it for the members of the list'],
    ],
  },
  check_off_returned: {
    group: 'loans',
    words: ['Check-off, what your loans did not need', 'Makato ya mshahara ambayo mikopo yako haikuhitaji'],
    transfers: [
      ['S', 'check_off:O', 'cash', 'a member’s loans need less than came for the member'],
      ['P', 'settlement:S', 'wallet:U', '… the rest is in the member’s wallet'],
    ],
  },

  // Loans: what time does to them, and what is done when they are not paid.
  interest_accrued: {
    transfers: [
      ['S', 'interest_receivable', 'interest_income', 'a day has passed: the interest of all loans of a sacco'],
    ],
  },
  penalty_accrued: {
    transfers: [
      [
        'S',
        'penalty_receivable',
        'penalty_income',
        'a day has passed: the penalty of all loans whose borrowers are late',
      ],
    ],
  },
  provision_changed: {
    transfers: [
      ['S', 'provision_expense', 'loan_loss_provision', 'a day has passed: more is set aside for losses'],
      ['S', 'loan_loss_provision', 'provision_expense', '… or less'],
    ],
  },
  deposits_recovered: {
    transfers: [
      [
        'S',
        'deposits_hold:U',
        'loan_principal:O',
        'a loan is in default: the borrower’s pledged savings pay principal',
      ],
      ['S', 'deposits:U', 'loan_principal:O', '… and the other savings'],
      ['S', 'deposits_hold:U', 'interest_receivable', '… then interest'],
      ['S', 'deposits:U', 'interest_receivable', '… of the other savings'],
      ['S', 'deposits_hold:U', 'penalty_receivable', '… then penalty'],
      ['S', 'deposits:U', 'penalty_receivable', '… of the other savings'],
      ['S', 'deposits_hold:U', 'deposits:U', '… and what was pledged beyond that is free again'],
    ],
  },
  guarantor_called: {
    transfers: [
      [
        'S',
        'deposits_hold:U',
        'loan_principal:O',
        'a guarantor’s pledged savings pay principal, in proportion to the pledges',
      ],
      ['S', 'deposits_hold:U', 'deposits:U', '… and what is left of the pledge is free again'],
    ],
  },
  guarantor_refunded: {
    group: 'loans',
    words: ['Paid back to guarantors', 'Marejesho kwa wadhamini'],
    wordsIn: ['Paid back by a borrower whom you guaranteed', 'Marejesho kutoka kwa mkopaji uliyemdhamini'],
    transfers: [
      ['P', 'wallet:U', 'wallet:U', 'a borrower pays a guarantor back who is no member any more'],
      ['P', 'wallet:U', 'settlement:S', '… or one who is: the money leaves the wallet'],
      ['S', 'cash', 'deposits:U', '… and is the guarantor’s savings again'],
      ['S', 'dividends_payable:O', 'deposits:U', 'a borrower’s dividend pays a guarantor back, into the savings'],
      ['S', 'dividends_payable:O', 'cash', '… or one who is no member any more'],
      ['P', 'settlement:S', 'wallet:U', '… into the wallet'],
    ],
  },
  loan_written_off: {
    transfers: [
      ['S', 'provision_expense', 'loan_loss_provision', 'a loan is given up: what was not set aside for it yet is now'],
      ['S', 'loan_loss_provision', 'provision_expense', '… or what was set aside beyond it is not needed'],
      ['S', 'loan_loss_provision', 'loan_principal:O', '… and what was set aside pays its principal'],
      ['S', 'loan_loss_provision', 'interest_receivable', '… its interest'],
      ['S', 'loan_loss_provision', 'penalty_receivable', '… and its penalty'],
    ],
  },
  recovered_after_write_off: {
    group: 'loans',
    words: ['Loan repayment', 'Malipo ya mkopo'],
    transfers: [
      ['P', 'wallet:U', 'settlement:S', 'a borrower pays a loan that was written off: the money leaves the wallet'],
      ['S', 'cash', 'recovery_income', '… and is the sacco’s income'],
      ['S', 'dividends_payable:O', 'recovery_income', 'a borrower’s dividend pays it'],
    ],
  },

  // The wallet and mobile money.
  wallet_topped_up: {
    group: 'top_up',
    words: ['Top-up by M-Pesa', 'Uwekaji pesa kwa M-Pesa'],
    phone: 'from',
    transfers: [['P', 'mpesa_float', 'wallet:U', 'M-Pesa has confirmed that an STK prompt was paid']],
  },
  receipt_claimed: {
    group: 'top_up',
    words: ['Deposit confirmed by its receipt', 'Uwekaji pesa uliothibitishwa kwa risiti'],
    phone: 'from',
    transfers: [['P', 'mpesa_float', 'wallet:U', 'M-Pesa has confirmed a receipt that the payer sent in']],
  },
  paybill_received: {
    group: 'top_up',
    words: ['Payment to the paybill', 'Malipo kwa paybill'],
    transfers: [
      [
        'P',
        'mpesa_float',
        'wallet:U',
        'M-Pesa has confirmed a payment to the paybill, and its account is a number that we issued, or a confirmed phone',
      ],
    ],
  },
  money_unmatched: {
    transfers: [['P', 'mpesa_float', 'suspense', 'money surely came, and no rule says whose it is']],
  },
  suspense_credited: {
    group: 'top_up',
    words: ['Deposit credited after review', 'Uwekaji pesa baada ya ukaguzi'],
    transfers: [['P', 'suspense', 'wallet:U', 'an operator, or the payer’s own claim, says whose it is']],
  },
  payment_reversed: {
    group: 'top_up',
    words: ['Taken back by M-Pesa', 'M-Pesa ilirudisha'],
    transfers: [
      ['P', 'wallet:U', 'suspense', 'M-Pesa took a payment back: what the wallet has of it waits for an operator'],
    ],
  },
  suspense_returned: {
    transfers: [['P', 'suspense', 'mpesa_float', 'an operator notes that it was sent back to the payer']],
  },
  withdrawal_reserved: {
    group: 'withdrawal',
    words: ['Withdrawal to M-Pesa', 'Utoaji pesa kwenda M-Pesa'],
    phone: 'to',
    transfers: [
      [
        'P',
        'wallet:U',
        'wallet_hold:U',
        'a member asks for a withdrawal: the money is set aside, and M-Pesa’s charge where the member bears it',
      ],
    ],
  },
  withdrawal_paid: { transfers: [['P', 'wallet_hold:U', 'mpesa_float', 'M-Pesa has confirmed that it paid']] },
  withdrawal_charged: {
    transfers: [
      [
        'P',
        'wallet_hold:U',
        'mpesa_float',
        '… and took its charge, which the member bears (`WITHDRAWAL_CHARGES=member`)',
      ],
    ],
  },
  withdrawal_returned: {
    group: 'withdrawal',
    words: ['Withdrawal returned', 'Utoaji pesa umerudishwa'],
    transfers: [['P', 'wallet_hold:U', 'wallet:U', 'M-Pesa has said for certain that it did not pay']],
  },

  // Guarantor pools.
  pool_deposited: {
    group: 'pools',
    words: ['Deposit in a guarantor pool', 'Pesa zilizowekwa kwenye kikundi cha udhamini'],
    transfers: [['P', 'wallet:U', 'pool_position:O', 'a person joins a pool, or adds to their position in it']],
  },
  pool_withdrawn: {
    group: 'pools',
    words: ['Withdrawal from a guarantor pool', 'Pesa zilizotolewa kwenye kikundi cha udhamini'],
    transfers: [
      [
        'P',
        'pool_position:O',
        'wallet:U',
        'the notice of a withdrawal is over, or a closing pool pays its members out',
      ],
      ['P', 'pool_reserve:O', 'wallet:U', '… and a closing pool shares its reserve among them'],
    ],
  },
  pool_fee_paid: {
    group: 'pools',
    words: ['Fee of a guarantee', 'Ada ya dhamana'],
    transfers: [
      [
        'P',
        'wallet:U',
        'pool_fees_unearned:O',
        'a guaranteed loan is paid out: the borrower pays the pool’s fee, once',
      ],
    ],
  },
  pool_fee_earned: {
    transfers: [
      [
        'P',
        'pool_fees_unearned:O',
        'pool_position:O',
        'a month of a guarantee is over: a part of the fee is earned, by the members whose money backs it',
      ],
      ['P', 'pool_fees_unearned:O', 'pool_reserve:O', '… by the pool’s reserve'],
      ['P', 'pool_fees_unearned:O', 'settlement:S', '… and by the sacco whose loan it is'],
      ['S', 'cash', 'fee_income', '… as its income'],
    ],
  },
  pool_fee_refunded: {
    group: 'pools',
    words: ['Rest of a guarantee’s fee back', 'Salio la ada ya dhamana limerudi'],
    transfers: [
      ['P', 'pool_fees_unearned:O', 'wallet:U', 'a guaranteed loan is paid off early: what is not earned goes back'],
    ],
  },
  pool_called: {
    transfers: [
      [
        'P',
        'pool_fees_unearned:O',
        'pool_reserve:O',
        'a guarantee is called: what of its fee is not earned stays with the pool',
      ],
      [
        'P',
        'pool_position:O',
        'settlement:S',
        '… the borrower’s own position pays, and after the reserve those who backed it',
      ],
      ['P', 'pool_reserve:O', 'settlement:S', '… at most a part of the reserve'],
      ['S', 'cash', 'loan_principal:O', '… and the borrower owes the sacco so much less'],
    ],
  },
  pool_recovered: {
    group: 'pools',
    words: ['Paid back to a guarantor pool', 'Zilizorudishwa kwa kikundi cha udhamini'],
    wordsIn: ['Recovered by a guarantor pool', 'Zilizokusanywa na kikundi cha udhamini'],
    transfers: [
      ['P', 'wallet:U', 'pool_position:O', 'a borrower pays back what a pool paid: those who lost get it first'],
      ['P', 'wallet:U', 'wallet:U', '… in the wallet, once they have left the pool'],
      ['P', 'wallet:U', 'pool_reserve:O', '… and then the reserve'],
    ],
  },

  // Dividends.
  year_closed: {
    transfers: [
      [
        'S',
        'surplus_appropriated',
        'statutory_reserve',
        'two officials close a year: a fifth of its surplus is kept for ever',
      ],
      ['S', 'surplus_appropriated', 'retained_surplus', '… and the rest may be distributed by vote'],
      ['S', 'retained_surplus', 'surplus_appropriated', '… a loss is taken from what was not distributed'],
      ['S', 'statutory_reserve', 'surplus_appropriated', '… and then from the reserve'],
    ],
  },
  dividend_declared: {
    transfers: [
      ['S', 'retained_surplus', 'dividends_payable:O', 'members declare a dividend by vote: it is owed to them'],
      ['S', 'retained_surplus', 'tax_payable', '… and the tax on it to the state'],
    ],
  },
  dividend_paid: {
    group: 'dividends',
    words: ['Dividend and interest on savings', 'Gawio na faida ya akiba'],
    transfers: [
      ['S', 'dividends_payable:O', 'cash', 'the record date has passed: each member is paid'],
      ['P', 'settlement:S', 'wallet:U', '… into the wallet'],
    ],
  },

  // Referrals.
  referral_rewarded: {
    group: 'rewards',
    words: ['Referral reward', 'Zawadi ya mwaliko'],
    transfers: [
      [
        'S',
        'marketing_expense',
        'cash',
        'somebody who was referred is Fully Paid: the sacco pays, out of the fees it has earned',
      ],
      ['P', 'settlement:S', 'wallet:U', '… into the referrer’s wallet'],
    ],
  },
} as const satisfies Readonly<Record<string, DeclaredJournal>>;

/** A journal that takes another back: it mirrors whatever that one posted (server/ledger/reversal.ts). */
const reversal: DeclaredJournal = { group: 'other', words: ['Correction', 'Marekebisho'], transfers: [] };

export type JournalKind = keyof typeof journals | 'reversal';

const ofEvent: Readonly<Record<string, DeclaredJournal>> = { ...journals, reversal };

export const declaredJournal = (kind: string): DeclaredJournal | undefined =>
  Object.hasOwn(ofEvent, kind) ? ofEvent[kind] : undefined;

export const kindOfJournal = (kind: string): TransactionKind => declaredJournal(kind)?.group ?? 'other';

/** What a movement of a wallet is to its owner; `change` is above zero for money that came in. */
export function wordsOfJournal(kind: string, change: number): Words {
  const { words, wordsIn } = declaredJournal(kind) ?? {};
  return (change > 0 ? wordsIn : undefined) ?? words ?? ['Movement of your wallet', 'Muamala wa pochi yako'];
}

/** The groups of which there is a journal, in order. */
export const groupsInUse: readonly TransactionKind[] = TRANSACTION_KINDS.filter((group) =>
  Object.values(ofEvent).some((journal) => journal.group === group),
);

/** Every text of this file, by its English. */
export const journalTexts: readonly Words[] = [
  ...Object.values(transactionGroups),
  ...Object.values(ofEvent).flatMap(({ words, wordsIn }) => [words, wordsIn].filter((one) => one !== undefined)),
  wordsOfJournal('', 0),
];
