import { z } from 'zod';
import { shillings } from './money.ts';
import { said } from './said.ts';
import { instant } from './time.ts';

/** What a money act ends in: enough to share, save and look up again. */
export const receipt = z.object({
  /** The id of the register entry or, where there is none, of the journal. */
  id: z.uuid(),
  /** One line for a person: `20 shares of Umoja Sacco`. */
  what: said,
  amount: shillings,
  at: instant,
  /** The journal of the ledger that holds the movement. */
  journal: z.string(),
});
export type Receipt = z.infer<typeof receipt>;
