import type { Loan } from '@ushirika/contract/loans';
import { copyTemplate, type TestDatabase } from '../../server/db/test-copy.ts';
import type { Database, Tx } from '../../server/db/tx.ts';
import { applyForLoan, submitLoan } from '../../server/domains/loans/apply-for-loan.ts';
import { loansInvariants } from '../../server/domains/loans/loans.invariants.ts';
import { acceptLoan, decideDisbursement, orderDisbursement } from '../../server/domains/loans/pay-out-loan.ts';
import { payoffOfLoan, repayLoans } from '../../server/domains/loans/repay-loans.ts';
import { reviewLoan } from '../../server/domains/loans/review-loan.ts';
import { testLoans } from '../../server/domains/loans/test-loans.ts';
import { poolsInvariants } from '../../server/domains/pools/pools.invariants.ts';
import { noNeeds } from '../../server/domains/pools/request-guarantee.ts';
import { testPools } from '../../server/domains/pools/test-pools.ts';
import { breaches, ledgerInvariants } from '../../server/ledger/invariants.ts';
import type { Run, Tier } from '../harness.ts';
import { type Asked, assertSame, type Strides, throughMessages } from './each-message.ts';
import { Findings, type Part, sizeOf } from './part.ts';
import { committedApart, TappedServers } from './tapped-server.ts';

interface Size extends Strides {
  /** No payout takes so many cuts. */
  readonly borrowers: number;
}
const SIZES: Readonly<Record<Tier, Size>> = {
  c: { first: 5, stride: 107, borrowers: 20 },
  n: { first: 1, stride: 1, borrowers: 1_000 },
  r: { first: 1, stride: 1, borrowers: 1_000 },
};
/** Around the end of the transaction. */
const CONTROL: Size = { first: 500, stride: 12, borrowers: 20 };
const SAVED_CENTS = 20_000_00;
const LENT_CENTS = 25_000_00;
const POOLED_CENTS = 5_000_00;
const MONTHS = 12;
const BORROWERS_OF_POOL = 20;
const DAY_MS = 86_400_000;
const noneRelated = async () => new Set<number>();

/**
 * A loan that a pool stands behind is paid out, and another one is paid off: both are cut off after their first, second, third
 * ... message to or from PostgreSQL, through the last, and asked for again. Each is done once, as a whole: the sacco's books, the
 * wallet, the schedule, what the borrower pledged, and what the pool has locked.
 */
export async function cutOffPayouts(run: Run): Promise<Part> {
  const findings = new Findings();
  const database = await copyTemplate(run.serverUrl, { poolSize: 4 });
  const servers = new TappedServers(database, findings, run.broken ? toldApart : null);
  try {
    const size = run.broken ? CONTROL : sizeOf(run, SIZES);
    const lender = await lend(database, size.borrowers);
    const cuts = await throughMessages(size, { findings, isBroken: run.broken !== undefined }, async (cut) => {
      const loan = await lender.ordered();
      const paidOut = await servers.askTwice(cut, lender.payOut(loan));
      await assertPaidOut(database, loan, findings, `a loan is paid out, cut off after message ${cut.messages}`);
      const paidOff = await servers.askTwice(cut, lender.payOff(loan));
      await assertPaidOff(database, loan, findings, `a loan is paid off, cut off after message ${cut.messages}`);
      return [paidOut, paidOff];
    });
    if (run.broken || findings.count > 0) return findings.outcome();
    for (const { name, rows } of await breaches(database.owner, [
      ...ledgerInvariants,
      ...loansInvariants,
      ...poolsInvariants,
    ]))
      findings.violated(`after payouts that were cut off, "${name}" is broken: ${JSON.stringify(rows[0])}`);
    findings.figure('P2', `${cuts} payouts and payoffs of loans that a pool backs cut off at a message: each once`);
    return findings.outcome();
  } finally {
    await servers.close();
    await database.close();
  }
}

/** Somebody in the session that `signIn` opened. */
const actor = (userId: string) => ({ userId, sessionId: userId });

type Lender = ReturnType<typeof testLoans>;

