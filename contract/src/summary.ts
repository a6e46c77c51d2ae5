import { z } from 'zod';
import { shillings } from './money.ts';
import { route } from './route.ts';
import { MEMBERSHIP_STATES } from './saccos.ts';
import { instant } from './time.ts';

/** One movement of the wallet, as the dashboard lists it. */
export const activityEntry = z.object({
  /** The journal. */
  id: z.string(),
  at: instant,
  /** The event, as docs/postings.md names it. */
  kind: z.string(),
  /** Above zero for money that came in, below for money that went out. */
  amount: shillings,
  balance_after: shillings,
});
export type ActivityEntry = z.infer<typeof activityEntry>;

export const readSummary = route({
  name: 'readSummary',
  method: 'GET',
  path: '/client/summary',
  summary: 'Everything of one’s own at a glance: wallet, saccos, what waits, the last ten movements.',
  caller: 'signed_in',
  repetition: 'read',
  reply: z.object({
    wallet: z.object({ amount: shillings, held: shillings, available: shillings }),
    saccos: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        membership: z.enum(MEMBERSHIP_STATES),
        shares: z.number().int(),
        /** Of these, what open orders to sell hold. */
        held_shares: z.number().int(),
        share_value: shillings,
        value: shillings,
        savings: shillings,
        /** Of these, what is pledged for loans. */
        held_savings: shillings,
        loans_outstanding: shillings,
        next_due: z.object({ amount: shillings, date: z.iso.date() }).nullable(),
        guarantees_given: shillings,
      }),
    ),
    open_votes: z.number().int(),
    open_requests: z.number().int(),
    activity: z.array(activityEntry),
  }),
});

export const summaryContract = [readSummary] as const;
