import { membershipContract } from '@ushirika/contract/membership';
import { fromStored } from '@ushirika/contract/sentence';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asPerson } from '../../db/person.ts';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { officesOf } from '../saccos/offices.ts';
import { publicFigures } from '../saccos/public-figures.ts';
import { suspendSacco } from '../saccos/suspend-sacco.ts';
import { testSaccos } from '../saccos/test-saccos.ts';
import { depositSavings } from '../savings/deposit-savings.ts';
import { savingsLeavingEffects } from '../savings/leaving-effects.ts';
import { sharesInvariants } from '../shares/shares.invariants.ts';
import { membershipRoutes } from './membership.routes.ts';
import { settleExits } from './settle-exits.ts';
import { standings } from './standings.ts';
import { tellOfEndedOffices } from './tell-of-ended-offices.ts';

const DAY = 86_400_000;
const noBlocks = async () => [];
const blockOf = (words: string) => ({ text: fromStored(words), at: { kind: 'guarantees' as const } });

let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let people: ReturnType<typeof testPeople>;
let saccos: ReturnType<typeof testSaccos>;
let founder: string;
let operator: string;
const joined: string[] = [];
let blocks: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  saccos = testSaccos(database);
  founder = await people.person('Wanjiru', 'Kamau');
  operator = await people.person('Operator');
  await database.owner`insert into operators (user_id, granted_at) values (${operator}, ${database.now()})`;
  app = await testApp({
    database,
    contract: membershipContract,
    bindings: membershipRoutes({
      database,
      publicUrl: 'https://ushirika.test',
      afterJoined: async (_tx, { userId }) => void joined.push(userId),
      exitBlocks: async () => blocks.map(blockOf),
      leavingEffects: savingsLeavingEffects,
    }),
    standingOf: standings(database),
  });
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const terms = (sacco: string) => ({ sacco, reg_fee: 500, min_shares: 10, share_value: 100, total: 500 });
const walletCentsOf = async (owner: string) =>
  (await balances(database, [{ book: PLATFORM_BOOK, kind: 'wallet', owner }]))[0];
/** What the operator was told of officials of a sacco who are too few. */
const heardOf = async (sacco: string) =>
  (
    await database.owner<{ text: string }[]>`
      select n.text from notifications n join saccos s on n.text like s.name || ':%'
      where s.id = ${sacco} and n.user_id = ${operator} and n.template = 'officials_too_few' order by n.id`
  ).map(({ text }) => text);
const deposit = (userId: string, saccoId: string, amountCents: number) =>
  database.transaction((tx) => depositSavings(tx, [{ userId, saccoId, amountCents }]));

