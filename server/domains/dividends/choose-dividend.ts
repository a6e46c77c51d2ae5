import type { PaidInto } from '@ushirika/contract/dividends';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';

/**
 * Where a member wants the next dividend. It holds until it is chosen otherwise. Between the record date and the payout it is fixed.
 * @throws Refusal `dividend_conflict`
 */
export async function chooseDividend(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly into: PaidInto },
): Promise<void> {
  const [fixed] = await tx.sql`
    select from dividends
    where sacco_id = ${input.saccoId} and state <> 'done' and record_on < ${nairobiDay(tx.now)} limit 1`;
  if (fixed) {
    throw new Refusal('dividend_conflict', {
      message: sentence(
        'The record date has passed: a dividend is being paid. Choose for the next one once it is paid.',
      ),
    });
  }
  await tx.sql`
    insert into dividend_choices (sacco_id, user_id, into_what, chosen_at)
    values (${input.saccoId}, ${actor.userId}, ${input.into}, ${tx.now})
    on conflict (sacco_id, user_id) do update set into_what = excluded.into_what, chosen_at = excluded.chosen_at`;
}
