import { z } from 'zod';
import { route } from './route.ts';
import { instant } from './time.ts';

/** What anyone may know of the platform as a whole: counted from the books, never estimated, never other people's. */
export const publicFigures = route({
  name: 'publicFigures',
  method: 'GET',
  path: '/public/figures',
  summary: 'Live figures of the whole platform for the landing page.',
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
  }),
});

export const publicContract = [publicFigures];
