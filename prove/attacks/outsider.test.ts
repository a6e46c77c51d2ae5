import { contract } from '@ushirika/contract/contract';
import type { Route } from '@ushirika/contract/route';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { agreed } from '../../server/domains/wallet/test-payers.ts';
import { type Answer, type AttackApp, attackApp, PASSWORD, type Person } from '../support/test-product.ts';

let world: AttackApp;
/** The one who attacks: a member of his own sacco, and its chair. */
let mallory: Person;
/** The one who is attacked: a member of another, and of Mallory's. */
let victim: Person;
let operator: Person;
let treasurer: Person;
let hers: string;
let his: string;
/** Ids of what is the victim's. */
const secrets: Record<string, string> = {};

const NOBODY = '00000000-0000-7000-8000-000000000000';
const TERMS = { reg_fee: 500, min_shares: 10, share_value: 100, total: 500 };

beforeAll(async () => {
  world = await attackApp();
  operator = await world.operator();
  treasurer = await world.person('Achieng');
  mallory = await world.person('Mallory');
  victim = await world.person('Wanjiru');
  hers = await world.saccos.sacco(treasurer.id, operator.id);
  his = await world.saccos.sacco(mallory.id, operator.id);
  for (const person of [mallory, victim]) {
    await world.saccos.fund(person.id, 50_000_00);
    await world.confirmPhone(person);
  }
  await ok(world.call('POST', '/sacco/members/join', { as: victim, body: { sacco: hers, ...TERMS } }));
  await ok(world.call('POST', '/sacco/members/join', { as: victim, body: { sacco: his, ...TERMS } }));
  await ok(world.call('POST', '/sacco/members/join', { as: mallory, body: { sacco: his, ...TERMS } }));
  const bought = await ok(
    world.call('POST', '/sacco/members/pay_shares_amount', {
      as: victim,
      key: 'hers',
      body: { sacco: hers, shares: 10, amount: 1_000 },
    }),
  );
  const withdrawn = await ok(
    world.call('POST', '/integrations/mpesa/withdraw', { as: victim, body: { amount: 100, phone: victim.phone } }),
  );
  await agreed(world.database, victim.id, '254799000222');
  const prompted = await ok(
    world.call('POST', '/integrations/mpesa/deposit', { as: victim, body: { amount: 10, phone: '254799000222' } }),
  );
  const claimed = await ok(
    world.call('POST', '/integrations/mpesa/transaction-checker', {
      as: victim,
      body: { transaction_id: 'SGH7XK2L9P', phone_number: victim.phone },
    }),
  );
  const sessions = await ok(world.call('GET', '/client/sessions', { as: victim }));
  Object.assign(secrets, {
    journal: bought.body.receipt.journal,
    withdrawal: withdrawn.body.withdrawal.id,
    deposit: prompted.body.deposit.id,
    claim: claimed.body.claim.id,
    session: sessions.body.results[0].id,
  });
});
afterAll(() => world.close());

async function ok(answer: Promise<Answer>): Promise<Answer> {
  const got = await answer;
  if (got.status >= 300) throw new Error(`${got.status} ${got.text}`);
  return got;
}

/** Everything about the victim that nobody else may read. */
const canaries = () => [victim.phone, victim.idNumber, victim.email, victim.token];

/**
 * What the route reads of these, one at a time; and what it does not read, all at once: there it is one address more, however
 * many there are.
 */
function queriesOf({ query }: Route, id: string): string[] {
  const read = Object.keys((query as Partial<z.ZodObject>).shape ?? {});
  const asked = [`member=${victim.id}`, `sacco=${hers}`, 'search=Wanjiru&name=Wanjiru', `pool=${id || NOBODY}`];
  const isRead = (one: string) => [...new URLSearchParams(one).keys()].some((name) => read.includes(name));
  const unread = asked.filter((one) => !isRead(one)).join('&');
  return ['', ...asked.filter(isRead).map((one) => `?${one}`), ...(unread === '' ? [] : [`?${unread}`])];
}

