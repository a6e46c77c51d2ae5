import { z } from 'zod';
import { route } from './route.ts';
import { instant } from './time.ts';

/** What anyone may know of the platform as a whole: counted from the books, never estimated, never other people's. */
export const publicFigures = route({
  name: 'publicFigures',
  method: 'GET',
  path: '/public/figures',
  summary: 'Live figures of the whole platform, for the landing page and the explanation of share trading.',
  caller: 'anyone',
  repetition: 'read',
  reply: z.object({
    /** Active saccos. */
    saccos: z.number().int().nonnegative(),
    /** Memberships in active saccos; true counts, without the spec's display offset. */
    members: z.number().int().nonnegative(),
    /** Shillings that the books hold for members: wallets, shares at their value and savings. */
    shillings_in_books: z.number().nonnegative(),
    /** When the last journal was posted; null in books without any. */
    last_entry_at: instant.nullable(),
    /** What members have traded among themselves, of all time and all saccos. */
    market: z.object({
      shares_traded: z.number().int().nonnegative(),
      /** Shillings, at the prices that were paid. */
      turnover: z.number().nonnegative(),
      trades: z.number().int().nonnegative(),
      /** Active saccos, each of which has its market. */
      markets_open: z.number().int().nonnegative(),
    }),
  }),
});

export const publicContract = [publicFigures];
