import { z } from 'zod';
import { amount, shillings } from './money.ts';
import { receipt } from './receipts.ts';
import { acted, listOf, pageQuery, route } from './route.ts';
import { MEMBERSHIP_STATES } from './saccos.ts';
import { instant } from './time.ts';
import { wholeNumber } from './whole-number.ts';

/** The most of the issued shares that one member may hold (Co-operative Societies Act, section 15). */
export const HOLDING_LIMIT_PERCENTAGE = 20;
/** The limit holds once this many members hold shares. */
export const HOLDING_LIMIT_FROM = 10;

/** Each an entry of the register; a trade between members is one in the buyer's and one in the seller's. */
export const SHARE_MOVEMENT_REASONS = [
  'bought_from_sacco',
  'bought_from_member',
  'sold_to_member',
  'dividend',
] as const;

const holding = z.object({
  sacco: z.uuid(),
  /** All that are the member's, those in open orders included. */
  shares: z.number().int(),
  /** Of these, what open orders to sell hold. */
  held: z.number().int(),
  share_value: shillings,
  /** Shares at the sacco's own share value. */
  value: shillings,
  min_shares: z.number().int(),
  membership: z.enum(MEMBERSHIP_STATES),
});
export type Holding = z.infer<typeof holding>;

export const payShares = route({
  name: 'payShares',
  method: 'POST',
  path: '/sacco/members/pay_shares_amount',
  summary: 'Buys shares from the sacco itself at its share value; the money comes from the wallet.',
  caller: 'signed_in',
  repetition: 'key',
  body: z.object({
    shares: wholeNumber(1, 10_000_000),
    /** Shares times share value, as shown. */
    amount,
    sacco: z.uuid(),
  }),
  reply: acted({ receipt, holding }),
  refusals: [
    'not_a_member',
    'sacco_inactive',
    'amount_mismatch',
    'exit_conflict',
    'minimum_shares_not_met',
    'one_fifth_exceeded',
    'insufficient_funds',
    'proof_required',
    'payout_held',
  ],
});

export const registerEntry = z.object({
  id: z.uuid(),
  at: instant,
  reason: z.enum(SHARE_MOVEMENT_REASONS),
  /** Above zero for shares received, below for shares given. */
  shares: z.number().int(),
  shares_after: z.number().int(),
  amount: shillings,
  /** Who stood on the other side: the sacco, or a member by their handle. */
  counterparty: z.string(),
});
export type RegisterEntry = z.infer<typeof registerEntry>;

export const readShares = route({
  name: 'readShares',
  method: 'GET',
  path: '/sacco/shares',
  summary: 'One’s shares in the chosen sacco, with the register’s entries, newest first.',
  caller: 'member',
  repetition: 'read',
  query: z.object(pageQuery),
  reply: listOf(registerEntry).extend({ holding }),
});

export const sharesContract = [payShares, readShares] as const;