/** A sacco that lends, with a pool whose members stand behind its loans. */
export async function lend(database: TestDatabase, count: number) {
  const [loans, pools] = [testLoans(database), testPools(database)];
  const of = await loans.sacco();
  const { sacco: saccoId, chair, treasurer, committee } = of;
  const productId = await loans.product(saccoId, chair, { min_guarantors: 0 });
  for (const person of [chair, treasurer, ...committee]) await signIn(database, person);
  const backers: string[] = [];
  for (const name of ['Brian', 'Carol', 'David', 'Esther', 'Fatuma'])
    backers.push(await loans.member(saccoId, name, 0));
  const borrowers: string[] = [];
  for (let nth = 0; nth < count; nth += 1) borrowers.push(await loans.member(saccoId, 'Amina', SAVED_CENTS));
  // What came in lately does not count for a limit.
  database.world.advance(100 * DAY_MS);
  const openPool = async (): Promise<string> => {
    const fields = { name: `Pool ${database.newId()}`, min_trust_score: 40 };
    const pool = await pools.pool(chair, saccoId, fields);
    for (const person of backers) await joinWith(database, { loans, pools }, { person, pool, cents: 400_000_00 });
    await pools.stewards(pool, ...backers.slice(0, 2));
    await database.owner`update pools set state = 'OPEN' where id = ${pool}`;
    return pool;
  };
  let pool = '';
  /** What a new borrower with money in the pool may ask it for. */
  const askable = async () => {
    // With each borrower of a pool the answers to its statements grow longer: another one before they outrun the cuts.
    if ((count - borrowers.length) % BORROWERS_OF_POOL === 0) pool = await openPool();
    const userId = borrowers.pop();
    if (!userId) throw new Error(`It was cut off ${count} times, and does not end.`);
    await pools.seen(userId, chair);
    await joinWith(database, { loans, pools }, { person: userId, pool, cents: POOLED_CENTS });
    database.world.advance(1_000);
    return { userId, poolId: pool, amount: POOLED_CENTS, months: MONTHS };
  };
  return {
    pools,
    stewards: backers.slice(0, 2),
    askable,
    /** A new borrower's loan, signed by all and ordered: a second official has to check it. */
    async ordered(): Promise<string> {
      const asked = await askable();
      const { userId: borrower } = asked;
      const { requestId } = await pools.sign(asked, noNeeds);
      const application = {
        ...{ saccoId, productId, amount: LENT_CENTS, months: MONTHS, purpose: 'A second stall.', netIncome: 30_000_00 },
        ...{ guarantors: [], refinances: null, poolRequest: requestId },
      };
      const does = <T>(act: (tx: Tx) => Promise<T>) => database.transaction(act);
      const loanId = await does((tx) => applyForLoan(tx, actor(borrower), application, noneRelated));
      await does((tx) => submitLoan(tx, actor(borrower), { loanId }));
      const about = { saccoId, loanId, termsHash: await hashOf(database, loanId) };
      const voice = { ...about, decision: 'approve' as const, reason: 'A good plan.' };
      for (const each of committee.slice(0, 2)) await does((tx) => reviewLoan(tx, actor(each), voice, noneRelated));
      await does((tx) => acceptLoan(tx, actor(borrower), { ...about, payTo: 'wallet' }));
      await does((tx) => orderDisbursement(tx, actor(treasurer), about));
      return loanId;
    },
    ...asking(database, { saccoId, checker: chair }),
  };
}

/** A payout that `checker` makes of an order, and a payoff by the borrower. */
function asking(database: TestDatabase, { saccoId, checker }: { readonly saccoId: string; readonly checker: string }) {
  const stateOf = async (loan: string) =>
    (await database.owner<{ state: Loan['state'] }[]>`select state from loans where id = ${loan}`)[0]?.state;
  return {
    payOut: (loanId: string): Asked => ({
      act: (server) =>
        server.transaction(async (tx) => {
          const about = { saccoId, loanId, termsHash: await hashOf(tx, loanId) };
          await decideDisbursement(tx, actor(checker), { ...about, decision: 'pay', reason: null });
        }),
      isDone: async () => (await stateOf(loanId)) !== 'disbursing',
    }),
    payOff: (loanId: string): Asked => ({
      act: (server) =>
        server.transaction(async (tx) => {
          const { payoff } = await payoffOfLoan(tx, { id: loanId });
          const [row] = await tx.sql<{ borrower_id: string }[]>`select borrower_id from loans where id = ${loanId}`;
          const payment = { loanId, payerId: row?.borrower_id ?? '', amountCents: payoff.amount, key: `off:${loanId}` };
          const [paid] = await repayLoans(tx, [{ ...payment, channel: 'payoff', isExact: true }]);
          if (paid instanceof Error) throw paid;
        }),
      isDone: async () => (await stateOf(loanId)) === 'closed',
    }),
  };
}

