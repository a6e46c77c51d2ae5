import type { Language, NotificationTopic } from '@ushirika/contract/notifications';
import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { DEFAULT_PREFERENCES, preferencesOf } from './notifications.queries.ts';

/** A text in one language for all, or one for each. */
export type Text = string | Readonly<Record<Language, string>>;

export interface Message {
  /** Whom it is for; their language and choices then hold, and it stands in their list. */
  readonly userId?: string;
  /** E.164 digits without the plus; without a phone it only stands in the list. */
  readonly phone?: string;
  /** What kind of message this is, in snake case: `deposit_received`. */
  readonly template: string;
  readonly text: Text;
  /** `security` (the default) is always sent; other topics a person may do without by SMS. */
  readonly topic?: NotificationTopic;
  /** A code: never in the list, wiped once sent, never sent twice, and not after `sendBefore`. */
  readonly secret?: boolean;
  readonly sendBefore?: Date;
}

const DAY_MS = 86_400_000;

/**
 * Tells a person something: a row in their list and one in the SMS outbox, in the transaction of what it is about.
 * The SMS itself is sent by a job after the commit.
 */
export async function notify(tx: Tx, message: Message): Promise<void> {
  const { userId, topic = 'security' } = message;
  const preferences = userId ? await preferencesOf(tx.sql, userId) : DEFAULT_PREFERENCES;
  const text = typeof message.text === 'string' ? message.text : message.text[preferences.language];
  if (userId && !message.secret) {
    await tx.sql`
      insert into notifications (id, user_id, topic, template, text, created_at)
      values (${tx.newId()}, ${userId}, ${topic}, ${message.template}, ${text}, ${tx.now})`;
  }
  const wantsSms = topic === 'security' || preferences.sms[topic];
  if (message.phone !== undefined && wantsSms) await queueSms(tx, message, message.phone, text);
}

async function queueSms(tx: Tx, message: Message, phone: string, text: string): Promise<void> {
  const id = tx.newId();
  const sendBefore = message.sendBefore ?? new Date(tx.now.getTime() + DAY_MS);
  await tx.sql`
    insert into sms_messages (id, user_id, phone, template, text, is_secret, state, created_at, send_before)
    values (${id}, ${message.userId ?? null}, ${phone}, ${message.template}, ${text}, ${message.secret ?? false},
            'queued', ${tx.now}, ${sendBefore})`;
  await enqueue(tx, 'send_sms', { id });
}
