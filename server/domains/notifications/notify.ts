import { inWords } from '@ushirika/contract/in-words';
import type { Language } from '@ushirika/contract/notifications';
import { Refusal } from '@ushirika/contract/refusal';
import { Sentence, sentence, waitSaid } from '@ushirika/contract/sentence';
import type { NotificationTopic } from '@ushirika/contract/topics';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { booleans, texts } from '../../ledger/sql-arrays.ts';
import { enqueueSms } from './enqueue-sms.ts';
import { toGsmLetters } from './gsm-letters.ts';
import { DEFAULT_PREFERENCES, preferencesOfAll } from './notifications.queries.ts';
import { isAsked, isSecret } from './sms.rules.ts';
import { type SmsToQueue, whatMayGo } from './sms-bounds.ts';
import type { Sms } from './sms-words.ts';

interface Told {
  /** Whom it is for; their language and choices then hold, and it stands in their list. */
  readonly userId: string;
  /** `security` (the default) is always sent; other topics a person may do without by SMS, unless the SMS is of the kind `security`. */
  readonly topic?: NotificationTopic;
  /** The account whose act it was, for the bounds (decision 157); null where it was no account's, but the clock's or M-Pesa's. */
  readonly causedBy: string | null;
}

interface InTheApp {
  /** What kind of message this is, in snake case: `deposit_received`. */
  readonly template: string;
  /** Or the words of an SMS that is not sent. */
  readonly text: Sentence | Sms['words'];
}

/**
 * What one person is told: in their list, and with `sms` by SMS to their confirmed phone, where there is one. Without a
 * text of its own the list has the words of the SMS.
 */
export type Notice = Told & ((InTheApp & { readonly sms?: Sms }) | (Partial<InTheApp> & { readonly sms: Sms }));

/** A code, an invitation, a word to a payer: it goes to a phone that is named, and stands in no list. */
export interface Asked {
  readonly userId?: string;
  /** E.164 digits without the plus. */
  readonly phone: string;
  readonly sms: Sms;
  /** As of a notice. */
  readonly causedBy: string | null;
  /** Codes are wiped once sent, never sent twice, and not after this. */
  readonly sendBefore?: Date;
}

/** Characters of a text in the list: an operator's own words may stand in it. */
const TEXT_MAX = 1000;

const DAY_MS = 86_400_000;

/**
 * Tells a person something: a row in their list and, where `sms` says so, one in the SMS outbox, in the transaction of
 * what it is about. The SMS itself is sent by a job after the commit.
 */
export async function notify(tx: Tx, notice: Notice): Promise<void> {
  await notifyAll(tx, [notice]);
}

/** The rows by which a notice is delivered: in the list, and in the outbox where an SMS goes out. */
export interface Delivery {
  readonly notificationId: string;
  readonly smsId: string | null;
}

/**
 * The same for many people and messages, in a constant number of statements. Returns how each is delivered, in the order given:
 * what becomes of the rows is the proof that somebody was told.
 */
export async function notifyAll(tx: Tx, notices: readonly Notice[]): Promise<Delivery[]> {
  if (notices.length === 0) return [];
  const people = notices.map(({ userId }) => userId);
  const chosen = await preferencesOfAll(tx.sql, people);
  const languageOf = (userId: string) => (chosen.get(userId) ?? DEFAULT_PREFERENCES).language;
  const withSms = notices.flatMap(({ sms, template, userId, causedBy, topic = 'security' }, place) => {
    if (sms && isAsked(sms.kind)) throw new Error(`${sms.template} goes to a phone that is asked for: sendAsked.`);
    const isAlways = topic === 'security' || sms?.kind === 'security';
    const isWished = isAlways || (chosen.get(userId) ?? DEFAULT_PREFERENCES).sms[topic];
    return sms && isWished ? [{ place, userId, causedBy, sms, topic, template: template ?? sms.template }] : [];
  });
  const phones = await confirmedPhones(
    tx,
    withSms.map(({ userId }) => userId),
  );
  const placeOf = new Map<SmsToQueue, number>();
  const wanted = withSms.flatMap(({ place, userId, sms, causedBy, topic, template }): SmsToQueue[] => {
    const phone = phones.get(userId);
    if (phone === undefined) return [];
    const text = sms.words[languageOf(userId)];
    const canWait = topic !== 'security';
    const queued = { userId, phone, template, kind: sms.kind, text, causedBy, sendBefore: null, canWait };
    placeOf.set(queued, place);
    return [queued];
  });
  const { mayGo } = await whatMayGo(tx, wanted);
  const [listed, queued] = await Promise.all([listAll(tx, notices, languageOf), queueSms(tx, mayGo)]);
  const smsIds = new Map(mayGo.map((one, index) => [placeOf.get(one), queued[index]]));
  return listed.map((notificationId, place) => ({ notificationId, smsId: smsIds.get(place) ?? null }));
}

