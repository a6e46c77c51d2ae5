import { inWords } from '@ushirika/contract/in-words';
import { loanRecoveryContract } from '@ushirika/contract/loan-recovery';
import type { Office } from '@ushirika/contract/route';
import { byTopic } from '@ushirika/contract/topics';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { amountShown, writeOffShown } from '../../demo/amount-shown.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { standings } from '../membership/standings.ts';
import { setPreferences } from '../notifications/set-preferences.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { deskLoanOf, deskLoans, loanFigures } from './desk.queries.ts';
import { expireInChunks } from './expire-loans.ts';
import { guaranteeToSign, myGuarantees } from './guarantee.queries.ts';
import { loanExitBlocks, loanTradeBlocks } from './loan-blocks.ts';
import { historyOf, standingOf } from './loan-facts.ts';
import { VOTED } from './loan-officials.ts';
import { loanRecoveryInvariants } from './loan-recovery.invariants.ts';
import { loanRecoveryRoutes } from './loan-recovery.routes.ts';
import type { LoanRow } from './loan-rows.ts';
import { guaranteeTerms } from './loan-terms.ts';
import { loansInvariants } from './loans.invariants.ts';
import { loanOf, myLoans } from './loans.queries.ts';
import { pledgeJournal, postAll } from './pledges.ts';
import { repaymentHistoriesOf } from './pool-needs.ts';
import { recoverLoan } from './recover-loan.ts';
import { loanSteps } from './recovery.queries.ts';
import { payGuarantors } from './refund-guarantors.ts';
import { owedOf, repayAny } from './repay-late.ts';
import { SECOND_ACCOUNT } from './second-account.ts';
import { askGuaranteeCode } from './sign-guarantee.ts';
import { testDividend } from './test-dividend.ts';
import { scheduleCode, type TestLoan, testLateLoans } from './test-late-loans.ts';
import { votesThatWait } from './votes-that-wait.ts';

// Three months of days each.
vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let late: ReturnType<typeof testLateLoans>;
let dividend: ReturnType<typeof testDividend>;
let app: Awaited<ReturnType<typeof testApp>>;
let founder: string;
let operator: string;

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  late = testLateLoans(database);
  dividend = testDividend(database);
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
async function scene(savings: number, pledged: number, rates: Partial<TestLoan> = {}): Promise<Scene> {
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
  const { amountCents = 100_000_00 } = rates;
  if (amountCents > 100_000_00) await late.saver(sacco, await people.person('Another'), amountCents);
  const loan = await late.loan({ sacco, borrower, months: 12, ownCents: pledged, pledges, ...rates, amountCents });
  return { sacco, loan, borrower, guarantors, committee, treasurer, supervisor };
}

/** As an operator alone does it, for a day; and the end of it. */
const suspend = (userId: string) => database.owner`
  insert into account_suspensions (id, user_id, suspended_by, suspended_at, reason, lapses_at)
  values (${database.newId()}, ${userId}, ${operator}, ${database.now()}, 'Looked at.', ${new Date(database.now().getTime() + 86_400_000)})`;
const free = (userId: string) => database.owner`
  update account_suspensions set ended_at = lapses_at, end_kind = 'lapsed' where user_id = ${userId}`;

const live = ({ sacco }: Scene, until: string) => late.live(sacco, until);

const act = (scene: Scene, as: string | undefined, path: string, body?: object) =>
  app.call('POST', `/sacco/loans/${scene.loan}/${path}`, {
    ...(as ? { as } : {}),
    sacco: scene.sacco,
    ...(body ? { body } : {}),
  });
/** The treasurer takes a step at the amount that is shown, or at another. */
async function take(scene: Scene, step: 'own_deposits' | 'pool' | 'guarantors', shillings?: number) {
  const amount = shillings ?? (await amountShown(reader(), scene.loan, step)) / 100;
  return act(scene, scene.treasurer, 'recovery', { step, amount });
}
/** What somebody is answered while the sacco is suspended. */
async function whileSuspended({ sacco }: Scene, asked: () => ReturnType<typeof act>): Promise<string> {
  const become = (state: string) => database.owner`update saccos set state = ${state} where id = ${sacco}`;
  await become('suspended');
  const { body } = await asked();
  await become('active');
  return body.code;
}
/** What an official is offered of votes while the sacco is suspended, and whether every page says why it is nothing. */
async function offeredWhileSuspended({ sacco, loan }: Scene, userId = '') {
  const official = { userId, saccoId: sacco };
  const become = (state: string) => database.owner`update saccos set state = ${state} where id = ${sacco}`;
  await become('suspended');
  const figures = await loanFigures(database, official, loanSteps);
  const { may } = await deskLoanOf(database, official, loan, desk);
  const { body } = await app.call('GET', `/sacco/loans/${loan}/recovery`, { as: userId, sacco });
  await become('active');
  const why = /^The sacco is not active: its officials vote about no loan/;
  expect(body).toMatchObject({ votes_barred: why, restructure_barred: why });
  expect(figures.votes_barred).not.toBeNull();
  const { votes_to_cast, waiting_for_me } = figures;
  return {
    may,
    votes: votes_to_cast,
    steps: waiting_for_me.recovery,
    write_off: body.write_off_may,
    offer: body.restructure?.may,
  };
}
const NOTHING = { may: [], votes: [], steps: 0, write_off: [], offer: undefined };
/** As if both had confirmed one phone, one after the other, and given it up. */
const onePhone = (one: string, other: string) => database.owner`
  insert into referral_traces (user_id, kind, value, created_at)
  select unnest(array[${one}, ${other}]::uuid[]), 'confirmed_phone', '254799000001', ${database.now()}
  on conflict do nothing`;
/** Votes for the write-off at the amount that is shown, or at another. */
async function giveUp(scene: Scene, as: string | undefined, shillings?: number) {
  const amount = shillings ?? (await writeOffShown(reader(), scene.loan)) / 100;
  return act(scene, as, 'write-off', { ...because, amount });
}
const reader = () => ({ sql: database.sql, now: database.now() });
const row = async ({ loan }: Scene) => (await database.sql`select * from loans where id = ${loan}`)[0];
const savings = async ({ sacco }: Scene, owner: string) => {
  const [free, held] = await balances(database, [
    { book: sacco, kind: 'deposits', owner },
    { book: sacco, kind: 'deposits_hold', owner },
  ]);
  return { free, held };
};
const wallet = async (owner: string) => (await balances(database, [{ book: PLATFORM_BOOK, kind: 'wallet', owner }]))[0];
const everything = [...ledgerInvariants, ...loansInvariants, ...loanRecoveryInvariants];
/** Whom a vote for a step was told to, each as often as it was. */
const votersTold = async ({ sacco }: Scene, template: string) =>
  (
    await database.sql<{ user_id: string }[]>`
      select n.user_id from notifications n where template = ${template} and exists (
        select from offices o where o.user_id = n.user_id and o.sacco_id = ${sacco} and o.ended_at is null)
      order by n.user_id`
  ).map(({ user_id }) => user_id);
/** How many steps of recovery an official is told to take. */
const stepsNow = async ({ sacco }: Scene, userId: string | undefined) =>
  (await loanFigures(database, { userId: userId ?? '', saccoId: sacco }, loanSteps)).waiting_for_me.recovery;
/** What the first guarantor is told without having asked. */
const atRisk = async ({ sacco, guarantors: [guarantor = ''] }: Scene) => {
  const member = { userId: guarantor, saccoId: sacco };
  const { results } = await myGuarantees({ database, publicUrl: '' }, member, { status: 'waiting', limit: 20 });
  return results.map(({ recovery }) => recovery);
};
const waitsFor = ({ sacco }: Scene, userId: string | undefined, held: readonly Office[]) =>
  votesThatWait(reader(), { userId: userId ?? '', saccoId: sacco, held });
const desk = { steps: loanSteps, relatedPairs: async () => new Set<number>() };
const because = { reason: 'Ninety days without a payment.' };

