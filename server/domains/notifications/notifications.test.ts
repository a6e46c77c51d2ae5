import type { Language } from '@ushirika/contract/notifications';
import { byTopic } from '@ushirika/contract/topics';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { enqueue, startJobs } from '../../jobs.ts';
import { notificationsOf, preferencesOf, unreadCount } from './notifications.queries.ts';
import { type Notice, notify, notifyAll, sendAsked } from './notify.ts';
import { readNotifications } from './read-notifications.ts';
import { type SmsGateway, type SmsOutcome, sendSms as send, settleAbandonedSms } from './send-sms.ts';
import { setPreferences } from './set-preferences.ts';
import type { SmsKind } from './sms.rules.ts';
import { DEFAULT_SMS_COUNTRIES } from './sms-countries.ts';
import type { Sms } from './sms-words.ts';

const settings = { countries: DEFAULT_SMS_COUNTRIES, dailyAlarm: 1_000 };
let PHONE = '';
let database: TestDatabase;
let userId: string;
let sent: { to: string; message: string }[];
let n = 0;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  n += 1;
  sent = [];
  PHONE = `2547123${String(n).padStart(5, '0')}`;
  userId = database.newId();
  await database.owner`
    insert into users (id, id_number, first_name, last_name, phone, phone_confirmed_at, recovery_phone, email, password_hash,
                       password_changed_at, created_at, updated_at)
    values (${userId}, ${`P000${n}`}, 'Atieno', 'Odhiambo', ${PHONE}, now(), ${PHONE},
            ${`p${n}@example.co.ke`}, '$argon2id$none', now(), now(), now())`;
});
afterAll(() => database.close());

const gateway = (...outcomes: SmsOutcome[]) => ({
  sendSms: async (message: { to: string; message: string }) => {
    sent.push(message);
    return outcomes[sent.length - 1] ?? ({ outcome: 'sent', id: `at-${sent.length}` } as const);
  },
});
const sendSms = (to: TestDatabase, by: SmsGateway, payload: unknown) => send(to, by, payload, settings);

type Text = string | Readonly<Record<Language, string>>;

/** An SMS of any words: what is tested here is how it leaves, not what it says (sms-texts.test.ts). */
const smsOf = (text: Text, kind: SmsKind = 'news') =>
  ({ template: 'test', kind, words: typeof text === 'string' ? { en: text, sw: text } : text }) as unknown as Sms;
interface Tried {
  readonly text?: Text;
  readonly topic?: Notice['topic'];
  readonly secret?: boolean;
  readonly sendBefore?: Date;
}
const tell = ({ text = 'Habari', topic, secret, ...asked }: Tried = {}) => {
  // Ids grow with the clock, and the newest is meant by `outbox`.
  database.world.advance(1000);
  return database.transaction((tx) =>
    secret
      ? sendAsked(tx, { userId, phone: PHONE, sms: smsOf(text, 'reset_code'), causedBy: userId, ...asked })
      : notify(tx, { userId, sms: smsOf(text), causedBy: userId, ...(topic ? { topic } : {}) }),
  );
};
/** Somebody else, whose confirmed phone ends in these digits. */
async function memberWith(index: number, confirmedAt: Date | null = database.now()): Promise<string> {
  const id = database.newId();
  const phone = `2547111${String(index).padStart(5, '0')}`;
  await database.owner`
    insert into users (id, id_number, first_name, last_name, phone, phone_confirmed_at, recovery_phone, email,
                       password_hash, password_changed_at, created_at, updated_at)
    values (${id}, ${`Q${String(index).padStart(6, '0')}`}, 'Otieno', 'Were', ${phone}, ${confirmedAt}, ${phone},
            ${`q${index}@example.co.ke`}, '$argon2id$none', now(), now(), now())`;
  return id;
}
const outbox = async () => {
  const [row] = await database.sql`select * from sms_messages order by id desc limit 1`;
  return row ?? {};
};
const failed = (retryable: boolean): SmsOutcome => ({ outcome: 'failed', reason: 'no credit', retryable });

