import * as contract from '@ushirika/contract/pools';
import { copyTemplate, type TestDatabase } from '../../server/db/test-copy.ts';
import type { Database } from '../../server/db/tx.ts';
import { decideRequest } from '../../server/domains/pools/decide-request.ts';
import { poolsInvariants } from '../../server/domains/pools/pools.invariants.ts';
import { poolsRoutes } from '../../server/domains/pools/pools.routes.ts';
import { noNeeds } from '../../server/domains/pools/request-guarantee.ts';
import { testApp } from '../../server/http/test-app.ts';
import { breaches, ledgerInvariants } from '../../server/ledger/invariants.ts';
import type { Run, Tier } from '../harness.ts';
import { type Asked, type AskedTwice, assertSame, type Strides, throughMessages } from './each-message.ts';
import { Findings, type Part, sizeOf } from './part.ts';
import { lend } from './payouts.ts';
import { type Cut, committedApart, TappedServers } from './tapped-server.ts';

interface Size extends Strides {
  /** No request takes so many cuts. */
  readonly borrowers: number;
}
const SIZES: Readonly<Record<Tier, Size>> = {
  c: { first: 5, stride: 127, borrowers: 10 },
  n: { first: 1, stride: 1, borrowers: 1_000 },
  r: { first: 1, stride: 1, borrowers: 1_000 },
};
/** Around the end of the transaction that approves. */
const CONTROL: Size = { first: 274, stride: 4, borrowers: 60 };

type Lender = Awaited<ReturnType<typeof lend>>;
type Wanted = Awaited<ReturnType<Lender['askable']>>;

/**
 * A guarantee is asked of a pool, signed, and approved by a steward: each step is cut off after its first, second, third ... message to
 * or from PostgreSQL, through the last, and asked for again. The request comes with its key, so that it is made once. The money is locked
 * once and at the fee that was signed, and each who is told is told once.
 */
export async function cutOffPoolRequests(run: Run): Promise<Part> {
  const findings = new Findings();
  const database = await copyTemplate(run.serverUrl, { poolSize: 4 });
  const servers = new TappedServers(database, findings, run.broken ? toldApart : null);
  try {
    const size = run.broken ? CONTROL : sizeOf(run, SIZES);
    const lender = await lend(database, size.borrowers);
    let [pool, requests] = ['', 0];
    const cuts = await throughMessages(size, { findings, isBroken: run.broken !== undefined }, async (cut) => {
      const wanted = await lender.askable();
      // However small the guarantee is, the stewards decide.
      if (pool !== wanted.poolId) await lender.pools.parameters(wanted.poolId, { auto_limit_cents: 0 });
      pool = wanted.poolId;
      requests += 1;
      return askAndSign({ servers, database, lender, findings }, cut, wanted, requests);
    });
    if (run.broken || findings.count > 0) return findings.outcome();
    for (const { name, rows } of await breaches(database.owner, [...ledgerInvariants, ...poolsInvariants]))
      findings.violated(`after requests that were cut off, "${name}" is broken: ${JSON.stringify(rows[0])}`);
    findings.figure('P2', `${cuts} steps of requests to a pool cut off at a message: each once`);
    return findings.outcome();
  } finally {
    await servers.close();
    await database.close();
  }
}

interface Stage {
  readonly servers: TappedServers;
  readonly database: TestDatabase;
  readonly lender: Lender;
  readonly findings: Findings;
}

/** One borrower's request, from the quote to the approval. `nth` is how many have been made. */
async function askAndSign(stage: Stage, cut: Cut, wanted: Wanted, nth: number): Promise<AskedTwice[]> {
  const { servers, database, lender, findings } = stage;
  const { userId } = wanted;
  const when = `a guarantee is asked for, cut off after message ${cut.messages}`;
  const ofBorrower = async () =>
    (
      await database.owner<{ id: string; state: string }[]>`
      select id, state from pool_requests where user_id = ${userId} order by id`
    )[0];
  const request: Asked = {
    act: (server) => requestByKey(server, wanted),
    isDone: async () => (await ofBorrower()) !== undefined,
  };
  const asked = await servers.askTwice(cut, request);
  const requestId = (await ofBorrower())?.id ?? '';
  const again = await requestByKey(database, wanted);
  if (again !== requestId) findings.violated(`${when}: the same key gives ${again}, and not ${requestId}`);
  const signed = await servers.askTwice(cut, {
    act: (server) => {
      // So that the code of the second time is the newest.
      database.world.advance(1_000);
      return lender.pools.signAsked(server, { userId, requestId }, noNeeds);
    },
    isDone: async () => (await ofBorrower())?.state !== 'QUOTED',
  });
  const voice = { requestId, decision: 'approve', reason: 'She pays.' } as const;
  const [first, second] = lender.stewards as [string, string];
  await database.transaction((tx) => decideRequest(tx, { userId: first }, voice, noNeeds));
  const approved = await servers.askTwice(cut, {
    act: (server) => server.transaction((tx) => decideRequest(tx, { userId: second }, voice, noNeeds)),
    isDone: async () => (await ofBorrower())?.state === 'APPROVED',
  });
  await assertLocked(stage, wanted, when, nth);
  return [asked, signed, approved];
}

/** The route itself, with the same key each time. Returns the id of the request in its answer. */
async function requestByKey(server: Database, { userId, poolId: pool, amount, months }: Wanted): Promise<string> {
  const route = contract.requestGuarantee;
  const bindings = poolsRoutes({ database: server, publicUrl: 'https://ushirika.test' });
  const app = await testApp({
    database: server,
    contract: [route],
    bindings: bindings.filter((binding) => binding.route.name === route.name),
    logLevel: 'silent',
  });
  try {
    const body = { pool, amount: amount / 100, period_months: months, purpose: 'A second stall.' };
    const answer = await app.call('POST', route.path, { as: userId, key: 'once', body });
    if (answer.status !== route.status) throw new Error(`A request to a pool was answered ${answer.status}.`);
    return answer.body.request.id;
  } finally {
    await app.close();
  }
}

async function assertLocked(
  { database, lender, findings }: Stage,
  { userId, amount }: Wanted,
  when: string,
  nth: number,
): Promise<void> {
  const [row] = await database.owner<Record<string, unknown>[]>`
    select string_agg(r.state, ', ') as requests, string_agg(c.state || ' ' || c.outstanding_cents, ', ') as contracts,
      bool_and(c.fee_cents = r.fee_cents and c.fee_cents > 0) as "the fee as signed",
      (select sum(l.current_cents)::int from pool_locks l join pool_contracts o on o.id = l.contract_id
       where o.user_id = ${userId}) as locked,
      (select count(*)::int from pool_contract_events e join pool_contracts o on o.id = e.contract_id
       where o.user_id = ${userId}) as events,
      (select count(*)::int from notifications n where n.user_id = ${userId} and n.template = 'pool_approved_guarantee')
        as "told borrowers",
      (select count(*)::int from notifications n where n.user_id = ${lender.stewards[0] as string} and n.template = 'pool_review')
        as "told stewards"
    from pool_requests r left join pool_contracts c on c.request_id = r.id where r.user_id = ${userId}`;
  const wanted = {
    ...{ requests: 'APPROVED', contracts: `PENDING_LOAN ${amount}`, 'the fee as signed': true, locked: amount },
    ...{ events: 1, 'told borrowers': 1, 'told stewards': nth },
  };
  assertSame(row, wanted, findings, when);
}

/** The negative control: people are told of a step at once, and not together with it. */
const toldApart = (database: Database): Database => committedApart(database, /insert into notifications/);
