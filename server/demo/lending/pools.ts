import { formatShillings } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';
import { recordIdentityCheck } from '../../domains/identity/record-identity-check.ts';
import { mayBeDecided } from '../../domains/loans/who-is-left.ts';
import { createPool } from '../../domains/pools/create-pool.ts';
import { decideRequest } from '../../domains/pools/decide-request.ts';
import { depositToPool, joinPool, type PoolDeposit } from '../../domains/pools/deposit-to-pool.ts';
import { earnFees } from '../../domains/pools/earn-fees.ts';
import { payWithdrawals } from '../../domains/pools/pay-withdrawals.ts';
import { lockPool } from '../../domains/pools/pool-rows.ts';
import { noNeeds, type PoolNeeds, requestGuarantee } from '../../domains/pools/request-guarantee.ts';
import { reviewPool } from '../../domains/pools/review-pool.ts';
import { acceptGuaranteeContract, askContractCode } from '../../domains/pools/sign-guarantee.ts';
import { termsHashOf } from '../../domains/pools/signed-terms.ts';
import { tendPools } from '../../domains/pools/tend-pools.ts';
import { withdrawFromPool } from '../../domains/pools/withdraw-from-pool.ts';
import { topUp } from '../money-acts.ts';
import { type DemoPerson, secondOfficial, wanjiru } from '../people.ts';
import { type DemoSacco, mwangaza, umoja } from '../saccos.ts';
import { at, type Cast, type DemoPart, type Happening, type Scene } from '../scene.ts';
import { signedIn } from '../signed-in.ts';
import { bales, borrowerOfPool, loanOfPool, mitumba } from './called-pool.ts';
import {
  boda,
  type DemoPool,
  engine,
  freezer,
  jirani,
  repair,
  soko,
  stock,
  tooMuch,
  type Wanted,
  walimu,
} from './pool-stories.ts';
import { poolVotes } from './pool-votes.ts';

/** A pool takes on no loan that nobody could decide about, here as for anybody. */
const needs: PoolNeeds = { ...noNeeds, mayBeDecided };

/** Ids as they come into being. */
class PoolCast {
  readonly pools = new Map<DemoPool, string>();
  readonly requests = new Map<string, string>();

  pool = (pool: DemoPool) => this.pools.get(pool) as string;
  request = (purpose: string) => this.requests.get(purpose) as string;
}

/** Pools of each kind, what their members put in, and guarantees on their way from the request to the contract. */
export const pools: DemoPart = {
  happenings(scene, cast) {
    const known = new PoolCast();
    return [
      ...[mitumba, soko, boda, walimu, jirani].flatMap((pool) => founding(scene, cast, known, pool)),
      ...[mitumba, soko, boda, walimu, jirani].flatMap((pool) => joining(scene, cast, known, pool)),
      ...borrowerOfPool(scene, cast),
      ...guarantees(scene, cast, known),
      ...loanOfPool(scene, cast, () => known.request(bales.purpose)),
      ...moves(scene, cast, known),
      ...poolVotes(scene, cast, known.pool),
    ];
  },
  async weekly(database) {
    await tendPools(database);
    await earnFees(database);
    await payWithdrawals(database, needs.historiesOf);
  },
  async missing(sql) {
    const [found] = await sql<Record<string, boolean>[]>`
      select (select count(*) from pools where state = 'OPEN') >= 2 as "two open pools",
        (select count(*) from pools where state = 'FORMING') >= 1 as "a pool that is forming",
        exists (select from pool_contracts where state = 'PENDING_LOAN') as "a guarantee that waits for its loan",
        exists (select from pool_contracts where state = 'RECOVERING' and recovered_cents > 0) as "a call that is partly recovered",
        exists (select from pool_requests where state = 'QUOTED') as "a quote",
        exists (select from pool_requests where state = 'IN_REVIEW') as "a request with the stewards",
        exists (select from pool_requests where state = 'DECLINED') as "a request that was declined",
        exists (select from pool_requests where state = 'DECLINED' and 'stewards' = any (reasons)) as "a request that the stewards declined",
        exists (select from pool_parameters where proposal_id is not null) as "terms that members of a pool voted for",
        exists (select from pool_stewards where elected_by is not null) as "a steward whom members elected",
        not exists (select from pool_stewards w where w.until is null and not exists (
          select from pool_members m where m.pool_id = w.pool_id and m.user_id = w.user_id and m.position_cents > m.notice_cents))
          as "money of each steward in the pool",
        exists (select from proposals where pool_id is not null and turnout > 0 and counted_at is null) as "an open vote of a pool",
        exists (select from pool_withdrawals where state in ('given', 'queued')) as "a withdrawal under notice"`;
    return Object.entries(found ?? {}).flatMap(([what, isThere]) => (isThere ? [] : [what]));
  },
};

function founding(scene: Scene, cast: Cast, known: PoolCast, pool: DemoPool): Happening[] {
  const { sacco, by, day, fields } = pool;
  return [
    {
      at: at(scene, day),
      what: `${fields.name} is created`,
      async act(tx: Tx) {
        const saccoId = sacco ? cast.sacco(sacco) : null;
        known.pools.set(pool, await createPool(tx, cast.person(by), { saccoId, fields }));
      },
    },
    {
      at: at(scene, day + 1),
      what: `${fields.name} is approved`,
      act: (tx: Tx) =>
        reviewPool(tx, cast.operator(), {
          poolId: known.pool(pool),
          decision: 'approve',
          reason: 'Looked at name and terms.',
        }),
    },
  ];
}

