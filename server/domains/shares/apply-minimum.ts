import { HOLDING_LIMIT_FROM } from '@ushirika/contract/shares';
import type { Tx } from '../../db/tx.ts';

/**
 * Another minimum of shares: who holds enough is counted anew, which may date the limit of one fifth, and provisional members who hold
 * enough by now have their full rights. The sacco's lock is held, and its new terms are written.
 */
export async function applyMinimum(tx: Tx, saccoId: string, minShares: number): Promise<void> {
  await tx.sql`
    update sacco_figures f
    set qualified_holders = held.holders,
      holding_limit_since = coalesce(f.holding_limit_since, case when held.holders >= ${HOLDING_LIMIT_FROM} then (
        select max(valid_from) from sacco_terms where sacco_id = ${saccoId}) end)
    from (
      select count(*)::int as holders from (
        select owner_id from accounts where book_id = ${saccoId} and kind in ('holding', 'holding_hold')
        group by owner_id having sum(balance) >= greatest(1, ${minShares}::int)) each
    ) held
    where f.sacco_id = ${saccoId}`;
  await tx.sql`
    update memberships m set state = 'active', state_at = ${tx.now}, paid_up_at = ${tx.now}
    where m.sacco_id = ${saccoId} and m.state = 'provisional' and ${minShares}::int <= (
      select coalesce(sum(a.balance), 0) from accounts a
      where a.book_id = m.sacco_id and a.owner_id = m.user_id and a.kind in ('holding', 'holding_hold'))`;
}
