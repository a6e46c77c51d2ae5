import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { MembershipState, SaccoState } from '@ushirika/contract/saccos';
import type { Tx } from '../../db/tx.ts';
import { refusalOfSaving } from './deposit-savings.ts';
import { firstMonthOf } from './savings.rules.ts';

/** Orders an amount to be saved on that day of every month, from the next such day on. */
export async function createStandingOrder(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly amountCents: Cents; readonly day: number },
): Promise<void> {
  const [standing] = await tx.sql<{ name: string; sacco_state: SaccoState; member_state: MembershipState | null }[]>`
    select s.name, s.state as sacco_state, m.state as member_state
    from saccos s left join memberships m on m.sacco_id = s.id and m.user_id = ${actor.userId}
    where s.id = ${input.saccoId}`;
  const refusal = refusalOfSaving(standing);
  if (refusal) throw refusal;
  const inserted = await tx.sql`
    insert into standing_orders (id, sacco_id, user_id, amount_cents, day, first_month, state, created_at)
    values (${tx.newId()}, ${input.saccoId}, ${actor.userId}, ${input.amountCents}, ${input.day},
            ${firstMonthOf(input.day, tx.now)}, 'active', ${tx.now})
    on conflict do nothing`;
  if (inserted.count === 0) throw new Refusal('standing_order_conflict');
}
