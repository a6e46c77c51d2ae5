import { z } from 'zod';
import { positiveAmount, shillings } from './money.ts';
import { receipt } from './receipts.ts';
import { acted, listOf, pageQuery, route } from './route.ts';
import { instant } from './time.ts';
import { wholeNumber } from './whole-number.ts';

/** Times in one month that a standing order is tried before it is given up until the next. */
export const STANDING_ORDER_TRIES = 3;

export const standingOrder = z.object({
  id: z.uuid(),
  sacco: z.uuid(),
  amount: shillings,
  /** The day of the month, in Nairobi. */
  day: z.number().int(),
  created_at: instant,
  /** The next day on which it will be tried: `2026-12-05`. */
  next_on: z.iso.date(),
  /** How the latest month went; null before the first. */
  last_run: z
    .object({
      month: z.string(),
      state: z.enum(['waiting', 'paid', 'skipped']),
      tries: z.number().int(),
      at: instant,
    })
    .nullable(),
});
export type StandingOrder = z.infer<typeof standingOrder>;

const savingsEntry = z.object({
  /** The journal. */
  id: z.string(),
  at: instant,
  /** The event, as docs/postings.md names it: `savings_deposited`. */
  kind: z.string(),
  /** Above zero for money that came in, below for money that went out. */
  amount: shillings,
  balance_after: shillings,
});

export const readSavings = route({
  name: 'readSavings',
  method: 'GET',
  path: '/sacco/savings',
  summary: 'One’s savings in the chosen sacco, with their history, newest first.',
  caller: 'member',
  repetition: 'read',
  query: z.object(pageQuery),
  reply: listOf(savingsEntry).extend({
    /** All savings, and what of them is pledged for loans. */
    balance: shillings,
    pledged: shillings,
    standing_order: standingOrder.nullable(),
  }),
});

export const depositSavings = route({
  name: 'depositSavings',
  method: 'POST',
  path: '/sacco/savings/deposit',
  summary: 'Moves money from the wallet into one’s non-withdrawable savings in a sacco.',
  caller: 'signed_in',
  repetition: 'key',
  body: z.object({ sacco: z.uuid(), amount: positiveAmount }),
  reply: acted({ receipt }),
  refusals: [
    'not_a_member',
    'sacco_inactive',
    'exit_conflict',
    'insufficient_funds',
    'balance_limit_exceeded',
    'proof_required',
    'payout_held',
  ],
});

export const readStandingOrder = route({
  name: 'readStandingOrder',
  method: 'GET',
  path: '/sacco/savings/standing-order',
  summary: 'One’s standing order in the chosen sacco, or null.',
  caller: 'member',
  repetition: 'read',
  reply: z.object({ standing_order: standingOrder.nullable() }),
});

export const createStandingOrder = route({
  name: 'createStandingOrder',
  method: 'POST',
  path: '/sacco/savings/standing-order',
  summary: 'Saves the amount on that day of every month from the wallet.',
  caller: 'signed_in',
  repetition: 'natural',
  body: z.object({ sacco: z.uuid(), amount: positiveAmount, day: wholeNumber(1, 28) }),
  status: 201,
  reply: acted({ standing_order: standingOrder }),
  refusals: ['proof_required', 'not_a_member', 'sacco_inactive', 'exit_conflict', 'standing_order_conflict'],
});

export const cancelStandingOrder = route({
  name: 'cancelStandingOrder',
  method: 'DELETE',
  path: '/sacco/savings/standing-order',
  summary: 'Ends one’s standing order in the chosen sacco.',
  caller: 'member',
  repetition: 'natural',
  reply: acted({}),
});

export const savingsContract = [
  readSavings,
  depositSavings,
  readStandingOrder,
  createStandingOrder,
  cancelStandingOrder,
] as const;
