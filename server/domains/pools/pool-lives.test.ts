import { Refusal } from '@ushirika/contract/refusal';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { type TestWorld, testWorld } from '../../db/test-world.ts';
import type { Tx } from '../../db/tx.ts';
import { ledgerInvariants } from '../../ledger/invariants.ts';
import { callGuarantee } from './call-guarantee.ts';
import { decideRequest } from './decide-request.ts';
import { decideDispute, demandGuarantee, disputeCall } from './demand-guarantee.ts';
import { depositToPool } from './deposit-to-pool.ts';
import { earnFees, postJournals } from './earn-fees.ts';
import { giveGuaranteeBack } from './give-guarantee-back.ts';
import { attachGuarantee } from './guarantee-cover.ts';
import { activateGuarantee, closeGuarantee, releaseGuarantees } from './guarantee-life.ts';
import { payWithdrawals } from './pay-withdrawals.ts';
import { poolsInvariants } from './pools.invariants.ts';
import { recoverForPool } from './recover-for-pool.ts';
import { noNeeds, type PoolNeeds, requestGuarantee } from './request-guarantee.ts';
import { signRequest } from './sign-guarantee.ts';
import { tendPools } from './tend-pools.ts';
import { testPools } from './test-pools.ts';
import { NO_HISTORY } from './trust.rules.ts';
import { cancelPoolWithdrawal, withdrawFromPool } from './withdraw-from-pool.ts';

/*
 * Random lives of pools through the database. After each step the invariants of A10 hold, by the same statements that the audit runs: the
 * books and the rows say the same (I1), locks are guarantees (I2), positions hold locks and notices (I3), capacity (I4), losses (I5, I7), no lock
 * rises (I8). The steps check what happens between: I5 and I6 of a call, I10 of a fee, I11 of a job. A failure prints its seed and path.
 */

const DAY_MS = 86_400_000;
const PEOPLE = 7;
const needs: PoolNeeds = {
  ...noNeeds,
  historiesOf: async (_tx, ids) => new Map(ids.map((id) => [id, { ...NO_HISTORY, onTime: 24 }])),
};
let world: TestWorld;
let database: TestDatabase;
let pools: ReturnType<typeof testPools>;
let operator: string;

beforeAll(async () => {
  world = testWorld({ now: new Date('2027-01-04T06:00:00Z') });
  database = await testDatabase({ world });
  pools = testPools(database);
  operator = await pools.people.person('Halima', 'Yusuf');
});
afterAll(async () => {
  await database.close();
});

interface Loan {
  readonly id: string;
  readonly principal: number;
  readonly borrower: string;
  left: number;
}

