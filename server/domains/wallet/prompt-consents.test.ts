import { identityContract } from '@ushirika/contract/identity';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../http/test-app.ts';
import { identityRoutes } from '../identity/identity.routes.ts';
import { testIdentity } from '../identity/test-identity.ts';
import { receiveDelivery } from '../notifications/receive-delivery.ts';
import { sendSms } from '../notifications/send-sms.ts';
import { DEFAULT_SMS_COUNTRIES } from '../notifications/sms-countries.ts';
import { agreed } from './test-payers.ts';
import { type Person, type WalletWorld, walletWorld } from './test-wallet.ts';

let world: WalletWorld;
beforeAll(async () => {
  world = await walletWorld();
});
afterAll(() => world.close());

const MINUTE = 60_000;
const PAYERS = '/integrations/mpesa/payers';
const ask = (person: Person, phone: string) => world.as(person, 'POST', PAYERS, { phone });
const confirm = (person: Person, phone: string, code: string) =>
  world.as(person, 'POST', `${PAYERS}/confirmation`, { phone, code });
const topUp = (person: Person, phone: string, amount = 100) =>
  world.as(person, 'POST', '/integrations/mpesa/deposit', { amount, phone });

async function newest(phone: string) {
  const [row] = await world.database.owner<{ text: string; user_id: string | null; caused_by: string | null }[]>`
    select text, user_id, caused_by from sms_messages where phone = ${phone} order by created_at desc, id desc limit 1`;
  const text = row?.text ?? '';
  return { text, code: /\d{4} \d{4}/.exec(text)?.[0] ?? '', user_id: row?.user_id ?? null, caused_by: row?.caused_by };
}

let phones = 0;
const friendsPhone = () => {
  phones += 1;
  return `2547330${String(10_000 + phones)}`;
};