describe('joining', () => {
  test('the fee leaves the wallet, is the sacco’s income, and the person is a provisional member', async () => {
    const sacco = await saccos.sacco(founder, operator);
    const me = await people.person('Achieng', 'Otieno');
    await saccos.fund(me, 2_000_00);
    const answer = await app.call('POST', '/sacco/members/join', { as: me, body: terms(sacco), key: 'join-1' });
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, membership: { sacco, state: 'provisional' }, receipt: { amount: 500 } },
    });
    expect(await walletCentsOf(me)).toBe(1_500_00);
    const [fees, cash] = await balances(database, [
      { book: sacco, kind: 'fee_income', owner: null },
      { book: sacco, kind: 'cash', owner: null },
    ]);
    expect([fees, cash]).toEqual([500_00, 500_00]);
    expect(joined).toContain(me);
    const again = await app.call('POST', '/sacco/members/join', { as: me, body: terms(sacco), key: 'join-1' });
    expect(again.body).toEqual(answer.body);
    const other = await app.call('POST', '/sacco/members/join', { as: me, body: terms(sacco), key: 'join-2' });
    expect(other).toMatchObject({ status: 409, body: { message: 'You are already a member of this sacco.' } });
  });

  test('twice at once is one membership and one fee', async () => {
    const sacco = await saccos.sacco(founder, operator);
    const me = await people.person('Twice');
    await saccos.fund(me, 2_000_00);
    const answers = await Promise.all(
      ['a', 'b'].map((key) => app.call('POST', '/sacco/members/join', { as: me, body: terms(sacco), key })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await walletCentsOf(me)).toBe(1_500_00);
    const [figures] = await database.sql`select members from sacco_figures where sacco_id = ${sacco}`;
    expect(figures?.members).toBe(1);
  });

  test('terms that have changed are refused with the new ones', async () => {
    const sacco = await saccos.sacco(founder, operator);
    const me = await people.person('Late');
    for (const change of [{ reg_fee: 400 }, { min_shares: 9 }, { share_value: 99.5 }, { total: 1500 }]) {
      const answer = await app.call('POST', '/sacco/members/join', { as: me, body: { ...terms(sacco), ...change } });
      expect(answer).toMatchObject({
        status: 409,
        body: { code: 'terms_changed', terms: { reg_fee: 500, min_shares: 10, share_value: 100, total: 500 } },
      });
    }
  });

  test('an empty wallet joins nothing and leaves nothing behind', async () => {
    const sacco = await saccos.sacco(founder, operator);
    const me = await people.person('Broke');
    const answer = await app.call('POST', '/sacco/members/join', { as: me, body: terms(sacco) });
    expect(answer).toMatchObject({
      status: 422,
      body: { message: 'Not enough money in your wallet: joining costs Ksh.\u00a0500.00.' },
    });
    const rows = await database.sql`select from memberships where user_id = ${me}`;
    expect(rows.length).toBe(0);
    const [figures] = await database.sql`select members from sacco_figures where sacco_id = ${sacco}`;
    expect(figures?.members).toBe(0);
  });

  test('a sacco that is not active, or not there, cannot be joined', async () => {
    const me = await people.person('Eager');
    const sacco = await saccos.sacco(founder, operator);
    await database.transaction((tx) => suspendSacco(tx, { userId: operator }, { saccoId: sacco, reason: 'Audit.' }));
    const answer = await app.call('POST', '/sacco/members/join', { as: me, body: terms(sacco) });
    expect(answer).toMatchObject({ status: 422, body: { code: 'sacco_inactive' } });
    const nowhere = await app.call('POST', '/sacco/members/join', { as: me, body: terms(database.newId()) });
    expect(nowhere.status).toBe(404);
  });

  test('a sacco without a fee is joined without a journal', async () => {
    const sacco = await saccos.sacco(founder, operator, { regFeeCents: 0 });
    const me = await people.person('Free');
    const body = { ...terms(sacco), reg_fee: 0, total: 0 };
    const answer = await app.call('POST', '/sacco/members/join', { as: me, body });
    expect(answer).toMatchObject({ status: 200, body: { receipt: null } });
  });

  test('the founder joins like everybody else', async () => {
    const sacco = await saccos.sacco(founder, operator);
    await saccos.fund(founder, 500_00);
    expect(await standings(database)(founder, sacco)).toMatchObject({ isMember: false, offices: ['chair'] });
    expect((await app.call('POST', '/sacco/members/join', { as: founder, body: terms(sacco) })).status).toBe(200);
  });
});

