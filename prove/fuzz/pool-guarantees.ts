import { postAll } from '../../server/domains/loans/pledges.ts';
import { approveGuarantee } from '../../server/domains/pools/approve-guarantee.ts';
import { createPool } from '../../server/domains/pools/create-pool.ts';
import { attachGuarantee } from '../../server/domains/pools/guarantee-cover.ts';
import { activateGuarantee } from '../../server/domains/pools/guarantee-life.ts';
import { lockRequest, noNeeds, requestGuarantee } from '../../server/domains/pools/request-guarantee.ts';
import { FIELDS } from '../../server/domains/pools/test-pools.ts';
import { asked, daysAgo, type Hand, type Lending, PAID_OUT_DAYS, type Signature } from './lenders.ts';

/** In shillings, and what is paid in or withdrawn of it at a time. */
const POSITION = 100_000;
const SMALL = 1_000;
/** The own position pays first: so little that a call leaves a claim. */
const BORROWERS_POSITION = 5_000;
const LOAN = 10_000_00;
const GUARANTEED = 5_000_00;
/** Of loans that are late by now: their only instalment fell due a month later. */
const MONTHS = 1;
const REVIEW_MS = 72 * 3_600_000;
const PURPOSE = 'A second stall.';

/** Late loans that a pool guarantees, and the contracts for them. */
export interface PooledLoans {
  readonly demanded: string;
  readonly disputed: string;
  /** A claim of the pool, of now and of long ago. */
  readonly called: string;
  readonly old: string;
}

/** An open pool with money of five people, which `backer` created; with a second steward also theirs: two decide about a guarantee. */
export async function openPool(lending: Lending, steward?: 'official'): Promise<string> {
  const { crowd, pools, hands, lateSacco: sacco } = lending;
  const { database } = crowd.product;
  const fields = { ...FIELDS, name: `Pool ${database.newId()}`, min_trust_score: 40 };
  // Of somebody who has no other: the campaign may have given `official` as many as one may have.
  const pool = await daysAgo(lending, PAID_OUT_DAYS, () =>
    database.transaction((tx) => createPool(tx, { userId: hands.backer.id }, { saccoId: sacco, fields })),
  );
  const { terms_hash } = await asked(lending, hands.backer, ['GET', `/guarantors/pools/${pool}/details`]);
  if (steward) {
    await database.owner`
      insert into pool_stewards (pool_id, user_id, since) values (${pool}, ${hands[steward].id}, ${database.now()})`;
  }
  for (const name of ['member', 'neighbour', 'guest', 'backer', 'saver', ...(steward ? [steward] : [])] as const) {
    const amount = name === 'neighbour' ? BORROWERS_POSITION : POSITION;
    const body = { pool, amount, accept_terms: true, terms_hash };
    await asked(lending, hands[name], ['POST', '/guarantors/pools/join'], { body });
  }
  pools.add('pool', pool);
  pools.ready('joinPool', 'official', { pool, terms_hash, amount: POSITION });
  for (const route of ['depositToPool', 'withdrawFromPool', 'quoteGuarantee', 'requestGuarantee']) {
    pools.ready(route, 'member', { pool, amount: SMALL, period_month: MONTHS });
  }
  return pool;
}

/** What `member` asks of the pool: a request that is quoted, one that is signed, and a notice to withdraw. */
export async function poolRequests(lending: Lending, pool: string): Promise<Signature[]> {
  const { crowd, pools, hands } = lending;
  const body = { pool, amount: SMALL };
  const { withdrawal } = await asked(lending, hands.member, ['POST', '/guarantors/pools/withdraw'], { body });
  pools.ready('cancelPoolWithdrawal', 'member', { withdrawal: withdrawal.id });
  // Nobody has two that no loan uses yet.
  const [cancelled, signed] = [
    await requested(lending, hands.neighbour, pool),
    await requested(lending, hands.guest, pool),
  ];
  const quoted = await requested(lending, hands.member, pool);
  // Who has one that no loan uses yet signs no other of that pool.
  const unused = await requested(lending, hands.member, await openPool(lending));
  for (const { id } of [cancelled, signed]) await toStewards(lending, id);
  for (const route of ['readPoolRequest', 'cancelPoolRequest']) {
    pools.ready(route, 'neighbour', { request: cancelled.id });
  }
  await toStewards(lending, unused.id);
  pools.ready('giveGuaranteeBack', 'member', { contract: await approved(lending, unused.id) });
  pools.ready('decidePoolRequest', 'official', { request: signed.id });
  const [person] = await crowd.product.database.owner<{ name: string }[]>`
    select first_name || ' ' || last_name as name from users where id = ${hands.member.id}`;
  const terms = { request: quoted.id, quote_hash: quoted.hash };
  pools.ready('askContractCode', 'member', terms);
  const path = '/guarantors/pools/guarantee-contract/code';
  const values = { ...terms, signed_name: person?.name ?? '' };
  return [
    { route: 'acceptGuaranteeContract', as: 'member', template: 'pool_contract_code', path, body: terms, values },
  ];
}