describe('a message', () => {
  test('goes out once by SMS, after the commit, through a job', async () => {
    await tell();
    const { id } = await outbox();
    const jobs = await database.owner`select 1 from graphile_worker.jobs where task_identifier = 'send_sms'`;
    expect(jobs.length).toBeGreaterThan(0);
    await sendSms(database, gateway(), { ids: [id] });
    await sendSms(database, gateway(), { ids: [id] });
    expect(sent).toEqual([{ to: PHONE, message: 'Habari' }]);
    expect(await outbox()).toMatchObject({ state: 'sent', gateway_id: 'at-1', attempts: 1, text: 'Habari' });
  });

  test('goes out in letters that a phone company charges once, whatever a name in it has (field case M12)', async () => {
    await tell({ text: 'Wanjikũ Mũthoni wa Murang’a' });
    const { id } = await outbox();
    await sendSms(database, gateway(), { ids: [id] });
    expect(sent).toEqual([{ to: PHONE, message: "Wanjiku Muthoni wa Murang'a" }]);
  });

  test('of a transaction that failed is never sent', async () => {
    const before = (await database.sql`select 1 from sms_messages`).length;
    const work = database.transaction(async (tx) => {
      await notify(tx, { userId, sms: smsOf('Habari'), causedBy: userId });
      throw new Error('undone');
    });
    await expect(work).rejects.toThrow('undone');
    expect(await database.sql`select 1 from sms_messages`).toHaveLength(before);
  });

  test('two workers on one message send it once', async () => {
    await tell();
    const { id } = await outbox();
    await Promise.all([sendSms(database, gateway(), { ids: [id] }), sendSms(database, gateway(), { ids: [id] })]);
    expect(sent).toHaveLength(1);
  });

  test('with a code overtakes the news of trades that were told before it, and a job somebody waits for does too', async () => {
    await database.owner`delete from graphile_worker._private_jobs`;
    const news = Array.from({ length: 20 }, (_, index) => ({
      userId,
      sms: smsOf(`Sold ${index}`),
      causedBy: null,
      topic: 'money' as const,
    }));
    await database.transaction((tx) => notifyAll(tx, news));
    await tell({ text: 'Code 123456', secret: true });
    await database.transaction((tx) => enqueue(tx, 'prompt_phone', {}));
    const order: string[] = [];
    const noting = {
      sendSms: async ({ message }: { message: string }): Promise<SmsOutcome> => {
        order.push(message);
        return { outcome: 'sent', id: 'at-1' };
      },
    };
    const jobs = await startJobs({
      databaseUrl: database.url,
      concurrency: 1,
      tasks: {
        send_sms: (payload) => sendSms(database, noting, payload),
        prompt_phone: async () => void order.push('prompt'),
      },
    });
    await expect.poll(() => order.length, { timeout: 10_000 }).toBe(22);
    await jobs.stop();
    expect(order.slice(0, 2)).toEqual(['Code 123456', 'prompt']);
  });

  test('that can wait still waits when it is tried again, and one about security does not', async () => {
    for (const topic of ['money', 'security'] as const) {
      await database.owner`delete from graphile_worker._private_jobs`;
      await tell({ topic });
      const jobs = () => database.owner`select priority, payload from graphile_worker._private_jobs`;
      const [first] = await jobs();
      await database.owner`delete from graphile_worker._private_jobs`;
      await sendSms(database, gateway(failed(true)), first?.payload);
      sent = [];
      const [again] = await jobs();
      expect(again?.payload).toEqual(first?.payload);
      expect([first?.priority, again?.priority]).toEqual(topic === 'money' ? [10, 10] : [0, 0]);
    }
  });

  test('of many leaves in few jobs, each once, and what one of them meets is its own', async () => {
    const people = await Promise.all(Array.from({ length: 25 }, (_, index) => memberWith(index)));
    const many = people.map((id, index) => ({ userId: id, sms: smsOf(`Habari ${index}`), causedBy: userId }));
    await database.owner`delete from graphile_worker._private_jobs`;
    database.world.advance(1000);
    await database.transaction((tx) => notifyAll(tx, many));
    const jobs = await database.owner<{ payload: { ids: string[] } }[]>`
      select payload from graphile_worker._private_jobs order by id`;
    expect(jobs.map(({ payload }) => payload.ids.length)).toEqual([10, 10, 5]);
    const tries = new Map<string, number>();
    const moody = {
      sendSms: async (message: { to: string; message: string }): Promise<SmsOutcome> => {
        sent.push(message);
        const isFirst = !tries.has(message.to);
        tries.set(message.to, 1);
        if (message.to.endsWith('7') && isFirst) return failed(true);
        if (message.to.endsWith('8')) return failed(false);
        return message.to.endsWith('9') ? { outcome: 'unknown', reason: 'timeout' } : { outcome: 'sent', id: 'at-1' };
      },
    };
    const first = jobs[0]?.payload as { ids: string[] };
    await Promise.all([sendSms(database, moody, first), sendSms(database, moody, first)]);
    for (const { payload } of jobs) await sendSms(database, moody, payload);
    const told = new Map<string, number>();
    for (const { to } of sent) told.set(to, (told.get(to) ?? 0) + 1);
    expect(told.size).toBe(25);
    const states = await database.sql`
      select state, count(*)::int from sms_messages where phone like '2547111%' group by state order by state`;
    const counts = Object.fromEntries(states.map(({ state, count }) => [state, count]));
    expect(counts).toEqual({ failed: 2, queued: 1, sent: 20, unknown: 2 });
    expect([...told.values()].filter((times) => times > 1)).toEqual([2]);
  });

  test('that failed for a while is tried again, five times at most', async () => {
    await tell();
    const { id } = await outbox();
    const refusing = gateway(...Array<SmsOutcome>(9).fill(failed(true)));
    for (let time = 0; time < 7; time += 1) await sendSms(database, refusing, { ids: [id] });
    expect(sent).toHaveLength(5);
    expect(await outbox()).toMatchObject({ state: 'failed', failure_reason: 'no credit', attempts: 5 });
  });

  test('that failed for good is not tried again', async () => {
    await tell();
    const { id } = await outbox();
    await sendSms(database, gateway(failed(false)), { ids: [id] });
    await sendSms(database, gateway(failed(false)), { ids: [id] });
    expect(sent).toHaveLength(1);
    expect(await outbox()).toMatchObject({ state: 'failed' });
  });

  test('is for an account that there is, caused by one, and stays so', async () => {
    await tell();
    const { id } = await outbox();
    const nobody = database.newId();
    const copy = (userId: string | null, causedBy: string | null) => database.owner`
      insert into sms_messages (id, user_id, phone, template, kind, caused_by, text, is_secret, state, created_at, send_before)
      select ${database.newId()}, ${userId}, phone, template, kind, ${causedBy}, text, is_secret, state, created_at, send_before
      from sms_messages where id = ${id}`;
    await copy(null, null);
    for (const act of [
      copy(nobody, null),
      copy(null, nobody),
      database.owner`update sms_messages set user_id = null where id = ${id}`,
    ])
      await expect(act).rejects.toMatchObject({ code: '23503' });
  });

  test('that may have gone out is not sent again', async () => {
    await tell();
    const { id } = await outbox();
    await sendSms(database, gateway({ outcome: 'unknown', reason: 'timeout' }), { ids: [id] });
    await sendSms(database, gateway(), { ids: [id] });
    expect(sent).toHaveLength(1);
    expect(await outbox()).toMatchObject({ state: 'unknown', failure_reason: 'timeout' });
  });

  test('whose process died while sending is settled as unknown after five minutes', async () => {
    await tell();
    const { id } = await outbox();
    await database.owner`update sms_messages set state = 'sending', attempted_at = ${database.now()} where id = ${id}`;
    await settleAbandonedSms(database);
    expect(await outbox()).toMatchObject({ state: 'sending' });
    database.world.advance(6 * 60_000);
    await settleAbandonedSms(database);
    expect(await outbox()).toMatchObject({ state: 'unknown' });
    await sendSms(database, gateway(), { ids: [id] });
    expect(sent).toHaveLength(0);
  });
});