describe('a default, from the first notice to the last cent', () => {
  test('each step waits for the one before, and the guarantors pay 20,000, 12,000 and 8,000 of 40,000', async () => {
    const s = await scene(60_000_00, 20_000_00);
    const [one = '', two = '', three = ''] = s.guarantors;
    const [first, second] = s.committee;
    await live(s, '2026-06-30');
    expect(await row(s)).toMatchObject({ days_past_due: 89, state: 'in_arrears', notices_given: 4 });
    expect((await act(s, first, 'default', because)).body.code).toBe('recovery_too_early');
    // The borrower reads from when on each step may be taken, and later when it was.
    const asBorrower = { userId: s.borrower, saccoId: s.sacco };
    const stepsOf = async () =>
      (await loanOf(database, asBorrower, s.loan)).steps.map(({ kind, state, from }) => [
        kind,
        state,
        from?.slice(0, 10),
      ]);
    expect((await stepsOf())[0]).toEqual(['default', 'later', '2026-06-30']);
    await live(s, '2026-07-01');
    // Those whose step it is are told of it, and the guarantors of what may come.
    expect(await Promise.all([first, second, s.treasurer].map((as) => stepsNow(s, as)))).toEqual([1, 1, 0]);
    expect(await atRisk(s)).toEqual([{ next: 'default', next_from: '2026-06-30T21:00:00.000Z', taken_from: null }]);
    // Nothing of what comes later, and nobody who may not.
    expect((await take(s, 'own_deposits')).body.code).toBe('loan_conflict');
    expect((await act(s, first, 'final-notice')).body.code).toBe('recovery_too_early');
    expect((await act(s, s.treasurer, 'default', because)).body.code).toBe('not_allowed');
    expect((await act(s, s.borrower, 'default', because)).body.code).toBe('not_allowed');
    expect(await whileSuspended(s, () => act(s, first, 'default', because))).toBe('sacco_inactive');
    expect(await offeredWhileSuspended(s, first)).toEqual(NOTHING);
    expect((await act(s, first, 'default', because)).body).toMatchObject({
      message: 'Your vote is recorded. Another official who decides about it must agree.',
      recovery: { voices: [{ step: 'default', reason: because.reason }] },
    });
    expect((await act(s, first, 'default', because)).body.code).toBe('loan_conflict');
    // It waits for a vote now: the other of the committee is told once, and finds it at the desk.
    expect([await stepsNow(s, first), await stepsNow(s, second)]).toEqual([0, 0]);
    expect(await votersTold(s, 'default_proposed')).toEqual([second]);
    expect(await waitsFor(s, second, ['credit_committee'])).toMatchObject([{ step: 'default', by: { id: first } }]);
    expect(await waitsFor(s, first, ['credit_committee'])).toEqual([]);
    expect(await waitsFor(s, s.treasurer, ['treasurer'])).toEqual([]);
    await votesCountInTheOfficeOfNow(s);
    await onePersonCountsOnce(s);
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
    // What it will take, and from whom, is said before anybody is asked to take it.
    const takes = [
      {
        step: 'own_deposits',
        from: [
          { source: 'pledged_savings', name: null, amount: 20_000 },
          { source: 'savings', name: null, amount: 40_000 },
        ],
        amount: 60_000,
        principal_left: 40_000,
      },
      {
        step: 'guarantors',
        from: [
          { source: 'guarantor', name: 'Guarantor One', amount: 20_000 },
          { source: 'guarantor', name: 'Guarantor Two', amount: 12_000 },
          { source: 'guarantor', name: 'Guarantor Three', amount: 8_000 },
        ],
        amount: 40_000,
        principal_left: 0,
      },
    ];
    expect(decided.body.recovery.takes).toEqual(takes);
    expect(await row(s)).toMatchObject({ state: 'defaulted', duplum_cents: 100_000_00 });
    expect((await take(s, 'own_deposits')).body.code).toBe('recovery_too_early');
    // Who decided it, and why, stays to be read.
    expect(decided.body.recovery.voices.map(({ by }: { by: { id: string } }) => by.id).sort()).toEqual(
      [...s.committee].sort(),
    );
    expect(await stepsNow(s, s.treasurer)).toBe(1);
    expect((await act(s, s.treasurer, 'final-notice')).status).toBe(200);
    expect(await stepsNow(s, s.treasurer)).toBe(0);
    expect(await atRisk(s)).toMatchObject([{ next: 'own_deposits', taken_from: '2026-07-15T06:00:00.000Z' }]);
    expect(await waitsFor(s, second, ['credit_committee'])).toEqual([]);
    expect((await stepsOf()).slice(0, 3)).toEqual([
      ['default', 'done', '2026-07-01'],
      ['final_notice', 'done', '2026-07-01'],
      ['own_deposits', 'later', '2026-07-15'],
    ]);
    await live(s, '2026-07-14');
    expect((await take(s, 'own_deposits')).body.code).toBe('recovery_too_early');
    await live(s, '2026-07-15');
    expect((await take(s, 'guarantors')).body.code).toBe('recovery_too_early');
    const own = await take(s, 'own_deposits');
    expect(own.body.message).toBe('Ksh.\u00a060,000.00 is recovered.');
    expect(own.body.recovery.takes).toEqual(takes.slice(1));
    expect(await row(s)).toMatchObject({ state: 'recovering', principal_cents: 40_000_00 });
    expect(await savings(s, s.borrower)).toEqual({ free: 0, held: 0 });
    database.world.advance(1000);
    const taken = await take(s, 'guarantors');
    // The notice ran out a second ago, and the step above is done now: since then the loan may be written off.
    expect(taken.body.recovery.steps.at(-1)).toMatchObject({ state: 'now', from: database.now().toISOString() });
    // The desk's list says the same moment.
    const official = { userId: s.treasurer, saccoId: s.sacco };
    const listed = await deskLoans({ database, publicUrl: '', ...desk }, official, { list: 'arrears', limit: 20 });
    expect(listed.results[0]?.next_step?.from).toBe(database.now().toISOString());
    expect(taken.body.recovery.takes).toEqual([]);
    expect(taken.body.recovery.claims.map((claim: { owed: number }) => claim.owed)).toEqual([20_000, 12_000, 8_000]);
    expect(await savings(s, one)).toEqual({ free: 30_000_00, held: 0 });
    expect(await savings(s, two)).toEqual({ free: 18_000_00, held: 0 });
    expect(await savings(s, three)).toEqual({ free: 12_000_00, held: 0 });
    const { timeline, owed_to_guarantors } = await loanOf(database, asBorrower, s.loan);
    expect(owed_to_guarantors).toBe(40_000);
    expect(
      timeline.flatMap(({ kind, amount }) => (kind === 'recovered' || kind === 'repaid' ? [[kind, amount]] : [])),
    ).toEqual([
      ['recovered', 60_000],
      ['recovered', 40_000],
    ]);
    const after = await row(s);
    expect(after).toMatchObject({ state: 'recovering', principal_cents: 0 });
    // No principal, no more interest.
    await live(s, '2026-07-20');
    expect((await row(s))?.interest_cents).toBe(after?.interest_cents);
    expect((await take(s, 'guarantors')).body.code).toBe('loan_conflict');
    expect((await row(s))?.penalty_cents).toBeGreaterThanOrEqual(after?.penalty_cents);

    // Written off by the board and the supervisory committee; what the guarantors paid is still theirs.
    expect((await giveUp(s, s.treasurer)).body.message).toMatch(/^Your vote is recorded/);
    expect((await giveUp(s, s.supervisor)).body.message).toBe(
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
    expect(await breaches(database.sql, everything)).toEqual([]);
  });
});

/**
 * Whoever voted as one of the committee becomes vice chair. The vote counts where a vice chair decides too. Where not, it waits for nobody: both
 * of the committee are told to take the step.
 */
async function votesCountInTheOfficeOfNow(s: Scene): Promise<void> {
  const [first = '', second = ''] = s.committee;
  await database.owner`update offices set ended_at = ${database.now()} where sacco_id = ${s.sacco} and user_id = ${first}`;
  await late.official(s.sacco, first, 'vice_chair');
  const seen = async () => [await stepsNow(s, second), (await waitsFor(s, second, ['credit_committee'])).length];
  expect(await seen()).toEqual([0, 1]);
  expect((await act(s, first, 'default', because)).body.message).toBe(VOTED.text);
  const third = await people.person('Third', 'Member');
  await late.saver(s.sacco, third, 0);
  await late.official(s.sacco, third, 'credit_committee');
  expect(await seen()).toEqual([1, 0]);
  expect((await act(s, first, 'default', because)).body.code).toBe('not_allowed');
  await database.owner`delete from offices where sacco_id = ${s.sacco} and (user_id = ${third} or office = 'vice_chair')`;
  await database.owner`update offices set ended_at = null where sacco_id = ${s.sacco} and user_id = ${first}`;
}

/**
 * The second of the committee is refused while the account looks like that of the first, by a phone. Who shares an address or was brought
 * by the other is no such account.
 */
async function onePersonCountsOnce(s: Scene): Promise<void> {
  const [first = '', second = ''] = s.committee;
  await onePhone(first, second);
  expect((await act(s, second, 'default', because)).body).toMatchObject({
    code: 'not_allowed',
    message: expect.stringContaining('another official must vote'),
  });
  expect((await row(s))?.state).toBe('in_arrears');
  await database.owner`delete from referral_traces where user_id = ${second}`;
  await database.owner`
    insert into referral_traces (user_id, kind, value, created_at)
    select id, 'address', '196.201.214.10', ${database.now()} from users where id in (${first}, ${second})`;
  await database.owner`
    insert into referrals (id, referrer_id, referred_id, created_at, status, reward_state, review)
    values (${database.newId()}, ${first}, ${second}, ${database.now()}, 'lead', 'not_yet', 'none')`;
}

describe('a write-off', () => {
  const toldOf = async (userId: string) =>
    database.sql<{ text: string }[]>`
      select text from notifications where user_id = ${userId} and template = 'write_off_declined' order by id`;
  const shown = async (s: Scene, as = s.treasurer) =>
    (await app.call('GET', `/sacco/loans/${s.loan}/recovery`, { as, sacco: s.sacco })).body;
  /** Who voted for the write-off, as one of the supervisory committee reads it. */
  const voicesOf = async (s: Scene): Promise<object[]> =>
    (await shown(s, s.supervisor)).voices.filter(({ step }: { step: string }) => step === 'write_off');
  /** Another of the supervisory committee. */
  async function supervisorOf({ sacco }: Scene): Promise<string> {
    const other = await people.person('Other', 'Supervisor');
    await late.saver(sacco, other, 0);
    await late.official(sacco, other, 'supervisory_committee');
    return other;
  }
  const decline = (s: Scene, as: string | undefined, reason = 'Her brother pays from May on.') =>
    act(s, as, 'write-off-decline', { reason });
  /** Savings and guarantors have paid 120,000 of 130,000: nothing more is there to be taken. */
  async function toGiveUp(): Promise<Scene> {
    const s = await scene(20_000_00, 20_000_00, { amountCents: 130_000_00 });
    await inDefault(s);
    for (const step of ['own_deposits', 'guarantors'] as const) expect((await take(s, step)).status).toBe(200);
    return s;
  }

  test('is shown with what the books give up and what stays owed, and nobody votes for more than was shown', async () => {
    const s = await toGiveUp();
    const loan = await row(s);
    expect(await whileSuspended(s, () => giveUp(s, s.treasurer))).toBe('sacco_inactive');
    const [principal, interest, penalty] = [loan?.principal_cents, loan?.interest_cents, loan?.penalty_cents];
    const owed = principal + interest + penalty;
    const { write_off } = await shown(s);
    expect(write_off).toEqual({
      principal: 10_000,
      interest: interest / 100,
      penalty: penalty / 100,
      amount: owed / 100,
      set_aside: loan?.provision_cents / 100,
      expense: (owed - loan?.provision_cents) / 100,
      owed_to_guarantors: 100_000,
      owed_to_pool: 0,
    });
    const spent = async () =>
      (await balances(database, [{ book: s.sacco, kind: 'provision_expense', owner: null }]))[0] ?? 0;
    const before = await spent();
    expect(await offeredWhileSuspended(s, s.treasurer)).toEqual(NOTHING);
    await giveUp(s, s.treasurer, write_off.amount);
    // A no goes on.
    expect(await offeredWhileSuspended(s, s.supervisor)).toEqual({ ...NOTHING, write_off: ['decline'] });
    // A day's interest later nobody votes for what they did not see.
    await database.owner`update loans set interest_cents = interest_cents + 1 where id = ${s.loan}`;
    const refused = await giveUp(s, s.supervisor, write_off.amount);
    expect([refused.status, refused.body.code]).toEqual([409, 'loan_terms_changed']);
    expect(Math.round(refused.body.amount * 100)).toBe(owed + 1);
    expect(await voicesOf(s)).toHaveLength(1);
    await database.owner`update loans set interest_cents = interest_cents - 1 where id = ${s.loan}`;
    // Less is owed than was shown: the less is given up.
    expect((await giveUp(s, s.supervisor, refused.body.amount)).status).toBe(200);
    // The books take what was shown.
    expect((await spent()) - before).toBe(Math.round(write_off.expense * 100));
    expect((await shown(s)).write_off).toBeNull();
  });

  test('is declined by the side that would have to agree, with a reason that is told to who proposed it', async () => {
    const s = await toGiveUp();
    expect((await decline(s, s.supervisor)).body.code).toBe('loan_conflict');
    await giveUp(s, s.treasurer);
    expect((await decline(s, s.supervisor, 'Too soon')).status).toBe(400);
    expect((await decline(s, s.committee[0])).body.code).toBe('not_allowed');
    // Neither whoever proposes it nor another of the board.
    expect((await decline(s, s.treasurer)).body.code).toBe('not_allowed');
    expect((await decline(s, founder)).body.code).toBe('not_allowed');
    expect(await toldOf(s.treasurer)).toEqual([]);

    const declined = await decline(s, s.supervisor);
    expect(declined.body).toMatchObject({
      message: 'Declined. Your reason is kept, and whoever proposed it is told. The proposal stays open.',
      recovery: {
        voices: [{ step: 'default' }, { step: 'default' }, { step: 'write_off', by: { id: s.treasurer } }],
        write_off_declines: [
          { by: { id: s.supervisor }, office: 'supervisory_committee', reason: 'Her brother pays from May on.' },
        ],
        write_off_may: ['agree'],
      },
    });
    expect(await toldOf(s.treasurer)).toEqual([{ text: expect.stringContaining('Her brother pays from May on.') }]);
    // Once each: nobody is told again and again.
    expect((await decline(s, s.supervisor)).body).toMatchObject({
      code: 'loan_conflict',
      message: 'You have declined it already. You may still agree.',
    });
    expect(await toldOf(s.treasurer)).toHaveLength(1);
    expect((await row(s))?.state).toBe('recovering');
    // Whoever has not voted yet is told by whom it was declined.
    const other = await supervisorOf(s);
    expect(await waitsFor(s, other, ['supervisory_committee'])).toMatchObject([{ declined_by: ['Official Mwangi'] }]);
    // Whoever declined may still agree.
    database.world.advance(1000);
    expect((await giveUp(s, s.supervisor)).status).toBe(200);
    expect((await row(s))?.state).toBe('written_off');
    // Who proposed it, who agreed and who declined, each with the reason, stay to be read; also once an office has ended.
    await database.owner`
      update offices set ended_at = ${database.now()} where sacco_id = ${s.sacco} and user_id = ${s.treasurer}`;
    expect(await voicesOf(s)).toMatchObject([
      { by: { id: s.treasurer }, office: 'treasurer', ...because },
      { by: { id: s.supervisor }, office: 'supervisory_committee', ...because },
    ]);
    expect((await decline(s, s.supervisor)).body.code).toBe('loan_conflict');
    expect(await breaches(database.sql, everything)).toEqual([]);
  });

  test('is agreed to by another of the side of whoever declined it: no single official keeps it in the books', async () => {
    const s = await toGiveUp();
    const other = await supervisorOf(s);
    await giveUp(s, s.treasurer);
    // The committee is told, and nobody of the board. A second vote of the board tells nobody again.
    database.world.advance(1000);
    await giveUp(s, founder);
    expect(await votersTold(s, 'write_off_proposed')).toEqual([s.supervisor, other].sort());
    const [vote] = await waitsFor(s, s.supervisor, ['supervisory_committee']);
    const loan = await row(s);
    expect(vote).toMatchObject({
      ...{ loan: s.loan, step: 'write_off', by: { id: s.treasurer }, office: 'treasurer' },
      owed: (loan?.principal_cents + loan?.interest_cents + loan?.penalty_cents) / 100,
    });
    expect(await waitsFor(s, s.treasurer, ['treasurer'])).toEqual([]);
    for (const one of [s.supervisor, other]) expect((await shown(s, one)).write_off_may).toEqual(['agree', 'decline']);
    expect((await shown(s, founder)).write_off_may).toEqual([]);
    expect((await shown(s, s.committee[0])).write_off_may).toEqual([]);
    expect((await decline(s, s.supervisor)).status).toBe(200);
    // Whoever has declined is asked no more.
    expect(await waitsFor(s, s.supervisor, ['supervisory_committee'])).toEqual([]);
    expect(await waitsFor(s, other, ['supervisory_committee'])).toHaveLength(1);
    expect((await giveUp(s, other)).body.message).toMatch(/^The loan is written off/);
    expect((await row(s))?.state).toBe('written_off');
    const { write_off_declines, write_off_may } = await shown(s, s.supervisor);
    expect([write_off_declines.length, write_off_may]).toEqual([1, []]);
  });

  test('counts whoever holds an office of both sides as of the side that has not spoken', async () => {
    const s = await toGiveUp();
    await late.official(s.sacco, s.treasurer, 'supervisory_committee');
    await giveUp(s, s.supervisor);
    expect((await shown(s, s.treasurer)).write_off_may).toEqual(['agree', 'decline']);
    expect((await decline(s, s.treasurer)).body.recovery.write_off_declines).toMatchObject([{ office: 'treasurer' }]);
    expect((await giveUp(s, s.treasurer)).status).toBe(200);
    expect((await row(s))?.state).toBe('written_off');
  });

  test('is completed by one of the board too, where whoever voted first is of the board and of the supervisory committee', async () => {
    const s = await toGiveUp();
    await late.official(s.sacco, s.treasurer, 'supervisory_committee');
    const first = await giveUp(s, s.treasurer);
    expect(first.body.recovery).toMatchObject({
      write_off_may: [],
      write_off_waits_for: ['board', 'supervisory_committee'],
    });
    expect((await giveUp(s, s.treasurer)).body.code).toBe('loan_conflict');
    for (const one of [founder, s.supervisor])
      expect((await shown(s, one)).write_off_may).toEqual(['agree', 'decline']);
    expect((await decline(s, founder)).body.recovery.write_off_declines).toMatchObject([{ office: 'chair' }]);
    // Two of the board have voted while she was not of the committee: with the office they are a pair, and one says it once more.
    const office = (endedAt: Date | null) => database.owner`
      update offices set ended_at = ${endedAt}
      where sacco_id = ${s.sacco} and user_id = ${s.treasurer} and office = 'supervisory_committee'`;
    await office(database.now());
    expect((await giveUp(s, founder)).body.message).toMatch(/^Your vote is recorded/);
    await office(null);
    expect((await shown(s, founder)).write_off_may).toEqual(['agree']);
    expect((await giveUp(s, founder)).body.message).toMatch(/^The loan is written off/);
    expect(await breaches(database.sql, everything)).toEqual([]);
  });

  test('takes no two accounts of one person, and the database says so too; either may decline what the other has voted for', async () => {
    const s = await toGiveUp();
    await onePhone(s.treasurer, s.supervisor);
    await giveUp(s, s.treasurer);
    // A vote counts for nothing while whoever gave it is suspended.
    await suspend(s.treasurer);
    expect((await shown(s)).write_off_waits_for).toEqual(['board', 'supervisory_committee']);
    await free(s.treasurer);
    expect((await shown(s)).write_off_waits_for).toEqual(['supervisory_committee']);
    expect((await shown(s, s.supervisor)).write_off_may).toEqual(['decline']);
    expect((await giveUp(s, s.supervisor)).body).toMatchObject({
      code: 'not_allowed',
      message: expect.stringContaining('count as one vote'),
    });
    await database.owner
      .begin(async (tx) => {
        await tx`
          insert into loan_recovery_voices (loan_id, kind, arrears_since, by_id, office, reason, at)
          select id, 'write_off', arrears_since, ${s.supervisor}, 'supervisory_committee', 'It is so.', ${database.now()}
          from loans where id = ${s.loan}`;
        await expect(
          tx.savepoint(
            (sp) => sp`
              insert into loan_recovery_steps (loan_id, arrears_since, step, at, by_id)
              select id, arrears_since, 'write_off', ${database.now()}, ${s.supervisor} from loans where id = ${s.loan}`,
          ),
        ).rejects.toThrow('comes later');
        throw new Error('back');
      })
      .catch(({ message }) => expect(message).toBe('back'));
    expect((await giveUp(s, await supervisorOf(s))).body.message).toMatch(/^The loan is written off/);
  });

  test('that the board proposes counts such a person as of the supervisory committee', async () => {
    const s = await toGiveUp();
    await late.official(s.sacco, s.treasurer, 'supervisory_committee');
    await giveUp(s, founder);
    expect((await giveUp(s, s.treasurer)).status).toBe(200);
    expect((await row(s))?.state).toBe('written_off');
  });

  test('is declined and agreed to at once: it is written off, and the no is kept or came too late', async () => {
    const s = await toGiveUp();
    await giveUp(s, s.treasurer);
    const other = await supervisorOf(s);
    const [agreed, declined] = await Promise.all([giveUp(s, s.supervisor), decline(s, other)]);
    expect([agreed.status, (await row(s))?.state]).toEqual([200, 'written_off']);
    expect((await shown(s)).write_off_declines).toHaveLength(declined.status === 200 ? 1 : 0);
  });

  test('takes two who hold their offices: the vote of a treasurer who has left the office since does not count', async () => {
    const s = await toGiveUp();
    await giveUp(s, s.treasurer);
    await database.owner`
      update offices set ended_at = ${database.now()} where sacco_id = ${s.sacco} and user_id = ${s.treasurer}`;
    expect(await voicesOf(s)).toEqual([]);
    expect((await giveUp(s, s.supervisor)).body.message).toMatch(/^Your vote is recorded/);
    expect((await row(s))?.state).toBe('recovering');
    expect((await giveUp(s, founder)).body.message).toMatch(/^The loan is written off/);
  });

  test('is held by the database too: nobody declines who votes for it, nor where nobody of the other side does, nor twice', async () => {
    const s = await toGiveUp();
    const { arrears_since: since } = (await row(s)) ?? {};
    const put = (by: string, office: string) => database.owner`
      insert into loan_write_off_declines (loan_id, arrears_since, by_id, office, reason, at)
      values (${s.loan}, ${since}, ${by}, ${office}, 'It is not yet time.', ${database.now()})`;
    const no = 'that person does not decline this write-off';
    await expect(put(s.supervisor, 'supervisory_committee')).rejects.toThrow(no);
    await giveUp(s, s.treasurer);
    await expect(put(s.treasurer, 'supervisory_committee')).rejects.toThrow(no);
    await expect(put(s.committee[0] ?? '', 'chair')).rejects.toThrow(no);
    await expect(put(s.borrower, 'supervisory_committee')).rejects.toThrow('does not decide about this loan');
    await decline(s, s.supervisor);
    await expect(put(s.supervisor, 'supervisory_committee')).rejects.toThrow('loan_write_off_declines_pkey');
    const other = await supervisorOf(s);
    await giveUp(s, s.supervisor);
    await expect(put(other, 'supervisory_committee')).rejects.toThrow(no);
  });
});

/** Nobody gets SMS about loans but who may not do without them. */
async function withoutSms(people: readonly string[]): Promise<void> {
  await database.sql`update users set phone_confirmed_at = ${database.now()} where id = any (${people}::uuid[])`;
  for (const userId of people) {
    const none = { language: 'en', sms: byTopic(() => false) } as const;
    await database.transaction((tx) => setPreferences(tx, { userId }, none));
  }
}

describe('the notices that the law rests on', () => {
  test('go by SMS to those too who do without SMS about loans; reminders do not', async () => {
    const s = await scene(60_000_00, 20_000_00);
    const [one = ''] = s.guarantors;
    await withoutSms([s.borrower, one]);
    const smsOf = async (userId: string) =>
      (await database.sql`select template from sms_messages where user_id = ${userId} order by created_at, id`).map(
        ({ template }) => template,
      );
    await inDefault(s);
    for (const step of ['own_deposits', 'guarantors'] as const) await take(s, step);
    const always = ['loan_defaulted', 'loan_final', 'loan_formal', 'loan_second', 'loan_taken'];
    expect((await smsOf(s.borrower)).sort()).toEqual(always);
    expect((await smsOf(one)).sort()).toEqual(always);
  });

  test('are sent by somebody who has just entered the password, once two people have decided the default', async () => {
    const s = await scene(60_000_00, 20_000_00);
    await live(s, '2026-07-01');
    await defaultOfTwoPeople(s);
    await app.call('GET', `/loans/${s.loan}/restructure`, { as: s.treasurer, sacco: s.sacco });
    await database.sql`update sessions set proven_at = ${new Date(0)} where user_id = ${s.treasurer}`;
    expect((await act(s, s.treasurer, 'final-notice')).body.code).toBe('proof_required');
  });
});

/** The committee is two accounts of one person: it does not keep the loan from its default. The chair stands in, and is told. */
async function defaultOfTwoPeople(s: Scene): Promise<void> {
  const [first = '', second = ''] = s.committee;
  await onePhone(first, second);
  expect((await act(s, first, 'default', because)).status).toBe(200);
  expect(await votersTold(s, 'default_proposed')).toEqual([founder, s.treasurer, s.supervisor].sort());
  const atDesk = async (userId: string) => {
    const { may, barred } = await deskLoanOf(database, { userId, saccoId: s.sacco }, s.loan, desk);
    return { may, barred };
  };
  expect(await atDesk(second)).toMatchObject({ may: ['restructure'], barred: SECOND_ACCOUNT });
  expect((await atDesk(first)).may).toEqual(['restructure']);
  expect(await atDesk(founder)).toEqual({ may: ['default', 'restructure'], barred: null });
  expect((await act(s, second, 'default', because)).body.code).toBe('not_allowed');
  expect((await act(s, founder, 'default', because)).status).toBe(200);
  expect((await row(s))?.state).toBe('defaulted');
}

/** As if the committee had decided on day 90 and the final notice were 14 days old. */
async function inDefault(s: Scene): Promise<void> {
  await live(s, '2026-07-01');
  for (const member of s.committee) expect((await act(s, member, 'default', because)).status).toBe(200);
  expect((await act(s, s.treasurer, 'final-notice')).status).toBe(200);
  await live(s, '2026-07-15');
}

const repay = (s: Scene, cents: number, key: string) =>
  database.transaction((tx) =>
    repayAny(tx, [
      { loanId: s.loan, payerId: s.borrower, amountCents: cents, channel: 'wallet', key: `${key} ${s.loan}` },
    ]),
  );

describe('what a borrower pays after guarantors have paid', () => {
  test('goes to the guarantors first, then to the loan, then what was written off is income', async () => {
    const s = await scene(60_000_00, 20_000_00);
    await inDefault(s);
    for (const step of ['own_deposits', 'guarantors'] as const) await take(s, step);
    const owed = await row(s);
    const charges = owed?.interest_cents + owed?.penalty_cents;
    const [one = ''] = s.guarantors;
    const before = await wallet(s.borrower);
    // A dividend goes the same way, and nothing of it to the wallet.
    expect(await dividend(s.sacco, s.borrower, 30_000_00)).toEqual({
      line: 0,
      repaid: 0,
      refunded: 30_000_00,
      leavesCash: 0,
    });
    expect([(await savings(s, one)).free, await wallet(s.borrower)]).toEqual([45_000_00, before]);
    expect(await repay(s, 10_000_00 + 100, 'a payment')).toMatchObject([
      { amountCents: 10_000_00 + 100, isPaidOff: false },
    ]);
    expect((await savings(s, one)).free).toBe(50_000_00);
    const mayOf = async () => (await loanOf(database, { userId: s.borrower, saccoId: s.sacco }, s.loan)).may;
    expect(await mayOf()).toEqual(['repay']);
    expect((await row(s))?.penalty_cents).toBe(owed?.penalty_cents - 100);
    expect(await repay(s, 100, 'a payment')).toMatchObject([{ code: 'loan_conflict' }]);
    await giveUp(s, s.treasurer);
    await giveUp(s, s.supervisor);
    expect(await mayOf()).toEqual(['repay']);
    const [income] = await balances(database, [{ book: s.sacco, kind: 'recovery_income', owner: null }]);
    expect(income).toBe(0);
    expect(await dividend(s.sacco, s.borrower, 100_00)).toEqual({
      line: 0,
      repaid: 100_00,
      refunded: 0,
      leavesCash: 0,
    });
    expect(await repay(s, 90_000_00, 'the rest')).toMatchObject([
      { amountCents: charges - 100 - 100_00, isPaidOff: true },
    ]);
    expect((await balances(database, [{ book: s.sacco, kind: 'recovery_income', owner: null }]))[0]).toBe(
      charges - 100,
    );
    expect(await row(s)).toMatchObject({
      state: 'closed',
      closed_because: 'recovered',
      penalty_cents: 0,
      interest_cents: 0,
    });
    expect(await breaches(database.sql, everything)).toEqual([]);
  });

  test('pays the loan off only with the guarantors’ part and the interest of the days since the last run', async () => {
    const s = await scene(60_000_00, 20_000_00, { amountCents: 200_000_00 });
    await inDefault(s);
    for (const step of ['own_deposits', 'guarantors'] as const) await take(s, step);
    database.world.setNow(new Date('2026-07-20T06:00:00Z'));
    const loan = (await row(s)) as unknown as LoanRow;
    const owed = await database.transaction((tx) => owedOf(tx, loan));
    expect(owed).toMatchObject({ claims: 100_000_00, principal: 40_000_00 });
    const known = 100_000_00 + loan.principal_cents + loan.interest_cents + loan.penalty_cents;
    expect(owed.total).toBeGreaterThan(known);
    await late.saccos.fund(s.borrower, owed.total);
    expect(await repay(s, known, 'as of the last run')).toMatchObject([{ isPaidOff: false }]);
    const left = await database.transaction(async (tx) => owedOf(tx, (await row(s)) as unknown as LoanRow));
    expect(await repay(s, left.total, 'the rest')).toMatchObject([{ amountCents: left.total, isPaidOff: true }]);
    expect((await row(s))?.state).toBe('closed');
    expect(await breaches(database.sql, everything)).toEqual([]);
  });

  test('goes to the guarantors first, also where they pay while the payment waits', async () => {
    const s = await scene(60_000_00, 20_000_00, { amountCents: 200_000_00 });
    await inDefault(s);
    await take(s, 'own_deposits');
    await late.saccos.fund(s.borrower, 10_000_00);
    const [session] = await database.sql<{ id: string }[]>`select id from sessions where user_id = ${s.treasurer}`;
    const official = { userId: s.treasurer, sessionId: session?.id ?? '' };
    const [paying] = await database.transaction(async (tx) => {
      const shownCents = await amountShown(tx, s.loan, 'guarantors');
      await recoverLoan(tx, official, { saccoId: s.sacco, loanId: s.loan, step: 'guarantors', shownCents });
      const started = repay(s, 10_000_00, 'at the same moment');
      await tx.sql`select pg_sleep(1)`;
      return [started];
    });
    expect(await paying).toMatchObject([{ amountCents: 10_000_00 }]);
    expect((await savings(s, s.guarantors[0] ?? '')).free).toBe(5_000_00);
  });

  test('a borrower who deposits a cent between showing and taking does not stop a recovery', async () => {
    const s = await scene(30_000_00, 20_000_00);
    await inDefault(s);
    const shown = (await amountShown(reader(), s.loan, 'own_deposits')) / 100;
    expect(shown).toBe(30_000);
    for (let cents = 0; cents < 12; cents += 1) await late.save(s.sacco, s.borrower, 1);
    const taken = await take(s, 'own_deposits', shown);
    // What was shown and no more: the cents stay with the borrower.
    expect([taken.status, taken.body.message]).toEqual([200, 'Ksh.\u00a030,000.00 is recovered.']);
    expect(await savings(s, s.borrower)).toEqual({ free: 12, held: 0 });
    expect((await row(s))?.principal_cents).toBe(70_000_00);
    expect((await take(s, 'guarantors', 70_000)).status).toBe(200);
    expect(await breaches(database.sql, everything)).toEqual([]);
  });

  test('whoever names less than was there takes nothing: the rest would be left to the guarantors', async () => {
    const s = await scene(30_000_00, 20_000_00);
    await inDefault(s);
    await late.save(s.sacco, s.borrower, 5_000_00);
    const before = await row(s);
    for (const named of [0, 0.01, 20_000, 29_999.99]) {
      const refused = await take(s, 'own_deposits', named);
      expect([refused.status, refused.body.code, refused.body.amount]).toEqual([409, 'loan_terms_changed', 35_000]);
      expect(refused.body.message).toContain('35,000.00');
    }
    expect(await row(s)).toEqual(before);
    expect(await savings(s, s.borrower)).toEqual({ free: 15_000_00, held: 20_000_00 });
    // A quarter of an hour later what came in was there as well.
    database.world.advance(16 * 60_000);
    expect((await take(s, 'own_deposits', 30_000)).body).toMatchObject({ code: 'loan_terms_changed', amount: 35_000 });
    expect((await take(s, 'own_deposits', 35_000)).status).toBe(200);
    // Pledges: no more than was shown, and no part of it.
    for (const less of [0, 64_999.99]) {
      expect((await take(s, 'guarantors', less)).body).toMatchObject({ code: 'loan_terms_changed', amount: 65_000 });
    }
    expect((await savings(s, s.guarantors[0] ?? '')).held).toBe(50_000_00);
    expect((await take(s, 'guarantors', 65_000)).status).toBe(200);
    expect(await breaches(database.sql, everything)).toEqual([]);
  });

  test('a pledge that is released is no money that came in: old savings do not look new', async () => {
    const s = await scene(30_000_00, 20_000_00);
    await inDefault(s);
    const { sacco, borrower } = s;
    const small = await late.loan({ sacco, borrower, amountCents: 10_000_00, months: 12, ownCents: 10_000_00 });
    expect(await savings(s, borrower)).toEqual({ free: 0, held: 30_000_00 });
    database.world.advance(16 * 60_000);
    await repay({ ...s, loan: small }, 20_000_00, 'the small one');
    expect(await savings(s, borrower)).toEqual({ free: 10_000_00, held: 20_000_00 });
    for (const named of [0.01, 29_999.99]) {
      expect((await take(s, 'own_deposits', named)).body).toMatchObject({ code: 'loan_terms_changed', amount: 30_000 });
    }
    await late.save(sacco, borrower, 1);
    expect((await take(s, 'own_deposits', 30_000)).status).toBe(200);
    expect(await savings(s, borrower)).toEqual({ free: 1, held: 0 });
    expect(await breaches(database.sql, everything)).toEqual([]);
  });

  test('where nothing was shown, and something came in since, nothing is closed; what is shown then is taken', async () => {
    const s = await scene(0, 0);
    await inDefault(s);
    await late.save(s.sacco, s.borrower, 1);
    expect((await take(s, 'own_deposits', 0)).body).toMatchObject({ code: 'loan_terms_changed', amount: 0.01 });
    await late.save(s.sacco, s.borrower, 1);
    expect((await take(s, 'own_deposits', 0.01)).status).toBe(200);
    expect(await savings(s, s.borrower)).toEqual({ free: 1, held: 0 });
  });

  test('a payment between showing and taking makes it less, and then the less is taken', async () => {
    const s = await scene(30_000_00, 20_000_00);
    await inDefault(s);
    expect((await take(s, 'own_deposits')).status).toBe(200);
    expect(await amountShown(reader(), s.loan, 'guarantors')).toBe(70_000_00);
    const due = await row(s);
    await late.saccos.fund(s.borrower, 50_000_00);
    await repay(s, due?.penalty_cents + due?.interest_cents + 5_000_00, 'in between');
    const left = (await row(s))?.principal_cents;
    expect(left).toBeLessThan(70_000_00);
    expect((await take(s, 'guarantors', 70_000)).status).toBe(200);
    expect(await row(s)).toMatchObject({ principal_cents: 0 });
    expect(
      (await database.sql`select sum(called_cents)::int as cents from loan_guarantees where loan_id = ${s.loan}`)[0],
    ).toEqual({
      cents: left,
    });
    expect(await breaches(database.sql, everything)).toEqual([]);
  });

  test('savings that are paid in while a step is being taken stay: no more is taken than was shown', async () => {
    const s = await scene(30_000_00, 20_000_00);
    await inDefault(s);
    const [, taken] = await Promise.all([late.save(s.sacco, s.borrower, 5_000_00), take(s, 'own_deposits', 30_000)]);
    expect([taken.status, await savings(s, s.borrower)]).toEqual([200, { free: 5_000_00, held: 0 }]);
    expect(await breaches(database.sql, everything)).toEqual([]);
  });

  test('a repayment and the recovery at the same moment take no cent twice', async () => {
    const s = await scene(60_000_00, 20_000_00);
    await inDefault(s);
    const [paid, taken] = await Promise.all([repay(s, 100_000_00, 'a race'), take(s, 'own_deposits')]);
    // Whoever came first was paid in full; the other one found what was left.
    expect(paid).toHaveLength(1);
    expect([200, 409, 422]).toContain(taken.status);
    expect((await row(s))?.principal_cents).toBeGreaterThanOrEqual(0);
    expect(await breaches(database.sql, everything)).toEqual([]);
  });
});

const leaves = (tx: { readonly sql: typeof database.sql }, { sacco }: Scene, userId: string) => tx.sql`
  insert into exit_requests (id, sacco_id, user_id, state, state_before, requested_at, due_at, refunded_at, refund_cents)
  values (${database.newId()}, ${sacco}, ${userId}, 'shares_to_sell', 'active', ${new Date(database.now().getTime() - 1e10)},
    ${new Date(database.now().getTime() - 1e9)}, ${database.now()}, 0)`;
const payBack = (s: Scene, cents: number) =>
  database.transaction((tx) =>
    payGuarantors(tx, { userId: s.borrower, sessionId: s.borrower }, { saccoId: s.sacco, loanId: s.loan, cents }),
  );

test('a shilling that is paid in recovery sets no pledge free: guarantors stand for all that is left', async () => {
  const s = await scene(60_000_00, 20_000_00);
  await inDefault(s);
  await take(s, 'own_deposits');
  const pledged = await Promise.all(s.guarantors.map((each) => savings(s, each)));
  await repay(s, 100, 'a shilling');
  expect(await Promise.all(s.guarantors.map((each) => savings(s, each)))).toEqual(pledged);
  expect((await take(s, 'guarantors')).status).toBe(200);
  expect((await row(s))?.principal_cents).toBe(0);
  expect(await breaches(database.sql, everything)).toEqual([]);
});

describe('a dividend', () => {
  test('pays the guarantors of all loans of its member before the sacco has any of another loan', async () => {
    const s = await scene(60_000_00, 20_000_00);
    const other = await late.loan({ sacco: s.sacco, borrower: s.borrower, amountCents: 10_000_00, months: 12 });
    await inDefault(s);
    for (const step of ['own_deposits', 'guarantors'] as const) await take(s, step);
    // Longer in arrears than the one that guarantors have paid.
    await database.owner.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql`update loans set state = 'recovering', arrears_since = '2025-01-01' where id = ${other}`;
    });
    expect(await dividend(s.sacco, s.borrower, 40_000_00)).toMatchObject({ repaid: 0, refunded: 40_000_00 });
    expect(await dividend(s.sacco, s.borrower, 100_00)).toMatchObject({ repaid: 100_00, refunded: 0 });
    const [said] = await database.sql<{ text: string }[]>`
      select text from notifications where user_id = ${s.guarantors[0] ?? ''} and template = 'loan_guarantor_refunded'`;
    expect(said?.text).toContain('out of the dividend of Amina');
    const [event] =
      await database.sql`select by_id from loan_events where loan_id = ${s.loan} and kind = 'guarantor_refunded'`;
    expect(event).toEqual({ by_id: null });
  });

  test('and a repayment and what is paid back to guarantors at the same moment pay no cent twice', async () => {
    const s = await scene(60_000_00, 20_000_00);
    await inDefault(s);
    for (const step of ['own_deposits', 'guarantors'] as const) await take(s, step);
    await late.saccos.fund(s.borrower, 60_000_00);
    await Promise.allSettled([
      dividend(s.sacco, s.borrower, 30_000_00),
      repay(s, 20_000_00, 'beside a dividend'),
      payBack(s, 15_000_00),
      dividend(s.sacco, s.borrower, 5_000_00),
    ]);
    const [{ claims } = { claims: null }] = await database.sql<{ claims: number }[]>`
      select sum(called_cents - refunded_cents)::int as claims from loan_guarantees where loan_id = ${s.loan}`;
    expect(claims).toBe(0);
    expect(await breaches(database.sql, everything)).toEqual([]);
  });
});

