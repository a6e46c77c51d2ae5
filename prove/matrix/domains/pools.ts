import type { Product } from '../../support/product.ts';
import { type Cast, must } from '../cast.ts';
import { type DomainPart, id, is, type Kinds, leftOut, NOBODYS } from '../domain-part.ts';
import { operatorAct, operatorList } from '../policies.ts';

const POOL = {
  name: 'Soko',
  min_contribution: '1000',
  min_contribution_perc: '20',
  min_member_period: '90',
  base_risk_percentage: '3.00',
  risk_weight_factor: '1.50',
  min_trust_score: '60',
};

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
      signed in | * | results.pool_size
      signed in | * | results.members_count
      signed in | * | results.utilisation
      signed in | * | results.available_capacity
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
  },
  async attacked({ product, victim, sacco, canary }) {
    const body = { ...POOL, name: `${canary} pool` };
    const made = await product.call('POST', '/guarantors/pools', { as: victim, sacco, body });
    const review = { body: { decision: 'refuse', reason: 'Because nobody stops me.' } };
    return {
      listOperatorPools: [['/operator/pools']],
      reviewPool: [[`/operator/pools/${made.body.pool.id}/review`, review]],
    };
  },
  raise: raisePools,
};

/**
 * A pool in each sacco, which an operator has approved; what money verbs will do one day is done by hand: two members with a
 * position in each. And one that waits for its review.
 */
async function raisePools(product: Product, cast: Cast): Promise<Kinds> {
  const { owner, now } = product.database;
  const create = async (name: string, steward: string, sacco: string): Promise<string> => {
    const sent = { as: cast.person(steward), sacco, body: { ...POOL, name: `${name} of ${steward}` } };
    return (await must(product.call('POST', '/guarantors/pools', sent))).body.pool.id;
  };
  const raise = async (steward: string, second: string, sacco: string) => {
    const pool = { id: await create('Pool', steward, sacco) };
    const body = { decision: 'approve', reason: 'Because the matrix asks.' };
    const operator = cast.person('operator');
    await must(product.call('POST', `/operator/pools/${pool.id}/review`, { as: operator, body }));
    for (const [place, name] of [steward, second].entries()) {
      await owner`
        insert into pool_members (pool_id, user_id, sequence, joined_at, position_cents)
        values (${pool.id}, ${cast.person(name).id}, ${place + 1}, ${now()}, 500000)`;
    }
    await owner`update pools set members_count = 2, positions_cents = 1000000 where id = ${pool.id}`;
    return pool.id;
  };
  const approved = {
    hers: await raise('owner', 'bystander', cast.saccos.A),
    foreign: await raise('other', 'chair of B', cast.saccos.B),
  };
  const waiting = {
    hers: await create('New pool', 'owner', cast.saccos.A),
    foreign: await create('New pool', 'other', cast.saccos.B),
  };
  return {
    pool: { objects: { ...approved, waiting: waiting.hers, ...NOBODYS }, isPublic: true },
    'waiting pool': { objects: { ...waiting, ...NOBODYS } },
  };
}