describe('a code', () => {
  test('is wiped before it goes out, and is in no list', async () => {
    await tell({ text: 'Your code is 1234', secret: true });
    const { id } = await outbox();
    let textMeanwhile: unknown;
    const watching = {
      sendSms: async () => {
        textMeanwhile = (await outbox()).text;
        return { outcome: 'sent', id: 'at-1' } as const;
      },
    };
    await sendSms(database, watching, { id });
    expect(textMeanwhile).toBeNull();
    expect(await outbox()).toMatchObject({ state: 'sent', text: null });
    expect((await notificationsOf(database.sql, userId, { limit: 20 })).rows).toEqual([]);
  });

  test('that the gateway did not take is put back and tried again', async () => {
    await tell({ text: 'Your code is 1234', secret: true });
    const { id } = await outbox();
    const once = gateway(failed(true));
    await sendSms(database, once, { id });
    await sendSms(database, once, { id });
    expect(sent.map(({ message }) => message)).toEqual(['Your code is 1234', 'Your code is 1234']);
  });

  test('that has expired is not sent', async () => {
    const sendBefore = new Date(database.now().getTime() + 600_000);
    await tell({ text: 'Your code is 1234', secret: true, sendBefore });
    const { id } = await outbox();
    database.world.advance(600_000);
    await sendSms(database, gateway(), { ids: [id] });
    expect(sent).toEqual([]);
    expect(await outbox()).toMatchObject({ state: 'expired', text: null });
  });
});

