import type { Cents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';
import { REMINDER_DAYS } from './arrears.rules.ts';

/** A part of a sacco's loans on one day: those behind `after`, in the order of their ids. */
export interface Chunk {
  readonly saccoId: string;
  /** The Nairobi day, `2026-11-20`. */
  readonly day: string;
  readonly after: string;
  readonly size: number;
}

/** What the day did to the loans of a chunk. */
export interface Passed {
  readonly loans: number;
  /** The last of them; null where none was left. */
  readonly last: string | null;
  readonly interest: Cents;
  readonly penalty: Cents;
  /** What more is set aside for losses; negative where it is less. */
  readonly provision: Cents;
  /** Loans whose next instalment falls due in three days. */
  readonly toRemind: readonly string[];
}

/**
 * Interest, arrears, penalty, class and provision of a day, for a chunk of loans: one call of a function of the database, which
 * locks them, reckons and writes each row once (migration 0153).
 */
export async function passLoans(tx: Tx, { saccoId, day, after, size }: Chunk): Promise<Passed> {
  const [row] = await tx.sql<Passed[]>`
    select loans, last, interest, penalty, provision, to_json(to_remind) as "toRemind"
    from pass_loans(${saccoId}, ${day}, ${after}, ${size}, ${tx.now}, ${REMINDER_DAYS})`;
  if (!row) throw new Error('A function came back without a row.');
  return row;
}
