import type { Database } from '../../db/tx.ts';

/** After a count, and once more from time to time on the day after it: an old transaction may have kept the rows at first. */
const AT_ONCE_MS = 60_000;
const A_DAY_MS = 86_400_000;

/**
 * A count writes ballots and signatures anew, sorted, and a second round the roll (docs/decisions/192). The rows as they were before stay in
 * the files of the database, with the numbers of their transactions: in as many, and in the same order, for signatures and ballots. `vacuum`
 * removes them. It runs in no transaction.
 */
async function clearTraces({ sql, now }: Database, withinMs: number): Promise<void> {
  const [counted] = await sql`
    select from proposal_rounds where counted_at > ${new Date(now().getTime() - withinMs)} limit 1`;
  if (!counted) return;
  await sql`vacuum secret_ballots`;
  await sql`vacuum ballot_tokens`;
  await sql`vacuum proposal_roll`;
}

export const clearTracesAtOnce = (database: Database): Promise<void> => clearTraces(database, AT_ONCE_MS);
export const clearTracesOfTheDay = (database: Database): Promise<void> => clearTraces(database, A_DAY_MS);
