import { contract } from '@ushirika/contract/contract';
import { OFFICES } from '@ushirika/contract/route';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { setReferralTerms } from '../../server/domains/referrals/set-referral-terms.ts';
import { openOffice } from '../../server/domains/saccos/offices.ts';
import { openException } from '../../server/domains/wallet/money-exceptions.ts';
import { matrixParts } from '../domains.ts';
import { gathered } from '../matrix/domain-part.ts';
import { type Answer, type Person, type Product, productOn } from '../support/product.ts';
import type { Asked } from './foreign.ts';

/**
 * The product with its own checks removed: whoever has a session is a member and an official of every sacco, and an
 * operator. What is left is PostgreSQL, which looks for itself (docs/decisions/110).
 */
let world: Product;
/** Belongs to `his`, and asks for everything of `hers`. */
let mallory: Person;
let victim: Person;
let founder: Person;
let operator: Person;
let hers: string;
let his: string;
let waiting: string;
let exception: string;
/** What the domains ask for. */
let byDomains: Asked = {};
let referral: string;
let proposal: string;
let order: string;
/** A change of terms that waits for a second official. */
let change: string;
let alert: string;

const CANARY = 'Zebaki';
const TERMS = { reg_fee: 500, min_shares: 10, share_value: 100, total: 500 };
const MARKET_TERMS = { price_mode: 'par', tick: 1, lot: 1, fee_basis_points: 0, fee_min: 0 };
const REASON = 'Because nobody stops me.';

beforeAll(async () => {
  let isOpen = false;
  world = await productOn(
    inject('testServerUrl'),
    {},
    {
      gatekeepers: (ours) => ({
        readSession: async (token, options) => {
          const session = await ours.readSession(token, options);
          return session && isOpen ? { ...session, isOperator: true, mayHoldOffice: true } : session;
        },
        standingOf: async (userId, saccoId) =>
          isOpen ? { isMember: true, offices: OFFICES } : ours.standingOf(userId, saccoId),
      }),
    },
  );
  operator = await world.operator();
  // A chair's name is published.
  founder = await world.person('Njoki');
  victim = await world.person(`${CANARY}victim`);
  mallory = await world.person('Mallory');
  hers = await world.saccos.sacco(founder.id, operator.id, { name: 'Alizeti Sacco', regNo: 'CS/70001' });
  his = await world.saccos.sacco(mallory.id, operator.id, { name: 'Bahari Sacco', regNo: 'CS/70002' });
  for (const person of [victim, mallory, founder]) await world.saccos.fund(person.id, 50_000_00);
  await ok(world.call('POST', '/sacco/members/join', { as: victim, body: { sacco: hers, ...TERMS } }));
  await ok(world.call('POST', '/sacco/members/join', { as: mallory, body: { sacco: his, ...TERMS } }));
  const shares = { sacco: hers, shares: 10, amount: 1_000 };
  await ok(world.call('POST', '/sacco/members/pay_shares_amount', { as: victim, body: shares }));
  await ok(world.call('POST', '/sacco/savings/deposit', { as: victim, body: { sacco: hers, amount: 777 } }));
  const standing = { sacco: hers, amount: 333, day: 9 };
  await ok(world.call('POST', '/sacco/savings/standing-order', { as: victim, body: standing }));
  await trade();
  const terms = { saccoId: hers, rewardCents: 654_00, monthlyRewardsMax: 7 };
  await world.database.transaction((tx) => setReferralTerms(tx, { userId: founder.id }, terms));
  const second = await world.person('Otieno');
  const office = { saccoId: hers, userId: second.id, office: 'treasurer' } as const;
  await world.database.transaction((tx) => openOffice(tx, { userId: founder.id }, office));
  const proposed = { as: founder, sacco: hers, body: { reward: 655, monthly_rewards_max: 7 } };
  change = (await ok(world.call('PUT', '/sacco/referral-terms', proposed))).body.change.id;
  const codes = await ok(world.call('GET', '/client/referals/summary', { as: victim }));
  const brought = await world.person(`${CANARY}brought`, codes.body.referal_code);
  const { database } = world;
  [referral = ''] = await ids(database.owner<{ id: string }[]>`
    update referrals set review = 'held', held_at = now(), held_because = '{same_phone}'
    where referred_id = ${brought.id} returning id`);
  exception = await database.transaction((tx) =>
    openException(tx, { kind: 'second_receipt', receipt: 'SGH7XK2L9P', phone: victim.phone, detail: {} }),
  );
  [proposal = ''] = await ids(database.owner<{ id: string }[]>`
    insert into operator_proposals (id, kind, about_id, beneficiary_id, reason, state, proposed_by, proposed_at, lapses_at)
    values (${database.newId()}, 'money_exception_credit', ${exception}, ${victim.id}, ${`${CANARY} reason`}, 'proposed',
      ${operator.id}, now(), now() + interval '7 days') returning id`);
  [waiting = ''] = await ids(database.owner<{ id: string }[]>`
    insert into saccos (id, name, description, reg_no, type, reg_fee_cents, min_shares, share_value_cents, state, state_at,
      state_by, state_reason, created_by, created_at)
    values (${database.newId()}, ${`${CANARY} Sacco`}, 'A sacco', 'CS/70003', 'sacco', 0, 1, 100, 'rejected', now(),
      ${founder.id}, ${`${CANARY} reason`}, ${founder.id}, now()) returning id`);
  await database.owner`insert into sacco_figures (sacco_id) values (${waiting})`;
  await database.owner`
    insert into sacco_checks (sacco_id, point, note, checked_by, checked_at)
    values (${hers}, 'certificate', ${`${CANARY} note`}, ${operator.id}, now())`;
  await database.owner`update saccos set state_reason = ${`${CANARY} reason`} where id = ${hers}`;
  await ok(world.call('GET', '/operator/saccos', { as: operator }));
  const foreign = { product: world, victim, founder, operator, sacco: hers, canary: CANARY };
  byDomains = gathered(...(await Promise.all(matrixParts.map(({ attacked }) => attacked?.(foreign) ?? {}))));
  isOpen = true;
});
afterAll(() => world.close());