describe('the members', () => {
  test('members see names; officials see particulars, and that they looked is kept; strangers see nothing', async () => {
    const sacco = await saccos.sacco(founder, operator);
    const ids = [founder, await people.person('Baraka', 'Mwangi'), await people.person('Chebet', 'Koech')];
    for (const id of ids) {
      database.world.advance(1);
      await saccos.join(sacco, id);
    }
    const [, member = ''] = ids;
    const first = await app.call('GET', '/sacco/members?limit=2', { as: member, sacco });
    expect(first.body.count).toBe(3);
    expect(first.body.results[1]).toEqual({
      id: expect.any(String),
      first_name: 'Baraka',
      last_name: 'Mwangi',
      former_name: null,
      joined_month: '2026-03',
      is_me: true,
      offices: [],
    });
    const rest = await app.call('GET', first.body.next.replace('https://ushirika.test/api/v1', ''), {
      as: member,
      sacco,
    });
    expect(rest.body.results.map((row: { first_name: string }) => row.first_name)).toEqual(['Chebet']);
    const official = await app.call('GET', '/sacco/members', { as: founder, sacco });
    expect(official.body.results[0]).toMatchObject({ offices: ['chair'], state: 'provisional', shares: 0, savings: 0 });
    const readings = await database.sql`select read_by, members from member_record_readings where sacco_id = ${sacco}`;
    expect(readings).toMatchObject([{ read_by: founder, members: ids }]);
    const stranger = await app.call('GET', '/sacco/members', { as: operator, sacco });
    expect(stranger).toMatchObject({ status: 403, body: { code: 'not_a_member' } });
  });

  test('a chair who is no member reads the list of the office, and that it was read is kept', async () => {
    const sacco = await saccos.sacco(founder, operator);
    const member = await people.person('Baraka', 'Mwangi');
    await saccos.join(sacco, member);
    const list = await app.call('GET', '/sacco/members', { as: founder, sacco });
    expect(list.body.results).toMatchObject([{ first_name: 'Baraka', state: 'provisional', shares: 0, savings: 0 }]);
    const readings = await database.sql`select read_by, members from member_record_readings where sacco_id = ${sacco}`;
    expect(readings).toMatchObject([{ read_by: founder, members: [member] }]);
    const elsewhere = await saccos.sacco(await people.person('Zuhura', 'Ali'), operator);
    const other = await app.call('GET', '/sacco/members', { as: founder, sacco: elsewhere });
    expect(other).toMatchObject({ status: 403, body: { code: 'not_a_member' } });
  });

  test('are listed with the name before for 90 days, to members of the sacco alone', async () => {
    const sacco = await saccos.sacco(founder, operator);
    const [one, other] = [await people.person('Baraka', 'Mwangi'), await people.person('Chebet', 'Koech')];
    for (const id of [one, other]) await saccos.join(sacco, id);
    await database.owner`update users set first_name = 'Peter', updated_at = ${database.now()} where id = ${one}`;
    const list = async () => (await app.call('GET', '/sacco/members', { as: other, sacco })).body.results;
    expect(await list()).toContainEqual(
      expect.objectContaining({
        first_name: 'Peter',
        former_name: { name: 'Baraka Mwangi', until: expect.anything() },
      }),
    );
    // A stranger who shares no sacco with the member reads no former name.
    const asked = (userId: string) =>
      asPerson(
        { userId },
        () => database.sql<{ said: unknown }[]>`select former_name(${one}, ${database.now()}) as said`,
      );
    expect((await asked(other))[0]?.said).not.toBeNull();
    expect((await asked(await people.person('Stranger')))[0]?.said).toBeNull();
  });

  test('a part of the name narrows the list, in any case, and its signs mean themselves', async () => {
    const sacco = await saccos.sacco(founder, operator);
    const [asker = '', ...others] = [
      await people.person('Baraka', 'Mwangi'),
      await people.person('Chebet', 'Koech'),
      await people.person('Wanjiku', 'Mwangi'),
      await people.person('Odd%', 'Na_me'),
    ];
    for (const id of [asker, ...others]) {
      database.world.advance(1);
      await saccos.join(sacco, id);
    }
    const named = async (name: string) => {
      const query = new URLSearchParams({ name, limit: '1' });
      const { body } = await app.call('GET', `/sacco/members?${query}`, { as: asker, sacco });
      return [body.count, body.results[0]?.first_name, body.next === null];
    };
    expect(await named('MWANG')).toEqual([2, 'Baraka', false]);
    expect(await named('ku Mw')).toEqual([1, 'Wanjiku', true]);
    expect(await named('%')).toEqual([1, 'Odd%', true]);
    expect(await named('a_m')).toEqual([1, 'Odd%', true]);
    expect(await named('nobody')).toEqual([0, undefined, true]);
    const second = await app.call('GET', '/sacco/members?name=mwangi&limit=1', { as: asker, sacco });
    const next = second.body.next.replace('https://ushirika.test/api/v1', '');
    expect((await app.call('GET', next, { as: asker, sacco })).body.results[0].first_name).toBe('Wanjiku');
  });

  test('officials find a member by a part of the ID number or the phone, and other members do not', async () => {
    const sacco = await saccos.sacco(founder, operator);
    const [one, other] = [await people.person('Amina'), await people.person('Baraka')];
    for (const id of [one, other]) await saccos.join(sacco, id);
    const [amina] = await database.owner<{ id_number: string; phone: string }[]>`
      select id_number, phone from users where id = ${one}`;
    const found = async (as: string, name: string) => {
      const { body } = await app.call('GET', `/sacco/members?${new URLSearchParams({ name })}`, { as, sacco });
      return body.results.map(({ first_name }: { first_name: string }) => first_name);
    };
    const local = `0${amina?.phone.slice(3)}`;
    for (const sought of [amina?.id_number ?? '', local, `+${amina?.phone}`]) {
      expect(await found(founder, sought), sought).toEqual(['Amina']);
      expect(await found(other, sought), sought).toEqual([]);
    }
  });

  test('look-ups of one turn are answered together, each with its own', async () => {
    const sacco = await saccos.sacco(founder, operator);
    const me = await people.person('Member');
    await saccos.join(sacco, me);
    const standingOf = standings(database);
    const [mine, founders, stranger] = await Promise.all([
      standingOf(me, sacco),
      standingOf(founder, sacco),
      standingOf(operator, sacco),
    ]);
    expect(mine).toEqual({ member: 'provisional', isMember: true, offices: [] });
    expect(founders).toEqual({ member: null, isMember: false, offices: ['chair'] });
    expect(stranger).toEqual({ member: null, isMember: false, offices: [] });
  });
});

