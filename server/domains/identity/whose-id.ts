import { foldId } from '@ushirika/contract/identity';
import type { Fragment } from 'postgres';
import type { Database, Tx } from '../../db/tx.ts';

/**
 * The condition that finds, in `users u`, whose an ID number is: at most one row. Numbers are kept without zeros before them; an
 * account of before that keeps its zeros where another one had the number without (0203), and is found by the number as it was
 * typed.
 * @param more a further condition, beginning with `and`
 */
export function whoseId(
  { sql }: Pick<Tx, 'sql'> | Pick<Database, 'sql'>,
  typed: string,
  more: Fragment = (sql as Tx['sql'])``,
): Fragment {
  return (sql as Tx['sql'])`
    where u.id_number in (${typed}, ${foldId(typed)}) ${more} order by u.id_number = ${typed} desc limit 1`;
}