/** The victim has sold shares to the founder, offers more, and waits for a price. */
async function trade(): Promise<void> {
  const place = (as: Person, side: 'buy' | 'sell', price: number) =>
    ok(world.call('POST', '/sacco/order-book-items', { as, body: { sacco: hers, side, shares: 10, price } }));
  const buy = { sacco: hers, shares: 20, amount: 2_000 };
  await ok(world.call('POST', '/sacco/members/pay_shares_amount', { as: victim, body: buy }));
  await ok(world.call('POST', '/sacco/members/join', { as: founder, body: { sacco: hers, ...TERMS } }));
  await place(victim, 'sell', 100);
  await place(founder, 'buy', 100);
  order = (await place(victim, 'sell', 104)).body.order.id;
  const waits = { as: victim, body: { sacco: hers, price: 95 } };
  alert = (await ok(world.call('POST', '/sacco/price-alerts', waits))).body.alert.id;
}

const ids = async (rows: Promise<readonly { id: string }[]>) => (await rows).map(({ id }) => id);

async function ok(answer: Promise<Answer>): Promise<Answer> {
  const got = await answer;
  if (got.status >= 300) throw new Error(`${got.status} ${got.text}`);
  return got;
}

/** How every route of members, officials and operators is asked for what is not the asker's. A new domain says it in its part of the matrix. */
const asked = (): Asked => {
  const reason = { reason: REASON };
  return {
    listMembers: [['/sacco/members', { sacco: hers }]],
    listExits: [['/sacco/exits', { sacco: hers }]],
    countUnseenCards: [['/sacco/identity-checks/waiting', { sacco: hers }]],
    readReferralTerms: [['/sacco/referral-terms', { sacco: hers }]],
    changeReferralTerms: [['/sacco/referral-terms', { sacco: hers, body: { reward: 1, monthly_rewards_max: 1 } }]],
    listSaccoChanges: [[`/sacco/changes?sacco=${hers}`]],
    confirmSaccoChange: [[`/sacco/changes/${change}/confirmation`, { sacco: hers }]],
    refuseSaccoChange: [[`/sacco/changes/${change}/refusal`, { sacco: hers }]],
    withdrawSaccoChange: [[`/sacco/changes/${change}/withdrawal`, { sacco: hers }]],
    readSavings: [['/sacco/savings', { sacco: hers }]],
    readStandingOrder: [['/sacco/savings/standing-order', { sacco: hers }]],
    cancelStandingOrder: [['/sacco/savings/standing-order', { sacco: hers }]],
    readShares: [['/sacco/shares', { sacco: hers }]],
    recordSaccoCheck: [[`/operator/saccos/${hers}/checklist/by_laws`, { body: { note: 'Seen.' } }]],
    listOperatorSaccos: [
      ['/operator/saccos'],
      ['/operator/saccos?search=Alizeti'],
      ['/operator/saccos?status=rejected'],
    ],
    activateSacco: [[`/operator/saccos/${waiting}/activation`, { body: reason }]],
    rejectSacco: [[`/operator/saccos/${hers}/rejection`, { body: reason }]],
    suspendSacco: [[`/operator/saccos/${hers}/suspension`, { body: reason }]],
    upholdSaccoSuspension: [[`/operator/saccos/${hers}/suspension-upholding`, { body: reason }]],
    reinstateSacco: [[`/operator/saccos/${hers}/reinstatement`, { body: reason }]],
    readOrderBook: [['/sacco/order-book', { sacco: hers }]],
    listTrades: [['/sacco/trades', { sacco: hers }]],
    listPriceAlerts: [['/sacco/price-alerts', { sacco: hers }]],
    createPriceAlert: [['/sacco/price-alerts', { body: { sacco: hers, price: 95 } }]],
    listMarkedPairs: [['/sacco/marked-pairs', { sacco: hers }]],
    setMarketTerms: [['/sacco/market-terms', { sacco: hers, body: MARKET_TERMS }]],
    listMoneyExceptions: [['/operator/deposits']],
    resolveMoneyException: [[`/operator/deposits/${exception}/resolution`, { body: { action: 'dismiss', ...reason } }]],
    listProposals: [['/operator/proposals']],
    confirmProposal: [[`/operator/proposals/${proposal}/confirmation`, { body: reason }]],
    refuseProposal: [[`/operator/proposals/${proposal}/refusal`, { body: reason }]],
    objectSignedIn: [[`/client/objections/${proposal}`]],
    listHeldReferrals: [['/operator/referrals']],
    reviewHeldReferral: [[`/operator/referrals/${referral}/review`, { body: { decision: 'deny', ...reason } }]],
    findPeople: [['/operator/people/search', { body: { sought: victim.idNumber } }]],
    listSuspensions: [['/operator/suspensions']],
    decideSuspension: [[`/operator/people/${victim.id}/suspension`, { body: { action: 'suspend', ...reason } }]],
    payOutSuspended: [[`/operator/people/${victim.id}/payout`, { body: { amount: 100, ...reason } }]],
    platformHealth: [['/operator/health']],
    listOperatorActions: [['/operator/actions']],
    // For whoever is signed in, with somebody else's things.
    readSacco: [[`/sacco/${waiting}`], [`/sacco/${hers}`]],
    readSaccoTerms: [[`/sacco/${hers}/terms`]],
    recordOfficial: [[`/sacco/${hers}/officials`, { body: { id_number: mallory.idNumber, office: 'treasurer' } }]],
    cancelOrder: [[`/sacco/order-book-items/${order}`]],
    changeOrder: [[`/sacco/order-book-items/${order}`, { body: { shares: 1 } }]],
    takeOffer: [['/sacco/members/buy-user-shares', { body: { order, shares: 10, price: 110 } }]],
    listOrders: [[`/sacco/order-book-items?sacco=${hers}`]],
    cancelPriceAlert: [[`/sacco/price-alerts/${alert}`]],
    cancelExit: [[`/sacco/members/exit?sacco=${hers}`]],
    readExit: [[`/sacco/members/exit?sacco=${hers}`]],
    listNotifications: [['/client/notifications']],
    listTransactions: [['/client/transactions']],
    listDeposits: [['/integrations/mpesa/deposits']],
    listReferrals: [['/client/referals']],
    ...byDomains,
  };
};