describe('a phone that is not one’s own', () => {
  test('may be sent prompts once its holder has handed over the code; the SMS has the wallet’s number and no name', async () => {
    const [person, friend] = [await world.person(), await world.person()];
    expect((await ask(person, friend.phone)).status).toBe(200);
    const { text, code, user_id, caused_by } = await newest(friend.phone);
    expect(text.replaceAll(' ', '')).toContain(`wallet${person.account}`);
    expect(text).not.toMatch(/wanjiru|kamau/i);
    expect([user_id, caused_by]).toEqual([friend.id, person.id]);
    expect((await confirm(person, friend.phone, code)).status).toBe(200);
    expect((await topUp(person, friend.phone)).status).toBe(202);
    expect((await ask(person, friend.phone)).body.code).toBe('payer_known');
    const { phones: mine } = (await world.as(person, 'GET', PAYERS)).body;
    expect(mine).toMatchObject([{ phone: friend.phone }]);
    const { wallets } = (await world.as(friend, 'GET', PAYERS)).body;
    expect(wallets).toMatchObject([{ id: mine[0].id, name: 'Wanjiru Kamau', account_number: person.account }]);
    const told = await world.database.owner<
      { text: string }[]
    >`select text from notifications where user_id = ${friend.id}`;
    expect(told.map((each) => each.text).join()).toContain('may now send M-Pesa prompts to your phone');
  });

  test('may be sent no prompts once either side has ended it; a third person cannot end it', async () => {
    for (const side of ['payer', 'owner'] as const) {
      const [person, friend, stranger] = [await world.person(), await world.person(), await world.person()];
      await agreed(world.database, person.id, friend.phone);
      const [{ id }] = (await world.as(person, 'GET', PAYERS)).body.phones;
      expect((await world.as(stranger, 'DELETE', `${PAYERS}/${id}`)).status).toBe(404);
      expect((await world.as(side === 'payer' ? person : friend, 'DELETE', `${PAYERS}/${id}`)).status).toBe(200);
      expect((await world.as(person, 'DELETE', `${PAYERS}/${id}`)).status).toBe(404);
      expect((await topUp(person, friend.phone)).body.code).toBe('phone_holder_not_asked');
    }
  });

  test('is sent no code when it is one’s own, or not a phone for mobile money', async () => {
    const [person, newcomer] = [await world.person(), await world.person({ confirmed: false })];
    expect((await ask(person, person.phone)).body.code).toBe('payer_known');
    expect((await ask(newcomer, newcomer.phone)).body.code).toBe('phone_unconfirmed');
    expect((await ask(person, '+255754123456')).body.code).toBe('phone_not_kenyan');
  });

  test('cannot be added by guessing: a code has five tries and ten minutes, and only the newest is valid', async () => {
    const [person, phone] = [await world.person(), friendsPhone()];
    expect((await confirm(person, phone, '1234 5678')).body.code).toBe('phone_code_invalid');
    await ask(person, phone);
    const first = await newest(phone);
    world.database.world.advance(1_000);
    await ask(person, phone);
    const second = await newest(phone);
    expect((await confirm(person, phone, first.code)).body.code).toBe('phone_code_invalid');
    for (let tries = 1; tries < 5; tries += 1) await confirm(person, phone, '0000 0000');
    expect((await confirm(person, phone, second.code)).body.code).toBe('phone_code_invalid');
    await ask(person, phone);
    world.database.world.advance(11 * MINUTE);
    expect((await confirm(person, phone, (await newest(phone)).code)).body.code).toBe('phone_code_invalid');
  });

  test('gets three codes a day, whoever asks; a person may ask for five a day', async () => {
    const phone = friendsPhone();
    const people = await Promise.all(Array.from({ length: 6 }, () => world.person()));
    const answers = await Promise.all(people.map((person) => ask(person, phone)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.find(({ status }) => status !== 200)?.body).toMatchObject({
      code: 'too_many_requests',
      message: 'That phone has had three such codes today. Try again tomorrow.',
    });
    const eager = await world.person();
    for (let asked = 0; asked < 5; asked += 1) expect((await ask(eager, friendsPhone())).status).toBe(200);
    expect((await ask(eager, friendsPhone())).body.code).toBe('too_many_requests');
    await world.settle(24 * 60 * MINUTE);
    expect((await ask(eager, phone)).status).toBe(200);
  });
});

describe('a code to another’s phone that does not go', () => {
  const settings = { countries: DEFAULT_SMS_COUNTRIES, dailyAlarm: 1_000_000 };
  const refuses = async () => ({ outcome: 'failed', reason: '406 UserInBlackList', retryable: false }) as const;
  let profiles: Awaited<ReturnType<typeof testApp>>;
  beforeAll(async () => {
    const { database } = world;
    const bindings = identityRoutes(testIdentity(database));
    profiles = await testApp({ database, contract: identityContract, bindings });
  });
  afterAll(() => profiles.close());

  const refusedAt = async ({ id }: Person) => {
    const { status, body } = await profiles.call('GET', '/client/', { as: id });
    expect(status).toBe(200);
    return body.code_refused_at;
  };
  async function idOfNewest(phone: string): Promise<string> {
    const [row] = await world.database.owner<{ id: string }[]>`
      select id from sms_messages where phone = ${phone} order by id desc limit 1`;
    return row?.id ?? '';
  }
  const send = async (phone: string, sendOne: Parameters<typeof sendSms>[1]['sendSms']) =>
    sendSms(world.database, { sendSms: sendOne }, { ids: [await idOfNewest(phone)] }, settings);

  test('is said to the person who asked and to nobody else, until another code is asked for (field case M13)', async () => {
    const [person, friend, stranger] = [await world.person(), await world.person(), await world.person()];
    await ask(person, friend.phone);
    expect(await refusedAt(person)).toBeNull();
    await send(friend.phone, refuses);
    expect(await refusedAt(person)).toBe(world.database.now().toISOString());
    // The phone's owner asked for nothing; they wait for no code.
    expect(await refusedAt(friend)).toBeNull();
    expect(await refusedAt(stranger)).toBeNull();
    world.database.world.advance(1_000);
    await ask(person, friendsPhone());
    expect(await refusedAt(person)).toBeNull();
  });

  test('is said, too, when the provider took the SMS and reports later that it did not arrive, for 15 minutes (field case M13)', async () => {
    const [person, phone] = [await world.person(), friendsPhone()];
    await ask(person, phone);
    await send(phone, async () => ({ outcome: 'sent', id: 'ATXid_friend' }));
    expect(await refusedAt(person)).toBeNull();
    const report = {
      id: 'ATXid_friend',
      status: 'Failed',
      phoneNumber: `+${phone}`,
      failureReason: 'AbsentSubscriber',
    };
    await world.database.transaction((tx) => receiveDelivery(tx, report));
    expect(await refusedAt(person)).toBe(world.database.now().toISOString());
    world.database.world.advance(16 * MINUTE);
    expect(await refusedAt(person)).toBeNull();
  });

  test('hides no code of one’s own that was refused: what others ask for is not one’s own', async () => {
    const [owner, person] = [await world.person(), await world.person()];
    await world.database.owner`
      insert into sms_messages (id, user_id, phone, template, kind, caused_by, is_secret, state, created_at, send_before, settled_at)
      select ${world.database.newId()}, ${owner.id}, ${owner.phone}, 'phone_code', 'claim_code', ${owner.id}, true, 'failed',
        now, now + interval '10 minutes', now from (select ${world.database.now()}::timestamptz as now) n`;
    expect(await refusedAt(owner)).not.toBeNull();
    await ask(person, owner.phone);
    expect(await refusedAt(owner)).not.toBeNull();
  });
});

describe('prompts that others send to a phone', () => {
  test('are limited to three in ten minutes and ten a day, from all together; its owner’s own are counted apart', async () => {
    const owner = await world.person();
    const payers = await Promise.all(Array.from({ length: 12 }, () => world.person()));
    for (const { id } of payers) await agreed(world.database, id, owner.phone);
    const answers = await Promise.all(payers.slice(0, 8).map((payer) => topUp(payer, owner.phone)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 202).map(({ body }) => body.code);
    expect(refused).toEqual(Array(5).fill('too_many_requests'));
    expect((await topUp(owner, owner.phone)).status).toBe(202);
    let came = 3;
    for (let round = 0; round < 4; round += 1) {
      await world.settle(11 * MINUTE);
      for (const payer of payers) came += (await topUp(payer, owner.phone)).status === 202 ? 1 : 0;
    }
    expect(came).toBe(10);
    await world.settle(24 * 60 * MINUTE);
    expect((await topUp(payers[0] as Person, owner.phone)).status).toBe(202);
  });

  test('do not keep its owner from topping up; the owner is told not to pay what they did not ask for', async () => {
    const [owner, payer] = [await world.person(), await world.person()];
    await agreed(world.database, payer.id, owner.phone);
    await topUp(payer, owner.phone, 210);
    await world.settle();
    const own = await topUp(owner, owner.phone, 220);
    expect(own.status).toBe(202);
    await world.settle();
    const { body } = await world.as(owner, 'GET', `/integrations/mpesa/deposits/${own.body.deposit.id}`);
    expect(body).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('If you did not ask for it, cancel it'),
    });
  });
});