describe('who was made to pay, and for whom', () => {
  test('gets it in the wallet once their savings were paid out to leave, and waits for the sacco’s lock', async () => {
    const s = await scene(60_000_00, 20_000_00);
    const [one = '', two = ''] = s.guarantors;
    await inDefault(s);
    for (const step of ['own_deposits', 'guarantors'] as const) await take(s, step);
    await app.call('GET', `/loans/${s.loan}/restructure`, { as: s.borrower, sacco: s.sacco });
    await leaves(database, s, one);
    const before = [await wallet(one), (await savings(s, one)).free];
    await payBack(s, 10_000_00);
    expect([await wallet(one), (await savings(s, one)).free]).toEqual([(before[0] ?? 0) + 5_000_00, before[1]]);
    // Of a dividend, what they get leaves the sacco's cash; what the other two get stays as their savings.
    expect(await dividend(s.sacco, s.borrower, 10_00)).toEqual({
      line: 0,
      repaid: 0,
      refunded: 10_00,
      leavesCash: 5_00,
    });
    expect(await wallet(one)).toBe((before[0] ?? 0) + 5_005_00);
    // An exit that is being settled is over before anything is paid.
    const walletOfTwo = (await wallet(two)) ?? 0;
    let paying: Promise<unknown> = Promise.resolve();
    await database.transaction(async (tx) => {
      await lockSacco(tx, s.sacco);
      paying = repay(s, 10_000_00, 'to the guarantors');
      await new Promise((done) => setTimeout(done, 500));
      await leaves(tx as never, s, two);
    });
    await paying;
    expect(await wallet(two)).toBe(walletOfTwo + 3_000_00);
    expect(await breaches(database.sql, everything)).toEqual([]);
  });

  test('a guarantor who has paid is behind with nothing; the borrower is, until the guarantors are paid back', async () => {
    const s = await scene(60_000_00, 20_000_00, { monthlyRate: 0, penaltyRate: 0 });
    const [one = ''] = s.guarantors;
    await inDefault(s);
    for (const step of ['own_deposits', 'guarantors'] as const) await take(s, step);
    // Neither interest nor penalty: the loan is closed, and 40,000 is owed to the guarantors.
    expect(await row(s)).toMatchObject({ state: 'closed' });
    const reader = { sql: database.sql, now: database.now() };
    const of = async (userId: string) => {
      const who = { userId, saccoId: s.sacco };
      const trade = await database.transaction((tx) => loanTradeBlocks(tx, [who]));
      return [
        (await standingOf(reader, who)).isInArrears,
        (await loanExitBlocks(database, who)).map(({ text }) => inWords(text, 'en')),
        [...trade.values()].map((each) => inWords(each, 'en')),
      ];
    };
    expect(await of(one)).toEqual([false, [], []]);
    expect(await of(s.borrower)).toEqual([
      true,
      [expect.stringMatching(/^Guarantors have paid Ksh..40,000.00 of loan .* for you. Pay them back first.$/)],
      ['Guarantors or a pool have paid for a loan of yours. Pay them back, then you can trade again.'],
    ]);
    await app.call('GET', `/loans/${s.loan}/restructure`, { as: s.borrower, sacco: s.sacco });
    // It is not open any more, and still not settled: the borrower's dashboard shows it until then.
    const borrower = { userId: s.borrower, saccoId: s.sacco };
    const listed = async (status: 'open' | 'unsettled') =>
      (await myLoans({ database, publicUrl: 'https://ushirika.test' }, borrower, { status, limit: 50 })).results;
    expect(await listed('open')).toEqual([]);
    expect(await listed('unsettled')).toMatchObject([{ id: s.loan, state: 'closed', owed_to_guarantors: 40_000 }]);
    await payBack(s, 40_000_00);
    expect(await of(s.borrower)).toEqual([false, [], []]);
    expect(await listed('unsettled')).toEqual([]);
    expect(await breaches(database.sql, everything)).toEqual([]);
  });
});

