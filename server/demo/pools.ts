import { formatShillings } from '@ushirika/contract/money';
import type { Tx } from '../db/tx.ts';
import { recordIdentityCheck } from '../domains/identity/record-identity-check.ts';
import { createPool, type PoolFields } from '../domains/pools/create-pool.ts';
import { decideRequest } from '../domains/pools/decide-request.ts';
import { depositToPool, joinPool, type PoolDeposit } from '../domains/pools/deposit-to-pool.ts';
import { earnFees } from '../domains/pools/earn-fees.ts';
import { payWithdrawals } from '../domains/pools/pay-withdrawals.ts';
import { lockPool } from '../domains/pools/pool-rows.ts';
import { noNeeds, requestGuarantee } from '../domains/pools/request-guarantee.ts';
import { reviewPool } from '../domains/pools/review-pool.ts';
import { acceptGuaranteeContract, askContractCode } from '../domains/pools/sign-guarantee.ts';
import { termsHashOf } from '../domains/pools/signed-terms.ts';
import { tendPools } from '../domains/pools/tend-pools.ts';
import { withdrawFromPool } from '../domains/pools/withdraw-from-pool.ts';
import { topUp } from './money-acts.ts';
import { type DemoPerson, members, treasurer, wanjiru } from './people.ts';
import { type DemoSacco, mwangaza, nuru, umoja } from './saccos.ts';
import { at, type Cast, type DemoPart, type Happening, type Scene } from './scene.ts';

const person = (place: number) => members[place] as DemoPerson;

interface DemoPool {
  readonly sacco: DemoSacco | null;
  readonly by: DemoPerson;
  readonly day: number;
  readonly fields: PoolFields;
  /** Who joins, on which day, with how many shillings. */
  readonly joins: readonly (readonly [who: DemoPerson, day: number, shillings: number])[];
}

const fieldsOf = (name: string, contribution: number, share: number, base: number, trust: number): PoolFields => ({
  name,
  min_contribution: contribution * 100,
  min_contribution_perc: share * 100,
  min_member_period: 30,
  base_risk_percentage: base * 100,
  risk_weight_factor: 150,
  min_trust_score: trust,
});

/** The market women's: open, and Wanjiru is its steward. */
const soko: DemoPool = {
  sacco: mwangaza,
  by: wanjiru,
  day: 300,
  fields: fieldsOf('Soko Guarantee Pool', 2_000, 20, 3, 60),
  joins: [
    [wanjiru, 302, 6_000],
    [treasurer, 302, 4_000],
    [person(0), 303, 5_000],
    [person(1), 304, 4_500],
    [person(2), 306, 3_000],
    [person(4), 307, 7_500],
    [person(6), 311, 5_000],
  ],
};

/** The riders' of Umoja: open, with a guarantee that the steward approved. */
const boda: DemoPool = {
  sacco: umoja,
  by: umoja.founder,
  day: 312,
  fields: fieldsOf('Boda Engine Pool', 500, 25, 5, 50),
  joins: [
    [umoja.founder, 314, 6_000],
    [person(31), 314, 4_000],
    [person(32), 315, 3_500],
    [person(34), 315, 5_000],
    [person(35), 316, 2_500],
    [person(36), 316, 4_000],
    [wanjiru, 317, 4_500],
    [person(38), 318, 3_000],
  ],
};

/** The teachers': two have joined, it is forming. */
const walimu: DemoPool = {
  sacco: nuru,
  by: nuru.founder,
  day: 324,
  fields: fieldsOf('Walimu School Fees Pool', 5_000, 15, 2.5, 65),
  joins: [
    [nuru.founder, 326, 8_000],
    [person(43), 327, 6_000],
  ],
};

