import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { type TestWorld, testWorld } from '../../db/test-world.ts';
import { balances } from '../../ledger/balances.ts';
import { ledgerInvariants } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { callGuarantee } from './call-guarantee.ts';
import { decideRequest } from './decide-request.ts';
import { demandGuarantee } from './demand-guarantee.ts';
import { earnFees, monthAfter, postJournals } from './earn-fees.ts';
import { attachGuarantee, poolCoverOf } from './guarantee-cover.ts';
import { activateGuarantee, releaseGuarantees } from './guarantee-life.ts';
import { poolsInvariants } from './pools.invariants.ts';
import { detailsOfPool } from './pools.queries.ts';
import { recoverForPool } from './recover-for-pool.ts';
import { noNeeds, type PoolNeeds } from './request-guarantee.ts';
import { testPools } from './test-pools.ts';
import { NO_HISTORY } from './trust.rules.ts';
import { trustInputsOf } from './trust-score.ts';

/* The full example of A6, with Amina's score of A4, as people in a pool: each figure to the cent, in the rows and in the books. */

const DAY_MS = 86_400_000;
const START = new Date('2026-11-24T09:00:00Z');
const NAMES = ['Amina', 'Brian', 'Carol', 'David', 'Esther', 'Faith'] as const;
const POSITIONS = [5_000_00, 30_000_00, 25_000_00, 15_000_00, 10_000_00, 15_000_00];

let world: TestWorld;
let database: TestDatabase;
let pools: ReturnType<typeof testPools>;
let steward: string;
let sacco: string;
let pool: string;
let loan: string;
let contractId: string;
const ids: string[] = [];
const members: string[] = [];
const needs: PoolNeeds = {
  ...noNeeds,
  historiesOf: async () => new Map([[ids[0] ?? '', { ...NO_HISTORY, onTime: 9, late30: 1 }]]),
};

async function savedInElevenMonths(userId: string): Promise<void> {
  for (let ago = 11; ago >= 1; ago -= 1) {
    world.setNow(monthAfter(START, -ago));
    await pools.saved(userId, sacco, 500_00);
  }
  world.setNow(START);
}

beforeAll(async () => {
  world = testWorld({ now: START });
  database = await testDatabase({ world });
  pools = testPools(database);
  steward = await pools.rich('Wanjiru', 0);
  const operator = await pools.people.person('Halima', 'Yusuf');
  sacco = await pools.people.sacco('Umoja Sacco', steward);
  await pools.people.member(sacco, steward);
  for (const [index, name] of NAMES.entries()) {
    const id = await pools.rich(name, (POSITIONS[index] ?? 0) + 100_000_00);
    await pools.people.member(sacco, id);
    ids.push(id);
  }
  const [amina = ''] = ids;
  await database.sql`update memberships set joined_at = ${new Date(START.getTime() - 400 * DAY_MS)} where user_id = ${amina}`;
  await database.sql`update users set email_confirmed_at = ${START} where id = ${amina}`;
  await pools.seen(amina, operator);
  await savedInElevenMonths(amina);
  pool = await pools.pool(steward, sacco);
  for (const [index, id] of ids.entries()) members.push(await pools.join(pool, id, POSITIONS[index] ?? 0));
  await pools.stewards(pool, ...ids.slice(1, 3));
  await pools.reserve(pool, 2_000_00);
  loan = database.newId();
});
afterAll(async () => {
  await database.close();
});

const poolRow = async () => {
  const [row] = await database.sql`
    select state, positions_cents, notice_cents, locked_cents, reserve_cents, unearned_cents, weighted_cents, members_count
    from pools where id = ${pool}`;
  return row as Record<string, number | string>;
};
const locks = async () =>
  (
    await database.sql<{ cents: number }[]>`
      select l.current_cents as cents from pool_locks l join pool_members m on m.id = l.member_id
      where l.contract_id = ${contractId} order by m.sequence`
  ).map(({ cents }) => cents);
const positions = () =>
  balances(
    database,
    members.map((owner) => ({ book: PLATFORM_BOOK, kind: 'pool_position', owner }) as const),
  );
const contractRow = async () => {
  const [row] = await database.sql`select * from pool_contracts where id = ${contractId}`;
  return row as Record<string, number | string | null>;
};

async function noBreaches(): Promise<void> {
  for (const invariant of [...poolsInvariants, ...ledgerInvariants]) {
    expect([invariant.name, await invariant.find(database.sql)]).toEqual([invariant.name, []]);
  }
}