describe('arrears that are paid', () => {
  const overdueOf = async (s: Scene) => {
    const due = await row(s);
    return due?.overdue_cents + due?.penalty_cents;
  };

  test('on the day of the next instalment are over: the next ones begin anew, with notices of their own', async () => {
    const s = await scene(60_000_00, 20_000_00);
    await live(s, '2026-05-02');
    expect(await row(s)).toMatchObject({ state: 'in_arrears', arrears_since: '2026-04-02', notices_given: 3 });
    // The interest of the instalment of today goes before the principal of what is overdue.
    await repay(s, (await overdueOf(s)) + 1_000_00, 'what is overdue');
    expect(await row(s)).toMatchObject({
      state: 'active',
      arrears_since: null,
      notices_given: 0,
      due_on: '2026-05-02',
    });
    await live(s, '2026-05-03');
    expect(await row(s)).toMatchObject({ state: 'in_arrears', arrears_since: '2026-05-02', notices_given: 1 });
    expect(await breaches(database.sql, everything)).toEqual([]);
  });

  test('end a default too while nothing was taken; what was decided stays in the history', async () => {
    const s = await scene(60_000_00, 20_000_00);
    await live(s, '2026-07-01');
    for (const member of s.committee) await act(s, member, 'default', because);
    await act(s, s.treasurer, 'final-notice');
    expect(await row(s)).toMatchObject({ state: 'defaulted', duplum_cents: 100_000_00 });
    const part = await overdueOf(s);
    await repay(s, part - 10_01, 'all but a cent more than the tolerance');
    expect(await row(s)).toMatchObject({ state: 'defaulted', duplum_cents: 100_000_00 });
    await repay(s, 1, 'the cent');
    expect(await row(s)).toMatchObject({
      state: 'active',
      arrears_since: null,
      duplum_cents: null,
      defaulted_at: null,
    });
    const reader = { sql: database.sql, now: database.now() } as never;
    expect((await repaymentHistoriesOf(reader, [s.borrower])).get(s.borrower)).toMatchObject({
      hasOpenDefault: false,
      curedMonthsAgo: [0],
    });
    expect(await historyOf(reader, s.sacco, s.borrower)).toMatchObject({ defaults: 1, in_arrears_now: false });
    // The final notice of before is no notice of the arrears to come.
    await live(s, '2026-07-15');
    expect(await row(s)).toMatchObject({ state: 'in_arrears', arrears_since: '2026-07-02' });
    expect((await take(s, 'own_deposits')).body.code).toBe('loan_conflict');
    expect(await breaches(database.sql, everything)).toEqual([]);
  });

  test('once something was taken do not end the recovery', async () => {
    const s = await scene(60_000_00, 20_000_00);
    await inDefault(s);
    await take(s, 'own_deposits');
    await repay(s, await overdueOf(s), 'what is overdue');
    expect(await row(s)).toMatchObject({ state: 'recovering', arrears_since: '2026-04-02' });
    await live(s, '2026-07-17');
    expect(await row(s)).toMatchObject({ state: 'recovering', arrears_since: '2026-04-02' });
    // Of a dividend the principal is paid first, for which the guarantors stand; once all is paid they are free.
    const owed = await row(s);
    const { principal_cents: principal, interest_cents: interest, penalty_cents: penalty } = owed ?? {};
    expect(await dividend(s.sacco, s.borrower, 10_000_00)).toMatchObject({ repaid: 10_000_00, leavesCash: 0 });
    expect(await row(s)).toMatchObject({ state: 'recovering', principal_cents: principal - 10_000_00 });
    const rest = principal + interest + penalty - 10_000_00;
    expect(await dividend(s.sacco, s.borrower, 60_000_00)).toMatchObject({
      repaid: rest,
      leavesCash: 60_000_00 - rest,
    });
    expect(await row(s)).toMatchObject({ state: 'closed', closed_because: 'recovered', principal_cents: 0 });
    expect(await savings(s, s.guarantors[0] ?? '')).toEqual({ free: 50_000_00, held: 0 });
    const told = (userId: string) => database.sql`
      select template from notifications where user_id = ${userId} order by created_at desc, id desc limit 1`;
    expect(await told(s.borrower)).toMatchObject([{ template: 'loan_closed' }]);
    expect(await told(s.guarantors[0] ?? '')).toMatchObject([{ template: 'loan_pledge_free' }]);
    expect(await breaches(database.sql, everything)).toEqual([]);
  });

  test('and that were over 90 days late count as a default that is over, though nobody decided it', async () => {
    const s = await scene(60_000_00, 20_000_00);
    await live(s, '2026-07-02');
    expect(await row(s)).toMatchObject({ days_past_due: 91, state: 'in_arrears' });
    await repay(s, (await overdueOf(s)) + 1_000_00, 'what is overdue');
    const reader = { sql: database.sql, now: database.now() } as never;
    expect((await repaymentHistoriesOf(reader, [s.borrower])).get(s.borrower)).toMatchObject({
      hasOpenDefault: false,
      curedMonthsAgo: [0],
    });
  });

  test('a loan closes though the schedule has interest that the stop in duplum keeps from being charged', async () => {
    const s = await scene(200_000_00, 20_000_00);
    await live(s, '2026-07-01');
    for (const member of s.committee) await act(s, member, 'default', because);
    await act(s, s.treasurer, 'final-notice');
    await database.owner`update loans set duplum_cents = charged_since_default_cents + 1 where id = ${s.loan}`;
    // Two days without a run, and into the next period: the payment itself charges the last cent.
    database.world.setNow(new Date('2026-07-05T06:00:00Z'));
    await repay(s, 100, 'a shilling');
    const [left] = await database.sql`
      select sum(interest_cents - paid_interest_cents)::int as interest from loan_instalments
      where loan_id = ${s.loan} and due_on <= '2026-07-02'`;
    expect(left?.interest).toBeGreaterThan((await row(s))?.interest_cents);
    database.world.setNow(new Date('2026-07-15T06:00:00Z'));
    expect((await take(s, 'own_deposits')).status).toBe(200);
    expect(await row(s)).toMatchObject({ state: 'closed', due_on: null, overdue_cents: 0 });
    expect(await breaches(database.sql, everything)).toEqual([]);
  });
});