/** Every row in which somebody else is named, or their sacco: where there is one, not one may change. */
async function foreignRows(): Promise<Record<string, string>> {
  const { owner } = world.database;
  const tables = await owner<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`;
  const found: Record<string, string> = {};
  const foreign = [hers, waiting, victim.id, founder.id, exception, referral].map((id) => `%${id}%`);
  for (const { name } of tables) {
    const [row] = await owner<{ hash: string; count: number }[]>`
      select md5(string_agg(t::text, ' ' order by t::text)) as hash, count(*)::int as count
      from ${owner(name)} t where t::text like any (${foreign})`;
    if (row && row.count > 0) found[name] = `${row.count} ${row.hash}`;
  }
  return found;
}

async function askEverything(): Promise<string[]> {
  const seen: string[] = [];
  for (const [name, requests] of Object.entries(asked())) {
    const route = contract.find((one) => one.name === name);
    if (!route) throw new Error(`There is no route ${name}.`);
    for (const [path, sent] of requests) {
      const answer = await world.call(route.method, path, { as: mallory, ...sent });
      if (answer.status >= 500) seen.push(`${name} ${path} answers ${answer.status}: ${answer.text}`);
      const foreign = [
        CANARY,
        victim.phone,
        victim.email,
        victim.idNumber,
        operator.email,
        order,
        '654',
        '655',
        '777',
        '333',
      ];
      const leak = foreign.find((text) => answer.text.includes(text));
      if (leak) seen.push(`${name} ${path} shows a foreign row: ${leak} in ${answer.text.slice(0, 600)}`);
      if (route.method !== 'GET' && answer.status < 400)
        seen.push(`${name} ${path} did what it was asked: ${answer.text}`);
    }
  }
  return seen;
}

test('every route of members, officials and operators is asked here', () => {
  const callers = ['member', 'official', 'operator'];
  // A stream does not end: the matrix listens to it.
  const isAsked = ({ caller, replyType }: (typeof contract)[number]) => callers.includes(caller) && replyType !== 'sse';
  const missing = contract.filter(isAsked).filter(({ name }) => !(name in asked()));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('without the application’s own checks nobody sees or changes a row of another’s sacco', async () => {
  const before = await foreignRows();
  expect(Object.keys(before).length).toBeGreaterThan(15);
  expect(await askEverything()).toEqual([]);
  expect(await foreignRows()).toEqual(before);
});

test('while whoever may, still does: to members their sacco, to officials its members, to operators everything', async () => {
  const members = await ok(world.call('GET', '/sacco/members', { as: founder, sacco: hers }));
  expect(members.text).toContain(victim.phone);
  const names = await ok(world.call('GET', '/sacco/shares', { as: victim, sacco: hers }));
  expect(names.body.holding.shares).toBe(20);
  const mine = await ok(world.call('GET', `/sacco/order-book-items?sacco=${hers}`, { as: victim }));
  expect(mine.body.results.map(({ id }: { id: string }) => id)).toContain(order);
  const held = await ok(world.call('GET', '/operator/referrals', { as: operator }));
  expect(held.text).toContain(`${CANARY}victim`);
  const noted = { as: operator, body: { note: 'Seen by an operator.' } };
  await ok(world.call('PUT', `/operator/saccos/${hers}/checklist/by_laws`, noted));
});

test.each([
  ['referral_terms', /Terms .* foreign row/],
  ['sacco_checks', /readSacco .* foreign row/],
  ['saccos', /foreign row|did what it was asked/],
  ['price_alerts', /createPriceAlert .* did what it was asked/],
])('it goes red when the row security of %s is off', async (table, expected) => {
  const { owner } = world.database;
  await owner`alter table ${owner(table)} disable row level security`;
  try {
    expect((await askEverything()).join('\n')).toMatch(expected);
  } finally {
    await owner`alter table ${owner(table)} enable row level security`;
  }
});
