import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { enqueue, startJobs } from '../../jobs.ts';
import { notificationsOf, preferencesOf, unreadCount } from './notifications.queries.ts';
import { type Message, notify, notifyAll } from './notify.ts';
import { readNotifications } from './read-notifications.ts';
import { type SmsOutcome, sendSms, settleAbandonedSms } from './send-sms.ts';
import { setPreferences } from './set-preferences.ts';

const PHONE = '254712345678';
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
  userId = database.newId();
  await database.owner`
    insert into users (id, id_number, first_name, last_name, phone, recovery_phone, email, password_hash,
                       password_changed_at, created_at, updated_at)
    values (${userId}, ${`P000${n}`}, 'Atieno', 'Odhiambo', ${`25470000000${n}`.slice(0, 15)}, ${PHONE},
            ${`p${n}@example.co.ke`}, '$argon2id$none', now(), now(), now())`;
});
afterAll(() => database.close());

const gateway = (...outcomes: SmsOutcome[]) => ({
  sendSms: async (message: { to: string; message: string }) => {
    sent.push(message);
    return outcomes[sent.length - 1] ?? ({ outcome: 'sent', id: `at-${sent.length}` } as const);
  },
});
const tell = (message: Partial<Message> = {}) => {
  // Ids grow with the clock, and the newest is meant by `outbox`.
  database.world.advance(1000);
  return database.transaction((tx) => notify(tx, { phone: PHONE, template: 'test', text: 'Habari', ...message }));
};
const outbox = async () => {
  const [row] = await database.sql`select * from sms_messages order by id desc limit 1`;
  return row ?? {};
};
const failed = (retryable: boolean): SmsOutcome => ({ outcome: 'failed', reason: 'no credit', retryable });

describe('a message', () => {
  test('goes out once by SMS, after the commit, through a job', async () => {
    await tell({ userId });
    const { id } = await outbox();
    const jobs = await database.owner`select 1 from graphile_worker.jobs where task_identifier = 'send_sms'`;
    expect(jobs.length).toBeGreaterThan(0);
    await sendSms(database, gateway(), { ids: [id] });
    await sendSms(database, gateway(), { ids: [id] });
    expect(sent).toEqual([{ to: PHONE, message: 'Habari' }]);
    expect(await outbox()).toMatchObject({ state: 'sent', gateway_id: 'at-1', attempts: 1, text: 'Habari' });
  });

  test('of a transaction that failed is never sent', async () => {
    const before = (await database.sql`select 1 from sms_messages`).length;
    const work = database.transaction(async (tx) => {
      await notify(tx, { phone: PHONE, template: 'test', text: 'Habari' });
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
    const news = Array.from({ length: 30 }, (_, index) => ({
      phone: PHONE,
      template: 'test',
      text: `Sold ${index}`,
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
    await expect.poll(() => order.length, { timeout: 10_000 }).toBe(32);
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
    const many = Array.from({ length: 25 }, (_, index) => ({
      phone: `2547111${String(index).padStart(5, '0')}`,
      template: 'test',
      text: `Habari ${index}`,
    }));
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
    await tell({ userId, text: 'Your code is 1234', secret: true });
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
  const swahili = { language: 'sw', sms: { money: false, saccos: true, pools: true, referrals: true } } as const;

  test('are English and all messages until a person chooses', async () => {
    expect(await preferencesOf(database.sql, userId)).toEqual({
      language: 'en',
      sms: { money: true, saccos: true, pools: true, referrals: true },
    });
    await tell({ userId, text, topic: 'money' });
    expect(await outbox()).toMatchObject({ text: 'Your deposit has arrived.' });
  });

  test('decide the language, and which topics come by SMS; the list has them all', async () => {
    await database.transaction((tx) => setPreferences(tx, { userId }, swahili));
    expect(await preferencesOf(database.sql, userId)).toEqual(swahili);
    const before = (await database.sql`select 1 from sms_messages`).length;
    await tell({ userId, text, topic: 'money' });
    expect(await database.sql`select 1 from sms_messages`).toHaveLength(before);
    const { rows } = await notificationsOf(database.sql, userId, { limit: 20 });
    expect(rows.map((row) => row.text)).toEqual(['Amana yako imefika.']);
  });

  test('never keep a message about security back', async () => {
    await database.transaction((tx) =>
      setPreferences(
        tx,
        { userId },
        { language: 'en', sms: { money: false, saccos: false, pools: false, referrals: false } },
      ),
    );
    await tell({ userId, text: 'Your password was reset.', topic: 'security' });
    expect(await outbox()).toMatchObject({ text: 'Your password was reset.' });
  });
});

describe('the list of notifications', () => {
  test('comes in pages, newest first, none twice and none left out', async () => {
    for (let time = 1; time <= 5; time += 1) {
      database.world.advance(1000);
      await tell({ userId, text: `Message ${time}` });
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
    await tell({ userId, text: 'One' });
    await tell({ userId, text: 'Two' });
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