/** A member who has signed to stand in for the first guarantor, and waits for the committee. */
async function standIn({ sacco, loan, guarantors }: Scene): Promise<string> {
  const person = await people.person('Stand', 'In');
  await late.saver(sacco, person, 50_000_00);
  const now = database.now();
  await database.transaction((tx) =>
    postAll(tx, [
      pledgeJournal(
        { id: loan, sacco_id: sacco },
        { id: loan, guarantor_id: person },
        { cents: 50_000_00, moment: 'signed' },
      ),
    ]),
  );
  await database.owner`
    insert into loan_guarantees (id, loan_id, kind, guarantor_id, amount_cents, state, state_at, pledged_cents, asked_at, answer_by,
      terms, terms_hash, signed_at, replaces_id)
    select ${database.newId()}, ${loan}, 'member', ${person}, 5000000, 'accepted', ${now}, 5000000, ${now}, ${now}, '{}',
      ${'0'.repeat(64)}, ${now}, id
    from loan_guarantees where loan_id = ${loan} and guarantor_id = ${guarantors[0] ?? ''}`;
  return person;
}

describe('whoever was to stand in for a guarantor', () => {
  test('is free as the default is decided, and puts no step off', async () => {
    const s = await scene(30_000_00, 20_000_00);
    await live(s, '2026-06-30');
    const person = await standIn(s);
    expect(await savings(s, person)).toEqual({ free: 0, held: 50_000_00 });
    await inDefault(s);
    expect(await savings(s, person)).toEqual({ free: 50_000_00, held: 0 });
    const [ended] = await database.sql`
      select state, pledged_cents from loan_guarantees where loan_id = ${s.loan} and guarantor_id = ${person}`;
    expect(ended).toEqual({ state: 'voided', pledged_cents: 0 });
    expect((await take(s, 'own_deposits')).status).toBe(200);
    expect(await breaches(database.sql, everything)).toEqual([]);
  });
});