/** Each brings the money by M-Pesa on the same morning. */
function joining(scene: Scene, cast: Cast, known: PoolCast, pool: DemoPool): Happening[] {
  return pool.joins.flatMap(([who, day, shillings]) => [
    topUp(scene, cast, who, shillings * 100, at(scene, day, 1)),
    {
      at: at(scene, day, 2),
      what: `${who.firstName} joins ${pool.fields.name} with ${formatShillings(shillings)}`,
      act: (tx: Tx) =>
        signedIn(tx, cast, who, async ({ sessionId }) => {
          const poolId = known.pool(pool);
          const termsHash = termsHashOf(await lockPool(tx, poolId));
          await joinPool(tx, { ...moneyOf(cast, who, sessionId, poolId, shillings), termsHash });
        }),
    },
  ]);
}

function moneyOf(cast: Cast, who: DemoPerson, sessionId: string, poolId: string, shillings: number): PoolDeposit {
  return { userId: cast.person(who).userId, sessionId, poolId, amount: shillings * 100 };
}

/**
 * Requests for guarantees: one waits for its loan, one was too large, one was declined, one waits for the stewards, one for Wanjiru's
 * signature.
 */
function guarantees(scene: Scene, cast: Cast, known: PoolCast): Happening[] {
  return [
    seen(scene, cast, umoja, engine.by, 345),
    seen(scene, cast, umoja, wanjiru, 345),
    seen(scene, cast, mwangaza, stock.by, 346),
    seen(scene, cast, mwangaza, freezer.by, 346, [secondOfficial, 'secretary']),
    ...[bales, engine].flatMap((wanted) => [ask(scene, cast, known, wanted), sign(scene, cast, known, wanted)]),
    ask(scene, cast, known, freezer),
    sign(scene, cast, known, freezer),
    declined(scene, cast, known, freezer, 'The stall has traded for two months. Ask us again in half a year.'),
    ask(scene, cast, known, tooMuch),
    ask(scene, cast, known, stock),
    sign(scene, cast, known, stock),
    ask(scene, cast, known, repair),
  ];
}

/** One of two stewards says no: the other alone is too few. */
function declined(
  scene: Scene,
  cast: Cast,
  known: PoolCast,
  { pool, day, purpose }: Wanted,
  reason: string,
): Happening {
  return {
    at: at(scene, day + 1),
    what: `a steward of ${pool.fields.name} says no`,
    act: (tx: Tx) =>
      decideRequest(
        tx,
        cast.person(pool.by),
        { requestId: known.request(purpose), decision: 'decline', reason },
        needs,
      ),
  };
}

/** The treasurer has had the ID card in hand, or another official that of the treasurer. */
function seen(
  scene: Scene,
  cast: Cast,
  sacco: DemoSacco,
  who: DemoPerson,
  day: number,
  [by, office]: readonly [DemoPerson, 'treasurer' | 'secretary'] = [sacco.founder, 'treasurer'],
): Happening {
  return {
    at: at(scene, day, 3),
    what: `${who.firstName} shows the ID card`,
    async act(tx: Tx) {
      const { userId } = cast.person(who);
      const saccoId = cast.sacco(sacco);
      const known = await tx.sql`
        select from identity_checks where user_id = ${userId} and sacco_id = ${saccoId} and ended_at is null`;
      if (known.length > 0) return;
      await recordIdentityCheck(tx, cast.person(by), {
        userId,
        document: 'national_id',
        number: who.idNumber,
        as: { saccoId, office },
      });
    },
  };
}

function ask(scene: Scene, cast: Cast, known: PoolCast, wanted: Wanted): Happening {
  const { pool, by, day, shillings, months, purpose } = wanted;
  return {
    at: at(scene, day),
    what: `${by.firstName} asks ${pool.fields.name} for a guarantee`,
    async act(tx: Tx) {
      const { userId } = cast.person(by);
      const asked = { userId, poolId: known.pool(pool), amount: shillings * 100, months, loanId: null, purpose };
      known.requests.set(purpose, await requestGuarantee(tx, asked, needs));
    },
  };
}

/** The code is read from the message that went to the phone, as its owner would. */
function sign({ database, ...scene }: Scene, cast: Cast, known: PoolCast, { by, day, purpose }: Wanted): Happening {
  return {
    at: at({ database, ...scene }, day, 0.5),
    what: `${by.firstName} signs`,
    async act() {
      const actor = cast.person(by);
      const requestId = known.request(purpose);
      const [request] = await database.sql<{ quote_hash: string }[]>`
        select quote_hash from pool_requests where id = ${requestId}`;
      const signing = { requestId, quoteHash: request?.quote_hash ?? '' };
      await database.transaction((tx) => askContractCode(tx, actor, signing, needs));
      const [message] = await database.sql<{ text: string }[]>`
        select text from sms_messages where user_id = ${actor.userId} and template = 'pool_contract_code'
        order by id desc limit 1`;
      const code = /\d{4} \d{4}/.exec(message?.text ?? '')?.[0] ?? '';
      const signedName = `${by.firstName} ${by.lastName}`;
      await acceptGuaranteeContract(database, actor, { ...signing, signedName, code }, needs);
    },
  };
}

/** More money goes in, and some is on its way out. */
function moves(scene: Scene, cast: Cast, known: PoolCast): Happening[] {
  return [
    topUp(scene, cast, wanjiru, 2_000_00, at(scene, 347, 1)),
    {
      at: at(scene, 347, 2),
      what: 'Wanjiru adds to her position',
      act: (tx: Tx) =>
        signedIn(tx, cast, wanjiru, ({ sessionId }) =>
          depositToPool(tx, moneyOf(cast, wanjiru, sessionId, known.pool(soko), 2_000)),
        ),
    },
    {
      at: at(scene, 358),
      what: 'Wanjiru gives notice for a part',
      act: (tx: Tx) => withdrawFromPool(tx, cast.person(wanjiru), { poolId: known.pool(boda), amount: 1_000_00 }),
    },
  ];
}
