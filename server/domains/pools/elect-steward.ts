import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { POOL_STEWARDS_MAX } from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { independentOf } from '../identity/second-account.ts';
import type { About, ChangeExecutor } from '../saccos/changes.types.ts';
import { type Place, placesOfPools, thoseWhoDecide } from './pool-access.ts';
import type { PoolLocked } from './pool-rows.ts';
import { tellOfPools } from './tell-of-pools.ts';
import { hasMoneyIn, refusalOfClosed, votedPool } from './voted-pool.ts';

/* Members of a pool elect its stewards, three at most, and end their places (pools-voting-anchoring.md A7; docs/decisions/198). */

const conflict = (message: Sentence) => new Refusal('change_conflict', { message });

/** Somebody offers to be a steward, by the draft of a vote. Votes go on in a suspended sacco. */
export const poolStewardChange: ChangeExecutor = {
  offices: [],
  isDelayed: false,
  words: sentence('a steward of a guarantor pool'),
  async current(tx, about, payload): Promise<ChangedValues> {
    const pool = await votedPool(tx, about, payload);
    // Without `stands`, the present values would equal the payload, and the draft would be refused as already in force.
    // An offer that finds three is given up for good: else it would take the next place that becomes free.
    return pool && (await electedOf(tx, pool)).length < POOL_STEWARDS_MAX ? { pool: pool.id, stands: 'no' } : {};
  },
  refusalOf: refusalOfOffer,
  personOf: async (_, about) => about.proposedBy,
  announce: async () => {},
  recall: async () => {},
  apply: elect,
};

async function refusalOfOffer(tx: Tx, about: About, payload: ChangedValues): Promise<Refusal | null> {
  const pool = await votedPool(tx, about, payload);
  if (!pool) return refusalOfClosed();
  if (!(await hasMoneyIn(tx, pool.id, about.proposedBy))) return conflict(NO_MONEY);
  const places = await placesOf(tx, pool);
  const elected = places.filter(({ elected_by }) => elected_by !== null);
  if (elected.some(({ user_id }) => user_id === about.proposedBy)) return conflict(ELECTED);
  if (elected.length >= POOL_STEWARDS_MAX) return conflict(THREE);
  const others = places.map(({ user_id }) => user_id).filter((id) => id !== about.proposedBy);
  const isOther = (await independentOf(tx, [about.proposedBy], others)).length > 0;
  return isOther ? null : conflict(ONE_PERSON);
}

const NO_MONEY = sentence('Whoever is a steward has money in the pool that is not under notice.');
const ELECTED = sentence('The members of the pool have elected this steward already.');
const THREE = sentence('The pool has three elected stewards. Another place is free once one of them ends.');
const ONE_PERSON = sentence(
  'Your account and that of a steward look like one person’s. Another member offers to be one.',
);

/** The pool's lock is held. */
const placesOf = (tx: Tx, pool: Pick<PoolLocked, 'id'>): Promise<Place[]> => placesOfPools(tx, [pool.id]);

const electedOf = async (tx: Tx, pool: Pick<PoolLocked, 'id'>): Promise<Place[]> =>
  (await placesOf(tx, pool)).filter(({ elected_by }) => elected_by !== null);

/** With the third elected steward the place of whoever created the pool ends, and their own one where they are elected. */
async function elect(tx: Tx, about: About, payload: ChangedValues): Promise<void> {
  const pool = await votedPool(tx, about, payload);
  const { proposalId, proposedBy } = about;
  if (!pool || proposalId === undefined) throw new Error('A steward is elected by a vote.');
  const places = await placesOf(tx, pool);
  const elected = places.filter(({ elected_by }) => elected_by !== null).length + 1;
  const ending = places.filter(
    ({ user_id, elected_by }) => elected_by === null && (user_id === proposedBy || elected >= POOL_STEWARDS_MAX),
  );
  await endPlaces(tx, ending, proposalId);
  await tx.sql`
    insert into pool_stewards (id, pool_id, user_id, since, elected_by)
    values (${tx.newId()}, ${pool.id}, ${proposedBy}, ${tx.now}, ${proposalId})`;
  const chosen = sentence('{pool}: members have elected you as a steward.', { pool: pool.name });
  const gone = ending.map(({ user_id }) => user_id).filter((userId) => userId !== proposedBy);
  await tell(tx, proposedBy, [proposedBy], { template: 'pool_steward_elected', text: chosen });
  await tell(tx, proposedBy, gone, { template: 'pool_steward_ended', text: creatorSaid(pool) });
}

