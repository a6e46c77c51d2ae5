import type { Product } from '../../support/product.ts';
import { type Cast, must } from '../cast.ts';
import { type DomainPart, id, is, type Kinds, leftOut, NOBODYS, of } from '../domain-part.ts';
import { forOneself, operatorAct, operatorList } from '../policies.ts';
import type { RoutePolicy } from '../policy.ts';

const POOL = {
  name: 'Soko',
  min_contribution: '1000',
  min_contribution_perc: '20',
  min_member_period: '90',
  base_risk_percentage: '3.00',
  risk_weight_factor: '1.50',
  min_trust_score: '60',
};

/** What the asker's requests hold, known once the pools are raised. */
const raised = { termsHash: '', quoteHashes: {} as Record<string, string> };

/** Members of a pool read the names of its stewards. */
const NAMES = `
      members of A | names of A
      members of B | names of B`;

/** Acts of a member of the pool with money in it. */
function inPool(status: number): RoutePolicy {
  return {
    caller: 'signed_in',
    lines: `
      signed in        | pool malformed   | 400 validation_failed
      signed in        | pool nonexistent | 404 not_found
      owner            | pool hers        | ${status}
      other/chair of B | pool foreign     | ${status}
      signed in        | *                | 403 not_a_pool_member`,
  };
}

function ownOrNothing(): RoutePolicy {
  return {
    caller: 'signed_in',
    lines: `
      owner     | id hers    | 200
      other     | id foreign | 200
      signed in | *          | 404 not_found`,
  };
}

function requestsOwn(answer: string): RoutePolicy {
  return {
    caller: 'signed_in',
    lines: `
      signed in | request malformed | 400 validation_failed
      owner     | request hers      | ${answer}
      other     | request foreign   | ${answer}
      signed in | *                 | 404 not_found`,
  };
}

/** One's own, of any pool that is named. */
function poolsOwnList(): RoutePolicy {
  return {
    caller: 'signed_in',
    lines: `
      signed in | pool malformed   | 400 validation_failed
      signed in | cursor malformed | 400 validation_failed
      signed in | *                | 200`,
  };
}

/** For the supervisory committee of the sacco that the header names. */
function committee(where: string, there: string, else_: string): RoutePolicy {
  return {
    caller: 'official',
    offices: ['supervisory_committee'],
    lines: `
      ${where === '*' ? '' : `supervisory_committee of A | saccoId A, id hers | ${there}`}
      ${where === '*' ? '' : `supervisory_committee of B | saccoId B, id foreign | ${there}`}
      supervisory_committee of A | saccoId A | ${else_}
      supervisory_committee of B | saccoId B | ${else_}
      signed in | saccoId malformed/absent | 400 sacco_required
      signed in | * | 403 not_allowed`,
  };
}

