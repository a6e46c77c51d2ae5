import { randomUUID } from 'node:crypto';
import { fastHash } from '../../server/domains/identity/codes.rules.ts';
import { inSuspense } from '../../server/domains/operator/test-operators.ts';
import type { SaccoParticulars } from '../../server/domains/saccos/register-sacco.ts';
import { registerSacco } from '../../server/domains/saccos/register-sacco.ts';
import { rejectSacco } from '../../server/domains/saccos/reject-sacco.ts';
import { suspendSacco } from '../../server/domains/saccos/suspend-sacco.ts';
import { TERMS as SACCO_TERMS } from '../../server/domains/saccos/test-saccos.ts';
import { openException } from '../../server/domains/wallet/money-exceptions.ts';
import { agreed } from '../../server/domains/wallet/test-payers.ts';
import { matrixParts } from '../domains.ts';
import { CALLBACK_SECRET, type Product } from '../support/product.ts';
import { type Cast, type Member, must, tokenOf } from './cast.ts';
import { type Kind, type Kinds, NOBODYS } from './domain-part.ts';

/** What there is to be asked for: each thing once for the owner, for a fellow member, and for a member of the other sacco. */
export async function raiseObjects(product: Product, cast: Cast): Promise<Kinds> {
  const owners = { hers: cast.person('owner'), his: cast.person('fellow'), foreign: cast.person('other') };
  await raiseShares(product, cast);
  const things = {
    hers: await raiseThings(product, owners.hers, cast.saccos.A, '1'),
    his: await raiseThings(product, owners.his, cast.saccos.A, '2'),
    foreign: await raiseThings(product, owners.foreign, cast.saccos.B, '3'),
  };
  const each = (name: keyof (typeof things)['hers']): Kind => ({
    objects: { hers: things.hers[name], his: things.his[name], foreign: things.foreign[name], ...NOBODYS },
  });
  const market = await raiseMarket(product, cast);
  const raised: Record<string, Kind> = {};
  for (const { raise } of matrixParts) Object.assign(raised, await raise?.(product, cast));
  await raiseSuspensions(product, cast);
  const rejected = await raiseSaccos(product, cast, 'rejected');
  const waiting = await raiseSaccos(product, cast, 'waiting');
  await logos(product, [...Object.values(cast.saccos), rejected.hers]);
  await product.database.owner`delete from throttles`;
  return {
    sacco: {
      objects: { ...cast.saccos, waiting: waiting.hers, rejected: rejected.hers, ...NOBODYS },
      isPublic: true,
    },
    'waiting sacco': { objects: { ...waiting, rejected: rejected.foreign, ...NOBODYS }, isPublic: true },
    'rejected sacco': { objects: { ...rejected, ...NOBODYS } },
    'suspended sacco': { objects: { ...(await raiseSaccos(product, cast, 'suspended')), ...NOBODYS }, isPublic: true },
    deposit: each('deposit'),
    withdrawal: each('withdrawal'),
    claim: each('claim'),
    'prompt consent': each('promptConsent'),
    session: each('session'),
    notification: {
      objects: { ...each('notification').objects, mixed: `${things.hers.notification},${things.foreign.notification}` },
    },
    'status query': each('statusQuery'),
    'float comparison': { objects: { todays: await raiseComparison(product), ...NOBODYS } },
    'office invitation': { objects: { ...(await raiseInvitations(product, cast, waiting)), ...NOBODYS } },
    journal: { objects: { ...each('journal').objects, nonexistent: '999999999' } },
    order: { objects: { ...market.orders, ...NOBODYS } },
    trade: { objects: { ...market.trades, ...NOBODYS } },
    'price alert': { objects: { ...market.alerts, ...NOBODYS } },
    'sacco change': { objects: { ...(await raiseChanges(product, cast)), ...NOBODYS } },
    ...raised,
    'money exception': { objects: { ...(await raiseExceptions(product, cast)), ...NOBODYS } },
    ...(await raiseProposals(product, cast)),
    person: {
      objects: {
        self: (asker) => asker?.id ?? cast.person('owner').id,
        another: cast.person('bystander').id,
        ...NOBODYS,
      },
    },
    secret: { objects: { right: CALLBACK_SECRET, wrong: 'b0b'.repeat(12), short: 'a11acc' } },
  };
}

