import { loanRecoveryContract } from '@ushirika/contract/loan-recovery';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { standings } from '../membership/standings.ts';
import { loanRecoveryInvariants } from './loan-recovery.invariants.ts';
import { loanRecoveryRoutes } from './loan-recovery.routes.ts';
import { runLoanDays } from './run-loan-days.ts';
import { dayAfter } from './schedule.rules.ts';
import { testLateLoans } from './test-late-loans.ts';

let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let late: ReturnType<typeof testLateLoans>;
let app: Awaited<ReturnType<typeof testApp>>;
let founder: string;
let operator: string;

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  late = testLateLoans(database);
  founder = await people.person('Wanjiru', 'Kamau');
  operator = await people.person('Operator');
  app = await testApp({
    database,
    contract: [...loanRecoveryContract],
    bindings: loanRecoveryRoutes({ database }),
    standingOf: standings(database),
  });
});
afterAll(async () => {
  await app.close();
  await database.close();
});
beforeEach(() => database.world.setNow(new Date('2026-03-02T06:00:00Z')));

interface Scene {
  readonly sacco: string;
  readonly loan: string;
  readonly borrower: string;
  readonly guarantors: readonly string[];
  readonly committee: readonly string[];
  readonly treasurer: string;
  readonly supervisor: string;
}

/** A loan of Ksh. 100,000 that three members guarantee with 50, 30 and 20 thousand; the borrower has so much in savings. */
async function scene(savings: number, pledged: number): Promise<Scene> {
  const sacco = await late.saccos.sacco(founder, operator);
  const borrower = await people.person('Amina', 'Otieno');
  await late.saver(sacco, borrower, savings);
  const guarantors: string[] = [];
  for (const [index, cents] of [50_000_00, 30_000_00, 20_000_00].entries()) {
    const guarantor = await people.person('Guarantor', ['One', 'Two', 'Three'][index]);
    await late.saver(sacco, guarantor, cents);
    guarantors.push(guarantor);
  }
  const official = async (office: Parameters<typeof late.official>[2]) => {
    const person = await people.person('Official');
    await late.saver(sacco, person, 0);
    await late.official(sacco, person, office);
    return person;
  };
  const committee = [await official('credit_committee'), await official('credit_committee')];
  const [treasurer, supervisor] = [await official('treasurer'), await official('supervisory_committee')];
  const pledges = [50_000_00, 30_000_00, 20_000_00].map((cents, index) => ({
    guarantor: guarantors[index] ?? '',
    cents,
  }));
  const loan = await late.loan({ sacco, borrower, amountCents: 100_000_00, months: 12, ownCents: pledged, pledges });
  return { sacco, loan, borrower, guarantors, committee, treasurer, supervisor };
}

/** Runs the days up to one, each on its morning. */
async function live({ sacco }: Scene, until: string): Promise<void> {
  let day = database.now().toISOString().slice(0, 10);
  while (day < until) {
    day = dayAfter(day, 1);
    database.world.setNow(new Date(`${day}T06:00:00Z`));
    await runLoanDays(database, { saccos: [sacco] });
  }
}

const act = (scene: Scene, as: string | undefined, path: string, body?: object) =>
  app.call('POST', `/sacco/loans/${scene.loan}/${path}`, {
    ...(as ? { as } : {}),
    sacco: scene.sacco,
    ...(body ? { body } : {}),
  });
const row = async ({ loan }: Scene) => (await database.sql`select * from loans where id = ${loan}`)[0];
const savings = async ({ sacco }: Scene, owner: string) => {
  const [free, held] = await balances(database, [
    { book: sacco, kind: 'deposits', owner },
    { book: sacco, kind: 'deposits_hold', owner },
  ]);
  return { free, held };
};
const wallet = async (owner: string) => (await balances(database, [{ book: PLATFORM_BOOK, kind: 'wallet', owner }]))[0];
const because = { reason: 'Ninety days without a payment.' };