test('whatever a fellow member, an official elsewhere or a stranger reads, nobody else’s phone, ID number or e-mail is in it', async () => {
  const reads = (contract as readonly Route[]).filter(
    ({ method, replyType }) => method === 'GET' && replyType !== 'sse',
  );
  const ids = [hers, his, victim.id, ...Object.values(secrets)];
  for (const route of reads.filter(({ caller }) => caller !== 'operator')) {
    for (const id of route.path.includes('{') ? ids : ['']) {
      for (const sacco of [hers, his]) {
        for (const query of queriesOf(route, id)) {
          const isHisOwn = route.name === 'listMembers' && sacco === his;
          if (isHisOwn) continue;
          const path = route.path.replaceAll(/\{\w+\}/g, id) + query;
          const answer = await world.call('GET', path, { as: mallory, sacco });
          for (const canary of canaries()) {
            expect(answer.text.includes(canary), `${path} tells ${canary}`).toBe(false);
            expect(JSON.stringify(answer.headers).includes(canary), path).toBe(false);
          }
        }
      }
    }
  }
});

test('a plain member sees fellow members by name and month of joining alone, and a sacco lists the caller’s own id alone', async () => {
  await ok(world.call('POST', '/sacco/members/join', { as: mallory, body: { sacco: hers, ...TERMS } }));
  const { body, text } = await ok(world.call('GET', '/sacco/members', { as: mallory, sacco: hers }));
  expect(body.count).toBe(2);
  for (const canary of [...canaries(), victim.id]) expect(text).not.toContain(canary);
  for (const { is_me: isMe, ...row } of body.results) {
    expect(Object.keys(row).sort()).toEqual([
      'first_name',
      'former_name',
      'id',
      'joined_month',
      'last_name',
      'offices',
    ]);
    expect(isMe ?? false).toBe(row.first_name === 'Mallory');
  }
  const list = await ok(world.call('GET', '/sacco/list', { as: mallory }));
  for (const { members_list } of list.body.results)
    expect(members_list.filter((id: string) => id !== mallory.id)).toEqual([]);
});

test('the office that counts is that of the sacco that is acted on, however the request names it', async () => {
  const change = { reward: 9_999, monthly_rewards_max: 7 };
  const terms = () => world.database.owner`
    select (select count(*) from referral_terms where sacco_id = ${hers})::int
      + (select count(*) from sacco_changes where sacco_id = ${hers})::int as count`;
  const sent = [
    { sacco: his, body: { ...change, sacco: hers } },
    { sacco: hers, body: { ...change, sacco: his } },
    { sacco: his, body: { ...change, saccoId: hers } },
    { headers: { saccoid: [his, hers] }, body: change },
    { headers: { saccoid: `${his},${hers}` }, body: change },
    { sacco: hers, body: change },
  ];
  for (const attempt of sent) await world.call('PUT', '/sacco/referral-terms', { as: mallory, ...attempt });
  for (const query of [`?sacco=${hers}`, `?sacco=${hers}&sacco=${his}`]) {
    await world.call('PUT', `/sacco/referral-terms${query}`, { as: mallory, sacco: his, body: change });
  }
  expect((await terms())[0]?.count).toBe(0);
});

test('nobody is made an operator, an official or rich by fields that the contract does not have', async () => {
  const rich = {
    is_operator: true,
    isOperator: true,
    role: 'operator',
    wallet: 1_000_000,
    balance: 1e6,
    second_factor_at: '2026-01-01',
  };
  const { body } = await world.call('POST', '/auth/register/', {
    body: {
      first_name: 'E',
      last_name: 'V',
      id_number: 'EV123456',
      phone_number: '254733111222',
      email: 'e@v.il',
      password: PASSWORD,
      user_type: 'client',
      ...rich,
    },
  });
  expect(body.success).toBe(true);
  expect((await world.call('GET', '/operator/health', { token: body.token })).status).toBe(403);
  const answer = await world.call('POST', '/auth/register/', {
    body: {
      first_name: 'E',
      last_name: 'V',
      id_number: 'EV123457',
      phone_number: '254733111223',
      email: 'e2@v.il',
      password: PASSWORD,
      user_type: 'operator',
    },
  });
  expect(answer.body.code).toBe('user_type_not_allowed');
});

test('ten wrong passwords lock an ID number for a stranger, made-up proxies or not', async () => {
  const guess = (index: number) =>
    world.call('POST', '/auth/login/', {
      address: '203.0.113.9',
      headers: { 'x-forwarded-for': `198.51.100.${index}`, forwarded: `for=198.51.100.${index}` },
      body: { id_number: treasurer.idNumber, password: `Wrong#${index}abc`, user_type: 'client' },
    });
  const answers: Answer[] = [];
  for (let index = 0; index < 12; index += 1) answers.push(await guess(index));
  expect(answers.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(401));
  expect(answers.slice(10).map(({ status }) => status)).toEqual([429, 429]);
});