async function requested({ crowd }: Lending, hand: Hand, pool: string): Promise<{ id: string; hash: string }> {
  const { database } = crowd.product;
  const asked = { userId: hand.id, poolId: pool, amount: GUARANTEED, months: MONTHS, loanId: null, purpose: PURPOSE };
  const id = await database.transaction((tx) => requestGuarantee(tx, asked, noNeeds));
  const [row] = await database.owner<{ hash: string }[]>`select quote_hash as hash from pool_requests where id = ${id}`;
  return { id, hash: row?.hash ?? '' };
}

/** As if it were signed, and nothing spoke against it: of those who are late something does. */
async function toStewards({ crowd }: Lending, request: string): Promise<void> {
  const { database } = crowd.product;
  const now = database.now();
  await database.owner`
    update pool_requests set state = 'IN_REVIEW', state_at = ${now}, expires_at = ${new Date(now.getTime() + REVIEW_MS)},
      is_automatic = true, reasons = '{}', signed_name = 'As on the card', signed_at = ${now}, memorandum_hash = quote_hash
    where id = ${request}`;
}

/** The contract of a request, which nothing spoke against. */
async function approved({ crowd }: Lending, requestId: string): Promise<string> {
  return crowd.product.database.transaction(async (tx) => {
    const { request, pool } = await lockRequest(tx, requestId);
    return approveGuarantee(tx, { pool, request, approvedBy: null });
  });
}

/** Loans on which `neighbour` has paid nothing, with a guarantee of the pool each. */
export async function pooledLoans(lending: Lending, pool: string): Promise<PooledLoans> {
  const made: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    made.push(await daysAgo(lending, PAID_OUT_DAYS, () => pooledLoan(lending, pool)));
  }
  const [demanded, disputed, called, old] = made as [string, string, string, string];
  return { demanded, disputed, called, old };
}

async function pooledLoan(lending: Lending, pool: string): Promise<string> {
  const { crowd, hands, late, lateSacco: sacco } = lending;
  const { database } = crowd.product;
  const { id: userId } = hands.neighbour;
  const { id: requestId } = await requested(lending, hands.neighbour, pool);
  await toStewards(lending, requestId);
  const loanId = await late.loan({ sacco, borrower: userId, amountCents: LOAN, months: MONTHS });
  await database.transaction(async (tx) => {
    const { request, pool } = await lockRequest(tx, requestId);
    await approveGuarantee(tx, { pool, request, approvedBy: null });
    const attached = { requestId, userId, loanId, saccoId: sacco, principal: LOAN, months: MONTHS };
    await attachGuarantee(tx, attached);
    const fee = await activateGuarantee(tx, attached);
    await postAll(tx, fee ? [fee] : []);
  });
  return loanId;
}

/** Demands that are made and disputed, and claims of now and of years ago. */
export async function poolClaims(lending: Lending, loans: PooledLoans): Promise<void> {
  const { crowd, pools, hands, lateSacco: sacco } = lending;
  const { owner } = crowd.product.database;
  const contract = async (loan: string) => {
    const [row] = await owner<{ id: string }[]>`select id::text from pool_contracts where loan_id = ${loan}`;
    return row?.id ?? '';
  };
  const [demanded, disputed] = [await contract(loans.demanded), await contract(loans.disputed)];
  const [called, old] = [await contract(loans.called), await contract(loans.old)];
  const body = { reason: 'She has paid at the office.' };
  await asked(lending, hands.official, ['POST', `/guarantors/pools/contracts/${disputed}/dispute`], { body });
  await owner`update pool_contracts set settled_at = settled_at - interval '3 years' where id = ${old}`;
  pools.ready('disputePoolCall', 'official', { contract: demanded });
  pools.ready('listPoolDisputes', 'secretary', { sacco });
  pools.ready('decidePoolDispute', 'secretary', { sacco, 'pool-dispute': disputed });
  for (const route of ['payPoolClaim', 'readPoolContract']) {
    pools.ready(route, 'neighbour', { contract: called, amount: 1 });
  }
  pools.ready('writeOffPoolClaim', 'official', { contract: old });
}
