import type { Asking } from '../house.ts';
import type { Person, Pool, Sacco } from '../naive-books.ts';
import { isPublic } from '../naive-pools.ts';
import { type Act, isSameReply, type Planned, type Simulation } from '../simulation.ts';
import { isProven, planProve } from './profile.ts';

/* What operators say of doubtful ones, pools, and requests that come twice. */

function planReview(simulation: Simulation): Planned | null {
  const { random, books } = simulation;
  const operator = simulation.operator();
  const known = books.referrals.filter(({ id, review }) => id !== '' && (review !== 'none' || random.chance(0.02)));
  if (!operator || known.length === 0) return null;
  if (!isProven(simulation, operator) && random.chance(0.8)) return planProve(simulation, operator);
  const held = known.filter(({ review }) => review === 'held');
  const referral = random.pick(held.length > 0 && random.chance(0.8) ? held : known);
  const decision = random.pick(['release', 'release', 'deny']);
  return {
    say: `operator ${operator.number}: ${decision} of the referral of ${referral.referred.number}`,
    asking: {
      route: 'reviewHeldReferral',
      token: operator.sessions.at(-1)?.token,
      params: { id: referral.id },
      body: { decision, reason: 'Looked at it.' },
    },
    touches: [
      [`person ${operator.number}`],
      [`referrer of ${referral.referred.number}`],
      [`referrals of ${referral.referrer.number}`],
    ],
    isKeyed: true,
    expect() {
      if (!isProven(simulation, operator)) return 'proof_required';
      if (referral.review === 'none') return 'not_found';
      if (referral.referrer === operator || referral.referred === operator) return 'not_allowed';
      if (referral.review !== 'held') return 'exception_already_resolved';
      referral.review = decision === 'deny' ? 'denied' : 'released';
      if (decision === 'deny' && referral.reward === 'waiting') referral.reward = 'none';
      return 'ok';
    },
  };
}

/** `asked`: by somebody in particular, for a sacco. */
export function planPool(simulation: Simulation, asked?: { person: Person; sacco: Sacco }): Planned | null {
  const { random, books } = simulation;
  const person = asked?.person ?? simulation.someone();
  if (!person || person.isOperator) return null;
  const drawn = () => (random.chance(0.5) ? simulation.saccoIn('active', 'suspended') : null);
  const sacco = asked?.sacco ?? drawn();
  const member = sacco ? books.memberOf(person, sacco) : null;
  const name = `Pool ${random.whole(1, 2_000)}`;
  const nameKey = `${sacco?.number ?? 'open'} ${name.toLowerCase()}`;
  const nothing = { id: '', termsHash: '', review: 'waiting', isForming: true } as const;
  const pool: Pool = { ...nothing, places: [], creator: person, nameKey, isOpen: !sacco, sacco, min: 100_50 };
  return {
    say: `person ${person.number} creates ${name} of ${sacco ? `sacco ${sacco.number}` : 'everybody'}`,
    asking: {
      route: 'createPool',
      token: person.sessions.at(-1)?.token,
      ...(sacco ? { sacco: sacco.id } : {}),
      body: {
        name,
        min_contribution: '100.50',
        min_contribution_perc: '10',
        min_member_period: '30',
        base_risk_percentage: '2.5',
        risk_weight_factor: '1.5',
        min_trust_score: '40',
      },
    },
    touches: [
      [`person ${person.number}`],
      [`pool ${nameKey}`],
      ['members'],
      ...(sacco ? [[`state ${sacco.number}`, 'members'] as const] : []),
    ],
    isKeyed: true,
    expect() {
      const mayCreate = member && (member.state === 'provisional' || member.state === 'active');
      if (sacco && !mayCreate) return 'not_a_member';
      if (sacco && sacco.state !== 'active') return 'sacco_inactive';
      const own = books.pools.filter(({ creator }) => creator === person);
      if (own.filter(({ isForming }) => isForming).length >= 10) return 'pools_forming_limit_reached';
      const isMember = books.members.some((of) => of.person === person && of.state !== 'exited');
      const waits = own.some((other) => other.isOpen && other.review === 'waiting' && !isPublic(other));
      if (books.pools.some((other) => other.nameKey === nameKey && other.review !== 'refused'))
        return 'pool_name_taken';
      if (!sacco && !isMember && waits) return 'pools_forming_limit_reached';
      books.pools.push(pool);
      return 'ok';
    },
    learn: (reply) => {
      pool.id = reply.pool.id;
      return reply.pool.is_public ? 'a pool that everybody sees at once' : undefined;
    },
  };
}