/**
 * Puts a code or an invitation into the outbox.
 * @throws Refusal `too_many_requests`, with when one more may go, where the phone or the account has had enough of them
 */
export async function sendAsked(tx: Tx, asked: Asked): Promise<void> {
  const until = await trySendAsked(tx, asked);
  if (until === null) return;
  const seconds = Math.ceil((until.getTime() - tx.now.getTime()) / 1000);
  throw new Refusal('too_many_requests', {
    message: sentence('That number has been sent enough messages for now. Try again in {wait}.', {
      wait: waitSaid(seconds),
    }),
    retryAfterSeconds: seconds,
  });
}

/**
 * Like sendAsked, but returns the time from when one more may go instead of throwing; null where it went. For routes whose
 * answer must be the same for everybody.
 */
export async function trySendAsked(tx: Tx, asked: Asked): Promise<Date | null> {
  const { userId = null, phone, sms, causedBy, sendBefore = null } = asked;
  if (!isAsked(sms.kind)) throw new Error(`${sms.template} goes to confirmed phones alone: notify.`);
  const chosen = userId === null ? null : (await preferencesOfAll(tx.sql, [userId])).get(userId);
  const { language } = chosen ?? DEFAULT_PREFERENCES;
  const { template, kind } = sms;
  const text = sms.words[language];
  const wanted = { userId, phone, template, kind, text, causedBy, sendBefore, canWait: false };
  const { mayGo, until } = await whatMayGo(tx, [wanted]);
  await queueSms(tx, mayGo);
  return until;
}

/** Where news may go: the phone of the profile once it is confirmed, until then the one that was confirmed before it. */
async function confirmedPhones(tx: Tx, people: readonly string[]): Promise<Map<string, string>> {
  if (people.length === 0) return new Map();
  const isUnguarded = !isGuarded('sms_to_confirmed_phones');
  const rows = await tx.sql<{ id: string; phone: string }[]>`
    select id, case when phone_confirmed_at is not null or ${isUnguarded} then phone else recovery_phone end as phone
    from users
    where id = any (${texts([...new Set(people)])}::uuid[])
      and (phone_confirmed_at is not null or recovery_phone_confirmed_at is not null or ${isUnguarded})`;
  return new Map(rows.map(({ id, phone }) => [id, phone]));
}

async function listAll(
  tx: Tx,
  notices: readonly Notice[],
  languageOf: (userId: string) => Language,
): Promise<string[]> {
  const ids = notices.map(() => tx.newId());
  const wordsOf = ({ userId, text, sms }: Notice) => {
    const language = languageOf(userId);
    if (text instanceof Sentence) return inWords(text, language).slice(0, TEXT_MAX);
    return (text ?? sms?.words)?.[language] ?? '';
  };
  await tx.sql`
    insert into notifications (id, user_id, topic, template, text, created_at)
    select id, user_id, topic, template, text, ${tx.now}
    from unnest(
      ${texts(ids)}::uuid[], ${texts(notices.map(({ userId }) => userId))}::uuid[],
      ${texts(notices.map(({ topic }) => topic ?? 'security'))}::text[],
      ${texts(notices.map(({ template, sms }) => template ?? sms?.template ?? ''))}::text[], ${texts(notices.map(wordsOf))}::text[]
    ) as told (id, user_id, topic, template, text)`;
  return ids;
}

/** Only what the bounds have let pass comes here. */
async function queueSms(tx: Tx, wanted: readonly SmsToQueue[]): Promise<string[]> {
  if (wanted.length === 0) return [];
  const tomorrow = new Date(tx.now.getTime() + DAY_MS);
  const written = wanted.map((one) => ({ ...one, id: tx.newId() }));
  await tx.sql`
    insert into sms_messages
      (id, user_id, phone, template, kind, caused_by, text, is_secret, state, created_at, send_before)
    select id, user_id, phone, template, kind, caused_by, text, is_secret, 'queued', ${tx.now}, send_before
    from unnest(
      ${texts(written.map(({ id }) => id))}::uuid[], ${texts(written.map(({ userId }) => userId))}::uuid[],
      ${texts(written.map(({ phone }) => phone))}::text[], ${texts(written.map(({ template }) => template))}::text[],
      ${texts(written.map(({ kind }) => kind))}::text[], ${texts(written.map(({ causedBy }) => causedBy))}::uuid[],
      ${texts(written.map(({ text }) => toGsmLetters(text)))}::text[], ${booleans(written.map(({ kind }) => isSecret(kind)))}::boolean[],
      ${texts(written.map(({ sendBefore }) => (sendBefore ?? tomorrow).toISOString()))}::timestamptz[]
    ) as sent (id, user_id, phone, template, kind, caused_by, text, is_secret, send_before)`;
  const idsOf = (some: typeof written) => some.map(({ id }) => id);
  await enqueueSms(tx, idsOf(written.filter(({ canWait }) => !canWait)));
  await enqueueSms(tx, idsOf(written.filter(({ canWait }) => canWait)), { canWait: true });
  return idsOf(written);
}
