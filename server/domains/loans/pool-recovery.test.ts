import { inWords } from '@ushirika/contract/in-words';
import { loanRecoveryContract } from '@ushirika/contract/loan-recovery';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { amountShown } from '../../demo/amount-shown.ts';
import { testApp } from '../../http/test-app.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { standings } from '../membership/standings.ts';
import { decideRequest } from '../pools/decide-request.ts';
import { decideDispute, disputeCall } from '../pools/demand-guarantee.ts';
import { depositToPool } from '../pools/deposit-to-pool.ts';
import { earnFees } from '../pools/earn-fees.ts';
import { poolExitBlocks } from '../pools/exit-blocks.ts';
import { attachGuarantee } from '../pools/guarantee-cover.ts';
import { activateGuarantee } from '../pools/guarantee-life.ts';
import { payWithdrawals } from '../pools/pay-withdrawals.ts';
import { poolsInvariants } from '../pools/pools.invariants.ts';
import { noNeeds } from '../pools/request-guarantee.ts';
import { testPools } from '../pools/test-pools.ts';
import { withdrawFromPool } from '../pools/withdraw-from-pool.ts';
import { loanTradeBlocks } from './loan-blocks.ts';
import { standingOf } from './loan-facts.ts';
import { loanRecoveryInvariants } from './loan-recovery.invariants.ts';
import { loanRecoveryRoutes } from './loan-recovery.routes.ts';
import type { LoanRow } from './loan-rows.ts';
import { loansInvariants } from './loans.invariants.ts';
import { loanOf } from './loans.queries.ts';
import { postAll } from './pledges.ts';
import { loanSteps } from './recovery.queries.ts';
import { repayAny } from './repay-late.ts';
import { runLoanDays } from './run-loan-days.ts';
import { testDividend } from './test-dividend.ts';
import { scheduleCode, testLateLoans } from './test-late-loans.ts';

// Months of days each.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let database: TestDatabase;
let late: ReturnType<typeof testLateLoans>;
let pools: ReturnType<typeof testPools>;
let app: Awaited<ReturnType<typeof testApp>>;
let founder: string;
let operator: string;