describe('the full example of the design (A6)', () => {
  test('Amina’s score is 81, part by part', async () => {
    const { trustOf } = await import('./trust.rules.ts');
    const inputs = (
      await trustInputsOf({ sql: database.sql as never, now: START }, [ids[0] ?? ''], needs.historiesOf)
    ).get(ids[0] ?? '');
    if (!inputs) throw new Error('There are no inputs.');
    expect(inputs).toMatchObject({ daysInSacco: 400, monthsDue: 12, monthsPaid: 11, hasNextOfKin: false });
    expect(trustOf(inputs)).toEqual({
      score: 81,
      age: 822,
      kyc: 1_300,
      contributions: 2_143,
      repayment: 2_875,
      standing: 1_000,
      defaults: 0,
    });
  });

  test('five members and ten smallest contributions open the pool by themselves', async () => {
    expect(await poolRow()).toMatchObject({ state: 'OPEN', positions_cents: 100_000_00, members_count: 6 });
  });

  test('20,000 over 12 months costs 418.17; 4,000 of her own is locked, and the rest in proportion', async () => {
    const asked = { userId: ids[0] ?? '', poolId: pool, amount: 20_000_00, months: 12 };
    const signed = await pools.sign(asked, needs);
    // Above 5 % of the equity: the stewards decide.
    expect(signed.contractId).toBeNull();
    const input = { requestId: signed.requestId, decision: 'approve', reason: 'We know her.' } as const;
    for (const userId of ids.slice(1, 3))
      await database.transaction((tx) => decideRequest(tx, { userId }, input, needs));
    const [request] = await database.sql`select * from pool_requests where id = ${signed.requestId}`;
    expect(request).toMatchObject({
      state: 'APPROVED',
      risk_weight: 12_850,
      utilisation_after: 3_212,
      crowding: 0,
      rate: 386,
      fee_cents: 418_17,
      own_lock_cents: 4_000_00,
    });
    const [contract] = await database.sql<{ id: string }[]>`
      select id from pool_contracts where request_id = ${signed.requestId}`;
    contractId = contract?.id ?? '';
    expect(await locks()).toEqual([4_000_00, 5_052_63, 4_210_53, 2_526_32, 1_684_21, 2_526_31]);
    expect(await poolRow()).toMatchObject({ locked_cents: 20_000_00, weighted_cents: 25_700_00 });
    await noBreaches();
  });

  test('a loan takes it: the fee leaves the wallet as the loan is paid out', async () => {
    const [request] = await database.sql<{ request_id: string }[]>`
      select request_id from pool_contracts where id = ${contractId}`;
    const attached = { requestId: request?.request_id ?? '', userId: ids[0] ?? '', loanId: loan, saccoId: sacco };
    await database.transaction((tx) => attachGuarantee(tx, { ...attached, principal: 25_000_00, months: 12 }));
    expect(await database.transaction((tx) => poolCoverOf(tx, loan))).toMatchObject({
      state: 'PENDING_LOAN',
      outstanding: 20_000_00,
      fee: 418_17,
    });
    await pools.lent(sacco, loan, ids[0] ?? '', 25_000_00);
    await database.transaction(async (tx) => {
      const journal = await activateGuarantee(tx, { loanId: loan, saccoId: sacco, principal: 25_000_00 });
      await postJournals(tx, journal ? [journal] : []);
    });
    expect(await poolRow()).toMatchObject({ unearned_cents: 418_17 });
    await noBreaches();
  });

  test('the first month earns 64.33: members 45.03, of which Brian 14.22, reserve 12.87, the sacco 6.43', async () => {
    world.setNow(monthAfter(START, 1));
    await earnFees(database);
    await earnFees(database);
    expect(await contractRow()).toMatchObject({ fee_earned_cents: 64_33, months_earned: 1 });
    expect(await poolRow()).toMatchObject({ reserve_cents: 2_012_87, positions_cents: 100_045_03 });
    expect((await positions())[1]).toBe(30_014_22);
    const [income] = await balances(database, [{ book: sacco, kind: 'fee_income', owner: null }]);
    expect(income).toBe(6_43);
    await noBreaches();
  });

  test('after six months 305.58 are earned, and half of the principal frees half of the locks', async () => {
    world.setNow(monthAfter(START, 6));
    await earnFees(database);
    expect(await contractRow()).toMatchObject({ fee_earned_cents: 305_58, months_earned: 6 });
    expect(await poolRow()).toMatchObject({ unearned_cents: 112_59, reserve_cents: 2_061_12 });
    const [income] = await balances(database, [{ book: sacco, kind: 'fee_income', owner: null }]);
    expect(income).toBe(30_55);
    await database.transaction(async (tx) => {
      const repaid = { loanId: loan, principalOut: 12_500_00, principalAtStart: 25_000_00 };
      await postJournals(tx, await releaseGuarantees(tx, [repaid]));
    });
    expect(await locks()).toEqual([2_000_00, 2_526_31, 2_105_26, 1_263_16, 842_11, 1_263_16]);
    expect(await contractRow()).toMatchObject({ state: 'RELEASING', outstanding_cents: 10_000_00 });
    await noBreaches();
  });

  test('before the demand nothing is called, and 14 days after it is', async () => {
    const call = () =>
      database.transaction(async (tx) => {
        const called = await callGuarantee(tx, { loanId: loan, shortfall: 8_500_00, causedBy: null });
        await postJournals(tx, called.journals);
        return called;
      });
    await expect(call()).rejects.toMatchObject({ code: 'pool_contract_conflict' });
    world.advance(61 * DAY_MS);
    expect(await database.transaction((tx) => demandGuarantee(tx, { loanId: loan, daysPastDue: 61 }))).toBe(true);
    expect(await database.transaction((tx) => demandGuarantee(tx, { loanId: loan, daysPastDue: 62 }))).toBe(false);
    await expect(call()).rejects.toMatchObject({ code: 'pool_contract_conflict' });
    world.advance(30 * DAY_MS);
    const before = await positions();
    expect(await call()).toMatchObject({ paid: 8_500_00, claim: 3_500_00 });
    const after = await positions();
    expect(before.map((cents, index) => cents - (after[index] ?? 0))).toEqual([
      5_000_00, 762_05, 635_04, 381_02, 254_02, 381_02,
    ]);
    expect(await locks()).toEqual([0, 0, 0, 0, 0, 0]);
    // 2,061.12 and the 112.59 that were not earned, less half of it.
    expect(await poolRow()).toMatchObject({ reserve_cents: 1_086_86, unearned_cents: 0, locked_cents: 0 });
    expect(await contractRow()).toMatchObject({
      state: 'RECOVERING',
      own_paid_cents: 5_000_00,
      reserve_paid_cents: 1_086_85,
      claim_cents: 3_500_00,
    });
    const [principal] = await balances(database, [{ book: sacco, kind: 'loan_principal', owner: loan }]);
    expect(principal).toBe(25_000_00 - 8_500_00);
    await expect(call()).resolves.toMatchObject({ paid: 0 });
    await noBreaches();
  });

  test('1,000 that Amina pays back goes to those who lost, by what they lost', async () => {
    const before = await positions();
    await database.transaction(async (tx) => {
      const { taken, journals } = await recoverForPool(tx, { loanId: loan, cents: 1_000_00, causedBy: ids[0] ?? null });
      expect(taken).toBe(1_000_00);
      await postJournals(tx, journals);
    });
    const after = await positions();
    expect(after.map((cents, index) => cents - (before[index] ?? 0))).toEqual([
      0, 315_79, 263_16, 157_89, 105_27, 157_89,
    ]);
    await noBreaches();
  });

  test('the page of the pool tells the call so that it adds up: who bore it, what came back, what is still out', async () => {
    const read = async (userId: string | undefined) =>
      (await detailsOfPool(database, { userId: userId ?? '', isOperator: false }, pool)).calls;
    const [call] = (await read(ids[1])) ?? [];
    expect(call).toMatchObject({
      borrower: 'Amina Mwangi',
      called: 8_500,
      own: 5_000,
      reserve: 1_086.85,
      members: 2_413.15,
      members_count: 5,
      recovered: 1_000,
      still_out: 2_500,
      is_given_up: false,
      my_part: 762.05,
      my_recovered: 315.79,
      my_still_out: 446.26,
    });
    // The borrower bore none of what others did. Who came later reads no name, and a stranger nothing.
    expect(await read(ids[0])).toMatchObject([{ borrower: 'Amina Mwangi', my_part: 0 }]);
    const late = await pools.rich('Late', 5_000_00);
    expect(await read(late)).toBeNull();
    await pools.people.member(sacco, late);
    await pools.join(pool, late, 2_000_00);
    expect(await read(late)).toMatchObject([{ borrower: null, called: 8_500, my_part: 0 }]);
  });

  test('the rest makes members whole first, then the reserve, and nothing is taken above the claim', async () => {
    await database.transaction(async (tx) => {
      const { taken, journals } = await recoverForPool(tx, { loanId: loan, cents: 9_000_00, causedBy: ids[0] ?? null });
      expect(taken).toBe(2_500_00);
      await postJournals(tx, journals);
    });
    expect(await contractRow()).toMatchObject({ state: 'RECOVERED', recovered_cents: 3_500_00 });
    expect(await poolRow()).toMatchObject({ reserve_cents: 1_086_86 + 1_086_85 });
    await noBreaches();
  });
});
