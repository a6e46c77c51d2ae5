import type { Language, Preferences } from '@ushirika/contract/notifications';
import { SMS_TOPICS } from '@ushirika/contract/topics';
import type { Tx } from '../../db/tx.ts';
import { booleans, texts } from '../../ledger/sql-arrays.ts';

/** Sets the language of a person's notices and SMS. */
export async function setLanguage(tx: Tx, actor: { readonly userId: string }, language: Language): Promise<void> {
  await tx.sql`
    insert into notification_preferences (user_id, language, updated_at)
    values (${actor.userId}, ${language}, ${tx.now})
    on conflict (user_id) do update set language = excluded.language, updated_at = excluded.updated_at`;
}

/** Sets a person's language and notification choices: one row for each topic. */
export async function setPreferences(tx: Tx, actor: { readonly userId: string }, input: Preferences): Promise<void> {
  const { language, sms } = input;
  await setLanguage(tx, actor, language);
  await tx.sql`
    insert into sms_choices (user_id, topic, is_wanted, chosen_at)
    select ${actor.userId}, topic, is_wanted, ${tx.now}
    from unnest(${texts(SMS_TOPICS)}::text[], ${booleans(SMS_TOPICS.map((topic) => sms[topic]))}::boolean[])
      as chosen (topic, is_wanted)
    on conflict (user_id, topic) do update set is_wanted = excluded.is_wanted, chosen_at = excluded.chosen_at`;
}