describe('a default, from the first notice to the last cent', () => {
  test('each step waits for the one before, and the guarantors pay 20,000, 12,000 and 8,000 of 40,000', async () => {
    const s = await scene(60_000_00, 20_000_00);
    const [one = '', two = '', three = ''] = s.guarantors;
    const [first, second] = s.committee;
    await live(s, '2026-06-30');
    expect(await row(s)).toMatchObject({ days_past_due: 89, state: 'in_arrears', notices_given: 4 });
    expect((await act(s, first, 'default', because)).body.code).toBe('recovery_too_early');
    await live(s, '2026-07-01');
    // Nothing of what comes later, and nobody who may not.
    expect((await act(s, s.treasurer, 'recovery', { step: 'own_deposits' })).body.code).toBe('loan_conflict');
    expect((await act(s, first, 'final-notice')).body.code).toBe('recovery_too_early');
    expect((await act(s, s.treasurer, 'default', because)).body.code).toBe('not_allowed');
    expect((await act(s, s.borrower, 'default', because)).body.code).toBe('not_allowed');
    expect((await act(s, first, 'default', because)).body).toMatchObject({
      message: 'Your voice is kept. Another member of the credit committee has to agree.',
      recovery: { voices: [{ step: 'default', reason: because.reason }] },
    });
    expect((await act(s, first, 'default', because)).body.code).toBe('loan_conflict');
    const decided = await act(s, second, 'default', because);
    expect(
      decided.body.recovery.steps.map((each: { kind: string; state: string }) => `${each.kind} ${each.state}`),
    ).toEqual([
      'default done',
      'final_notice now',
      'own_deposits later',
      'pool not_needed',
      'guarantors later',
      'write_off later',
    ]);
    expect(await row(s)).toMatchObject({ state: 'defaulted', duplum_cents: 100_000_00 });
    expect((await act(s, s.treasurer, 'recovery', { step: 'own_deposits' })).body.code).toBe('recovery_too_early');
    expect((await act(s, s.treasurer, 'final-notice')).status).toBe(200);
    await live(s, '2026-07-14');
    expect((await act(s, s.treasurer, 'recovery', { step: 'own_deposits' })).body.code).toBe('recovery_too_early');
    await live(s, '2026-07-15');
    expect((await act(s, s.treasurer, 'recovery', { step: 'guarantors' })).body.code).toBe('recovery_too_early');
    expect((await act(s, s.treasurer, 'recovery', { step: 'own_deposits' })).body.message).toBe(
      'Ksh.\u00a060,000.00 is recovered.',
    );
    expect(await row(s)).toMatchObject({ state: 'recovering', principal_cents: 40_000_00 });
    expect(await savings(s, s.borrower)).toEqual({ free: 0, held: 0 });
    const taken = await act(s, s.treasurer, 'recovery', { step: 'guarantors' });
    expect(taken.body.recovery.claims.map((claim: { owed: number }) => claim.owed)).toEqual([20_000, 12_000, 8_000]);
    expect(await savings(s, one)).toEqual({ free: 30_000_00, held: 0 });
    expect(await savings(s, two)).toEqual({ free: 18_000_00, held: 0 });
    expect(await savings(s, three)).toEqual({ free: 12_000_00, held: 0 });
    const after = await row(s);
    expect(after).toMatchObject({ state: 'recovering', principal_cents: 0 });
    // No principal, no more interest.
    await live(s, '2026-07-20');
    expect((await row(s))?.interest_cents).toBe(after?.interest_cents);
    expect((await act(s, s.treasurer, 'recovery', { step: 'guarantors' })).body.code).toBe('loan_conflict');
    expect((await row(s))?.penalty_cents).toBeGreaterThanOrEqual(after?.penalty_cents);

    // Written off by the board and the supervisory committee; what the guarantors paid is still theirs.
    expect((await act(s, s.treasurer, 'write-off', because)).body.message).toMatch(/^Your voice is kept/);
    expect((await act(s, s.supervisor, 'write-off', because)).body.message).toBe(
      'The loan is written off in the books. The borrower still owes it.',
    );
    expect(await row(s)).toMatchObject({ state: 'written_off', class: null, provision_cents: 0 });
    const [principal, interest, penalty, provision] = await balances(database, [
      { book: s.sacco, kind: 'loan_principal', owner: s.loan },
      { book: s.sacco, kind: 'interest_receivable', owner: null },
      { book: s.sacco, kind: 'penalty_receivable', owner: null },
      { book: s.sacco, kind: 'loan_loss_provision', owner: null },
    ]);
    expect([principal, interest, penalty, provision]).toEqual([0, 0, 0, 0]);
    const before = await wallet(s.borrower);
    const paid = await app.call('POST', `/loans/${s.loan}/guarantors-refund`, {
      as: s.borrower,
      sacco: s.sacco,
      key: 'refund-1',
      body: { amount: 10_000 },
    });
    expect(paid.body).toMatchObject({ refunded: 10_000, still_owed: 30_000 });
    expect(await wallet(s.borrower)).toBe((before ?? 0) - 10_000_00);
    expect((await savings(s, one)).free).toBe(35_000_00);
    expect((await savings(s, three)).free).toBe(14_000_00);
    const again = await app.call('POST', `/loans/${s.loan}/guarantors-refund`, {
      as: s.borrower,
      sacco: s.sacco,
      key: 'refund-1',
      body: { amount: 10_000 },
    });
    expect(again.body).toEqual(paid.body);
    expect((await savings(s, one)).free).toBe(35_000_00);
    expect(await breaches(database.sql, [...ledgerInvariants, ...loanRecoveryInvariants])).toEqual([]);
  });
});