describe('rating', () => {
  test('members of 90 days rate once and may change their mind; officials, newcomers and leavers do not', async () => {
    const sacco = await saccos.sacco(founder, operator);
    const old = await people.person('Old');
    const young = await people.person('Young');
    await saccos.join(sacco, old, new Date(database.now().getTime() - 90 * DAY));
    await saccos.join(sacco, young, new Date(database.now().getTime() - 89 * DAY));
    await saccos.join(sacco, founder, new Date(database.now().getTime() - 400 * DAY));
    const inFullRights = (...ids: string[]) =>
      database.sql`update memberships set state = 'active', paid_up_at = joined_at where user_id = any (${ids})`;
    await inFullRights(young);
    const rate = (as: string, stars: number) => app.call('POST', `/sacco/${sacco}/rating`, { as, body: { stars } });
    expect((await rate(old, 5)).body).toMatchObject({
      code: 'full_rights_required',
      message: 'Buy the minimum shares first: only members in full rights rate their sacco.',
    });
    await inFullRights(old);
    expect((await rate(old, 5)).body.rating).toEqual({ score: 3.18, count: 1 });
    expect((await rate(old, 1)).body.rating).toEqual({ score: 2.82, count: 1 });
    expect((await rate(young, 5)).body).toMatchObject({
      code: 'rating_too_early',
      message: 'Members may rate a sacco after 90 days of membership: in 1 day.',
    });
    expect((await rate(founder, 5)).body.message).toBe('Officials do not rate their own sacco.');
    expect((await rate(operator, 5)).body.code).toBe('not_a_member');
    expect((await rate(old, 6)).status).toBe(400);
    await app.call('POST', '/sacco/members/exit', { as: old, body: { sacco } });
    expect((await rate(old, 1)).body).toMatchObject({
      code: 'full_rights_required',
      message: 'You have given notice: only members in full rights rate their sacco.',
    });
  });
});

