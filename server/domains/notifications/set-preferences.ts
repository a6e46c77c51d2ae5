import type { Preferences } from '@ushirika/contract/notifications';
import type { Tx } from '../../db/tx.ts';

/** Sets a person's language and notification choices. */
export async function setPreferences(tx: Tx, actor: { readonly userId: string }, input: Preferences): Promise<void> {
  const { language, sms } = input;
  await tx.sql`
    insert into notification_preferences
      (user_id, language, sms_money, sms_saccos, sms_pools, sms_referrals, updated_at)
    values (${actor.userId}, ${language}, ${sms.money}, ${sms.saccos}, ${sms.pools}, ${sms.referrals}, ${tx.now})
    on conflict (user_id) do update set
      language = excluded.language, sms_money = excluded.sms_money, sms_saccos = excluded.sms_saccos,
      sms_pools = excluded.sms_pools, sms_referrals = excluded.sms_referrals, updated_at = excluded.updated_at`;
}
