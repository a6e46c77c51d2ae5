import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { BOARD, type BoardOffice } from './proposal-rows.ts';

/** Who holds an office of the board now and is not suspended, by the order of the offices; a person with two stands there twice. */
export async function officialsOfBoard(
  tx: Pick<Tx, 'sql' | 'now'>,
  saccoId: string,
): Promise<{ readonly user_id: string; readonly office: BoardOffice }[]> {
  return tx.sql<{ user_id: string; office: BoardOffice }[]>`
    select o.user_id, o.office from offices o
    where o.sacco_id = ${saccoId} and o.ended_at is null and o.until > ${tx.now} and suspended_since(o.user_id, ${tx.now}) is null
      and o.office = any (${texts(BOARD)}::text[])
    order by array_position(${texts(BOARD)}::text[], o.office)`;
}