/** Somebody puts money into the pool, and has enough left to pay a loan off. */
async function joinWith(
  database: TestDatabase,
  { loans, pools }: { readonly loans: Lender; readonly pools: ReturnType<typeof testPools> },
  { person, pool, cents }: { readonly person: string; readonly pool: string; readonly cents: number },
): Promise<void> {
  await signIn(database, person);
  await loans.fund(person, cents + LENT_CENTS);
  await pools.join(pool, person, cents);
}

/** A session whose password was entered just now, for as long as the test lasts. */
export async function signIn(database: TestDatabase, userId: string): Promise<void> {
  const now = database.now();
  await database.owner`
    insert into sessions (id, user_id, token_hash, device, address, proven_at, created_at, last_seen_at, expires_at)
    values (${userId}, ${userId}, rpad(${userId}::text, 43, '.'), 'a test', '10.0.0.1', 'infinity', ${now}, ${now}, 'infinity')
    on conflict do nothing`;
}

async function hashOf({ sql }: Pick<Database, 'sql'> | Pick<Tx, 'sql'>, loanId: string): Promise<string> {
  const [row] = await (sql as Tx['sql'])<{ hash: string }[]>`select terms_hash as hash from loans where id = ${loanId}`;
  return row?.hash ?? '';
}

/** Each figure of a loan that is in more than one place, beside what it has to be. */
async function assertPaidOut(database: TestDatabase, loan: string, findings: Findings, when: string): Promise<void> {
  const [row] = await database.owner<Record<string, unknown>[]>`
    select l.state, l.principal_cents::int as owed,
      (select count(*)::int from journals j where j.kind = 'loan_disbursed' and j.about_id = l.id) as journals,
      (select sum(balance)::int from accounts where kind = 'loan_principal' and owner_id = l.id) as principal,
      (select sum(balance)::int from accounts where kind = 'deposits_hold' and owner_id = l.borrower_id) as pledged,
      (select count(*)::int from loan_instalments i where i.loan_id = l.id) as instalments,
      (select count(*)::int from loan_events e where e.loan_id = l.id and e.kind = 'disbursed') as events,
      (select count(*)::int from notifications n where n.user_id = l.borrower_id and n.text like '%is paid%') as notices,
      (select count(*)::int from loan_disbursements d where d.loan_id = l.id and d.state = 'paid') as orders,
      (select count(*)::int from loan_guarantees g where g.loan_id = l.id and g.state = 'live') as live,
      (select string_agg(c.state || ' ' || c.outstanding_cents, ', ') from pool_contracts c where c.loan_id = l.id) as pool
    from loans l where l.id = ${loan}`;
  const wanted = {
    ...{ state: 'active', owed: LENT_CENTS, journals: 1, principal: LENT_CENTS, pledged: SAVED_CENTS },
    ...{ instalments: MONTHS, events: 1, notices: 1, orders: 1, live: 1, pool: `ACTIVE ${POOLED_CENTS}` },
  };
  assertSame(row, wanted, findings, when);
}

async function assertPaidOff(database: TestDatabase, loan: string, findings: Findings, when: string): Promise<void> {
  const [row] = await database.owner<Record<string, unknown>[]>`
    select l.state, l.principal_cents::int as owed,
      (select sum(balance)::int from accounts where kind = 'loan_principal' and owner_id = l.id) as principal,
      (select sum(balance)::int from accounts where kind = 'deposits_hold' and owner_id = l.borrower_id) as pledged,
      (select count(*)::int from loan_repayments r where r.loan_id = l.id) as repayments,
      (select count(*)::int from journals j where j.kind = 'loan_repaid' and j.about_id = l.id) as journals,
      (select count(*)::int from loan_guarantees g where g.loan_id = l.id and g.state = 'live') as live,
      (select string_agg(c.state || ' ' || c.outstanding_cents, ', ') from pool_contracts c where c.loan_id = l.id) as pool
    from loans l where l.id = ${loan}`;
  const wanted = {
    ...{ state: 'closed', owed: 0, principal: 0, pledged: 0, repayments: 1, journals: 1, live: 0, pool: 'RELEASED 0' },
  };
  assertSame(row, wanted, findings, when);
}

/** The negative control: people are told of a payout at once, and not together with it. */
const toldApart = (database: Database): Database => committedApart(database, /insert into notifications/);