describe('preferences', () => {
  const text = { en: 'Your deposit has arrived.', sw: 'Amana yako imefika.' };
  const swahili = { language: 'sw', sms: { ...byTopic(() => true), money: false } } as const;

  test('are English and all messages until a person chooses', async () => {
    expect(await preferencesOf(database.sql, userId)).toEqual({
      language: 'en',
      sms: byTopic(() => true),
    });
    await tell({ text, topic: 'money' });
    expect(await outbox()).toMatchObject({ text: 'Your deposit has arrived.' });
  });

  test('decide the language, and which topics come by SMS; the list has them all', async () => {
    await database.transaction((tx) => setPreferences(tx, { userId }, swahili));
    expect(await preferencesOf(database.sql, userId)).toEqual(swahili);
    const before = (await database.sql`select 1 from sms_messages`).length;
    await tell({ text, topic: 'money' });
    expect(await database.sql`select 1 from sms_messages`).toHaveLength(before);
    const { rows } = await notificationsOf(database.sql, userId, { limit: 20 });
    expect(rows.map((row) => row.text)).toEqual(['Amana yako imefika.']);
  });

  test('never keep a message about security back', async () => {
    await database.transaction((tx) => setPreferences(tx, { userId }, { language: 'en', sms: byTopic(() => false) }));
    await tell({ text: 'Your password was reset.', topic: 'security' });
    expect(await outbox()).toMatchObject({ text: 'Your password was reset.' });
  });
});

