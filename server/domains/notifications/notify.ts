import type { Language, NotificationTopic } from '@ushirika/contract/notifications';
import type { Tx } from '../../db/tx.ts';
import { booleans, texts } from '../../ledger/sql-arrays.ts';
import { DEFAULT_PREFERENCES, preferencesOfAll } from './notifications.queries.ts';
import { enqueueSms } from './send-sms.ts';

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
export function notify(tx: Tx, message: Message): Promise<void> {
  return notifyAll(tx, [message]);
}

/** The same for many people and messages, in a constant number of statements. */
export async function notifyAll(tx: Tx, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return;
  const chosen = await preferencesOfAll(
    tx.sql,
    messages.flatMap(({ userId }) => userId ?? []),
  );
  const listed: Written[] = [];
  const sent: Written[] = [];
  for (const message of messages) {
    const { userId, phone, topic = 'security' } = message;
    const preferences = (userId && chosen.get(userId)) || DEFAULT_PREFERENCES;
    const text = typeof message.text === 'string' ? message.text : message.text[preferences.language];
    if (userId && !message.secret) listed.push({ id: tx.newId(), message, text });
    const wantsSms = topic === 'security' || preferences.sms[topic];
    if (phone !== undefined && wantsSms) sent.push({ id: tx.newId(), message, text });
  }
  await Promise.all([listAll(tx, listed), queueSms(tx, sent)]);
}

/** A message in the words of its person. */
interface Written {
  readonly id: string;
  readonly message: Message;
  readonly text: string;
}

async function listAll(tx: Tx, written: readonly Written[]): Promise<void> {
  if (written.length === 0) return;
  await tx.sql`
    insert into notifications (id, user_id, topic, template, text, created_at)
    select id, user_id, topic, template, text, ${tx.now}
    from unnest(
      ${texts(written.map(({ id }) => id))}::uuid[], ${texts(written.map(({ message }) => message.userId ?? null))}::uuid[],
      ${texts(written.map(({ message }) => message.topic ?? 'security'))}::text[],
      ${texts(written.map(({ message }) => message.template))}::text[], ${texts(written.map(({ text }) => text))}::text[]
    ) as told (id, user_id, topic, template, text)`;
}

async function queueSms(tx: Tx, written: readonly Written[]): Promise<void> {
  if (written.length === 0) return;
  const tomorrow = new Date(tx.now.getTime() + DAY_MS);
  await tx.sql`
    insert into sms_messages (id, user_id, phone, template, text, is_secret, state, created_at, send_before)
    select id, user_id, phone, template, text, is_secret, 'queued', ${tx.now}, send_before
    from unnest(
      ${texts(written.map(({ id }) => id))}::uuid[], ${texts(written.map(({ message }) => message.userId ?? null))}::uuid[],
      ${texts(written.map(({ message }) => message.phone ?? null))}::text[],
      ${texts(written.map(({ message }) => message.template))}::text[], ${texts(written.map(({ text }) => text))}::text[],
      ${booleans(written.map(({ message }) => message.secret ?? false))}::boolean[],
      ${texts(written.map(({ message }) => (message.sendBefore ?? tomorrow).toISOString()))}::timestamptz[]
    ) as sent (id, user_id, phone, template, text, is_secret, send_before)`;
  const canWait = ({ message: { topic = 'security' } }: Written) => topic !== 'security';
  const idsOf = (some: readonly Written[]) => some.map(({ id }) => id);
  await enqueueSms(tx, idsOf(written.filter((one) => !canWait(one))));
  await enqueueSms(tx, idsOf(written.filter(canWait)), { canWait: true });
}
