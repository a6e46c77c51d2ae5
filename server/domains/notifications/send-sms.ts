import { z } from 'zod';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { enqueueSms } from './enqueue-sms.ts';
import { isReached, type SmsCountries } from './sms-countries.ts';
import { countSentToday } from './sms-day.ts';

/** What the gateway says of one message. `unknown` may have gone out, so it is never sent again. */
export type SmsOutcome =
  | { readonly outcome: 'sent'; readonly id: string }
  | { readonly outcome: 'failed'; readonly reason: string; readonly retryable: boolean }
  | { readonly outcome: 'unknown'; readonly reason: string };

export interface SmsGateway {
  sendSms(message: { readonly to: string; readonly message: string }): Promise<SmsOutcome>;
}

export interface SmsSettings {
  /** Messages to other countries are not sent. */
  readonly countries: SmsCountries;
  /** From so many messages a day on operators are told, and news stays in the app. */
  readonly dailyAlarm: number;
}

const ATTEMPTS_MAX = 5;
const payloadSchema = z.union([
  // Jobs that waited while the product was renewed have fifty messages or one.
  z.object({ ids: z.array(z.uuid()).min(1).max(50), canWait: z.boolean().default(false) }),
  z.object({ id: z.uuid() }).transform(({ id }) => ({ ids: [id], canWait: false })),
]);

interface Claimed {
  id: string;
  phone: string;
  text: string;
  attempts: number;
}

/**
 * Sends messages of the outbox, all at once. Their rows say `sending`, and secrets are wiped from them, before the
 * gateway is called: a process that dies in between leaves messages that nobody sends again.
 */
export async function sendSms(
  database: Database,
  gateway: SmsGateway,
  payload: unknown,
  settings: SmsSettings,
): Promise<void> {
  const { ids, canWait } = payloadSchema.parse(payload);
  const claimed = await claim(database, ids, settings);
  if (claimed.length === 0) return;
  const ask = (message: Claimed) =>
    isReached(message.phone, settings.countries) || !isGuarded('sms_countries')
      ? askGateway(gateway, message)
      : { ...message, outcome: NOT_REACHED };
  await settle(database, await Promise.all(claimed.map(ask)), canWait);
}

const NOT_REACHED: SmsOutcome = { outcome: 'failed', reason: 'no SMS goes to such a number', retryable: false };

async function claim(database: Database, ids: readonly string[], { dailyAlarm }: SmsSettings): Promise<Claimed[]> {
  const asked = texts(ids);
  return database.transaction(async (tx) => {
    const expired = tx.sql`
      update sms_messages
      set state = 'expired', settled_at = ${tx.now}, text = case when is_secret then null else text end
      where id = any (${asked}::uuid[]) and state = 'queued' and send_before <= ${tx.now}`;
    const claimed = tx.sql<Claimed[]>`
      update sms_messages
      set state = 'sending', attempts = sms_messages.attempts + 1, attempted_at = ${tx.now},
          text = case when sms_messages.is_secret then null else sms_messages.text end
      from (
        select id, text from sms_messages where id = any (${asked}::uuid[]) and state = 'queued' order by id for update
      ) as before
      where sms_messages.id = before.id
      returning sms_messages.id, sms_messages.phone, before.text, sms_messages.attempts`;
    const [, rows] = await Promise.all([expired, claimed]);
    // The first try is what is counted: one that is repeated had not gone out.
    await countSentToday(tx, rows.filter(({ attempts }) => attempts === 1).length, dailyAlarm);
    return rows;
  });
}

interface Answered extends Claimed {
  readonly outcome: SmsOutcome;
}

async function askGateway(gateway: SmsGateway, claimed: Claimed): Promise<Answered> {
  try {
    return { ...claimed, outcome: await gateway.sendSms({ to: claimed.phone, message: claimed.text }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...claimed, outcome: { outcome: 'unknown', reason } };
  }
}

const mayBeTriedAgain = ({ outcome, attempts }: Answered) =>
  outcome.outcome === 'failed' && outcome.retryable && attempts < ATTEMPTS_MAX;

async function settle(database: Database, answered: readonly Answered[], canWait: boolean): Promise<void> {
  await database.transaction(async (tx) => {
    await settleForGood(
      tx,
      answered.filter((message) => !mayBeTriedAgain(message)),
    );
    await queueAgain(tx, answered.filter(mayBeTriedAgain), canWait);
  });
}

async function settleForGood(tx: Tx, answered: readonly Answered[]): Promise<void> {
  if (answered.length === 0) return;
  const outcomes = answered.map(({ outcome }) => outcome);
  await tx.sql`
    update sms_messages m
    set state = settled.state, settled_at = ${tx.now}, gateway_id = settled.gateway_id,
      failure_reason = settled.failure_reason
    from unnest(
      ${texts(answered.map(({ id }) => id))}::uuid[], ${texts(outcomes.map(({ outcome }) => outcome))}::text[],
      ${texts(outcomes.map((said) => (said.outcome === 'sent' ? said.id.slice(0, 200) : null)))}::text[],
      ${texts(outcomes.map((said) => (said.outcome === 'sent' ? null : said.reason.slice(0, 500))))}::text[]
    ) as settled (id, state, gateway_id, failure_reason)
    where m.id = settled.id and m.state = 'sending'`;
}

async function queueAgain(tx: Tx, answered: readonly Answered[], canWait: boolean): Promise<void> {
  if (answered.length === 0) return;
  const reasons = answered.map(({ outcome }) => (outcome.outcome === 'sent' ? null : outcome.reason.slice(0, 500)));
  await tx.sql`
    update sms_messages m set state = 'queued', text = again.text, failure_reason = again.failure_reason
    from unnest(
      ${texts(answered.map(({ id }) => id))}::uuid[], ${texts(answered.map(({ text }) => text))}::text[], ${texts(reasons)}::text[]
    ) as again (id, text, failure_reason)
    where m.id = again.id and m.state = 'sending'`;
  // Those of one job were tried equally often, but for jobs that a dying process has left half done.
  for (const [attempts, some] of Map.groupBy(answered, (message) => message.attempts)) {
    const runAt = new Date(tx.now.getTime() + 5_000 * 3 ** (attempts - 1));
    await enqueueSms(
      tx,
      some.map(({ id }) => id),
      { runAt, canWait },
    );
  }
}

/** Messages whose process died while sending: whether they went out nobody knows, and they are not sent again. */
export async function settleAbandonedSms(database: Database): Promise<void> {
  const now = database.now();
  const longAgo = new Date(now.getTime() - 5 * 60_000);
  await database.sql`
    update sms_messages
    set state = 'unknown', settled_at = ${now}, failure_reason = 'the process ended while it was being sent'
    where state = 'sending' and attempted_at < ${longAgo}`;
}