describe('the bounds of every SMS', () => {
  const textsOf = async (kind: string) =>
    (
      await database.sql<
        { count: number }[]
      >`select count(*)::int from sms_messages where kind = ${kind} and phone = ${PHONE}`
    )[0]?.count;

  test('let no news go to a phone that nobody has confirmed: it stands in the app alone', async () => {
    const stranger = await memberWith(800 + n, null);
    const before = (await database.sql`select 1 from sms_messages`).length;
    await database.transaction((tx) => notify(tx, { userId: stranger, sms: smsOf('Habari'), causedBy: null }));
    expect(await database.sql`select 1 from sms_messages`).toHaveLength(before);
    expect((await notificationsOf(database.sql, stranger, { limit: 20 })).rows).toHaveLength(1);
  });

  test('let twenty news a day go to one phone, told one by one or all at once; the list has all', async () => {
    for (let time = 0; time < 15; time += 1) await tell();
    const more = Array.from({ length: 15 }, () => ({ userId, sms: smsOf('Habari'), causedBy: null }));
    await database.transaction((tx) => notifyAll(tx, more));
    expect(await textsOf('news')).toBe(20);
    expect((await notificationsOf(database.sql, userId, { limit: 50 })).rows).toHaveLength(30);
    database.world.advance(86_400_000);
    await tell();
    expect(await textsOf('news')).toBe(21);
  });

  test('let one act text thirty people, and the others read it in the app', async () => {
    const people = await Promise.all(Array.from({ length: 40 }, (_, index) => memberWith(100 + index)));
    const causedBy = userId;
    await database.transaction((tx) =>
      notifyAll(
        tx,
        people.map((id) => ({ userId: id, sms: smsOf('Sold'), causedBy })),
      ),
    );
    expect(await database.sql`select 1 from sms_messages where caused_by = ${causedBy}`).toHaveLength(30);
    expect(await database.sql`select 1 from notifications where user_id in ${database.sql(people)}`).toHaveLength(40);
  });

  test('keep a word about security apart from news, however many there were', async () => {
    const news = Array.from({ length: 25 }, () => ({ userId, sms: smsOf('Habari'), causedBy: userId }));
    const changed = { userId, sms: smsOf('Your password was changed.', 'security'), causedBy: userId };
    await database.transaction((tx) => notifyAll(tx, news));
    await database.transaction((tx) => notify(tx, changed));
    expect(await textsOf('security')).toBe(1);
  });

  test('say of a code when one more may go', async () => {
    for (let time = 0; time < 10; time += 1) await tell({ text: 'Code 1234', secret: true });
    const refused = await tell({ text: 'Code 1234', secret: true }).catch((error) => error);
    expect(refused).toMatchObject({ code: 'too_many_requests', details: { retryAfterSeconds: 86_390 } });
  });

  test('tell operators once of a day with too many, and keep news in the app until it is over', async () => {
    const operator = await memberWith(900);
    await database.owner`insert into operators (user_id, granted_at) values (${operator}, now())`;
    database.world.advance(86_400_000);
    const few = { countries: DEFAULT_SMS_COUNTRIES, dailyAlarm: 2 };
    for (let time = 0; time < 3; time += 1) {
      await tell();
      await send(database, gateway(), { ids: [(await outbox()).id] }, few);
    }
    expect(await textsOf('news')).toBe(2);
    await tell({ text: 'Code 1234', secret: true });
    expect(await textsOf('reset_code')).toBe(1);
    const { rows } = await notificationsOf(database.sql, operator, { limit: 20 });
    expect(rows.map(({ text }) => text)).toEqual([expect.stringContaining('2 SMS have been sent today')]);
    database.world.advance(86_400_000);
    await tell();
    expect(await textsOf('news')).toBe(3);
  });

  test('let nothing go to a country that is not in the settings', async () => {
    await tell();
    const { id } = await outbox();
    await send(database, gateway(), { ids: [id] }, { countries: ['UG'], dailyAlarm: 1_000 });
    expect(sent).toEqual([]);
    expect(await outbox()).toMatchObject({ state: 'failed', failure_reason: 'no SMS goes to such a number' });
  });
});

describe('the list of notifications', () => {
  test('comes in pages, newest first, none twice and none left out', async () => {
    for (let time = 1; time <= 5; time += 1) {
      database.world.advance(1000);
      await tell({ text: `Message ${time}` });
    }
    const first = await notificationsOf(database.sql, userId, { limit: 2 });
    const second = await notificationsOf(database.sql, userId, { limit: 2, cursor: first.nextCursor ?? '' });
    const third = await notificationsOf(database.sql, userId, { limit: 2, cursor: second.nextCursor ?? '' });
    const texts = [first, second, third].flatMap(({ rows }) => rows.map((row) => row.text));
    expect(texts).toEqual(['Message 5', 'Message 4', 'Message 3', 'Message 2', 'Message 1']);
    expect([first.count, first.unread, third.nextCursor]).toEqual([5, 5, null]);
  });

  test('refuses a cursor that is not one of ours', async () => {
    const page = notificationsOf(database.sql, userId, { limit: 2, cursor: "'; drop table users" });
    await expect(page).rejects.toMatchObject({ code: 'validation_failed' });
  });

  test("marks one's own as read, those named or all, and never another's", async () => {
    await tell({ text: 'One' });
    await tell({ text: 'Two' });
    const { rows } = await notificationsOf(database.sql, userId, { limit: 20 });
    const ids = [rows[0]?.id ?? ''];
    await database.transaction((tx) => readNotifications(tx, { userId: database.newId() }, { ids }));
    expect(await unreadCount(database.sql, userId)).toBe(2);
    await database.transaction((tx) => readNotifications(tx, { userId }, { ids }));
    expect(await unreadCount(database.sql, userId)).toBe(1);
    await database.transaction((tx) => readNotifications(tx, { userId }, {}));
    expect(await unreadCount(database.sql, userId)).toBe(0);
  });
});