function planReviewPool(simulation: Simulation): Planned | null {
  const { random, books } = simulation;
  const operator = simulation.operator();
  const known = books.pools.filter(({ id }) => id !== '');
  if (!operator || known.length === 0) return null;
  if (!isProven(simulation, operator) && random.chance(0.8)) return planProve(simulation, operator);
  const waiting = known.filter(({ review }) => review === 'waiting');
  const pool = random.pick(waiting.length > 0 && random.chance(0.8) ? waiting : known);
  const decision = random.pick(['approve', 'refuse']);
  return {
    say: `operator ${operator.number}: ${decision} of the pool ${pool.nameKey}`,
    asking: {
      route: 'reviewPool',
      token: operator.sessions.at(-1)?.token,
      params: { id: pool.id },
      body: { decision, reason: 'Looked at it.' },
    },
    touches: [[`person ${operator.number}`], [`person ${pool.creator.number}`], [`pool ${pool.nameKey}`]],
    isKeyed: true,
    expect() {
      if (!isProven(simulation, operator)) return 'proof_required';
      if (pool.creator === operator) return 'not_allowed';
      const isRefusedByAnother = pool.review === 'refused' && pool.refusedBy !== operator && decision === 'approve';
      if (pool.review !== 'waiting' && !isRefusedByAnother) return 'pool_already_reviewed';
      const isTaken = books.pools.some(
        (other) => other !== pool && other.nameKey === pool.nameKey && other.review !== 'refused',
      );
      if (isRefusedByAnother && isTaken) return 'pool_already_reviewed';
      pool.review = decision === 'approve' ? 'approved' : 'refused';
      if (decision === 'refuse') pool.refusedBy = operator;
      return 'ok';
    },
  };
}

/** The same request under the same key, however the world has changed since; or another request under it. */
function planRepeat(simulation: Simulation): Planned | null {
  const { random, books } = simulation;
  const here = books.replies.filter(({ person }) => person.sessions.length > 0);
  if (here.length === 0) return null;
  const kept = random.pick(here);
  const spec = kept.spec as Asking;
  const isOther = random.chance(simulation.fired['repeat refused'] === undefined ? 0.5 : 0.15);
  const token = kept.person.sessions.at(-1)?.token;
  const body = isOther ? changed(spec.body) : spec.body;
  if (body === null) return null;
  return {
    say: `${kept.act}, again${isOther ? ' with something else' : ''}`,
    asking: { ...spec, token, key: kept.key, ...(body ? { body } : {}) },
    touches: [[`person ${kept.person.number}`], [`key ${kept.key}`]],
    expect: () => (isOther ? 'idempotency_key_reused' : 'ok'),
    learn: (reply) => (isSameReply(reply, kept.reply) ? undefined : 'another reply than the first one'),
  };
}

/** Another body for the same route: with another amount, reason or name. */
function changed(body: object | undefined): object | null {
  const fields = body as Record<string, unknown>;
  if (typeof fields.amount === 'number') return { ...fields, amount: Math.round(fields.amount * 100 + 100) / 100 };
  if (typeof fields.reason === 'string') return { ...fields, reason: `${fields.reason} And more.` };
  if (typeof fields.name === 'string') return { ...fields, name: `${fields.name} B` };
  return null;
}

export const otherActs: readonly Act[] = [
  { name: 'review a referral', routes: ['reviewHeldReferral'], weight: 3, plan: planReview },
  { name: 'create a pool', routes: ['createPool'], weight: 4, plan: (simulation) => planPool(simulation) },
  { name: 'review a pool', routes: ['reviewPool'], weight: 2, plan: planReviewPool },
  { name: 'repeat', routes: [], weight: 25, plan: planRepeat },
];
