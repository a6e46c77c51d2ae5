import { referralsContract } from '@ushirika/contract/referrals';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase, testWorld } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { samePersonAmong } from '../identity/second-account.ts';
import { changesOf } from '../saccos/changes.queries.ts';
import { confirmChange, SECOND_ACCOUNT } from '../saccos/decide-change.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { advanceReferrals } from './advance-referrals.ts';
import { referralTermsChange } from './change-referral-terms.ts';
import { noteJoining } from './note-joining.ts';
import { giveReferralCode, noteRegistration } from './note-registration.ts';
import { referralsInvariants } from './referrals.invariants.ts';
import { referralFigures } from './referrals.queries.ts';
import { referralsRoutes } from './referrals.routes.ts';
import { relatedPairs, relativesOf } from './related.ts';
import { reviewReferral } from './review-referral.ts';
import { setReferralTerms } from './set-referral-terms.ts';

const DAY = 86_400_000;
const publicUrl = 'https://ushirika.test';

let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let wanjiru: string;
let code: string;
let umoja: string;
let app: Awaited<ReturnType<typeof testApp>>;
const opened: TestDatabase[] = [];
const apps: Awaited<ReturnType<typeof testApp>>[] = [];

beforeEach(async () => {
  // Noon in Nairobi on 2 March 2026.
  database = await testDatabase({ world: testWorld({ now: new Date('2026-03-02T09:00:00.000Z') }) });
  opened.push(database);
  people = testPeople(database);
  wanjiru = await people.person('Wanjiru', 'Kamau');
  await database.owner`update users set phone_confirmed_at = ${database.now()} where id = ${wanjiru}`;
  code = await database.transaction((tx) => giveReferralCode(tx, wanjiru));
  const founder = await people.person('Founder');
  umoja = await people.sacco('Umoja Sacco', founder);
  await people.official(umoja, founder);
  await people.member(umoja, wanjiru);
  app = await testApp({
    database,
    contract: referralsContract,
    bindings: referralsRoutes({ database, publicUrl, changes: testChanges({ referral_terms: referralTermsChange }) }),
    standingOf: async (userId) => ({ isMember: true, offices: userId === founder ? ['chair'] : [] }),
  });
  apps.push(app);
});

