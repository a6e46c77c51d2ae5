import { createHash } from 'node:crypto';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { leastRoll } from '@ushirika/contract/voting-rules';
import type { Tx } from '../../db/tx.ts';
import { notePool, poolRollSince } from '../pools/pools-that-vote.ts';
import { rollSince } from './off-roll.ts';
import type { ProposalRow } from './proposal-rows.ts';
import { largestRollOf, noteRoll } from './saccos-that-vote.ts';

/**
 * Writes down who may vote, each under a random handle: 16 bytes of the SHA-256 of a seed that is kept nowhere and of the member's
 * id. So one random number serves for a roll of any size. Beside it stands who may not, and why.
 * @throws Refusal `vote_conflict` where too few could vote
 */
export async function makeRoll(tx: Tx, { id, sacco_id, pool_id }: ProposalRow): Promise<number> {
  const standing =
    pool_id === null
      ? tx.sql`roll_standing(${sacco_id}, ${rollSince(tx.now)})`
      : tx.sql`pool_roll_standing(${pool_id}, ${poolRollSince(tx.now)})`;
  const [made] = await tx.sql<{ able: number; members: number }[]>`
    with standing as materialized (select member_id, reason from ${standing}),
    on_roll as (
      insert into proposal_roll (proposal_id, handle, member_id)
      select ${id}::uuid, substr(sha256(${seedOf(tx)}::bytea || uuid_send(member_id)), 1, 16), member_id from standing where reason is null),
    off_roll as (
      insert into proposal_off_roll (proposal_id, member_id, reason)
      select ${id}::uuid, member_id, reason from standing where reason is not null)
    select count(*) filter (where reason is null)::int as able,
      count(*) filter (where reason is null or reason not in ('new', 'operator', 'no_rights'))::int as members
    from standing`;
  const { able, members } = made ?? { able: 0, members: 0 };
  const largest = pool_id === null ? await largestRollOf(tx, sacco_id) : await largestRollOfPool(tx, pool_id);
  refuseSmall(able, leastRoll(members, largest), members);
  if (pool_id === null) await noteRoll(tx, sacco_id, able);
  else await notePool(tx, pool_id);
  return able;
}

/** Of votes that were counted: whoever publishes a vote and takes it back has shown nothing. */
async function largestRollOfPool(tx: Tx, poolId: string): Promise<number | null> {
  const [found] = await tx.sql<{ largest: number | null }[]>`
    select max(roll_size) as largest from proposals where pool_id = ${poolId} and counted_at is not null`;
  return found?.largest ?? null;
}

/** The second round's roll: the same members under other handles, so that nobody follows a vote from one round to the next. */
export async function makeSecondRoll(tx: Tx, { id }: ProposalRow): Promise<void> {
  await tx.sql`select make_second_roll(${id}, ${seedOf(tx)}::bytea)`;
}

const seedOf = (tx: Tx) => createHash('sha256').update(tx.database.randomBytes(32)).digest();

/** Few ID cards would let those who see them choose who votes. */
function refuseSmall(able: number, least: number, members: number): void {
  if (able >= least) return;
  throw new Refusal('vote_conflict', {
    message: sentence(
      'Too few could vote: {able} of {members} who joined 30 days ago or more. Let officials see {n, plural, one {1 more ID card} other {# more ID cards}} of members who have confirmed their phone.',
      { able, members, n: least - able },
    ),
  });
}
