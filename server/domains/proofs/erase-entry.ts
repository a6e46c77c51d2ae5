import type { Database } from '../../db/tx.ts';
import { logNamed } from './log-name.ts';

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
 * @param name of the log, as its address has it
 * @returns null, or the reason why it is kept
 */
export const eraseEntry = (database: Database, name: string, i: number): Promise<string | null> =>
  database.transaction(async (tx) => {
    const { saccoId, isNamed } = logNamed(tx, name);
    const [row] = await tx.sql<{ kept: keyof typeof KEPT | null }[]>`
      select erase_log_payload(l.id, ${i}, ${tx.now}) as kept from logs l
      where l.sacco_id is not distinct from ${saccoId}::uuid and ${isNamed}`;
    return row?.kept === null ? null : KEPT[row?.kept ?? 'no_entry'];
  });