/** Two accounts of people who never ask. */
async function raiseSuspensions({ database }: Product, cast: Cast): Promise<void> {
  const lapsesAt = new Date(database.now().getTime() + 14 * 86_400_000);
  await database.owner`
    insert into account_suspensions (id, user_id, suspended_by, suspended_at, reason, lapses_at)
    select gen_random_uuid(), id, ${cast.person('operator').id}, ${database.now()}, 'Looked at.', ${lapsesAt}
    from users where first_name in ('Qzreferred', 'Qzforeignreferred')`;
}

async function raiseShares(product: Product, cast: Cast): Promise<void> {
  for (const [name, side] of [
    ['owner', 'A'],
    ['other', 'B'],
  ] as const) {
    const sacco = cast.saccos[side];
    const sent = (path: string, body: object) =>
      must(product.call('POST', path, { as: cast.person(name), body: { sacco, ...body } }));
    for (let times = 0; times < 2; times += 1) {
      await sent('/sacco/members/pay_shares_amount', { shares: 10, amount: 1_000 });
      await sent('/sacco/savings/deposit', { amount: 250 });
    }
    await sent('/sacco/savings/standing-order', { amount: 100, day: 5 });
  }
}

/**
 * Each of three people has sold ten shares twice, offers ten more that wait, has an order that is cancelled, and asks to be
 * told of a price. The owner offers at less than the fellow: whoever takes the fellow's offer meets the owner's first.
 */
async function raiseMarket(product: Product, cast: Cast) {
  const raise = async (seller: string, buyer: string, side: 'A' | 'B', price: number) => {
    const sacco = cast.saccos[side];
    const post = async (name: string, path: string, body: object) =>
      (await must(product.call('POST', path, { as: cast.person(name), body: { sacco, ...body } }))).body;
    const place = (name: string, order: object) => post(name, '/sacco/order-book-items', { shares: 10, ...order });
    await post(seller, '/sacco/members/pay_shares_amount', { shares: 50, amount: 5_000 });
    for (let times = 0; times < 2; times += 1) await place(seller, { side: 'sell', price: 100 });
    const bought = [await place(buyer, { side: 'buy', price: 100 }), await place(buyer, { side: 'buy', price: 100 })];
    const given = await place(seller, { side: 'sell', price: 110 });
    const as = cast.person(seller);
    await must(product.call('DELETE', `/sacco/order-book-items/${given.order.id}`, { as }));
    const { order } = await place(seller, { side: 'sell', price });
    const { alert } = await post(seller, '/sacco/price-alerts', { price: 92 });
    return { order: order.id as string, trade: bought[0].trades[0].id as string, alert: alert.id as string };
  };
  const hers = await raise('owner', 'bystander', 'A', 103);
  const his = await raise('fellow', 'bystander', 'A', 104);
  const foreign = await raise('other', 'chair of B', 'B', 103);
  return {
    orders: { hers: hers.order, his: his.order, foreign: foreign.order },
    trades: { hers: hers.trade, his: his.trade, foreign: foreign.trade },
    alerts: { hers: hers.alert, his: his.alert, foreign: foreign.alert },
  };
}