describe('leaving', () => {
  async function saver(savings = 3_000_00) {
    const sacco = await saccos.sacco(founder, operator);
    const me = await people.person('Leaver');
    await saccos.fund(me, 10_000_00);
    expect((await app.call('POST', '/sacco/members/join', { as: me, body: terms(sacco) })).status).toBe(200);
    if (savings > 0) await deposit(me, sacco, savings);
    return { sacco, me };
  }

  test('officials see who leaves, the first to be paid back first, with the days that are left', async () => {
    blocks = [];
    const { sacco, me } = await saver();
    const secretary = await people.person('Secretary');
    await people.official(sacco, secretary, 'secretary');
    const seen = async (as: string) => (await app.call('GET', '/sacco/exits', { as, sacco })).body;
    expect(await seen(secretary)).toEqual({ results: [] });
    await app.call('POST', '/sacco/members/exit', { as: me, body: { sacco } });
    database.world.advance(10 * DAY);
    expect((await seen(secretary)).results).toMatchObject([{ days_left: 50, overdue: false, by_vote: false }]);
    expect((await seen(me)).code).toBe('not_allowed');
    blocks = ['You guarantee a loan.'];
    database.world.advance(51 * DAY);
    await settleExits(database, async () => blocks.map(blockOf));
    expect((await seen(secretary)).results).toMatchObject([{ days_left: 0, overdue: true, has_savings: true }]);
    blocks = [];
    await settleExits(database, noBlocks);
    expect(await seen(secretary)).toEqual({ results: [] });
  });

  test('officials are told of a leaver without savings that nothing is to be paid back', async () => {
    blocks = [];
    const { sacco, me } = await saver(0);
    const secretary = await people.person('Secretary');
    await people.official(sacco, secretary, 'secretary');
    await app.call('POST', '/sacco/members/exit', { as: me, body: { sacco } });
    const { body } = await app.call('GET', '/sacco/exits', { as: secretary, sacco });
    expect(body.results).toMatchObject([{ days_left: 60, has_savings: false }]);
  });

  test('60 days after the notice the savings are back in the wallet, once, and the membership is over', async () => {
    blocks = [];
    const { sacco, me } = await saver();
    expect((await app.call('GET', '/sacco/members/exit', { as: me, sacco })).body).toEqual({
      exit: null,
      notice: { offices: [], left_empty: [], effects: [], blocked_by: [] },
    });
    const asked = await app.call('POST', '/sacco/members/exit', { as: me, body: { sacco } });
    expect(asked).toMatchObject({
      status: 201,
      body: { exit: { state: 'requested', days_left: 60, overdue: false, deposits: 3000, blocked_by: [] } },
    });
    const twice = await app.call('POST', '/sacco/members/exit', { as: me, body: { sacco } });
    expect(twice.body.code).toBe('exit_conflict');
    const [refusal] = await deposit(me, sacco, 100);
    expect(refusal).toMatchObject({ code: 'exit_conflict' });
    database.world.advance(60 * DAY - 1);
    await settleExits(database, noBlocks);
    expect(await walletCentsOf(me)).toBe(6_500_00);
    database.world.advance(1);
    await Promise.all([settleExits(database, noBlocks), settleExits(database, noBlocks)]);
    expect(await walletCentsOf(me)).toBe(9_500_00);
    const done = await app.call('GET', `/sacco/members/exit?sacco=${sacco}`, { as: me });
    expect(done.body.exit).toMatchObject({
      state: 'completed',
      refund: 3000,
      shares: 0,
      shares_note: 'You hold no shares.',
    });
    expect(await standings(database)(me, sacco)).toMatchObject({ isMember: false });
    const [figures] = await database.sql`select members from sacco_figures where sacco_id = ${sacco}`;
    expect(figures?.members).toBe(0);
    const back = await app.call('POST', '/sacco/members/join', { as: me, body: terms(sacco) });
    expect(back).toMatchObject({ status: 200, body: { membership: { state: 'provisional' } } });
    expect(await walletCentsOf(me)).toBe(9_000_00);
  });

  test('ends the offices here at once, the others hear of it, and taking it back brings none back', async () => {
    const sacco = await saccos.sacco(founder, operator);
    const me = await people.person('Leah', 'Official');
    const [secretary, elsewhere] = [await people.person('Secretary'), await saccos.sacco(founder, operator)];
    await people.official(sacco, me, 'treasurer');
    await people.official(sacco, secretary, 'secretary');
    await people.official(elsewhere, me, 'treasurer');
    const held = async () => (await officesOf(database, me, null)).map(({ saccoId }) => saccoId);
    const told = async (of: string) =>
      (await database.owner`select text from notifications where user_id = ${of} and template = 'office_ended'`).map(
        ({ text }) => text,
      );
    expect(await held()).toEqual([sacco, elsewhere]);
    const leaves = async (as: string) => {
      await saccos.fund(as, 500_00);
      await app.call('POST', '/sacco/members/join', { as, body: terms(sacco) });
      // The offices that the notice ends are named before it is given.
      const notice = async () => (await app.call('GET', `/sacco/members/exit?sacco=${sacco}`, { as })).body.notice;
      if (as === me) expect(await notice()).toMatchObject({ offices: ['treasurer'], left_empty: ['treasurer'] });
      const { status } = await app.call('POST', '/sacco/members/exit', { as, body: { sacco } });
      expect(await notice()).toBeNull();
      for (let run = 0; run < 2; run += 1) await tellOfEndedOffices(database, { user: as, sacco });
      return status;
    };
    expect(await leaves(me)).toBe(201);
    expect(await held()).toEqual([elsewhere]);
    const [news, own] = [await told(secretary), await told(me)];
    expect([news, own]).toMatchObject([{ length: 1 }, { length: 1 }]);
    expect(news[0]).toMatch(/: Leah Official has given notice and is no longer treasurer\.$/);
    expect(own[0]).toMatch(/^With your notice to .* your office has ended: treasurer\.$/);
    expect((await app.call('DELETE', `/sacco/members/exit?sacco=${sacco}`, { as: me })).status).toBe(200);
    expect(await held()).toEqual([elsewhere]);
    expect(await heardOf(sacco)).toEqual([]);
    // Somebody without an office tells nobody.
    const plain = await people.person('Plain');
    expect(await leaves(plain)).toBe(201);
    expect([await told(secretary), await told(plain)]).toMatchObject([{ length: 1 }, { length: 0 }]);
  });

  test('is told to operators where it leaves a sacco without a chair, or with fewer than two officials', async () => {
    const chair = await people.person('Chair');
    const [sacco, secretary, treasurer] = [
      await saccos.sacco(chair, operator),
      await people.person('Secretary'),
      await people.person('Treasurer'),
    ];
    await people.official(sacco, secretary, 'secretary');
    await people.official(sacco, treasurer, 'treasurer');
    // Who is suspended cannot act, and does not count.
    const suspended = await people.person('Suspended');
    await people.official(sacco, suspended, 'manager');
    await people.suspend(suspended, operator);
    for (const leaver of [chair, treasurer]) {
      await saccos.fund(leaver, 500_00);
      await app.call('POST', '/sacco/members/join', { as: leaver, body: terms(sacco) });
      expect((await app.call('POST', '/sacco/members/exit', { as: leaver, body: { sacco } })).status).toBe(201);
      for (let run = 0; run < 2; run += 1) await tellOfEndedOffices(database, { user: leaver, sacco });
      database.world.advance(1);
    }
    expect(await heardOf(sacco)).toEqual([
      expect.stringMatching(/: after a notice of leaving nobody is chair\./),
      expect.stringMatching(/: after a notice of leaving fewer than two officials are left\./),
    ]);
  });

  test('a notice can be taken back, and everything is as before', async () => {
    blocks = [];
    const { sacco, me } = await saver();
    const cancel = () => app.call('DELETE', `/sacco/members/exit?sacco=${sacco}`, { as: me });
    expect((await cancel()).body.code).toBe('exit_conflict');
    // What does not come back is said before the notice.
    await database.owner`
      insert into standing_orders (id, sacco_id, user_id, amount_cents, day, first_month, state, created_at)
      values (${database.newId()}, ${sacco}, ${me}, 50000, 5, '2099-01', 'active', ${database.now()})`;
    expect((await app.call('GET', `/sacco/members/exit?sacco=${sacco}`, { as: me })).body.notice.effects).toEqual([
      'Your monthly saving of Ksh.\u00a0500.00 ends. It does not come back if you take the notice back.',
    ]);
    await app.call('POST', '/sacco/members/exit', { as: me, body: { sacco } });
    expect((await cancel()).body.exit.state).toBe('cancelled');
    database.world.advance(61 * DAY);
    await settleExits(database, noBlocks);
    expect((await standings(database)(me, sacco)).member).toBe('provisional');
    expect(await walletCentsOf(me)).toBe(6_500_00);
  });

  test('what blocks a refund is said, shows as overdue, and is tried again', async () => {
    const { sacco, me } = await saver();
    await app.call('POST', '/sacco/members/exit', { as: me, body: { sacco } });
    blocks = ['You guarantee a loan of Ksh. 10,000.'];
    database.world.advance(61 * DAY);
    await settleExits(database, async () => blocks.map(blockOf));
    const status = await app.call('GET', `/sacco/members/exit?sacco=${sacco}`, { as: me });
    expect(status.body.exit).toMatchObject({ overdue: true, days_left: 0, refund: null });
    expect(status.body.exit.blocked_by).toEqual([{ text: blocks[0], at: { kind: 'guarantees' } }]);
    const told = await database.sql`select from notifications where user_id = ${me} and template = 'exit_overdue'`;
    expect(told.length).toBe(1);
    blocks = [];
    await settleExits(database, noBlocks);
    expect(await walletCentsOf(me)).toBe(9_500_00);
  });

  test('strangers cannot leave, and a sacco must be named', async () => {
    const sacco = await saccos.sacco(founder, operator);
    const me = await people.person('Stranger');
    expect((await app.call('POST', '/sacco/members/exit', { as: me, body: { sacco } })).body.code).toBe('not_a_member');
    expect((await app.call('GET', '/sacco/members/exit', { as: me })).body.code).toBe('sacco_required');
  });
});

test('the public count of members is the number of memberships in active saccos', async () => {
  const [row] = await database.sql`
    select count(*)::int as count from memberships m join saccos s on s.id = m.sacco_id
    where m.state <> 'exited' and s.state = 'active'`;
  expect((await publicFigures(database)).members).toBe(row?.count);
});

test('after all of this every count and order agrees with the books', async () => {
  expect(await breaches(database.owner, sharesInvariants)).toEqual([]);
});