const creatorSaid = (pool: PoolLocked): Sentence =>
  sentence('{pool}: three stewards are elected. Your place as its creator has ended.', { pool: pool.name });

async function endPlaces(tx: Tx, places: readonly Pick<Place, 'id'>[], proposalId: string): Promise<void> {
  await tx.sql`
    update pool_stewards set until = ${tx.now}, ended_by = ${proposalId}
    where id = any (${texts(places.map(({ id }) => id))}::uuid[])`;
}

const endedSaid = (pool: PoolLocked): Sentence =>
  sentence('{pool}: by a vote of its members you are not a steward any more.', { pool: pool.name });

const tell = (
  tx: Tx,
  causedBy: string,
  people: readonly string[],
  told: { readonly template: string; readonly text: Sentence },
): Promise<void> =>
  tellOfPools(
    tx,
    causedBy,
    people.map((userId) => ({ userId, ...told })),
  );

/** Another member proposes that a steward ends. A pool is never without a steward. */
export const poolStewardEndChange: ChangeExecutor = {
  offices: [],
  isDelayed: false,
  words: sentence('the end of a steward’s place'),
  async current(tx, about, payload): Promise<ChangedValues> {
    const found = await placeOf(tx, about, payload);
    return found ? { pool: String(payload.pool), steward: String(payload.steward), stands: 'yes' } : {};
  },
  async refusalOf(tx, about, payload) {
    const found = await placeOf(tx, about, payload);
    if (!found) return conflict(NO_STEWARD);
    return isLast(found) ? conflict(LAST) : null;
  },
  personOf: async (tx, about, payload) => (await placeOf(tx, about, payload))?.place.user_id ?? null,
  announce: async () => {},
  recall: async () => {},
  async apply(tx, about, payload) {
    const found = await placeOf(tx, about, payload);
    if (!found || about.proposalId === undefined) throw new Error('A steward’s place is ended by a vote.');
    await endPlaces(tx, [found.place], about.proposalId);
    const told = { template: 'pool_steward_ended', text: endedSaid(found.pool) };
    await tell(tx, about.proposedBy, [found.place.user_id], told);
  },
};

const NO_STEWARD = sentence('This is no steward of the pool any more.');
const LAST = sentence('A pool is never without a steward: elect another one first.');

/** Whether nobody who decides would be left. */
const isLast = ({ place, places }: { readonly place: Place; readonly places: readonly Place[] }): boolean =>
  thoseWhoDecide(places).every(({ id }) => id === place.id) || places.length < 2;

/** The place of the person whom it is about. An offer of theirs that was carried out meanwhile has given them another one. */
async function placeOf(
  tx: Tx,
  about: About,
  payload: ChangedValues,
): Promise<{ readonly pool: PoolLocked; readonly place: Place; readonly places: readonly Place[] } | null> {
  const pool = await votedPool(tx, about, payload);
  if (!pool) return null;
  const places = await placesOf(tx, pool);
  const [asked] = await tx.sql<{ user_id: string }[]>`
    select user_id from pool_stewards where id = ${String(payload.steward)}::uuid and pool_id = ${pool.id}`;
  const place = places.find(({ user_id }) => user_id === asked?.user_id);
  return place ? { pool, place, places } : null;
}
