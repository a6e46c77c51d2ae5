import { z } from 'zod';
import { instant } from './time.ts';

/**
 * The name that somebody had before, where it changed in the last 90 days, and until when. It is read beside the one of now, and on as long as
 * a loan or a signature of those days is owed.
 */
export const formerName = z.object({ name: z.string(), until: instant });
export type FormerName = z.infer<typeof formerName>;