beforeAll(async () => {
  database = await testDatabase();
  late = testLateLoans(database);
  pools = testPools(database);
  founder = await pools.people.person('Wanjiru', 'Kamau');
  operator = await pools.people.person('Operator');
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
beforeEach(() => database.world.setNow(new Date('2025-10-01T06:00:00Z')));

interface Scene {
  readonly sacco: string;
  readonly loan: string;
  readonly borrower: string;
  readonly guarantor: string;
  readonly pool: string;
  readonly contract: string;
  readonly steward: string;
  readonly backers: readonly string[];
  readonly committee: readonly string[];
  readonly treasurer: string;
  readonly supervisor: string;
}

/** A pool of five with 40,000 each, and the borrower with 20,000; of `also` with 40,000 each, too. */
async function poolOf(sacco: string, steward: string, also: readonly string[]) {
  const pool = await pools.pool(steward, sacco, { name: `Pool ${steward.slice(-12)}`, min_trust_score: 40 });
  const members: string[] = [];
  for (const name of ['Brian', 'Carol', 'David', 'Esther', 'Faith', 'Amina']) {
    const cents = name === 'Amina' ? 20_000_00 : 40_000_00;
    const person = await pools.rich(name, cents);
    await late.saver(sacco, person, 0);
    await pools.join(pool, person, cents);
    members.push(person);
  }
  for (const person of also) {
    await pools.pay(person, 40_000_00);
    await pools.join(pool, person, 40_000_00);
  }
  await database.sql`update pools set state = 'OPEN' where id = ${pool}`;
  const borrower = members.pop() ?? '';
  await pools.stewards(pool, ...members.slice(0, 2));
  await pools.seen(borrower, operator);
  return { pool, borrower, backers: members };
}

/** A loan of Ksh. 100,000: own savings of 60,000, a pool's guarantee of 40,000, and a guarantor who pledged 50,000. */
async function scene({ committeeInPool = 0 } = {}): Promise<Scene> {
  const sacco = await late.saccos.sacco(founder, operator);
  const official = async (office: Parameters<typeof late.official>[2]) => {
    const person = await pools.rich('Official', 0);
    await late.saver(sacco, person, 0);
    await late.official(sacco, person, office);
    return person;
  };
  const committee = [await official('credit_committee'), await official('credit_committee')];
  const [treasurer, supervisor] = [await official('treasurer'), await official('supervisory_committee')];
  const steward = await pools.rich('Steward', 0);
  await late.saver(sacco, steward, 0);
  const { pool, borrower, backers } = await poolOf(sacco, steward, committee.slice(0, committeeInPool));
  await late.saccos.fund(borrower, 60_000_00);
  await pools.saved(borrower, sacco, 60_000_00);
  const guarantor = await pools.people.person('Guarantor');
  await late.saver(sacco, guarantor, 50_000_00);
  database.world.setNow(new Date('2026-03-02T06:00:00Z'));
  const asked = { userId: borrower, poolId: pool, amount: 40_000_00, months: 12 };
  const { requestId } = await pools.sign(asked, noNeeds);
  const decision = { requestId, decision: 'approve', reason: 'She pays.' } as const;
  for (const userId of backers.slice(0, 2))
    await database.transaction((tx) => decideRequest(tx, { userId }, decision, noNeeds));
  const [contract] = await database.sql`select id from pool_contracts where request_id = ${requestId}`;
  const loan = await late.loan({
    sacco,
    borrower,
    amountCents: 100_000_00,
    months: 12,
    ownCents: 20_000_00,
    pledges: [{ guarantor, cents: 50_000_00 }],
  });
  await database.transaction(async (tx) => {
    const principal = 100_000_00;
    await attachGuarantee(tx, { requestId, userId: borrower, loanId: loan, saccoId: sacco, principal, months: 12 });
    const fee = await activateGuarantee(tx, { loanId: loan, saccoId: sacco, principal });
    await postAll(tx, fee ? [fee] : []);
  });
  return {
    ...{ sacco, loan, borrower, guarantor, pool, contract: contract?.id, steward, backers },
    ...{ committee, treasurer, supervisor },
  };
}

const live = ({ sacco }: Scene, until: string) => late.live(sacco, until);

const act = (scene: Scene, as: string | undefined, path: string, body?: object) =>
  app.call('POST', `/sacco/loans/${scene.loan}/${path}`, {
    ...(as ? { as } : {}),
    sacco: scene.sacco,
    ...(body ? { body } : {}),
  });
/** The treasurer takes a step at the amount that is shown, or at another. */
async function recover(s: Scene, step: 'own_deposits' | 'pool' | 'guarantors', shillings?: number) {
  const amount = shillings ?? (await amountShown({ sql: database.sql, now: database.now() }, s.loan, step)) / 100;
  return act(s, s.treasurer, 'recovery', { step, amount });
}
const row = async ({ loan }: Scene) => (await database.sql`select * from loans where id = ${loan}`)[0];
const contractOf = async ({ contract }: Scene) =>
  (await database.sql`select * from pool_contracts where id = ${contract}`)[0];
const everything = [...ledgerInvariants, ...loansInvariants, ...loanRecoveryInvariants, ...poolsInvariants];
const because = { reason: 'Ninety days without a payment.' };
const repay = (s: Scene, cents: number, key: string) =>
  database.transaction((tx) =>
    repayAny(tx, [
      { loanId: s.loan, payerId: s.borrower, amountCents: cents, channel: 'wallet', key: `${key} ${s.loan}` },
    ]),
  );

/** The committee decides on day 90; the final notice is 14 days old. */
async function inDefault(s: Scene): Promise<void> {
  await live(s, '2026-07-01');
  // Two of the committee have no interest: nobody stands in.
  expect((await act(s, s.treasurer, 'default', because)).body.code).toBe('not_allowed');
  for (const member of s.committee) expect((await act(s, member, 'default', because)).status).toBe(200);
  expect((await act(s, s.treasurer, 'final-notice')).status).toBe(200);
  await live(s, '2026-07-15');
}

test('a pool pays after the borrower’s savings and before the guarantors: its borrower’s position, then the others', async () => {
  const s = await scene();
  await live(s, '2026-05-31');
  expect(await contractOf(s)).toMatchObject({ state: 'ACTIVE', reminded_day: 30 });
  await live(s, '2026-06-01');
  expect(await contractOf(s)).toMatchObject({ state: 'DEMAND', reminded_day: 60 });
  await inDefault(s);
  expect((await recover(s, 'pool')).body.code).toBe('recovery_too_early');
  const own = await recover(s, 'own_deposits');
  expect(own.body.message).toBe('Ksh.\u00a060,000.00 is recovered.');
  const [pool, guarantors] = own.body.recovery.takes;
  expect(guarantors).toEqual({ step: 'guarantors', from: [], amount: 0, principal_left: 0 });
  const amounts = Object.fromEntries(
    pool.from.map(({ source, amount }: { source: string; amount: number }) => [source, Math.round(amount * 100)]),
  );
  expect(pool).toMatchObject({ step: 'pool', amount: 40_000, principal_left: 0 });
  expect((await recover(s, 'guarantors')).body.code).toBe('recovery_too_early');
  // The database refuses it too.
  await expect(database.owner`
    insert into loan_recovery_steps (loan_id, arrears_since, step, at, by_id)
    values (${s.loan}, '2026-04-02', 'guarantors', ${database.now()}, ${s.treasurer})`).rejects.toThrow('comes later');
  // Where less was shown nothing of the pool moves.
  const before = await contractOf(s);
  expect((await recover(s, 'pool', 39_999)).body).toMatchObject({ code: 'loan_terms_changed', amount: 40_000 });
  expect(await contractOf(s)).toEqual(before);
  // Of the 40,000 the borrower's own position pays 20,000; 20,000 is a claim of the pool.
  expect((await recover(s, 'pool')).body.message).toBe('Ksh.\u00a040,000.00 is recovered.');
  expect(await contractOf(s)).toMatchObject({
    state: 'RECOVERING',
    own_paid_cents: 20_000_00,
    claim_cents: 20_000_00,
    outstanding_cents: 0,
    // As it was said before.
    reserve_paid_cents: amounts.pool_reserve,
  });
  // The loan says that it was called, and no longer that it is in force.
  const { guarantees } = await loanOf(database, { userId: s.borrower, saccoId: s.sacco }, s.loan);
  expect(guarantees.find(({ kind }) => kind === 'pool')).toMatchObject({
    state: 'called',
    called: { paid: 40_000, recovered: 0 },
    claim: 20_000,
  });
  expect(amounts).toMatchObject({ pool_own: 20_000_00, pool_members: 20_000_00 - amounts.pool_reserve });
  expect(await row(s)).toMatchObject({ state: 'recovering', principal_cents: 0 });
  expect((await recover(s, 'pool')).body.code).toBe('loan_conflict');
  // Of the borrower's dividend the pool gets back what it lost, before the rest of the loan.
  const { interest_cents: interest, penalty_cents: penalty } = (await row(s)) ?? {};
  expect(await testDividend(database)(s.sacco, s.borrower, 20_000_00 + 1)).toEqual({
    ...{ line: 0, repaid: 1, refunded: 20_000_00, leavesCash: 20_000_00 },
  });
  expect(await contractOf(s)).toMatchObject({ state: 'RECOVERED', recovered_cents: 20_000_00 });
  expect(await row(s)).toMatchObject({ interest_cents: interest - 1, penalty_cents: penalty });
  expect(await breaches(database.sql, everything)).toEqual([]);
});

test('whoever owes a pool sells no shares, does not leave and does not borrow, also once the loan itself is closed', async () => {
  const s = await scene();
  await inDefault(s);
  await live(s, '2026-08-02');
  await pools.pay(s.borrower, 50_000_00);
  const owed = await row(s);
  await repay(s, owed?.interest_cents + owed?.penalty_cents, 'interest and penalty');
  for (const step of ['own_deposits', 'pool'] as const) expect((await recover(s, step)).status).toBe(200);
  expect((await row(s))?.state).toBe('closed');
  const member = { userId: s.borrower, saccoId: s.sacco };
  const reader = { sql: database.sql, now: database.now() } as never;
  const blocks = await database.transaction((tx) => loanTradeBlocks(tx, [member]));
  expect([...blocks.values()].map((text) => inWords(text, 'en'))).toEqual([
    'Guarantors or a pool have paid for a loan of yours. Pay them back, then you can trade again.',
  ]);
  expect((await poolExitBlocks(reader, member)).map(({ text }) => inWords(text, 'en')).join()).toContain(
    'of a loan of yours here. Pay it back first.',
  );
  expect((await standingOf(reader, member)).isInArrears).toBe(true);
  expect(await breaches(database.sql, everything)).toEqual([]);
});

test('a committee whose money is in the pool does not keep a loan from its default: board and supervisors stand in', async () => {
  const s = await scene({ committeeInPool: 1 });
  await live(s, '2026-07-01');
  const [one = '', two = ''] = s.committee;
  expect((await act(s, one, 'default', because)).body.code).toBe('not_allowed');
  const reader = { sql: database.sql, now: database.now() };
  const shown = await loanSteps.standings(reader, [(await row(s)) as unknown as LoanRow], ['treasurer']);
  expect(shown.get(s.loan)?.may).toContain('default');
  expect((await act(s, two, 'default', because)).status).toBe(200);
  expect((await row(s))?.state).toBe('in_arrears');
  expect((await act(s, s.treasurer, 'default', because)).status).toBe(200);
  expect((await row(s))?.state).toBe('defaulted');
  expect(await breaches(database.sql, everything)).toEqual([]);
});

test('a demand that was taken back is made again though the loan is in recovery by then', async () => {
  const s = await scene();
  await live(s, '2026-06-20');
  await database.transaction((tx) =>
    disputeCall(
      tx,
      { userId: s.backers[0] ?? '' },
      { contractId: s.contract, reason: 'Her savings were not applied.' },
    ),
  );
  await database.transaction((tx) =>
    decideDispute(
      tx,
      { userId: s.supervisor },
      { saccoId: s.sacco, contractId: s.contract, decision: 'taken_back', reason: 'Her savings come first.' },
    ),
  );
  await inDefault(s);
  expect((await recover(s, 'own_deposits')).status).toBe(200);
  expect(await contractOf(s)).toMatchObject({ state: 'ACTIVE' });
  expect((await recover(s, 'pool')).body.code).toBe('pool_contract_conflict');
  // Thirty days after it was taken back, and fourteen days from then on.
  await live(s, '2026-07-20');
  expect(await contractOf(s)).toMatchObject({ state: 'DEMAND' });
  await live(s, '2026-08-02');
  expect((await recover(s, 'pool')).body.code).toBe('pool_contract_conflict');
  await live(s, '2026-08-03');
  expect((await recover(s, 'pool')).status).toBe(200);
  expect(await row(s)).toMatchObject({ state: 'recovering', principal_cents: 0 });
  expect(await breaches(database.sql, everything)).toEqual([]);
});

test('a borrower who pays what is overdue during the recovery does not end the demand', async () => {
  const s = await scene();
  await inDefault(s);
  expect((await recover(s, 'own_deposits')).status).toBe(200);
  const due = await row(s);
  const overdue = due?.overdue_cents + due?.penalty_cents;
  if (overdue > 0) await repay(s, overdue, 'what is overdue');
  expect(await row(s)).toMatchObject({ state: 'recovering', overdue_cents: 0 });
  expect(await contractOf(s)).toMatchObject({ state: 'DEMAND' });
  expect((await recover(s, 'pool')).status).toBe(200);
  expect(await breaches(database.sql, everything)).toEqual([]);
});

test('a borrower who deposits in the pool between showing and calling does not stop the call: whose money it is changes alone', async () => {
  const s = await scene();
  await inDefault(s);
  expect((await recover(s, 'own_deposits')).status).toBe(200);
  const shown = (await amountShown({ sql: database.sql, now: database.now() }, s.loan, 'pool')) / 100;
  await pools.pay(s.borrower, 1_000_00);
  const deposit = { userId: s.borrower, sessionId: s.borrower, poolId: s.pool, amount: 1_000_00 };
  await database.transaction((tx) => depositToPool(tx, deposit));
  expect((await recover(s, 'pool', shown)).status).toBe(200);
  expect(await contractOf(s)).toMatchObject({ own_paid_cents: 21_000_00, claim_cents: 19_000_00 });
  expect(await breaches(database.sql, everything)).toEqual([]);
});

test('a new schedule ends while the pool still guarantees the loan, and ends the demand on it with the arrears', async () => {
  const s = await scene();
  await live(s, '2026-06-03');
  expect(await contractOf(s)).toMatchObject({ state: 'DEMAND' });
  // The pool was paid for twelve months from 2 March on. The new schedule begins on 2 July.
  const tooLong = await act(s, s.treasurer, 'restructure', { months: 9, reason: 'The shop burnt down.' });
  expect(tooLong.body.message).toBe(
    'A pool guarantees this loan until Tuesday, March 2, 2027. A new schedule must end by then.',
  );
  expect((await act(s, s.treasurer, 'restructure', { months: 8, reason: 'The shop burnt down.' })).status).toBe(200);
  expect((await act(s, s.committee[0], 'restructure/confirm', { months: 8 })).status).toBe(200);
  const due = await row(s);
  const [overdue] = await database.sql`
    select sum(interest_cents - paid_interest_cents)::int as cents from loan_instalments
    where loan_id = ${s.loan} and due_on < '2026-06-03'`;
  await repay(s, due?.penalty_cents + overdue?.cents, 'interest and penalty');
  for (const as of [s.guarantor, s.borrower]) {
    const path = `/loans/${s.loan}/restructure`;
    const signed = await database.transaction((tx) => scheduleCode(tx, { loanId: s.loan, userId: as }));
    const body = { agree: true, ...(signed ? { code: signed.code, terms_hash: signed.termsHash } : {}) };
    expect((await app.call('POST', path, { as, sacco: s.sacco, body })).status).toBe(200);
  }
  expect(await row(s)).toMatchObject({ state: 'active', restructured_months: 8 });
  expect(await contractOf(s)).toMatchObject({ state: 'ACTIVE', reminded_day: 0, demanded_at: null });
  expect(await breaches(database.sql, everything)).toEqual([]);
});

test('a day of the year 0 is a day that was not run, and no fault of ours', async () => {
  const s = await scene();
  const { status } = await app.call('GET', '/sacco/loan-days/0000-12-31', { as: s.treasurer, sacco: s.sacco });
  expect(status).toBe(404);
});

test('the run of a day tells what it did: interest, notices by their kind, and what the pools earned and paid', async () => {
  const s = await scene();
  const read = async (day: string, as = s.treasurer) =>
    app.call('GET', `/sacco/loan-days/${day}`, { as, sacco: s.sacco });
  await live(s, '2026-04-03');
  await earnFees(database);
  const backer = s.backers[0] ?? '';
  await database.transaction((tx) => withdrawFromPool(tx, { userId: backer }, { poolId: s.pool, amount: 1_000_00 }));
  await database.sql`update pool_withdrawals set due_at = given_at where user_id = ${backer}`;
  await payWithdrawals(database, noNeeds.historiesOf);
  const [earned] = await database.sql<{ cents: number }[]>`
    select fee_earned_cents as cents from pool_contracts where id = ${s.contract}`;
  const [books] = await database.sql<{ interest: number }[]>`
    select interest_cents as interest from loan_days where sacco_id = ${s.sacco} and day = '2026-04-03'`;
  const { body } = await read('2026-04-03');
  expect(body).toMatchObject({
    day: '2026-04-03',
    state: 'done',
    loans: 1,
    accrued: (books?.interest ?? 0) / 100,
    penalties: 0,
    noticed: 1,
    notices: [{ kind: 'missed', count: 1 }],
    pools: { earnings: 1, earned: (earned?.cents ?? 0) / 100, withdrawals: 1, withdrawn: 1_000 },
  });
  expect(body.accrued).toBeGreaterThan(0);
  expect(body.pools.earned).toBeGreaterThan(0);
  expect((await read('2026-04-02')).body).toMatchObject({ notices: [], pools: { earnings: 0, withdrawals: 0 } });
  await live(s, '2026-05-02');
  expect((await read('2026-05-02')).body.notices).toEqual([{ kind: 'formal', count: 2 }]);
  // Days that are made up at one moment each tell their own.
  database.world.setNow(new Date('2026-06-03T06:00:00Z'));
  await runLoanDays(database, { saccos: [s.sacco] });
  expect((await read('2026-06-01')).body).toMatchObject({ noticed: 2, notices: [{ kind: 'second', count: 2 }] });
  expect((await read('2026-06-02')).body).toMatchObject({ noticed: 0, notices: [] });
  expect((await read('2026-06-12')).body.code).toBe('not_found');
  expect((await read('2026-04-03', backer)).body.code).toBe('not_allowed');
  expect(await breaches(database.sql, everything)).toEqual([]);
});