/** One of everything that belongs to a person, and two of what is listed. */
async function raiseThings(product: Product, person: Member, sacco: string, mark: string) {
  const { owner } = product.database;
  const post = (path: string, body: object) => must(product.call('POST', path, { as: person, body }));
  const deposits = [];
  for (const end of ['1', '2']) {
    const phone = `25479900${mark}00${end}`;
    await agreed(product.database, person.id, phone);
    deposits.push(await post('/integrations/mpesa/deposit', { amount: 10, phone }));
  }
  const withdrawal = await post('/integrations/mpesa/withdraw', { amount: 100, phone: person.phone });
  const claim = await post('/integrations/mpesa/transaction-checker', {
    transaction_id: `SGH7XK2L9${mark}`,
    phone_number: person.phone,
  });
  const saved = await post('/sacco/savings/deposit', { sacco, amount: 50 });
  const [session] = await owner<{ id: string }[]>`
    select id from sessions where token_hash = ${fastHash(await tokenOf(product, person))}`;
  const [consent] = await owner<{ id: string }[]>`
    select id from prompt_consents where user_id = ${person.id} order by phone limit 1`;
  const [notification] = await owner<{ id: string }[]>`
    select id from notifications where user_id = ${person.id} order by id limit 1`;
  await owner`
    insert into notifications (id, user_id, topic, template, text, created_at)
    values (${randomUUID()}, ${person.id}, 'money', 'matrix', 'Only you may read this.', ${product.database.now()})`;
  const [query] = await owner<{ id: string }[]>`
    select id from status_queries where about_id = ${claim.body.claim.id}`;
  return {
    deposit: deposits[0]?.body.deposit.id as string,
    withdrawal: withdrawal.body.withdrawal.id as string,
    claim: claim.body.claim.id as string,
    promptConsent: consent?.id as string,
    journal: saved.body.receipt.journal as string,
    session: session?.id as string,
    notification: notification?.id as string,
    statusQuery: query?.id as string,
  };
}

/** M-Pesa has been asked what it holds, and has not answered. */
async function raiseComparison({ database }: Product): Promise<string> {
  const [id, now] = [randomUUID(), database.now()];
  await database.owner`
    insert into float_comparisons (id, day, state, asks, next_ask_at, asked_at, conversation_id, created_at)
    values (${id}, '2020-01-01', 'open', 1, 'infinity', ${now}, 'AG_matrix', ${now})`;
  return id;
}

/** In each sacco an official's new name waits for a second official. */
async function raiseChanges(product: Product, cast: Cast) {
  const { owner, now } = product.database;
  const raise = async (name: string) => {
    const { id: userId, firstName } = cast.person(name);
    const id = randomUUID();
    const [before, after] = [
      { first_name: firstName, last_name: 'Attacked' },
      { first_name: firstName, last_name: 'New' },
    ];
    await owner`
      insert into sacco_changes (id, kind, proposed_by, proposed_at, payload, expected, state)
      values (${id}, 'official_name', ${userId}, ${now()}, ${owner.json(after)}, ${owner.json(before)}, 'proposed')`;
    return id;
  };
  return { hers: await raise('treasurer of A'), foreign: await raise('treasurer of B') };
}

async function raiseExceptions(product: Product, cast: Cast) {
  const open = (name: string, receipt: string) =>
    product.database.transaction((tx) =>
      openException(tx, {
        kind: 'unknown_deposit',
        receipt,
        phone: cast.person(name).phone,
        amountCents: 100_00,
        detail: {},
      }),
    );
  return { open: await open('owner', 'SGH7XK2M91'), 'another open': await open('other', 'SGH7XK2M92') };
}

/**
 * What another operator proposed: the owner's and the other's payments in suspense are to go to a fellow member. Two are
 * open, and two are confirmed and wait for their payers to object.
 */
