import type { Database } from '../../db/tx.ts';

/** Why an entry is kept. */
const KEPT = {
  no_entry: 'There is no such entry.',
  erased: 'This entry was erased before.',
  books:
    'This entry is a movement of money or shares. Accounting records are kept for seven years, and then with the books.',
  nobody: 'This entry says nothing of a person.',
  not_yet_contract: 'Contracts and the register of officials are kept for seven years.',
  not_yet_ballot: 'Ballots are kept for a year, as long as a vote may be disputed.',
} as const;

/**
 * Destroys payload and secret of an entry about a person; the log says so in an entry of its own.
 * @returns null, or the reason why it is kept
 */
export const eraseEntry = (database: Database, saccoId: string | null, i: number): Promise<string | null> =>
  database.transaction(async (tx) => {
    const [row] = await tx.sql<{ kept: keyof typeof KEPT | null }[]>`
      select erase_log_payload(${saccoId}::uuid, ${i}, ${tx.now}) as kept`;
    return row?.kept ? KEPT[row.kept] : null;
  });