interface Life {
  readonly sacco: string;
  readonly pool: string;
  readonly steward: string;
  readonly judge: string;
  readonly people: readonly string[];
  readonly loans: Loan[];
}

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('deposit' as const),
      who: fc.nat(PEOPLE - 1),
      cents: fc.integer({ min: 1, max: 9_000_00 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('withdraw' as const),
      who: fc.nat(PEOPLE - 1),
      part: fc.integer({ min: 1, max: 100 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), who: fc.nat(PEOPLE - 1) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('borrow' as const),
      // Those with the least of their own borrow more often, so that calls reach others.
      who: fc.oneof(fc.nat(2), fc.nat(PEOPLE - 1)),
      cents: fc.integer({ min: 1_00, max: 30_000_00 }),
      months: fc.integer({ min: 1, max: 24 }),
      end: fc.constantFrom('paid out', 'came to nothing', 'given back', 'waits'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('repay' as const),
      loan: fc.nat(20),
      part: fc.integer({ min: 1, max: 100 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('demand' as const), loan: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('dispute' as const), loan: fc.nat(20), stands: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      loan: fc.nat(20),
      part: fc.integer({ min: 40, max: 100 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('recover' as const),
      loan: fc.nat(20),
      cents: fc.integer({ min: 1, max: 4_000_00 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('time' as const), days: fc.integer({ min: 1, max: 45 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function begin(): Promise<Life> {
  const steward = await pools.rich('Wanjiru', 0);
  const judge = await pools.rich('Chika', 0);
  const sacco = await pools.people.sacco(`Sacco ${steward}`, steward);
  await pools.people.member(sacco, steward);
  const fields = { name: `Pool ${steward.slice(-12)}`, min_contribution_perc: 1_000 };
  const pool = await pools.pool(steward, sacco, fields);
  await pools.parameters(pool, { max_borrower_share: 6_000, max_active_per_borrower: 20 });
  const people: string[] = [];
  for (let number = 0; number < PEOPLE; number += 1) {
    const person = await pools.rich('Amina', 1_000_000_00);
    await pools.people.member(sacco, person);
    await pools.seen(person, operator);
    await pools.join(pool, person, 5_000_00 + number * 3_333_33);
    people.push(person);
  }
  await pools.stewards(pool, ...people.slice(0, 3));
  await database.sql`
    update memberships set joined_at = ${new Date(database.now().getTime() - 730 * DAY_MS)} where sacco_id = ${sacco}`;
  return { sacco, pool, steward, judge, people, loans: [] };
}

const inTransaction = <T>(act: (tx: Tx) => Promise<T>): Promise<T> => database.transaction(act);

/** A rule that refuses is a rule that holds; everything else is a fault. */
async function mayRefuse(act: () => Promise<unknown>): Promise<void> {
  await act().catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

async function take(life: Life, one: Step): Promise<void> {
  const person = 'who' in one ? (life.people[one.who] ?? '') : '';
  const loan = 'loan' in one ? life.loans[one.loan % Math.max(1, life.loans.length)] : undefined;
  switch (one.kind) {
    case 'deposit':
      return mayRefuse(() =>
        inTransaction((tx) =>
          depositToPool(tx, { userId: person, sessionId: person, poolId: life.pool, amount: one.cents }),
        ),
      );
    case 'withdraw':
      return mayRefuse(() => withdrawPart(life, person, one.part));
    case 'cancel':
      return mayRefuse(() => cancelOne(person));
    case 'borrow':
      return mayRefuse(() => borrow(life, { ...one, person }));
    case 'repay':
      return loan && repay(loan, one.part);
    case 'demand':
      return loan && mayRefuse(() => inTransaction((tx) => demandGuarantee(tx, { loanId: loan.id, daysPastDue: 60 })));
    case 'dispute':
      return loan && mayRefuse(() => dispute(life, loan, one.stands));
    case 'call':
      return loan && mayRefuse(() => callAfterDemand(loan, one.part));
    case 'recover':
      return (
        loan &&
        mayRefuse(() =>
          inTransaction(async (tx) =>
            postJournals(
              tx,
              (await recoverForPool(tx, { loanId: loan.id, cents: one.cents, causedBy: null })).journals,
            ),
          ),
        )
      );
    case 'time':
      return passTime(life, one.days);
  }
}

async function withdrawPart(life: Life, person: string, part: number): Promise<void> {
  const [row] = await database.sql<{ free: number }[]>`
    select position_cents - locked_cents - notice_cents as free from pool_members where pool_id = ${life.pool} and user_id = ${person}`;
  const amount = Math.floor(((row?.free ?? 0) * part) / 100);
  if (amount > 0) await inTransaction((tx) => withdrawFromPool(tx, { userId: person }, { poolId: life.pool, amount }));
}

async function cancelOne(person: string): Promise<void> {
  const [row] = await database.sql<{ id: string }[]>`
    select id from pool_withdrawals where user_id = ${person} and state in ('queued', 'given') order by id limit 1`;
  if (row) await inTransaction((tx) => cancelPoolWithdrawal(tx, { userId: person }, { withdrawalId: row.id }));
}

async function borrow(
  life: Life,
  {
    person,
    cents,
    months,
    end,
  }: { readonly person: string; readonly cents: number; readonly months: number; readonly end: string },
): Promise<void> {
  const asked = { userId: person, poolId: life.pool, amount: cents, months, loanId: null, purpose: 'School fees' };
  const requestId = await inTransaction((tx) => requestGuarantee(tx, asked, needs));
  const [request] = await database.sql<{ quote_hash: string; state: string }[]>`
    select quote_hash, state from pool_requests where id = ${requestId}`;
  if (request?.state !== 'QUOTED') return;
  const signing = { requestId, quoteHash: request.quote_hash, signedName: 'Amina Mwangi' };
  const { contractId } = await inTransaction((tx) => signRequest(tx, { userId: person }, signing, needs));
  const decision = { requestId, decision: 'approve', reason: 'Known' } as const;
  if (contractId === null) {
    const others = life.people.filter((one) => one !== person).slice(0, 2);
    for (const userId of others) await inTransaction((tx) => decideRequest(tx, { userId }, decision, needs));
  }
  if (end === 'waits') return;
  if (end === 'given back') return giveBack(person, requestId);
  const principal = Math.ceil((cents * 100) / 80) + 1;
  const loan: Loan = { id: database.newId(), principal, borrower: person, left: principal };
  const attached = { requestId, userId: person, loanId: loan.id, saccoId: life.sacco, principal, months };
  await inTransaction((tx) => attachGuarantee(tx, attached));
  if (end === 'came to nothing') {
    await inTransaction((tx) => closeGuarantee(tx, { loanId: loan.id }));
    return;
  }
  await pools.lent(life.sacco, loan.id, person, principal);
  await inTransaction(async (tx) => {
    const journal = await activateGuarantee(tx, { loanId: loan.id, saccoId: life.sacco, principal });
    await postJournals(tx, journal ? [journal] : []);
  });
  life.loans.push(loan);
}

async function giveBack(person: string, requestId: string): Promise<void> {
  const [row] = await database.sql<{ id: string }[]>`select id from pool_contracts where request_id = ${requestId}`;
  if (row) await inTransaction((tx) => giveGuaranteeBack(tx, { userId: person }, { contractId: row.id }, needs));
}

async function repay(loan: Loan, part: number): Promise<void> {
  loan.left -= Math.ceil((loan.left * part) / 100);
  const repaid = { loanId: loan.id, principalOut: loan.left, principalAtStart: loan.principal, isCured: part > 50 };
  await inTransaction(async (tx) => postJournals(tx, await releaseGuarantees(tx, [repaid])));
}

async function dispute(life: Life, loan: Loan, stands: boolean): Promise<void> {
  const [row] = await database.sql<{ id: string }[]>`select id from pool_contracts where loan_id = ${loan.id}`;
  if (!row) return;
  await inTransaction((tx) => disputeCall(tx, { userId: life.steward }, { contractId: row.id, reason: 'Not so.' }));
  const decision = {
    saccoId: life.sacco,
    contractId: row.id,
    decision: stands ? 'stands' : 'taken_back',
    reason: 'Looked at',
  } as const;
  await inTransaction((tx) => decideDispute(tx, { userId: life.judge }, decision));
}

/** As a loan's recovery goes: the demand, its days, the call. */
async function callAfterDemand(loan: Loan, part: number): Promise<void> {
  await inTransaction((tx) => demandGuarantee(tx, { loanId: loan.id, daysPastDue: 76 }));
  world.advance(14 * DAY_MS);
  await call(loan, part);
}

interface Before {
  readonly member_id: string;
  readonly lock: number;
  readonly outstanding: number;
  readonly own: number;
  readonly is_borrower: boolean;
  readonly position: number;
}

/** I5 and I6: nobody loses more than their lock just before, the borrower no more than what backs nobody else. */
async function call(loan: Loan, part: number): Promise<void> {
  const read = () => database.sql<Before[]>`
    select m.id as member_id, coalesce(l.current_cents, 0) as lock, c.outstanding_cents as outstanding, m.position_cents as position,
      m.position_cents - m.locked_cents + coalesce(l.current_cents, 0) as own, m.id = c.member_id as is_borrower
    from pool_contracts c join pool_members m on m.pool_id = c.pool_id
    left join pool_locks l on l.contract_id = c.id and l.member_id = m.id
    where c.loan_id = ${loan.id} order by m.id`;
  const before = await read();
  const shortfall = Math.max(1, Math.ceil((loan.left * part) / 100));
  const { paid } = await inTransaction(async (tx) => {
    const called = await callGuarantee(tx, { loanId: loan.id, shortfall, causedBy: null });
    await postJournals(tx, called.journals);
    return called;
  });
  if (before.length === 0) return;
  const after = await read();
  expect(paid).toBeLessThanOrEqual(Math.min(shortfall, before[0]?.outstanding ?? 0));
  for (const [index, one] of before.entries()) {
    const lost = one.position - (after[index]?.position ?? 0);
    expect(lost).toBeLessThanOrEqual(one.is_borrower ? one.own : one.lock);
  }
  expect(before.reduce((sum, one, index) => sum + one.position - (after[index]?.position ?? 0), 0)).toBeLessThanOrEqual(
    paid,
  );
  loan.left -= paid;
}

/** I11: the jobs of a day, made again, change nothing. */
async function passTime(life: Life, days: number): Promise<void> {
  world.advance(days * DAY_MS);
  const jobs = async () => {
    await tendPools(database);
    await earnFees(database);
    await payWithdrawals(database, noNeeds.historiesOf);
  };
  await jobs();
  const read = () => database.sql`select * from pools where id = ${life.pool}`;
  const once = await read();
  await jobs();
  expect(await read()).toEqual(once);
}

async function noBreaches(invariants: typeof poolsInvariants): Promise<void> {
  for (const invariant of invariants) {
    expect([invariant.name, await invariant.find(database.sql)]).toEqual([invariant.name, []]);
  }
}

test('whatever happens to a pool, the invariants of the design hold', { timeout: 240_000 }, async () => {
  const seed = Number(process.env.POOLS_SEED ?? Math.floor(Number(process.hrtime.bigint() % 2_147_483_647n)));
  const numRuns = Number(process.env.POOLS_RUNS ?? 4);
  console.info(`Lives of pools: POOLS_SEED=${seed} POOLS_RUNS=${numRuns}`);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 60 }), async (steps) => {
      const life = await begin();
      for (const one of steps) {
        world.advance(1_000);
        await take(life, one);
        await noBreaches(poolsInvariants);
      }
      // I10: what was paid as a fee is earned, refunded or the reserve's, once the guarantee is over.
      const odd = await database.sql`
        select id from pool_contracts
        where pool_id = ${life.pool} and activated_at is not null and outstanding_cents = 0
          and fee_earned_cents + fee_refunded_cents + fee_to_reserve_cents <> fee_cents`;
      expect(odd).toEqual([]);
      await noBreaches(ledgerInvariants);
    }),
    { seed, numRuns, endOnFailure: process.env.POOLS_SHRINK === undefined },
  );
  const reached = await database.sql<{ state: string; count: number }[]>`
    select state, count(*)::int as count from pool_contracts group by state
    union all select 'notice ' || state, count(*)::int from pool_withdrawals group by state order by 1`;
  console.info(reached.map(({ state, count }) => `${state} ${count}`).join(', '));
});