/** Guarantor pools: their terms are for everybody, their members for each other. */
export const pools: DomainPart = {
  policies: {
    listPools: {
      caller: 'anyone',
      lines: `
      anybody | sacco malformed  | 400 validation_failed
      anybody | cursor malformed | 400 validation_failed
      anybody | *                | 200`,
      fields: `
      signed in | * | results.is_member
      signed in | * | results.is_steward
      signed in | * | results.my_position`,
    },
    createPool: {
      caller: 'signed_in',
      readsHeader: true,
      lines: `
      signed in    | saccoId absent    | 201
      signed in    | saccoId malformed | 400 sacco_required
      leaver       | saccoId A         | 403 not_a_member
      members of A | saccoId A         | 201
      members of B | saccoId B         | 201
      signed in    | *                 | 403 not_a_member`,
    },
    poolDetailsOf: {
      caller: 'signed_in',
      lines: `
      signed in             | id hers/foreign | 200
      leaver                | id waiting      | 200
      members of A/operator | id waiting      | 200
      signed in             | *               | 404 not_found`,
      shows: `
      owner            | names of A
      other/chair of B | names of B`,
      fields: `
      owner            | id hers/waiting | stewards
      other/chair of B | id foreign      | stewards
      owner            | id hers/waiting | review
      other/chair of B | id foreign      | review
      operator         | *               | review`,
    },
    listPoolMembers: {
      caller: 'signed_in',
      lines: `
      signed in        | pool malformed                 | 400 validation_failed
      signed in        | pool nonexistent               | 404 not_found
      owner            | pool hers, cursor malformed    | 400 validation_failed
      owner            | pool hers                      | 200
      other/chair of B | pool foreign, cursor malformed | 400 validation_failed
      other/chair of B | pool foreign                   | 200
      owner            | pool waiting, cursor malformed | 400 validation_failed
      owner            | pool waiting                   | 200
      leaver           | pool waiting                   | 403 not_a_pool_member
      members of A     | pool waiting                   | 403 not_a_pool_member
      operator         | pool waiting                   | 403 not_a_pool_member
      signed in        | pool waiting                   | 404 not_found
      signed in        | *                              | 403 not_a_pool_member`,
      shows: `
      owner            | names of A
      other/chair of B | names of B`,
    },
    // The manager alone decides about loans there: without that one nobody could.
    joinPool: {
      caller: 'signed_in',
      lines: `
      signed in        | pool malformed   | 400 validation_failed
      signed in        | pool nonexistent | 404 not_found
      owner            | pool hers        | 409 already_in_pool
      other/chair of B | pool foreign     | 409 already_in_pool
      leaver           | pool hers        | 403 not_a_member
      leaver           | pool waiting     | 404 not_found
      manager of A     | pool hers/waiting | 403 not_allowed
      manager of B     | pool foreign     | 403 not_allowed
      members of A     | pool hers/waiting | 201
      members of B     | pool foreign     | 201
      signed in        | pool waiting     | 404 not_found
      signed in        | *                | 403 not_a_member`,
      shows: NAMES,
    },
    depositToPool: { ...inPool(200), shows: NAMES },
    withdrawFromPool: { ...inPool(201), shows: NAMES },
    listPoolWithdrawals: poolsOwnList(),
    cancelPoolWithdrawal: ownOrNothing(),
    readTrustScore: forOneself(200),
    quoteGuarantee: inPool(200),
    requestGuarantee: inPool(201),
    listPoolRequests: poolsOwnList(),
    readPoolRequest: ownOrNothing(),
    cancelPoolRequest: ownOrNothing(),
    askContractCode: requestsOwn('422 guarantee_declined'),
    acceptGuaranteeContract: requestsOwn('422 guarantee_declined'),
    listPoolContracts: poolsOwnList(),
    readPoolContract: {
      caller: 'signed_in',
      lines: `
      owner            | id hers    | 200
      other/chair of B | id foreign | 200
      signed in        | *          | 404 not_found`,
      shows: `
      owner            | names of A
      other/chair of B | names of B`,
    },
    giveGuaranteeBack: {
      caller: 'signed_in',
      // What was locked of the other members is free again.
      counterparty: ['public.pool_members'],
      lines: `
      owner     | id hers    | 200
      other     | id foreign | 200
      signed in | *          | 404 not_found`,
    },
    payPoolClaim: {
      caller: 'signed_in',
      lines: `
      other     | id foreign | 409 pool_contract_conflict
      owner     | id hers    | 409 pool_contract_conflict
      signed in | *          | 404 not_found`,
    },
    listPoolReviews: {
      ...poolsOwnList(),
      shows: `
      owner | names of A
      other | names of B`,
    },
    decidePoolRequest: {
      caller: 'signed_in',
      lines: `
      owner     | id hers    | 409 pool_request_conflict
      other     | id foreign | 409 pool_request_conflict
      signed in | *          | 404 not_found`,
    },
    changePoolState: {
      caller: 'signed_in',
      lines: `
      owner     | id hers/waiting     | 409 pool_state_conflict
      other     | id foreign          | 409 pool_state_conflict
      signed in | id nonexistent/malformed | 404 not_found
      signed in | *                   | 403 not_allowed`,
    },
    disputePoolCall: {
      caller: 'signed_in',
      lines: `
      owner     | id hers    | 409 pool_contract_conflict
      other     | id foreign | 409 pool_contract_conflict
      signed in | *          | 404 not_found`,
    },
    writeOffPoolClaim: {
      caller: 'signed_in',
      lines: `
      owner     | id hers    | 409 pool_contract_conflict
      other     | id foreign | 409 pool_contract_conflict
      signed in | *          | 404 not_found`,
    },
    listPoolDisputes: committee('*', '200', '200'),
    decidePoolDispute: committee('id hers/foreign', '409 pool_contract_conflict', '404 not_found'),
    listOperatorPools: { ...operatorList(), shows: 'operator | names', notes: 'public.operator_actions' },
    reviewPool: operatorAct('hers/foreign'),
  },
  fixtures: {
    'poolDetailsOf.id': id('pool'),
    'reviewPool.id': id('waiting pool'),
    pool: id('pool'),
    'reviewPool.decision': is('refuse'),
    review: leftOut,
    min_contribution: is(POOL.min_contribution),
    min_contribution_perc: is(POOL.min_contribution_perc),
    min_member_period: is(POOL.min_member_period),
    base_risk_percentage: is(POOL.base_risk_percentage),
    risk_weight_factor: is(POOL.risk_weight_factor),
    min_trust_score: is(POOL.min_trust_score),
    'changePoolState.id': id('pool'),
    'cancelPoolWithdrawal.id': id('pool notice'),
    'readPoolRequest.id': id('pool request'),
    'cancelPoolRequest.id': id('pool request'),
    'decidePoolRequest.id': id('pool request'),
    request: id('pool request'),
    'readPoolContract.id': id('pool contract'),
    'giveGuaranteeBack.id': id('pool contract'),
    'payPoolClaim.id': id('pool contract'),
    'disputePoolCall.id': id('pool contract'),
    'writeOffPoolClaim.id': id('pool contract'),
    'decidePoolDispute.id': id('pool contract'),
    'joinPool.amount': is(1_000),
    accept_terms: is(true),
    terms_hash: of(() => raised.termsHash),
    quote_hash: of(({ sacco }) => raised.quoteHashes[sacco ?? 'A'] ?? ''),
    accept: is(true),
    signed_name: of(({ firstName }) => `${firstName} Attacked`),
    'requestGuarantee.purpose': is('School fees'),
    period_months: is(12),
    loan: leftOut,
    'decidePoolRequest.decision': is('approve'),
    'decidePoolDispute.decision': is('stands'),
    act: is('reopen'),
    as: leftOut,
    mine: leftOut,
  },
  async attacked({ product, victim, sacco, canary }) {
    const body = { ...POOL, name: `${canary} pool` };
    const made = await product.call('POST', '/guarantors/pools', { as: victim, sacco, body });
    const review = { body: { decision: 'refuse', reason: 'Because nobody stops me.' } };
    return {
      listOperatorPools: [['/operator/pools']],
      reviewPool: [[`/operator/pools/${made.body.pool.id}/review`, review]],
      listPoolDisputes: [['/sacco/pool-disputes', { sacco }]],
      decidePoolDispute: [
        [
          `/sacco/pool-disputes/${made.body.pool.id}/decision`,
          { sacco, body: { decision: 'stands', reason: 'I say so.' } },
        ],
      ],
    };
  },
  withoutActs: Object.fromEntries(
    [
      'requestGuarantee',
      'cancelPoolRequest',
      'askContractCode',
      'acceptGuaranteeContract',
      'giveGuaranteeBack',
      'payPoolClaim',
      'decidePoolRequest',
      'changePoolState',
      'disputePoolCall',
      'writeOffPoolClaim',
      'decidePoolDispute',
    ].map((name) => [
      name,
      'random lives of pools hold the books after each step: server/domains/pools/pool-lives.test.ts',
    ]),
  ),
  raise: raisePools,
};