async function raiseProposals(product: Product, cast: Cast) {
  const { database } = product;
  const { owner, now, newId } = database;
  const [first, second] = [await product.operator('Qzfirstoperator'), await product.operator('Qzsecondoperator')];
  const in48Hours = new Date(now().getTime() + 48 * 3_600_000);
  const propose = async (payer: string, receipt: string, isConfirmed: boolean) => {
    const { phone } = cast.person(payer);
    const exception = await inSuspense(database, { amountCents: 4_321_00, receipt, phone, claimedBy: null });
    const id = newId();
    const dueAt = isConfirmed ? in48Hours : null;
    await owner`
      insert into operator_proposals
        (id, kind, about_id, beneficiary_id, amount_cents, reason, state, proposed_by, proposed_at, lapses_at, confirmed_by,
         confirmed_at, confirmation, due_at)
      values (${id}, 'money_exception_credit', ${exception}, ${cast.person('bystander').id}, 432100, 'Customer called',
              ${isConfirmed ? 'waiting' : 'proposed'}, ${first.id}, ${now()}, ${in48Hours}, ${isConfirmed ? second.id : null},
              ${isConfirmed ? now() : null}, ${isConfirmed ? 'So it is' : null}, ${dueAt})`;
    if (isConfirmed) {
      await owner`
        insert into payer_notices (proposal_id, phone, code_hash, told_at, expires_at)
        values (${id}, ${phone}, ${fastHash(receipt)}, ${now()}, ${in48Hours})`;
    }
    return id;
  };
  const open = {
    open: await propose('owner', 'SGH7XK2N91', false),
    'another open': await propose('other', 'SGH7XK2N92', false),
  };
  const disputed = {
    hers: await propose('owner', 'SGH7XK2N93', true),
    foreign: await propose('other', 'SGH7XK2N94', true),
  };
  return {
    // Operators read all proposals: nobody else comes to them.
    proposal: { objects: { ...open, ...NOBODYS }, isPublic: true },
    'disputed payment': { objects: { ...disputed, ...NOBODYS } },
  };
}

/** The code of every invitation, as an SMS would have brought it. */
export const INVITATION_CODE = 'ABCD-EFGH-1234-5678';

/** Three people are asked to take up an office in a sacco that waits. */
async function raiseInvitations(
  product: Product,
  cast: Cast,
  saccos: { readonly hers: string; readonly foreign: string },
) {
  const { owner, now, newId } = product.database;
  const ask = async (name: string, sacco: string, founder: string) => {
    const id = newId();
    const expiresAt = new Date(now().getTime() + 7 * 86_400_000);
    await owner`
      insert into office_invitations (id, sacco_id, office, id_number, invited_by, code_hash, created_at, expires_at)
      values (${id}, ${sacco}, 'credit_committee', ${cast.person(name).idNumber}, ${cast.person(founder).id},
              ${fastHash(`${id}:${INVITATION_CODE.replaceAll('-', '')}`)}, ${now()}, ${expiresAt})`;
    return id;
  };
  return {
    hers: await ask('owner', saccos.hers, 'founder'),
    his: await ask('fellow', saccos.hers, 'founder'),
    foreign: await ask('other', saccos.foreign, 'founder of B'),
  };
}

/** Hers is the founder's of A, foreign the founder's of B. */
async function raiseSaccos(product: Product, cast: Cast, state: 'waiting' | 'rejected' | 'suspended') {
  const { database } = product;
  const operator = { userId: cast.person('operator').id };
  const raise = async (founder: string, mark: string) => {
    const userId = cast.person(founder).id;
    const words: SaccoParticulars = { ...SACCO_TERMS, name: `${state} of ${founder}`, regNo: `CS/8${mark}` };
    if (state === 'suspended') {
      const saccoId = await product.saccos.sacco(userId, operator.userId, words);
      // By another, so that the operator of the cast may uphold it.
      const { id: another } = await product.operator('Qzsuspender');
      await database.transaction((tx) => suspendSacco(tx, { userId: another }, { saccoId, reason: 'Looked at.' }));
      return saccoId;
    }
    const { id } = await database.transaction((tx) => registerSacco(tx, { userId }, { ...words, logo: null }));
    if (state === 'rejected') {
      await database.transaction((tx) => rejectSacco(tx, operator, { saccoId: id, reason: 'Not complete.' }));
    }
    return id;
  };
  const number = { waiting: 1, rejected: 2, suspended: 3 }[state];
  return { hers: await raise('founder', `${number}1`), foreign: await raise('founder of B', `${number}2`) };
}

async function logos(product: Product, saccos: readonly string[]): Promise<void> {
  const { owner, now } = product.database;
  for (const sacco of saccos) {
    await owner`insert into sacco_logos (sacco_id, webp, created_at) values (${sacco}, 'RIFF0000WEBPVP8 ', ${now()})`;
    await owner`update saccos set logo_version = '0123456789abcdef' where id = ${sacco}`;
  }
}