describe('the database', () => {
  test('refuses a default before day 90, and a step that has no journal, whatever the code says', async () => {
    const s = await scene(60_000_00, 20_000_00);
    const [first = '', second = ''] = s.committee;
    const step = (kind: string, since: string, cents = 0) => database.owner`
      insert into loan_recovery_steps (loan_id, arrears_since, step, at, by_id, amount_cents)
      values (${s.loan}, ${since}, ${kind}, ${database.now()}, ${s.treasurer}, ${cents})`;
    const voice = (by: string) => database.owner`
      insert into loan_recovery_voices (loan_id, kind, arrears_since, by_id, office, reason, at)
      values (${s.loan}, 'default', '2026-04-02', ${by}, 'credit_committee', 'It is so.', ${database.now()})`;
    await live(s, '2026-06-30');
    for (const by of [first, second]) await voice(by);
    await expect(step('default', '2026-04-02')).rejects.toThrow('that step of a recovery comes later');
    await live(s, '2026-07-01');
    await database.owner
      .begin(async (tx) => {
        await tx`delete from loan_notices where loan_id = ${s.loan} and kind = 'formal' and user_id = ${s.guarantors[2] ?? ''}`;
        await expect(
          tx.savepoint(
            (sp) => sp`
        insert into loan_recovery_steps (loan_id, arrears_since, step, at, by_id)
        values (${s.loan}, '2026-04-02', 'default', ${database.now()}, ${s.treasurer})`,
          ),
        ).rejects.toThrow('comes later');
        throw new Error('back');
      })
      .catch((error: Error) => expect(error.message).toBe('back'));
    await step('default', '2026-04-02');
    await step('final_notice', '2026-04-02');
    await live(s, '2026-07-15');
    await expect(step('own_deposits', '2026-04-02', 5)).rejects.toThrow('that step of a recovery comes later');
    await step('own_deposits', '2026-04-02');
    await expect(step('write_off', '2026-04-02')).rejects.toThrow('that step of a recovery comes later');
  });
});