/**
 * A pool in each sacco, which an operator has approved, with two members who have money in it; its creator has given a notice, asked
 * for a guarantee, and has another one. And a pool that waits for its review.
 */
async function raisePools(product: Product, cast: Cast): Promise<Kinds> {
  const create = async (name: string, steward: string, sacco: string): Promise<string> => {
    const sent = { as: cast.person(steward), sacco, body: { ...POOL, name: `${name} of ${steward}` } };
    return (await must(product.call('POST', '/guarantors/pools', sent))).body.pool.id;
  };
  const raise = async (steward: string, second: string, side: 'A' | 'B') => {
    const pool = await create('Pool', steward, cast.saccos[side]);
    const body = { decision: 'approve', reason: 'Because the matrix asks.' };
    const operator = cast.person('operator');
    await must(product.call('POST', `/operator/pools/${pool}/review`, { as: operator, body }));
    const details = await must(product.call('GET', `/guarantors/pools/${pool}/details`, { as: cast.person(steward) }));
    raised.termsHash = details.body.terms_hash;
    for (const name of [steward, second]) {
      const joining = { pool, amount: 5_000, accept_terms: true, terms_hash: raised.termsHash };
      await must(product.call('POST', '/guarantors/pools/join', { as: cast.person(name), body: joining }));
    }
    const notice = { as: cast.person(steward), body: { pool, amount: 500 } };
    await must(product.call('POST', '/guarantors/pools/withdraw', notice));
    const given = await must(product.call('POST', '/guarantors/pools/withdraw', notice));
    const own = await placeOf(product, cast.person(steward).id, pool);
    const other = await placeOf(product, cast.person(second).id, pool);
    await contracted(product, own);
    const things = { request: await asked(product, own, 'QUOTED'), contract: await contracted(product, own) };
    for (const place of [other, other]) await asked(product, place, 'IN_REVIEW');
    raised.quoteHashes[side] = QUOTED;
    return { pool, notice: given.body.withdrawal.id as string, ...things };
  };
  const [hers, foreign] = [await raise('owner', 'bystander', 'A'), await raise('other', 'chair of B', 'B')];
  const waiting = {
    hers: await create('New pool', 'owner', cast.saccos.A),
    foreign: await create('New pool', 'other', cast.saccos.B),
  };
  const both = (of_: (one: typeof hers) => string) => ({
    objects: { hers: of_(hers), foreign: of_(foreign), ...NOBODYS },
  });
  return {
    pool: { objects: { hers: hers.pool, foreign: foreign.pool, waiting: waiting.hers, ...NOBODYS }, isPublic: true },
    'waiting pool': { objects: { ...waiting, ...NOBODYS } },
    'pool notice': both(({ notice }) => notice),
    'pool request': both(({ request }) => request),
    'pool contract': both(({ contract }) => contract),
  };
}

