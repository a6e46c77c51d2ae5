import type { Language, NotificationTopic } from '@ushirika/contract/notifications';
import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';

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

interface PreferenceRow {
  language: Language;
  sms_money: boolean;
  sms_saccos: boolean;
  sms_pools: boolean;
  sms_referrals: boolean;
}

/**
 * Tells a person something: a row in their list and one in the SMS outbox, in the transaction of what it is about.
 * The SMS itself is sent by a job after the commit.
 */
export async function notify(tx: Tx, message: Message): Promise<void> {
  const { userId, topic = 'security' } = message;
  const preference = userId ? await preferenceOf(tx, userId) : null;
  const text = typeof message.text === 'string' ? message.text : message.text[preference?.language ?? 'en'];
  if (userId && !message.secret) {
    await tx.sql`
      insert into notifications (id, user_id, topic, template, text, created_at)
      values (${tx.newId()}, ${userId}, ${topic}, ${message.template}, ${text}, ${tx.now})`;
  }
  if (message.phone !== undefined && wantsSms(preference, topic)) await queueSms(tx, message, message.phone, text);
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

async function preferenceOf(tx: Tx, userId: string): Promise<PreferenceRow | null> {
  const [row] = await tx.sql<PreferenceRow[]>`
    select language, sms_money, sms_saccos, sms_pools, sms_referrals
    from notification_preferences where user_id = ${userId}`;
  return row ?? null;
}

function wantsSms(preference: PreferenceRow | null, topic: NotificationTopic): boolean {
  if (!preference || topic === 'security') return true;
  return preference[`sms_${topic}`];
}