/** For neighbours of any sacco: forming. */
const jirani: DemoPool = {
  sacco: null,
  by: wanjiru,
  day: 336,
  fields: fieldsOf('Jirani Open Pool', 1_000, 30, 6, 70),
  joins: [
    [wanjiru, 338, 1_500],
    [person(33), 340, 1_200],
    [person(44), 341, 2_000],
  ],
};

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
      ...[soko, boda, walimu, jirani].flatMap((pool) => founding(scene, cast, known, pool)),
      ...[soko, boda, walimu, jirani].flatMap((pool) => joining(scene, cast, known, pool)),
      ...guarantees(scene, cast, known),
      ...moves(scene, cast, known),
    ];
  },
  async weekly(database) {
    await tendPools(database);
    await earnFees(database);
    await payWithdrawals(database, noNeeds.historiesOf);
  },
  async missing(sql) {
    const [found] = await sql<Record<string, boolean>[]>`
      select (select count(*) from pools where state = 'OPEN') >= 2 as "two open pools",
        (select count(*) from pools where state = 'FORMING') >= 1 as "a pool that is forming",
        exists (select from pool_contracts) as "a guarantee",
        exists (select from pool_requests where state = 'QUOTED') as "a quote",
        exists (select from pool_requests where state = 'IN_REVIEW') as "a request with the stewards",
        exists (select from pool_requests where state = 'DECLINED') as "a request that was declined",
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
        withFreshSession(tx, cast, who, async (sessionId) => {
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

/** Money leaves a wallet by a session with the password just entered: one is opened for the act, and ended after it. */
async function withFreshSession(
  tx: Tx,
  cast: Cast,
  who: DemoPerson,
  act: (sessionId: string) => Promise<unknown>,
): Promise<void> {
  const id = tx.newId();
  const hash = tx.database.randomBytes(32).toString('base64url');
  await tx.sql`
    insert into sessions (id, user_id, token_hash, device, address, proven_at, created_at, last_seen_at, expires_at)
    values (${id}, ${cast.person(who).userId}, ${hash}, 'Chrome on Android', '', ${tx.now}, ${tx.now}, ${tx.now},
      ${new Date(tx.now.getTime() + 3_600_000)})`;
  await act(id);
  await tx.sql`update sessions set ended_at = ${tx.now}, end_reason = 'logout' where id = ${id}`;
}

interface Wanted {
  readonly pool: DemoPool;
  readonly by: DemoPerson;
  readonly day: number;
  readonly shillings: number;
  readonly months: number;
  readonly purpose: string;
}

const engine: Wanted = {
  pool: boda,
  by: person(31),
  day: 352,
  shillings: 3_000,
  months: 12,
  purpose: 'A second-hand engine for my motorcycle',
};
const tooMuch: Wanted = {
  pool: boda,
  by: person(36),
  day: 355,
  shillings: 25_000,
  months: 24,
  purpose: 'A second motorcycle, to be hired out',
};
const stock: Wanted = {
  pool: soko,
  by: person(0),
  day: 364,
  shillings: 5_000,
  months: 6,
  purpose: 'Stock of kitenge cloth before December',
};
const repair: Wanted = {
  pool: boda,
  by: wanjiru,
  day: 364,
  shillings: 2_000,
  months: 6,
  purpose: 'New tyres for the motorcycle that I hire out',
};

/** One is approved and waits for its loan, one was too large, one waits for the steward, one for Wanjiru's signature. */
function guarantees(scene: Scene, cast: Cast, known: PoolCast): Happening[] {
  return [
    seen(scene, cast, umoja, engine.by, 345),
    seen(scene, cast, umoja, wanjiru, 345),
    seen(scene, cast, mwangaza, stock.by, 346),
    ask(scene, cast, known, engine),
    sign(scene, cast, known, engine),
    {
      at: at(scene, engine.day + 1),
      what: 'The steward of the riders approves',
      act: (tx: Tx) =>
        decideRequest(
          tx,
          cast.person(boda.by),
          {
            requestId: known.request(engine.purpose),
            decision: 'approve',
            reason: 'He has ridden with us for years and saves every month.',
          },
          noNeeds,
        ),
    },
    ask(scene, cast, known, tooMuch),
    ask(scene, cast, known, stock),
    sign(scene, cast, known, stock),
    ask(scene, cast, known, repair),
  ];
}

/** The treasurer has had the ID card in hand. */
function seen(scene: Scene, cast: Cast, sacco: DemoSacco, who: DemoPerson, day: number): Happening {
  return {
    at: at(scene, day, 3),
    what: `${who.firstName} shows the ID card`,
    async act(tx: Tx) {
      const { userId } = cast.person(who);
      const saccoId = cast.sacco(sacco);
      const known = await tx.sql`
        select from identity_checks where user_id = ${userId} and sacco_id = ${saccoId} and ended_at is null`;
      if (known.length > 0) return;
      await recordIdentityCheck(tx, cast.person(sacco.founder), {
        userId,
        document: 'national_id',
        number: who.idNumber,
        as: { saccoId, office: 'treasurer' },
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
      known.requests.set(purpose, await requestGuarantee(tx, asked, noNeeds));
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
      await database.transaction((tx) => askContractCode(tx, actor, signing));
      const [message] = await database.sql<{ text: string }[]>`
        select text from sms_messages where user_id = ${actor.userId} and template = 'pool_contract_code'
        order by id desc limit 1`;
      const code = /\d{4} \d{4}/.exec(message?.text ?? '')?.[0] ?? '';
      const signedName = `${by.firstName} ${by.lastName}`;
      await acceptGuaranteeContract(database, actor, { ...signing, signedName, code }, noNeeds);
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
        withFreshSession(tx, cast, wanjiru, (sessionId) =>
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