const QUOTED = 'b'.repeat(64);

interface Place {
  readonly id: string;
  readonly user_id: string;
  readonly pool_id: string;
  readonly sacco_id: string;
}

async function placeOf({ database: { owner } }: Product, user: string, pool: string): Promise<Place> {
  const [place] = await owner<Place[]>`
    select m.id, m.user_id, m.pool_id, p.sacco_id from pool_members m join pools p on p.id = m.pool_id
    where m.pool_id = ${pool} and m.user_id = ${user}`;
  if (!place) throw new Error('Nobody has that place in the pool.');
  return place;
}

const SCORED = {
  daysInSacco: 1,
  monthsDue: 0,
  monthsPaid: 0,
  repayment: { onTime: 0, late30: 0, late90: 0, worse: 0, daysPastDue: 0, hasOpenDefault: false, curedMonthsAgo: [] },
};

/** A request of somebody's as a row, for the pool is too small to give a guarantee. */
async function asked({ database: { owner, now, newId } }: Product, place: Place, state: string): Promise<string> {
  const [snapshot, id, at] = [newId(), newId(), now()];
  const later = new Date(at.getTime() + 86_400_000);
  const isSigned = state !== 'QUOTED';
  await owner`
    insert into trust_snapshots (id, user_id, at, score, age, kyc, contributions, repayment, standing, defaults, is_frozen,
      has_open_default, inputs)
    values (${snapshot}, ${place.user_id}, ${at}, 81, 0, 0, 0, 0, 0, 0, false, false, ${owner.json(SCORED)})`;
  await owner`
    insert into pool_requests (id, pool_id, member_id, user_id, amount_cents, months, purpose, state, state_at, requested_at,
      expires_at, snapshot_id, risk_weight, utilisation_after, crowding, rate, fee_cents, own_lock_cents, is_automatic, reasons,
      quote_hash, signed_name, signed_at, memorandum_hash)
    values (${id}, ${place.pool_id}, ${place.id}, ${place.user_id}, 100000, 12, 'School fees', ${state}, ${at}, ${at},
      ${state === 'APPROVED' ? null : later}, ${snapshot}, 12850, 3000, 0, 386, 2091, 100000, true, '{}', ${QUOTED},
      ${isSigned ? 'Attacked' : null}, ${isSigned ? at : null}, ${isSigned ? QUOTED : null})`;
  return id;
}

/** A guarantee of 1,000 that waits for its loan, half of it the borrower's own. */
async function contracted(product: Product, place: Place): Promise<string> {
  const { owner, now, newId } = product.database;
  const [id, request, at] = [newId(), await asked(product, place, 'APPROVED'), now()];
  const later = new Date(at.getTime() + 86_400_000);
  await owner`
    insert into pool_contracts (id, request_id, pool_id, member_id, user_id, sacco_id, amount_cents, outstanding_cents,
      weighted_cents, months, risk_weight, rate, fee_cents, fee_members, fee_reserve, fee_sacco, reserve_draw, state, state_at,
      approved_at, use_by)
    values (${id}, ${request}, ${place.pool_id}, ${place.id}, ${place.user_id}, ${place.sacco_id}, 100000, 100000, 128500, 12,
      12850, 386, 2091, 70, 20, 10, 5000, 'PENDING_LOAN', ${at}, ${at}, ${later})`;
  await owner`
    insert into pool_locks (contract_id, member_id, initial_cents, current_cents)
    select ${id}, id, 50000, 50000 from pool_members where pool_id = ${place.pool_id}`;
  await owner`update pool_members set locked_cents = locked_cents + 50000 where pool_id = ${place.pool_id}`;
  await owner`
    update pools set state = 'OPEN', locked_cents = locked_cents + 100000, guaranteed_cents = guaranteed_cents + 100000,
      weighted_cents = weighted_cents + 128500, guarantees_count = guarantees_count + 1
    where id = ${place.pool_id}`;
  return id;
}