describe('a new schedule', () => {
  /** A guarantor says yes with the code of the SMS. */
  const answer = async (s: Scene, as: string, agree = true) => {
    const signed = await database.transaction((tx) => scheduleCode(tx, { loanId: s.loan, userId: as }));
    const body = { agree, ...(signed && agree ? { code: signed.code, terms_hash: signed.termsHash } : {}) };
    return app.call('POST', `/loans/${s.loan}/restructure`, { as, sacco: s.sacco, body });
  };
  const confirm = (s: Scene, as: string | undefined, months = 24) => act(s, as, 'restructure/confirm', { months });
  /** Parts of what is lent that are more than 30 and 90 days late. */
  const parOf = async (s: Scene) => {
    const { par30, par90 } = await loanFigures(database, { userId: s.treasurer, saccoId: s.sacco }, loanSteps);
    return [par30, par90];
  };
  const toldOfficials = async (s: Scene, template: string) =>
    (
      await database.sql<{ user_id: string }[]>`
        select n.user_id from notifications n join offices o on o.user_id = n.user_id
        where o.sacco_id = ${s.sacco} and n.template = ${template} order by n.user_id`
    ).map(({ user_id }) => user_id);
  /** The treasurer proposes it and one of the committee confirms it. */
  const offer = async (s: Scene) => {
    const proposed = await act(s, s.treasurer, 'restructure', { months: 24, reason: 'The shop burnt down.' });
    return proposed.status === 200 ? confirm(s, s.committee[0]) : proposed;
  };

  test('holds once every guarantor and then the borrower have agreed, with what was due besides principal paid', async () => {
    const s = await scene(60_000_00, 20_000_00);
    await live(s, '2026-05-10');
    const standsIn = await standIn(s);
    const offered = await offer(s);
    expect(offered.body.restructure).toMatchObject({
      state: 'proposed',
      principal: 100_000,
      guarantors: 3,
      may: ['withdraw'],
    });
    expect((await act(s, s.treasurer, 'restructure', { months: 36, reason: 'Once more.' })).body.code).toBe(
      'loan_conflict',
    );
    // A guarantor whose pledge repayments have freed is not asked: the page offers no answer that would be refused.
    const pledged = (cents: number) => database.owner`
      update loan_guarantees set pledged_cents = ${cents} where loan_id = ${s.loan} and guarantor_id = ${s.guarantors[0] ?? ''}`;
    const mayAnswer = async () =>
      (await app.call('GET', `/loans/${s.loan}/restructure`, { as: s.guarantors[0] ?? '', sacco: s.sacco })).body
        .restructure?.may;
    // The lists say for which loans there is an offer to read.
    const guarantor = { userId: s.guarantors[0] ?? '', saccoId: s.sacco };
    const isAsked = async () =>
      (await myGuarantees({ database, publicUrl: '' }, guarantor, { limit: 20 })).results.map((each) => each.has_offer);
    expect((await loanOf(database, { userId: s.borrower, saccoId: s.sacco }, s.loan)).has_offer).toBe(true);
    expect([await mayAnswer(), await isAsked()]).toEqual([['agree', 'refuse'], [true]]);
    await pledged(0);
    expect([await mayAnswer(), await isAsked()]).toEqual([[], [false]]);
    await pledged(50_000_00);
    // All read what it costs, and the official read it before: what is paid first is due by no other page.
    const read = async (as: string) =>
      (await app.call('GET', `/loans/${s.loan}/restructure`, { as, sacco: s.sacco })).body.restructure;
    const { cost } = await read(s.borrower);
    const quoted = await app.call('GET', `/sacco/loans/${s.loan}/restructure?months=24`, {
      as: s.treasurer,
      sacco: s.sacco,
    });
    expect([quoted.body.cost, cost.schedule.length, cost.schedule[0].due_on, cost.running.due_on]).toEqual([
      cost,
      24,
      '2026-07-02',
      '2026-06-02',
    ]);
    expect(Math.round((cost.to_pay_new - cost.interest_new - cost.pay_first) * 100)).toBe(100_000_00);
    expect(Math.round((cost.to_pay_old - cost.interest_old - cost.pay_first) * 100)).toBe(100_000_00);
    expect(await parOf(s)).toEqual([1, 0]);
    // A guarantor signs it with a code for exactly these terms.
    const { terms_hash: termsHash, guarantee } = await read(guarantor.userId);
    const sendCode = (hash: string) =>
      database.transaction((tx) => askGuaranteeCode(tx, guarantor, { guaranteeId: guarantee, termsHash: hash }));
    await database.owner`update users set phone_confirmed_at = ${database.now()} where id = ${guarantor.userId}`;
    await expect(sendCode('0'.repeat(64))).rejects.toMatchObject({ code: 'loan_terms_changed' });
    await sendCode(termsHash);
    const agrees = (body: object) =>
      app.call('POST', `/loans/${s.loan}/restructure`, {
        as: guarantor.userId,
        sacco: s.sacco,
        body: { agree: true, ...body },
      });
    expect((await agrees({})).body.code).toBe('otp_not_accepted');
    expect((await agrees({ terms_hash: termsHash, code: '0000 0000' })).body.code).toBe('otp_not_accepted');
    const [sms] = await database.sql<{ text: string }[]>`
      select text from sms_messages where user_id = ${guarantor.userId} and template = 'loan_schedule_code'`;
    const code = /\d{4} \d{4}/.exec(sms?.text ?? '')?.[0];
    expect((await agrees({ terms_hash: '0'.repeat(64), code })).body.code).toBe('loan_terms_changed');
    expect((await agrees({ terms_hash: termsHash, code })).status).toBe(200);
    const signed = await guaranteeToSign(database, guarantor, guarantee);
    expect(signed.schedules).toMatchObject([{ hash: termsHash, months: 24, principal: 100_000, is_in_force: null }]);
    expect((await answer(s, s.borrower)).body.message).toMatch(/^Your guarantors answer first/);
    for (const guarantor of s.guarantors.slice(1)) expect((await answer(s, guarantor)).status).toBe(200);
    expect((await answer(s, s.borrower)).body.message).toMatch(/^Pay the overdue interest and penalty first/);
    const due = await row(s);
    const [overdue] = await database.sql`
      select sum(interest_cents - paid_interest_cents)::int as cents from loan_instalments
      where loan_id = ${s.loan} and due_on < '2026-05-10'`;
    expect(Math.round(cost.pay_first * 100)).toBe(due?.penalty_cents + overdue?.cents);
    await repay(s, due?.penalty_cents + overdue?.cents, 'interest and penalty');
    const agreed = await answer(s, s.borrower);
    expect(agreed.body).toMatchObject({
      message: 'The new schedule holds from today.',
      restructure: { state: 'in_force' },
    });
    expect(await row(s)).toMatchObject({
      state: 'active',
      principal_cents: 100_000_00,
      days_past_due: 0,
      arrears_since: null,
    });
    // Every page has the schedule that holds, and still counts the loan as late: it keeps its class.
    const own = await loanOf(database, { userId: s.borrower, saccoId: s.sacco }, s.loan);
    expect([own.changed?.months, own.new_months, own.months, own.timeline.map(({ kind }) => kind)]).toEqual([
      24,
      24,
      12,
      expect.arrayContaining(['schedule_offered', 'restructured']),
    ]);
    expect(await parOf(s)).toEqual([1, 0]);
    expect(await toldOfficials(s, 'schedule_in_force')).toEqual([s.treasurer, s.committee[0]].toSorted());
    const instalments = await database.sql`
      select sum(principal_cents)::int as principal, count(*) filter (where paid_on is null)::int as unpaid, max(due_on) as last
      from loan_instalments where loan_id = ${s.loan}`;
    // Whoever was to stand in for a guarantor was not asked: they are free, and what a guarantor signs from now on is the new schedule.
    expect(await savings(s, standsIn)).toEqual({ free: 50_000_00, held: 0 });
    expect(await row(s)).toMatchObject({ restructured_cents: 100_000_00, restructured_months: 24 });
    const [loan] = await database.sql<LoanRow[]>`select * from loans where id = ${s.loan}`;
    const pledge = { id: s.loan, guarantor_id: standsIn, amount_cents: 50_000_00 };
    expect(guaranteeTerms(loan as LoanRow, pledge)).toMatchObject({
      scheduled_cents: 100_000_00,
      months: 24,
      instalment_cents: 470_735,
    });
    // The period under way keeps its interest; 24 instalments follow from its end on 2 June.
    expect(instalments[0]).toEqual({ principal: 100_000_00, unpaid: 25, last: '2028-06-02' });
    await live(s, '2026-06-04');
    // Two days late, but for 90 days no better than it was.
    expect(await row(s)).toMatchObject({ state: 'in_arrears', days_past_due: 2, class: 'substandard' });
    expect(await breaches(database.sql, everything)).toEqual([]);
    // Another one, and no third.
    await offer(s);
    for (const guarantor of s.guarantors) await answer(s, guarantor);
    const interest = await row(s);
    await repay(s, interest?.overdue_cents + interest?.penalty_cents, 'interest and penalty once more');
    const lateAgain = () =>
      database.owner`update loans set state = 'in_arrears', arrears_since = '2026-06-02' where id = ${s.loan}`;
    await lateAgain();
    expect((await answer(s, s.borrower)).body.restructure.state).toBe('in_force');
    await lateAgain();
    expect((await offer(s)).body.message).toBe('This loan has had 2 new schedules. It gets no other one.');
    // A loan that pays it off takes over the count, in the database too.
    const next = await late.loan({ sacco: s.sacco, borrower: s.borrower, amountCents: 1_000_00, months: 12 });
    await database.owner`
      update loans set refinances_id = ${s.loan}, state = 'in_arrears', arrears_since = '2026-06-02' where id = ${next}`;
    expect((await offer({ ...s, loan: next })).body.message).toBe(
      'This loan and those that it paid off have had 2 new schedules. It gets no other one.',
    );
    await database.owner`
      insert into loan_restructures (id, loan_id, months, principal_cents, reason, proposed_by, proposed_at, answer_by, state, state_at)
      values (${next}, ${next}, 24, 1, 'It is so.', ${s.treasurer}, now(), now() + interval '1 day', 'unconfirmed', now())`;
    await database.owner`
      update loan_restructures set state = 'proposed', confirmed_by = ${s.committee[0] ?? ''}, confirmed_at = now(),
        starts_on = '2026-07-02', first_due_on = '2026-08-02', last_due_on = '2028-07-02' where id = ${next}`;
    const raw = (set: 'state' | 'last_due_on', is: string) =>
      database.owner`update loan_restructures set ${database.owner({ [set]: is })} where id = ${next}`;
    await expect(raw('last_due_on', '2028-08-02')).rejects.toThrow('set once, when it is confirmed');
    await expect(raw('state', 'in_force')).rejects.toThrow('two new schedules at most');
  });

  /** As if a second official had confirmed it at the moment at which the clock ends what is late. */
  async function answeredAsItLapses({ sacco, loan }: Scene): Promise<void> {
    const move = (sql: typeof database.owner, by: string) =>
      sql`update loan_restructures set answer_by = proposed_at + ${by}::interval where loan_id = ${loan} and state = 'proposed'`;
    await move(database.owner, '1 millisecond');
    database.world.advance(1000);
    const ending = await database.transaction(async ({ sql }) => {
      await move(sql as unknown as typeof database.owner, '14 days');
      const lapse = database.transaction((tx) => expireInChunks(tx, { saccoId: sacco }));
      await vi.waitFor(async () =>
        expect(
          await database.owner`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ).toHaveLength(1),
      );
      return { lapse };
    });
    expect(await ending.lapse).toEqual({ expired: 0, isDone: true });
  }

  test('one guarantor who does not agree, or 14 days of silence, leave the old one', async () => {
    const s = await scene(60_000_00, 20_000_00);
    const [one = ''] = s.guarantors;
    await live(s, '2026-04-10');
    await offer(s);
    expect((await answer(s, one, false)).body).toMatchObject({ restructure: { state: 'refused', cost: null } });
    // Who said no stays in the history of the loan, and the officials who offered it are told.
    const { timeline } = await loanOf(database, { userId: s.borrower, saccoId: s.sacco }, s.loan);
    const refused = timeline.filter(({ kind }) => kind === 'schedule_refused').map(({ text }) => inWords(text, 'en'));
    expect(refused).toEqual(['Guarantor One did not agree to the new schedule. The old one holds.']);
    expect(await toldOfficials(s, 'schedule_refused')).toEqual([s.treasurer, s.committee[0]].toSorted());
    expect((await answer(s, s.borrower)).body.code).toBe('loan_conflict');
    await offer(s);
    await answeredAsItLapses(s);
    await live(s, '2026-04-24');
    const states =
      await database.sql`select state from loan_restructures where loan_id = ${s.loan} order by proposed_at`;
    expect(states.map(({ state }) => state)).toEqual(['refused', 'lapsed']);
    // The month of the loan ends on 2 May, before 14 days are over: all are told that day.
    await database.owner`update users set phone_confirmed_at = ${database.now()} where id = ${s.borrower}`;
    const third = await offer(s);
    expect(third.body.restructure.answer_by).toBe('2026-05-02T20:59:59.000Z');
    const told = await database.sql`
      select text from notifications where user_id = ${s.borrower} union all
      select text from sms_messages where user_id = ${s.borrower} and template = 'loan_restructure'`;
    for (const words of ['Say yes or no by Saturday, May 2, 2026.', 'Sign in and answer by 2 May 2026.']) {
      expect(told.filter(({ text }) => text.includes(words))).toHaveLength(1);
    }
    // An offer that was confirmed before such offers ended with the month.
    await database.owner`
      update loan_restructures set answer_by = '2026-05-08T06:00:00Z' where loan_id = ${s.loan} and state = 'proposed'`;
    // A month of the loan ends: who has agreed stood for a schedule to 2 May 2028, and it would be 2 June now.
    for (const guarantor of s.guarantors) expect((await answer(s, guarantor)).status).toBe(200);
    await live(s, '2026-05-03');
    const late = await answer(s, s.borrower);
    expect([late.body.code, late.body.message]).toEqual([
      'loan_terms_changed',
      expect.stringMatching(/dates have moved/),
    ]);
    const { restructure } = (await app.call('GET', `/loans/${s.loan}/restructure`, { as: s.borrower, sacco: s.sacco }))
      .body;
    expect(restructure).toMatchObject({ last_due_on: '2028-05-02', dates_moved: true, may: ['refuse'] });
    await answer(s, s.borrower, false);
    const fourth = await act(s, s.treasurer, 'restructure', { months: 36, reason: 'And again.' });
    expect([fourth.body.code, fourth.body.message]).toEqual(['loan_conflict', expect.stringContaining('3 times')]);
    await live(s, '2026-05-11');
    expect((await act(s, s.treasurer, 'restructure', { months: 36, reason: 'A month later.' })).status).toBe(200);
    expect((await app.call('GET', `/loans/${s.loan}/restructure`, { as: s.supervisor, sacco: s.sacco })).status).toBe(
      404,
    );
  });

  test('takes two officials: nobody is asked before another one confirms it, who is neither the proposer nor the borrower with a second account', async () => {
    const s = await scene(60_000_00, 20_000_00);
    const [first = '', second = ''] = s.committee;
    const [one = ''] = s.guarantors;
    await live(s, '2026-04-10');
    const borrowerSees = async () =>
      (await app.call('GET', `/loans/${s.loan}/restructure`, { as: s.borrower, sacco: s.sacco })).body.restructure;
    const propose = () => act(s, s.treasurer, 'restructure', { months: 24, reason: 'The shop burnt down.' });
    expect(await whileSuspended(s, propose)).toBe('sacco_inactive');
    const proposed = await propose();
    expect(await whileSuspended(s, () => confirm(s, first))).toBe('sacco_inactive');
    expect(await offeredWhileSuspended(s, first)).toEqual({ ...NOTHING, offer: ['withdraw'] });
    expect([proposed.body.message, proposed.body.restructure.state, proposed.body.restructure.may]).toEqual([
      'The new schedule is proposed. A second official must confirm it.',
      'unconfirmed',
      ['withdraw'],
    ]);
    // The founder is the chair of this sacco and of others.
    expect(new Set(await votersTold(s, 'schedule_proposed'))).toEqual(new Set([founder, ...s.committee]));
    // The desk's first page shows it to those who may confirm it alone.
    const waits = async (userId: string, ...held: Office[]) =>
      (await waitsFor(s, userId, held)).map(({ step, by }) => [step, by.id]);
    const asked = [['restructure', s.treasurer]];
    expect(await waits(first, 'credit_committee')).toEqual(asked);
    expect(await waits(s.supervisor, 'supervisory_committee')).toEqual([]);
    expect(await waits(s.treasurer, 'treasurer')).toEqual([]);
    expect([await borrowerSees(), (await answer(s, one)).body.code]).toEqual([null, 'loan_conflict']);
    const { notices } = (await app.call('GET', `/sacco/loans/${s.loan}/recovery`, { as: first, sacco: s.sacco })).body;
    expect(notices.filter(({ kind }: { kind: string }) => kind === 'restructure')).toEqual([]);
    // The proposer, a second account of theirs, and one of the borrower's.
    expect((await confirm(s, s.treasurer)).body.message).toBe('You proposed it. Another official confirms it.');
    await onePhone(s.treasurer, first);
    expect((await confirm(s, first)).body).toMatchObject({ code: 'not_allowed', message: /look like one person’s/ });
    expect([await waits(first, 'credit_committee'), await waits(second, 'credit_committee')]).toEqual([[], asked]);
    await onePhone(s.borrower, second);
    expect(await waits(second, 'credit_committee')).toEqual([]);
    expect((await confirm(s, second)).body.message).toMatch(/an account that looks like yours/);
    expect((await act(s, second, 'restructure', { months: 24, reason: 'Once more.' })).body.code).toBe('not_allowed');
    for (const by of [s.treasurer, first, second]) {
      const raw = database.owner`
        update loan_restructures set state = 'proposed', confirmed_by = ${by}, confirmed_at = now() where loan_id = ${s.loan}`;
      await expect(raw).rejects.toThrow(/another official confirms|check constraint/);
    }
    await database.owner`delete from referral_traces where user_id = any (${[first, second]}::uuid[])`;
    expect((await confirm(s, first, 25)).body.message).toMatch(/^The loan or the offer has changed/);
    expect((await confirm(s, first)).body.restructure).toMatchObject({
      state: 'proposed',
      confirmed_by: { id: first },
    });
    expect(await waits(second, 'credit_committee')).toEqual([]);
    expect(await borrowerSees()).toMatchObject({ state: 'proposed', proposed_by: null, confirmed_by: null });
    expect((await confirm(s, second)).body.code).toBe('loan_conflict');
  });

  test('is no longer than the product has now, waits for a vote for the default for 14 days, and ends with the default', async () => {
    const s = await scene(60_000_00, 20_000_00);
    const [first = '', second] = s.committee;
    await live(s, '2026-07-02');
    await database.owner`update loan_product_terms set max_months = 36 where product_id = (select product_id from loans where id = ${s.loan})`;
    const tooLong = await act(s, s.treasurer, 'restructure', { months: 37, reason: 'The shop burnt down.' });
    expect([tooLong.body.code, tooLong.body.message]).toEqual([
      'loan_terms_not_met',
      'This loan is given for 36 months at most.',
    ]);
    const quoted = await app.call('GET', `/sacco/loans/${s.loan}/restructure?months=37`, { as: first, sacco: s.sacco });
    expect(quoted.body.message).toBe(tooLong.body.message);
    await act(s, s.treasurer, 'restructure', { months: 36, reason: 'The shop burnt down.' });
    // The terms of the product are asked once more at the confirmation.
    const longest = (months: number) => database.owner`
      update loan_product_terms set max_months = ${months} where product_id = (select product_id from loans where id = ${s.loan})`;
    await longest(35);
    expect((await confirm(s, second, 36)).body.message).toBe('This loan is given for 35 months at most.');
    await longest(36);
    const waits = async () => (await waitsFor(s, second, ['credit_committee'])).map(({ step }) => step);
    expect(await waits()).toEqual(['restructure']);
    // Somebody of the committee looks like the borrower: the treasurer stands in for them.
    await onePhone(s.borrower, first);
    expect((await act(s, first, 'default', because)).body.message).toMatch(/an account that looks like yours/);
    expect((await act(s, s.treasurer, 'default', because)).status).toBe(200);
    const seen = await app.call('GET', `/sacco/loans/${s.loan}/recovery`, { as: second ?? '', sacco: s.sacco });
    expect(seen.body.restructure.may).toEqual(['withdraw']);
    expect((await confirm(s, second, 36)).body.message).toMatch(/^An official has voted that this loan is in default/);
    const anew = await act(s, s.treasurer, 'restructure', { months: 24, reason: 'Another one.' });
    expect(anew.body.message).toMatch(/^An official has voted that this loan is in default/);
    // Nobody casts the second vote for 14 days. Then the one vote puts a new schedule off no longer.
    await live(s, '2026-07-16');
    const propose = () => act(s, s.treasurer, 'restructure', { months: 36, reason: 'The shop burnt down.' });
    expect((await propose()).status).toBe(200);
    expect((await confirm(s, second, 36)).status).toBe(200);
    // The default is decided after all: it ends the offer, and others do not undo it without one of those who decide.
    expect((await act(s, second, 'default', because)).status).toBe(200);
    expect((await answer(s, s.borrower)).body.code).toBe('loan_conflict');
    const notices = await database.sql`
      select n.user_id from loan_notices n join notifications t on t.id = n.notification_id
      where n.loan_id = ${s.loan} and t.text like '%has ended: the loan is in default%'`;
    expect(new Set(notices.map(({ user_id }) => user_id))).toEqual(new Set([s.borrower, ...s.guarantors]));
    expect((await propose()).status).toBe(200);
    await database.owner`delete from referral_traces where user_id = ${first}`;
    expect((await confirm(s, founder, 36)).body).toMatchObject({ code: 'not_allowed', message: /those who decide/ });
    expect((await confirm(s, second, 36)).status).toBe(200);
    // Nothing is taken while they are asked, though the final notice has run out; the officials take the offer back to go on.
    expect((await act(s, s.treasurer, 'final-notice')).status).toBe(200);
    await database.owner`
      update loan_restructures set answer_by = '2026-08-01T06:00:00Z' where loan_id = ${s.loan} and state = 'proposed'`;
    database.world.setNow(new Date('2026-07-31T06:00:00Z'));
    expect((await take(s, 'own_deposits', 1)).body.code).toBe('recovery_too_early');
    await app.call('DELETE', `/sacco/loans/${s.loan}/restructure`, { as: s.treasurer, sacco: s.sacco });
    expect((await take(s, 'own_deposits')).status).toBe(200);
  });

  test('is held up by no vote of an official who is suspended, and nobody completes a default with it', async () => {
    const s = await scene(60_000_00, 20_000_00);
    const [first = '', second] = s.committee;
    await live(s, '2026-07-02');
    await act(s, s.treasurer, 'restructure', { months: 24, reason: 'The shop burnt down.' });
    // Somebody of the committee looks like the borrower: the treasurer stands in for them.
    await onePhone(s.borrower, first);
    expect((await act(s, s.treasurer, 'default', because)).status).toBe(200);
    const waits = async () => (await waitsFor(s, second, ['credit_committee'])).map(({ step }) => step);
    expect(await waits()).toEqual(['default']);
    await suspend(s.treasurer);
    expect(await waits()).toEqual(['restructure']);
    expect((await act(s, second, 'default', because)).status).toBe(200);
    expect((await row(s))?.state).toBe('in_arrears');
    await free(s.treasurer);
    expect((await act(s, second, 'default', because)).status).toBe(200);
    expect((await row(s))?.state).toBe('defaulted');
  });

  test('that is offered after the last instalment begins on the day of the offer, whenever the last one agrees', async () => {
    const s = await scene(60_000_00, 20_000_00, { months: 1 });
    await live(s, '2026-04-10');
    await offer(s);
    await live(s, '2026-04-13');
    for (const guarantor of s.guarantors) await answer(s, guarantor);
    const due = await row(s);
    await repay(s, due?.interest_cents + due?.penalty_cents, 'interest and penalty');
    expect((await answer(s, s.borrower)).body.restructure).toMatchObject({
      state: 'in_force',
      first_due_on: '2026-05-10',
      last_due_on: '2028-04-10',
    });
    await live(s, '2026-04-14');
    // Four days of the first month's interest of 1,000.
    expect(await row(s)).toMatchObject({ state: 'active', due_on: '2026-05-10', interest_cents: 133_33 });
    expect(await breaches(database.sql, everything)).toEqual([]);
  });

  test('that another official ends before it is confirmed counts against that one: two for a loan, and the next offer stands', async () => {
    const s = await scene(60_000_00, 20_000_00);
    const [first = '', second = ''] = s.committee;
    await live(s, '2026-04-10');
    // Of two that are proposed at the same millisecond neither is the later one.
    const propose = () => {
      database.world.advance(1_000);
      return act(s, first, 'restructure', { months: 24, reason: 'Once more.' });
    };
    const end = (as: string) => app.call('DELETE', `/sacco/loans/${s.loan}/restructure`, { as, sacco: s.sacco });
    for (const _ of [1, 2]) {
      expect((await propose()).status).toBe(200);
      expect((await end(second)).status).toBe(200);
    }
    expect((await propose()).status).toBe(200);
    const third = await end(second);
    expect([third.body.code, third.body.message]).toEqual([
      'loan_conflict',
      'You have ended 2 offers of others for this loan in 30 days. Another official may end this one.',
    ]);
    const seen = await app.call('GET', `/sacco/loans/${s.loan}/recovery`, { as: second, sacco: s.sacco });
    expect(seen.body.restructure.may).toEqual(['confirm']);
    expect((await end(s.treasurer)).status).toBe(200);
    // What the proposer takes back counts against the proposer.
    for (const _ of [1, 2, 3]) {
      expect((await propose()).status).toBe(200);
      expect((await end(first)).status).toBe(200);
    }
    expect((await propose()).body.message).toMatch(/3 times/);
  });

  test('that was confirmed counts for all; only its two officials take it back, and whoever confirmed it twice at most', async () => {
    const s = await scene(60_000_00, 20_000_00);
    const [first = '', second = ''] = s.committee;
    await live(s, '2026-04-10');
    const end = (as: string) => app.call('DELETE', `/sacco/loans/${s.loan}/restructure`, { as, sacco: s.sacco });
    for (const time of [1, 2, 3]) {
      expect((await offer(s)).status).toBe(200);
      const another = await end(second);
      expect([another.body.code, another.body.message]).toEqual([
        'loan_conflict',
        expect.stringMatching(/have been asked/),
      ]);
      const byConfirmer = await end(first);
      expect(byConfirmer.status).toBe(time < 3 ? 200 : 409);
      if (time === 3) expect(byConfirmer.body.message).toMatch(/^You have ended 2 offers/);
    }
    expect((await end(s.treasurer)).status).toBe(200);
    expect((await act(s, second, 'restructure', { months: 24, reason: 'Once more.' })).body.message).toMatch(/3 times/);
  });
});