// One after the other: forty databases at once are more connections than the server has.
afterEach(async () => {
  await Promise.all(apps.splice(0).map((one) => one.close()));
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

/** Registers somebody with what was typed into the referral field. */
async function register(firstName: string, typed: string | null, address = '196.201.214.10'): Promise<string> {
  // Nobody registers in the same millisecond: lists go by time.
  database.world.advance(1);
  const userId = await people.person(firstName, 'Otieno');
  await database.transaction((tx) =>
    noteRegistration(tx, {
      userId,
      phone: `2541${userId.slice(-8)}`,
      idNumber: userId.slice(-8),
      address,
      referralCode: typed,
    }),
  );
  return userId;
}

/** Registers somebody with Wanjiru's code from an address of their own. */
const bring = (firstName: string) => register(firstName, code, `41.90.${firstName.length}.${firstName.charCodeAt(0)}`);

/** Gives the sacco cash, the way fees do. */
async function fund(saccoId: string, cents: number): Promise<void> {
  const payer = database.newId();
  const wallet = { book: PLATFORM_BOOK, kind: 'wallet', owner: payer } as const;
  await database.transaction((tx) =>
    postOrRefuse(tx, {
      kind: 'wallet_topped_up',
      idempotencyKey: `wallet_topped_up:${payer}`,
      causedBy: payer,
      about: { type: 'deposit', id: payer },
      transfers: [{ debit: { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null }, credit: wallet, amount: cents }],
    }),
  );
  await database.transaction((tx) =>
    postOrRefuse(tx, {
      kind: 'sacco_joined',
      idempotencyKey: `sacco_joined:${payer}`,
      causedBy: payer,
      about: { type: 'membership', id: payer },
      transfers: [
        { debit: wallet, credit: { book: PLATFORM_BOOK, kind: 'settlement', owner: saccoId }, amount: cents },
        {
          debit: { book: saccoId, kind: 'cash', owner: null },
          credit: { book: saccoId, kind: 'fee_income', owner: null },
          amount: cents,
        },
      ],
    }),
  );
}

/** Gives the sacco cash that is a member's savings, and no income. */
async function save(saccoId: string, cents: number): Promise<void> {
  const owner = database.newId();
  const wallet = { book: PLATFORM_BOOK, kind: 'wallet', owner } as const;
  const about = { type: 'deposit', id: owner };
  await database.transaction((tx) =>
    postOrRefuse(tx, {
      kind: 'wallet_topped_up',
      idempotencyKey: `wallet_topped_up:${owner}`,
      causedBy: owner,
      about,
      transfers: [{ debit: { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null }, credit: wallet, amount: cents }],
    }),
  );
  await database.transaction((tx) =>
    postOrRefuse(tx, {
      kind: 'savings_deposited',
      idempotencyKey: `savings_deposited:${owner}`,
      causedBy: owner,
      about,
      transfers: [
        { debit: wallet, credit: { book: PLATFORM_BOOK, kind: 'settlement', owner: saccoId }, amount: cents },
        {
          debit: { book: saccoId, kind: 'cash', owner: null },
          credit: { book: saccoId, kind: 'deposits', owner },
          amount: cents,
        },
      ],
    }),
  );
}

/** Paid up, with the minimum of ten shares. */
async function fullMember(saccoId: string, userId: string): Promise<void> {
  await people.member(saccoId, userId);
  await moveShares(saccoId, 10, 'shares_issued', userId);
}

async function moveShares(saccoId: string, shares: number, from: string, to: string): Promise<void> {
  const id = database.newId();
  const isNew = from === 'shares_issued';
  await database.transaction((tx) =>
    postOrRefuse(tx, {
      kind: isNew ? 'shares_bought' : 'shares_traded',
      idempotencyKey: `shares:${id}`,
      causedBy: to,
      about: { type: 'test', id },
      transfers: [
        {
          debit: { book: saccoId, kind: isNew ? 'shares_issued' : 'holding', owner: isNew ? null : from },
          credit: { book: saccoId, kind: 'holding', owner: to },
          amount: shares,
        },
      ],
    }),
  );
}

async function walletCentsOf(userId: string): Promise<number> {
  const [balance] = await balances(database.sql, [{ book: PLATFORM_BOOK, kind: 'wallet', owner: userId }]);
  return balance ?? 0;
}

const run = () => advanceReferrals(database);
const afterDays = (days: number) => database.world.advance(days * DAY);
/** Sixty days pass, in the middle of which Umoja earns fees: in April, when it was 2 March; they end in May. */
async function sixtyDays(feeCents: number): Promise<void> {
  afterDays(30);
  await fund(umoja, feeCents);
  afterDays(30);
}
const list = async (query = '', as = wanjiru) => (await app.call('GET', `/client/referals${query}`, { as })).body.data;
const only = async () => (await list()).referals[0];

describe('a code and a link', () => {
  test('everybody has one code of eight clear characters, and a link whose end is the code', async () => {
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    expect(await database.transaction((tx) => giveReferralCode(tx, wanjiru))).toBe(code);
    const { body } = await app.call('GET', '/client/referals/summary', { as: wanjiru });
    expect(body).toEqual({
      referal_code: code,
      referal_link: `https://ushirika.test/auth/register?referal_code=${code}`,
      referal_count: 0,
      referal_amount: 0,
      statuses: { lead: 0, joined: 0, fully_paid: 0 },
      invitations_left_today: 5,
    });
  });

  test('who has no code yet, such as an operator, is given one when it is first asked for', async () => {
    const operator = await people.person('Operator');
    const first = await referralFigures({ database, publicUrl }, operator);
    expect(first.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    expect((await referralFigures({ database, publicUrl }, operator)).code).toBe(first.code);
  });

  test('a code that is drawn twice goes to one person only', async () => {
    const person = await people.person('Next');
    let drawn = 0;
    const sameCodeFirst = `01900000-0000-7000-8000-00${'0'.repeat(10)}`;
    await database.transaction((tx) => giveReferralCode({ ...tx, sql: tx.sql, newId: () => sameCodeFirst }, person));
    const other = await people.person('Other');
    const second = await database.transaction((tx) =>
      giveReferralCode({ ...tx, sql: tx.sql, newId: () => (drawn++ === 0 ? sameCodeFirst : tx.newId()) }, other),
    );
    expect(second).not.toBe('00000000');
    expect(drawn).toBe(2);
  });
});

describe('registering with a code', () => {
  test.each([
    ['as it is', (own: string) => own],
    ['in small letters with a dash', (own: string) => `${own.slice(0, 4)}-${own.slice(4)}`.toLowerCase()],
    ['as the whole link', (own: string) => `https://ushirika.test/auth/register?referal_code=${own}`],
  ])('the code typed %s makes the newcomer a Lead', async (_how, typed) => {
    await register('Akinyi', typed(code));
    expect(await list()).toMatchObject({
      count: 1,
      next: null,
      referals: [
        {
          created_at: '2026-03-02T09:00:00.001Z',
          reward: null,
          reward_state: 'not_yet',
          user: { first_name: 'Akinyi', last_name: 'Otieno', status: 'Lead' },
        },
      ],
    });
  });

  test('an unknown code is noted and blocks nothing', async () => {
    const newcomer = await register('Baraka', 'NOTACODE!');
    expect(await database.sql`select user_id, code from unknown_referral_codes`).toEqual([
      { user_id: newcomer, code: 'NOTACODE!' },
    ]);
    expect((await list()).count).toBe(0);
  });

  test('no code makes no referral', async () => {
    await register('Chebet', null);
    await register('Daudi', '   ');
    expect(await database.sql`select from referrals`).toHaveLength(0);
    expect(await database.sql`select from unknown_referral_codes`).toHaveLength(0);
  });
});

describe('from Lead to Fully Paid', () => {
  test('the fee makes a Lead Joined, and sixty days with the minimum shares paid make it Fully Paid', async () => {
    const akinyi = await bring('Akinyi');
    await fullMember(umoja, akinyi);
    await database.transaction((tx) => noteJoining(tx, [akinyi]));
    expect((await only()).user.status).toBe('Joined');
    afterDays(30);
    await fund(umoja, 1_000_00);
    afterDays(29);
    await run();
    expect(await only()).toMatchObject({ reward: null, reward_state: 'not_yet', user: { status: 'Joined' } });
    afterDays(1);
    await run();
    expect(await only()).toMatchObject({ reward: 500, reward_state: 'paid', user: { status: 'Fully Paid' } });
    expect(await walletCentsOf(wanjiru)).toBe(500_00);
    expect(await referralFigures({ database, publicUrl }, wanjiru)).toMatchObject({ points: 1, rewardCents: 500_00 });
    const cash = { book: umoja, kind: 'cash', owner: null } as const;
    const marketing = { book: umoja, kind: 'marketing_expense', owner: null } as const;
    const settlement = { book: PLATFORM_BOOK, kind: 'settlement', owner: umoja } as const;
    expect(await balances(database.sql, [cash, marketing, settlement])).toEqual([500_00, 500_00, 500_00]);
    const [message] = await database.sql<{ text: string }[]>`select text from sms_messages where user_id = ${wanjiru}`;
    expect(message?.text).toBe(
      'Ushirika: Akinyi Otieno, whom you referred, is Fully Paid in Umoja Sacco. Ksh. 500.00 is in your wallet. Thank you!',
    );
  });

  test('the daily run finds who joined even when nobody told it', async () => {
    const akinyi = await bring('Akinyi');
    await people.member(umoja, akinyi, 'provisional');
    await run();
    expect((await only()).user.status).toBe('Joined');
  });

  test('without the minimum shares, or after leaving, nobody becomes Fully Paid', async () => {
    const [provisional, left] = [await bring('Akinyi'), await bring('Baraka')];
    await people.member(umoja, provisional, 'provisional');
    await fullMember(umoja, left);
    afterDays(30);
    await database.sql`update memberships set state = 'exited' where user_id = ${left}`;
    afterDays(365);
    await run();
    expect((await list()).referals.map((row: { user: { status: string } }) => row.user.status)).toEqual([
      'Joined',
      'Joined',
    ]);
    expect(await walletCentsOf(wanjiru)).toBe(0);
  });

  test('who no longer owns the minimum shares on the day does not become Fully Paid before they do again', async () => {
    const akinyi = await bring('Akinyi');
    await fullMember(umoja, akinyi);
    await moveShares(umoja, 1, akinyi, wanjiru);
    await sixtyDays(1_000_00);
    await run();
    expect(await only()).toMatchObject({ reward_state: 'not_yet', user: { status: 'Joined' } });
    await moveShares(umoja, 1, wanjiru, akinyi);
    // Set aside for an offer they are still theirs.
    await database.owner`
      update accounts set kind = 'holding_hold' where book_id = ${umoja} and owner_id = ${akinyi} and kind = 'holding'`;
    await run();
    expect(await only()).toMatchObject({ reward_state: 'paid', user: { status: 'Fully Paid' } });
  });

  test('of two saccos the one that was paid up first pays', async () => {
    const akinyi = await bring('Akinyi');
    const second = await people.sacco('Pili Sacco', wanjiru);
    await fullMember(umoja, akinyi);
    afterDays(1);
    await fullMember(second, akinyi);
    await fund(second, 1_000_00);
    afterDays(1);
    await sixtyDays(1_000_00);
    await run();
    const [reward] = await database.sql`select sacco_id, month from referral_rewards`;
    expect(reward).toEqual({ sacco_id: umoja, month: '2026-05' });
  });
});

describe('the reward', () => {
  async function due(firstName = 'Akinyi'): Promise<string> {
    const person = await bring(firstName);
    await fullMember(umoja, person);
    return person;
  }

  test('is paid once though the run comes twice at once, and again the next day', async () => {
    await due();
    await sixtyDays(10_000_00);
    await Promise.all([run(), run(), run()]);
    afterDays(1);
    await run();
    expect(await walletCentsOf(wanjiru)).toBe(500_00);
    expect(await database.sql`select from referral_rewards`).toHaveLength(1);
    expect(await database.sql`select from journals where kind = 'referral_rewarded'`).toHaveLength(1);
    expect(await database.sql`select from sms_messages`).toHaveLength(1);
  });

  test('is paid once by the next run when a run is killed between the decision and the payment', async () => {
    await due();
    await sixtyDays(10_000_00);
    let begun = 0;
    const dying = {
      ...database,
      transaction: (work: Parameters<typeof database.transaction>[0]) => {
        begun += 1;
        // The first transaction decides; the second posts, writes and dies before its commit.
        return database.transaction(async (tx) => {
          const result = await work(tx);
          if (begun === 2) throw new Error('killed');
          return result;
        });
      },
    } as typeof database;
    await expect(advanceReferrals(dying)).rejects.toThrow('killed');
    expect(await only()).toMatchObject({ reward: null, reward_state: 'waiting', user: { status: 'Fully Paid' } });
    expect(await walletCentsOf(wanjiru)).toBe(0);
    await run();
    expect(await walletCentsOf(wanjiru)).toBe(500_00);
    expect(await database.sql`select from journals where kind = 'referral_rewarded'`).toHaveLength(1);
  });

  test('waits while the sacco’s income lacks, and is paid when there is some; others are not held up', async () => {
    await due('Akinyi');
    await due('Baraka');
    await sixtyDays(700_00);
    await run();
    expect((await list()).referals.map((row: { reward_state: string }) => row.reward_state).sort()).toEqual([
      'paid',
      'waiting',
    ]);
    expect(await walletCentsOf(wanjiru)).toBe(500_00);
    await fund(umoja, 500_00);
    afterDays(31);
    await run();
    expect(await walletCentsOf(wanjiru)).toBe(1_000_00);
  });

  test('is never paid from members’ savings, however much cash they are: only what the sacco earned is spent', async () => {
    for (const name of ['Akinyi', 'Baraka', 'Chebet']) await due(name);
    await save(umoja, 1_000_000_00);
    afterDays(60);
    await run();
    expect(await walletCentsOf(wanjiru)).toBe(0);
    expect((await only()).reward_state).toBe('waiting');
    // Twice at once, and of one batch: what the first reward took is not there for the third.
    await fund(umoja, 1_499_99);
    afterDays(31);
    await Promise.all([run(), run()]);
    expect(await walletCentsOf(wanjiru)).toBe(1_000_00);
    expect(await breaches(database.owner, referralsInvariants)).toEqual([]);
    await fund(umoja, 499_99);
    afterDays(30);
    await run();
    expect(await walletCentsOf(wanjiru)).toBe(1_000_00);
    await fund(umoja, 500_00);
    afterDays(31);
    await run();
    expect(await walletCentsOf(wanjiru)).toBe(1_500_00);
    expect(await breaches(database.owner, referralsInvariants)).toEqual([]);
  });

  test('a sacco that spent more than it earned is found by the audit', async () => {
    await due();
    await sixtyDays(500_00);
    await run();
    await database.owner`update accounts set balance = balance - 1 where kind = 'fee_income' and book_id = ${umoja}`;
    expect(await breaches(database.owner, referralsInvariants)).toMatchObject([
      { name: 'No sacco has spent more on rewards than it earned in fees', rows: [{ sacco_id: umoja }] },
    ]);
  });

  test('a reward that one cannot be paid of holds up neither the month nor a smaller one', async () => {
    await terms(2_000, 1);
    await due('Akinyi');
    database.world.advance(1);
    await terms(400, 1);
    await due('Baraka');
    await sixtyDays(500_00);
    await run();
    expect(await walletCentsOf(wanjiru)).toBe(400_00);
  });

  test('is not taken from a sacco that is suspended', async () => {
    await due();
    await sixtyDays(1_000_00);
    await database.sql`update saccos set state = 'suspended' where id = ${umoja}`;
    await run();
    expect(await only()).toMatchObject({ reward_state: 'waiting', user: { status: 'Fully Paid' } });
  });

  test('an official of the paying sacco earns points and no money', async () => {
    await due();
    await people.official(umoja, wanjiru, 'treasurer');
    await sixtyDays(1_000_00);
    await run();
    expect(await only()).toMatchObject({ reward: null, reward_state: 'none', user: { status: 'Fully Paid' } });
    expect(await referralFigures({ database, publicUrl }, wanjiru)).toMatchObject({ points: 1, rewardCents: 0 });
  });

  test('past the month’s cap it waits for the next month', async () => {
    for (let person = 0; person < 12; person += 1) await due('A'.repeat(person + 1));
    await sixtyDays(100_000_00);
    await Promise.all([run(), run()]);
    expect(await walletCentsOf(wanjiru)).toBe(5_000_00);
    expect(
      (await list('?limit=100')).referals.filter((row: { reward_state: string }) => row.reward_state === 'waiting'),
    ).toHaveLength(2);
    await fund(umoja, 1_000_00);
    afterDays(31);
    await run();
    expect(await walletCentsOf(wanjiru)).toBe(6_000_00);
  });

  test('what a sacco pays in a month is at most what it earned in the month before, whatever it earned in years', async () => {
    for (const name of ['Akinyi', 'Baraka', 'Chebet']) await due(name);
    await fund(umoja, 1_000_000_00);
    await sixtyDays(1_000_00);
    // Earned this month: it counts in the next.
    await fund(umoja, 500_00);
    await Promise.all([run(), run(), run()]);
    afterDays(1);
    await run();
    expect(await walletCentsOf(wanjiru)).toBe(1_000_00);
    expect(
      (await list()).referals.filter((row: { reward_state: string }) => row.reward_state === 'waiting'),
    ).toHaveLength(1);
    const [founder] = await database.sql<{ id: string }[]>`select id from users where first_name = 'Founder'`;
    const read = (as: string) => app.call('GET', '/sacco/referral-terms', { as, sacco: umoja });
    expect((await read(founder?.id ?? '')).body.month).toEqual({ limit: 1_000, paid: 1_000 });
    expect((await read(wanjiru)).body.month).toBe(null);
    afterDays(30);
    expect((await read(founder?.id ?? '')).body.month).toEqual({ limit: 500, paid: 0 });
    await run();
    expect(await walletCentsOf(wanjiru)).toBe(1_500_00);
    expect(await breaches(database.owner, referralsInvariants)).toEqual([]);
  });

  test('another sacco, which earned enough, is not held up by one that did not', async () => {
    const second = await people.sacco('Pili Sacco', wanjiru);
    await due('Akinyi');
    await fullMember(second, await bring('Baraka'));
    await fund(umoja, 1_000_00);
    afterDays(30);
    await fund(second, 500_00);
    afterDays(31);
    await run();
    expect(await database.sql`select sacco_id from referral_rewards`).toEqual([{ sacco_id: second }]);
  });

  test('the month ends at midnight in Nairobi, three hours before it does in London', async () => {
    await due();
    // Noon of 30 April in Nairobi, and then 23:59:59.999: the last millisecond of the month.
    afterDays(59);
    database.world.advance(DAY / 2 - 1 - (database.now().getTime() - Date.parse('2026-04-30T09:00:00.000Z')));
    expect(database.now().toISOString()).toBe('2026-04-30T20:59:59.999Z');
    await fund(umoja, 500_00);
    database.world.advance(1);
    // The first millisecond of May.
    await fund(umoja, 250_00);
    await due('Baraka');
    afterDays(1);
    await run();
    expect(await walletCentsOf(wanjiru)).toBe(500_00);
    expect(await database.sql`select month, earned_cents, paid_cents from referral_reward_months`).toEqual([
      { month: '2026-05', earned_cents: 500_00, paid_cents: 500_00 },
    ]);
  });

  test('a sacco that paid more in a month than it earned before is refused by PostgreSQL and found by the audit', async () => {
    await due();
    await sixtyDays(500_00);
    await run();
    const over = database.owner`update referral_reward_months set paid_cents = paid_cents + 1`;
    await expect(over).rejects.toMatchObject({ constraint_name: 'rewards_within_fees_of_month_before' });
    await database.owner`update referral_reward_months set earned_cents = earned_cents + 1`;
    expect(await breaches(database.owner, referralsInvariants)).toMatchObject([{ rows: [{ sacco_id: umoja }] }]);
  });

  /** As two officials have it in the end. */
  async function terms(reward: number, monthlyRewardsMax = 3) {
    const [founder] = await database.sql<{ id: string }[]>`select id from users where first_name = 'Founder'`;
    const input = { saccoId: umoja, rewardCents: Math.round(reward * 100), monthlyRewardsMax };
    await database.transaction((tx) => setReferralTerms(tx, { userId: founder?.id ?? '' }, input));
  }

  test('is what the sacco said when the person signed up, and nothing when it said 0', async () => {
    await terms(750);
    await terms(250.5);
    // Both came in one millisecond: the second holds from the next.
    database.world.advance(1);
    const read = await app.call('GET', '/sacco/referral-terms', { as: wanjiru, sacco: umoja });
    expect(read.body).toMatchObject({ reward: 250.5, monthly_rewards_max: 3 });
    await due('Akinyi');
    await sixtyDays(100_000_00);
    await run();
    expect(await walletCentsOf(wanjiru)).toBe(250_50);
    await terms(0);
    await due('Baraka');
    afterDays(60);
    await run();
    expect((await list()).referals[0]).toMatchObject({
      reward: null,
      reward_state: 'none',
      user: { status: 'Fully Paid' },
    });
    expect(await walletCentsOf(wanjiru)).toBe(250_50);
  });

  test('is not raised, nor taken away, by what an official says on the sixtieth day', async () => {
    await due('Akinyi');
    await sixtyDays(100_000_00);
    await terms(10_000);
    await run();
    expect(await walletCentsOf(wanjiru)).toBe(500_00);
    await due('Baraka');
    await sixtyDays(10_000_00);
    await terms(0);
    await run();
    expect(await walletCentsOf(wanjiru)).toBe(10_500_00);
  });

  test('what the chair proposes the secretary confirms; who is alone reads how there will be a second', async () => {
    const [founder] = await database.sql<{ id: string }[]>`select id from users where first_name = 'Founder'`;
    const body = { reward: 150, monthly_rewards_max: 3 };
    const propose = () => app.call('PUT', '/sacco/referral-terms', { as: founder?.id ?? '', sacco: umoja, body });
    const alone = await propose();
    expect([alone.status, alone.body.code]).toEqual([409, 'second_official_required']);
    expect(alone.body.message).toMatch(
      /^Another chair, secretary or treasurer has to confirm this, and your sacco has none/,
    );
    const secretary = await people.person('Mutua', 'Kilonzo');
    await people.official(umoja, secretary, 'secretary');
    const { change } = (await propose()).body;
    expect(change).toMatchObject({ state: 'proposed', after: { reward: 150 } });
    const input = { changeId: change.id, saccoId: umoja };
    const changes = testChanges({ referral_terms: referralTermsChange });
    const confirm = () => database.transaction((tx) => confirmChange(tx, { userId: secretary }, input, changes));
    // Two accounts of one person are not two officials.
    const seen = async () => {
      const [shown] = await changesOf(database, { userId: secretary }, umoja, changes);
      return [shown?.may, shown?.second_account];
    };
    expect(await seen()).toEqual([['confirm', 'refuse'], null]);
    await people.onePhone(founder?.id ?? '', secretary);
    expect(await seen()).toEqual([['refuse'], SECOND_ACCOUNT]);
    await expect(confirm()).rejects.toMatchObject({ code: 'not_allowed' });
    // The database says so too.
    const byHand = database.owner`
      update sacco_changes set state = 'confirmed', confirmed_by = ${secretary}, confirmed_at = now(),
        effective_at = now() + interval '2 days'
      where id = ${change.id}`;
    await expect(byHand).rejects.toThrow('the two officials look like one person');
    await database.owner`delete from referral_traces where user_id = ${secretary}`;
    const confirmed = await confirm();
    expect(confirmed).toMatchObject({ state: 'confirmed', confirmed_by: secretary });
  });

  test('the terms are changed by chair, secretary or treasurer only, within limits', async () => {
    const body = { reward: 100, monthly_rewards_max: 3 };
    const refused = await app.call('PUT', '/sacco/referral-terms', { as: wanjiru, sacco: umoja, body });
    expect([refused.status, refused.body.code]).toEqual([403, 'not_allowed']);
    const [founder] = await database.sql<{ id: string }[]>`select id from users where first_name = 'Founder'`;
    for (const wrong of [
      { ...body, reward: 10_000.01 },
      { ...body, reward: -1 },
      { ...body, monthly_rewards_max: 0 },
    ]) {
      const answer = await app.call('PUT', '/sacco/referral-terms', {
        as: founder?.id ?? '',
        sacco: umoja,
        body: wrong,
      });
      expect(answer.status).toBe(400);
    }
  });
});

describe('one person behind two accounts', () => {
  async function wanjiruFrom(address: string): Promise<void> {
    await database.transaction((tx) =>
      noteRegistration(tx, {
        userId: wanjiru,
        phone: '254711000000',
        idNumber: 'W1234567',
        address,
        referralCode: null,
      }),
    );
  }

  async function held(): Promise<string[]> {
    const [row] = await database.sql<
      { held_because: string[] }[]
    >`select held_because from referrals order by id desc limit 1`;
    return row?.held_because ?? [];
  }

  test('the referrer’s own network address holds the reward until a person has looked', async () => {
    await wanjiruFrom('196.201.214.10');
    const akinyi = await register('Akinyi', code, '196.201.214.10');
    expect(await held()).toEqual(['same_address']);
    await fullMember(umoja, akinyi);
    await sixtyDays(1_000_00);
    await run();
    expect(await only()).toMatchObject({ reward: null, reward_state: 'in_review', user: { status: 'Fully Paid' } });
    expect(await walletCentsOf(wanjiru)).toBe(0);
    const operator = await people.person('Operator');
    const [row] = await database.sql<{ id: string }[]>`select id from referrals`;
    const input = { referralId: row?.id ?? '', decision: 'release', reason: 'Neighbours in one café' } as const;
    await database.transaction((tx) => reviewReferral(tx, { userId: operator }, input));
    await run();
    expect(await walletCentsOf(wanjiru)).toBe(500_00);
    const again = database.transaction((tx) => reviewReferral(tx, { userId: operator }, input));
    await expect(again).rejects.toMatchObject({ code: 'exception_already_resolved' });
  });

  type Pair = { readonly one: string; readonly other: string };

  /** Which of these pairs are related; and of all pairs of these people both ways of asking say the same. */
  async function relatedAre(pairs: readonly Pair[], places: readonly number[], all: readonly string[]): Promise<void> {
    const asked = (two: readonly Pair[]) => database.transaction((tx) => relatedPairs(tx, two));
    expect(await asked(pairs)).toEqual(new Set(places));
    for (const one of all) {
      const others = all.filter((other) => other !== one);
      const found = await asked(others.map((other) => ({ one, other })));
      const relatives = (await database.transaction((tx) => relativesOf(tx, one))).map(({ id }) => id);
      expect(others.filter((other) => relatives.includes(other))).toEqual(
        others.filter((_, place) => found.has(place)),
      );
    }
  }

  test('who brought whom, and who showed one ID, or one address within a month, is related: others are not', async () => {
    const akinyi = await register('Akinyi', code, '105.160.0.1');
    const baraka = await register('Baraka', null, '105.160.0.1');
    const chebet = await register('Chebet', null, '105.160.0.2');
    afterDays(31);
    const daudi = await register('Daudi', null, '105.160.0.1');
    const pairs = [
      [akinyi, wanjiru],
      [wanjiru, akinyi],
      [akinyi, baraka],
      [akinyi, chebet],
      [baraka, wanjiru],
      [akinyi, daudi],
    ].map(([one = '', other = '']) => ({ one, other }));
    const all = [wanjiru, akinyi, baraka, chebet, daudi];
    await relatedAre(pairs, [0, 1, 2], all);
    await database.owner`
      update referral_traces set value = 'W1' where kind = 'id' and user_id = any (${[akinyi, daudi]})`;
    await relatedAre(pairs, [0, 1, 2, 5], all);
    const isOnePerson = await database.transaction((tx) => samePersonAmong(tx, all));
    expect([isOnePerson(akinyi, daudi), isOnePerson(akinyi, chebet)]).toEqual([true, false]);
  });

  /** An account's phone of now, as its reset codes' too; `isConfirmed`: a code that was sent there came back. */
  const uses = (userId: string, phone: string, isConfirmed: boolean) => database.owner`
    update users set phone = ${phone}, recovery_phone = ${phone}, phone_confirmed_at = ${isConfirmed ? database.now() : null},
      recovery_phone_confirmed_at = ${isConfirmed ? database.now() : null}, updated_at = ${database.now()}
    where id = ${userId}`;

  test('one SIM that two accounts confirm one after the other ties them for a year; a number written down ties nobody', async () => {
    const akinyi = await register('Akinyi', null, '105.160.0.1');
    const baraka = await register('Baraka', null, '105.160.0.2');
    const pair = [{ one: akinyi, other: baraka }];
    const isOne = async () => {
      const [row] = await database.sql<{ is: boolean }[]>`select share_identity(${akinyi}, ${baraka}) as is`;
      const isOnePerson = await database.transaction((tx) => samePersonAmong(tx, [wanjiru, akinyi, baraka]));
      expect([isOnePerson(baraka, akinyi), isOnePerson(akinyi, wanjiru)]).toEqual([row?.is, false]);
      return row?.is;
    };
    await uses(akinyi, '254712000001', true);
    await uses(baraka, '254712000001', false);
    await relatedAre(pair, [], [akinyi, baraka]);
    // Akinyi moves on, and her old number is written down once more by somebody who does not have it.
    await uses(akinyi, '254712000002', true);
    await relatedAre(pair, [], [akinyi, baraka]);
    expect(await isOne()).toBe(false);
    await uses(baraka, '254712000001', true);
    await relatedAre(pair, [0], [akinyi, baraka]);
    expect(await isOne()).toBe(true);
    // Also while both have moved on.
    await uses(baraka, '254712000003', false);
    await relatedAre(pair, [0], [akinyi, baraka]);
    expect(await isOne()).toBe(true);
    afterDays(366);
    await run();
    await relatedAre(pair, [], [akinyi, baraka]);
    expect(await isOne()).toBe(false);
  });

  test('who can recover another’s account by a phone that both have confirmed is related, and not before it is confirmed', async () => {
    const akinyi = await register('Akinyi', null, '105.160.0.1');
    const pair = [{ one: akinyi, other: wanjiru }];
    await database.owner`
      update users set recovery_phone = (select phone from users where id = ${wanjiru}) where id = ${akinyi}`;
    await relatedAre(pair, [], [akinyi, wanjiru]);
    await database.owner`update users set recovery_phone_confirmed_at = ${database.now()} where id = ${akinyi}`;
    await relatedAre(pair, [0], [akinyi, wanjiru]);
  });

  test('whom only a person’s own code makes a relative is said, and not once anything else ties them', async () => {
    const akinyi = await register('Akinyi', code, '105.160.0.1');
    const relatives = (of: string) => database.transaction((tx) => relativesOf(tx, of));
    expect(await relatives(wanjiru)).toEqual([{ id: akinyi, isOnlyBrought: true }]);
    expect(await relatives(akinyi)).toEqual([{ id: wanjiru, isOnlyBrought: false }]);
    await database.owner`
      update users set recovery_phone = (select phone from users where id = ${wanjiru}),
        recovery_phone_confirmed_at = ${database.now()} where id = ${akinyi}`;
    expect(await relatives(wanjiru)).toEqual([{ id: akinyi, isOnlyBrought: false }]);
  });

  test('whoever registers with the phone of another’s registration is related to them, and binds only themselves', async () => {
    const registered = async (name: string, userId = '') => {
      const id = userId || (await people.person(name));
      const idNumber = `R-${id}`.slice(0, 20);
      await database.transaction((tx) =>
        noteRegistration(tx, { userId: id, phone: '254712000009', idNumber, address: null, referralCode: null }),
      );
      return id;
    };
    const akinyi = await registered('Akinyi');
    database.world.advance(1000);
    const baraka = await registered('Baraka');
    await relatedAre([{ one: akinyi, other: baraka }], [0], [akinyi, baraka]);
    const relatives = (of: string) => database.transaction((tx) => relativesOf(tx, of));
    expect(await relatives(akinyi)).toEqual([{ id: baraka, isOnlyBrought: true }]);
    expect(await relatives(baraka)).toEqual([{ id: akinyi, isOnlyBrought: false }]);
  });

  test('the referrer’s former phone or ID holds it too', async () => {
    await wanjiruFrom('41.90.1.1');
    const userId = await people.person('Akinyi');
    await database.transaction((tx) =>
      noteRegistration(tx, { userId, phone: '254711000000', idNumber: 'W1234567', address: null, referralCode: code }),
    );
    expect(await held()).toEqual(['same_id', 'same_phone']);
  });

  test('the third newcomer from one address within thirty days is held, the second is not', async () => {
    await register('One', code, '105.160.0.1');
    await register('Two', code, '105.160.0.1');
    expect(await held()).toEqual([]);
    await register('Three', code, '105.160.0.1');
    expect(await held()).toEqual(['many_from_one_address']);
  });

  test('addresses of one IPv6 network are one: a home or a phone has all of them to itself', async () => {
    await wanjiruFrom('2c0f:fe38:2100:17::1');
    await register('Akinyi', code, '2C0F:FE38:2100:17:aaaa:bbbb:cccc:dddd');
    expect(await held()).toEqual(['same_address']);
    await register('Baraka', code, '2c0f:fe38:2100:18::1');
    expect(await held()).toEqual([]);
    await register('Chebet', code, '::ffff:196.201.214.10');
    const kept = await database.sql<{ value: string }[]>`
      select value from referral_traces where kind = 'address' order by value`;
    expect(kept.map(({ value }) => value)).toEqual([
      '196.201.214.10',
      '2c0f:fe38:2100:17::/64',
      '2c0f:fe38:2100:17::/64',
      '2c0f:fe38:2100:18::/64',
    ]);
  });

  test('this machine’s address and those of private networks say nothing', async () => {
    await wanjiruFrom('127.0.0.1');
    for (const address of ['127.0.0.1', '::1', '192.168.1.4', '10.0.0.1', '::ffff:172.18.0.3', 'fd00::1']) {
      await register('Local', code, address);
      expect(await held()).toEqual([]);
    }
  });

  test('a denial before the day comes makes the reward none, and nobody reviews their own', async () => {
    await wanjiruFrom('196.201.214.10');
    const akinyi = await register('Akinyi', code, '196.201.214.10');
    const [row] = await database.sql<{ id: string }[]>`select id from referrals`;
    const input = { referralId: row?.id ?? '', decision: 'deny', reason: 'The same person' } as const;
    const own = database.transaction((tx) => reviewReferral(tx, { userId: akinyi }, input));
    await expect(own).rejects.toMatchObject({ code: 'not_allowed' });
    const operator = await people.person('Operator');
    await database.transaction((tx) => reviewReferral(tx, { userId: operator }, input));
    await fullMember(umoja, akinyi);
    await sixtyDays(1_000_00);
    await run();
    expect(await only()).toMatchObject({ reward: null, reward_state: 'none', user: { status: 'Fully Paid' } });
    expect(await walletCentsOf(wanjiru)).toBe(0);
  });

  test('what was shown at registration is forgotten after a year', async () => {
    await wanjiruFrom('196.201.214.10');
    afterDays(366);
    await run();
    expect(await database.sql`select from referral_traces`).toHaveLength(0);
  });
});

describe('the list', () => {
  test('is one’s own only, newest first, by status, by name and page by page', async () => {
    for (const name of ['Akinyi', 'Baraka', 'Chebet']) await bring(name);
    const chebet =
      (await database.sql<{ id: string }[]>`select id from users where first_name = 'Chebet'`)[0]?.id ?? '';
    await database.transaction((tx) => noteJoining(tx, [chebet]));
    const names = async (query: string) =>
      (await list(query)).referals.map((row: { user: { first_name: string } }) => row.user.first_name);
    expect(await names('')).toEqual(['Chebet', 'Baraka', 'Akinyi']);
    expect(await names('?status=Joined')).toEqual(['Chebet']);
    expect(await names('?status=Lead&search=KINYI%20o')).toEqual(['Akinyi']);
    expect(await names('?search=%25')).toEqual([]);
    const first = await list('?limit=2');
    expect(first.count).toBe(3);
    const rest = await app.call('GET', first.next.replace('https://ushirika.test/api/v1', ''), { as: wanjiru });
    expect(rest.body.data.referals).toMatchObject([{ user: { first_name: 'Akinyi' } }]);
    expect((await list('', chebet)).referals).toEqual([]);
    expect((await app.call('GET', '/client/referals')).status).toBe(401);
    expect((await app.call('GET', '/client/referals?status=Paid', { as: wanjiru })).status).toBe(400);
  });
});

describe('an invitation', () => {
  const invite = (phone_number: string, message?: string, as = wanjiru) =>
    app.call('POST', '/client/send_custom_referral', { as, body: { phone_number, message } });

  test('goes out as an SMS with the name, our own words and the link', async () => {
    const sent = await invite('0722 000 001', 'Karibu tuweke akiba pamoja!');
    expect([sent.status, sent.body]).toEqual([
      200,
      { success: true, message: 'Your invitation is on its way.', invitations_left_today: 4 },
    ]);
    expect(await database.sql`select phone, text, user_id, caused_by from sms_messages`).toEqual([
      {
        phone: '254722000001',
        text: `Wanjiru Kamau invites you to Ushirika. Save together, own shares and see every shilling. Sign up: https://ushirika.test/auth/register?referal_code=${code}`,
        user_id: null,
        caused_by: wanjiru,
      },
    ]);
  });

  test('the sixth of a day is refused, also when all come at once; the next day in Nairobi there are five again', async () => {
    const phones = [1, 2, 3, 4, 5, 6].map((number) => `25472200000${number}`);
    const answers = await Promise.all(phones.map((phone) => invite(phone)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({
      code: 'invitation_limit_reached',
      message: 'You can send 5 invitations a day.',
    });
    // From noon to midnight in Nairobi.
    expect(refused?.headers['retry-after']).toBe(String(12 * 3_600));
    expect(await database.sql`select from sms_messages`).toHaveLength(5);
    database.world.advance(12 * 3_600_000);
    expect((await invite('254722000007')).body.invitations_left_today).toBe(4);
  });

  test('the same number is invited once a day by one person, and three times a month by all', async () => {
    await invite('254722000001');
    const again = await invite('0722000001');
    expect([again.status, again.body.code]).toEqual([409, 'invitation_already_sent']);
    for (const name of ['Baraka', 'Chebet'])
      expect((await invite('254722000001', undefined, await people.person(name))).status).toBe(200);
    const fourth = await invite('254722000001', undefined, await people.person('Daudi'));
    expect([fourth.status, fourth.body.message]).toEqual([429, 'That number has had enough invitations this month.']);
  });

  test.each([
    'Visit http://evil.example',
    'www.evil.co.ke',
    'go to evil.ke/win',
    'bit.ly/x',
    'two\nlines',
    'x'.repeat(161),
  ])('a message with a link, a line break or too many words is refused: %s', async (message) => {
    const refused = await invite('254722000001', message);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['message']]);
  });

  test.each(['', '12', '+15005550006', '254203000000'])(
    'goes to Kenyan mobile numbers only, not to %j',
    async (phone) => {
      const refused = await invite(phone);
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['phone_number']]);
      expect(await database.sql`select from invitations`).toHaveLength(0);
    },
  );

  test('a name that looks like a link is none in the SMS', async () => {
    const spammer = await people.person('evil.example/win', 'http://x.y');
    await invite('254722000001', undefined, spammer);
    const [message] = await database.sql<{ text: string }[]>`select text from sms_messages`;
    expect(message?.text).toMatch(/^A member invites you to Ushirika\./);
  });
});
