import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { BallotReceipt } from '@ushirika/contract/voting';
import { BALLOT_CHANGES_MAX, type Choice, endAfterQuorum, hourOf, quorumOf } from '@ushirika/contract/voting-rules';
import type { Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { leftPool, leftPools } from './left-pool.ts';
import { addEvent, noSuchProposal, type ProposalRow, rulesOf, stateAt } from './proposal-rows.ts';

export interface Vote {
  readonly userId: string;
  readonly saccoId: string;
  readonly proposalId: string;
  readonly choice: Choice;
}

interface Place {
  readonly proposal_id: string;
  readonly member_id: string;
  readonly handle: string;
  readonly revision: number;
  readonly choice: Choice | null;
  readonly at: Date | null;
}

/**
 * Counts the votes of a batch in, in order: a constant number of statements, and one more for each end that moves. A vote like one's last
 * one writes nothing. `isProven` says whether the password was entered a short while ago. For each a receipt, or why it is refused: `proof_required`, `not_found`, `vote_conflict` while voting is not open, after 20 changes, or without money in the pool any more, `not_on_roll`.
 */
export async function castBallots(
  tx: Tx,
  votes: readonly Vote[],
  isProven: (index: number) => boolean = () => true,
): Promise<(BallotReceipt | Refusal)[]> {
  const proposals = await lockProposals(tx, votes);
  const places = await readPlaces(tx, votes, proposals);
  const batch = new Batch(tx.now, proposals, places, await leftPools(tx, ofPools(votes, proposals)));
  const answers = votes.map((vote, index) => (isProven(index) ? batch.cast(vote) : new Refusal('proof_required')));
  await writeBallots(tx, batch.cast_ballots);
  await raiseTurnout(tx, batch.turnouts);
  return answers;
}

/** Who votes in which pool. */
const ofPools = (votes: readonly Vote[], proposals: ReadonlyMap<string, ProposalRow>) =>
  votes.flatMap(({ userId, proposalId }) => {
    const poolId = proposals.get(proposalId)?.pool_id;
    return poolId ? [{ poolId, userId }] : [];
  });

/** In the order of their ids, so that two batches do not wait for each other. */
export async function lockProposals(
  tx: Tx,
  votes: readonly { readonly proposalId: string }[],
): Promise<ReadonlyMap<string, ProposalRow>> {
  const rows = await tx.sql<ProposalRow[]>`
    select * from proposals where id = any (${texts(votes.map(({ proposalId }) => proposalId))}::uuid[])
    order by id for no key update`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Where each voter stands on the roll, with their last vote of the round. */
async function readPlaces(
  tx: Tx,
  votes: readonly Vote[],
  proposals: ReadonlyMap<string, ProposalRow>,
): Promise<Place[]> {
  const rounds = votes.map(({ proposalId }) => proposals.get(proposalId)?.round ?? 1);
  return tx.sql<Place[]>`
    select r.proposal_id, r.member_id, encode(r.handle, 'hex') as handle, coalesce(b.revision, 0) as revision, b.choice, b.at
    from (select distinct * from unnest(
      ${texts(votes.map(({ proposalId }) => proposalId))}::uuid[], ${texts(votes.map(({ userId }) => userId))}::uuid[],
      ${integers(rounds)}::int[]) as asked (proposal_id, member_id, round)) asked
    join proposal_roll r on r.proposal_id = asked.proposal_id and r.member_id = asked.member_id
    left join lateral (
      select b.revision, b.choice, b.at from proposal_ballots b
      where b.proposal_id = r.proposal_id and b.round = asked.round and b.handle = r.handle
      order by b.revision desc limit 1) b on true`;
}

interface Ballot {
  readonly proposalId: string;
  readonly round: number;
  readonly handle: string;
  readonly revision: number;
  readonly choice: Choice;
}

/** The votes of a batch, judged one after the other by what is read. */
class Batch {
  readonly cast_ballots: Ballot[] = [];
  /** Members who voted for the first time in the round, by proposal. */
  readonly turnouts = new Map<ProposalRow, number>();
  readonly #now: Date;
  readonly #proposals: ReadonlyMap<string, ProposalRow>;
  readonly #places: Map<string, Place>;
  readonly #hasLeft: (person: { readonly poolId: string; readonly userId: string }) => boolean;

  constructor(
    now: Date,
    proposals: ReadonlyMap<string, ProposalRow>,
    places: readonly Place[],
    hasLeft: (person: { readonly poolId: string; readonly userId: string }) => boolean,
  ) {
    this.#now = now;
    this.#proposals = proposals;
    this.#hasLeft = hasLeft;
    this.#places = new Map(places.map((place) => [`${place.proposal_id} ${place.member_id}`, place]));
  }

  cast({ userId, saccoId, proposalId, choice }: Vote): BallotReceipt | Refusal {
    const row = this.#proposals.get(proposalId);
    if (row?.sacco_id !== saccoId) return noSuchProposal();
    if (row.ballot !== 'open' || stateAt(row, this.#now) !== 'open') return new Refusal('vote_conflict');
    const place = this.#places.get(`${proposalId} ${userId}`);
    if (!place) return new Refusal('not_on_roll');
    if (place.choice === choice) return receiptOf(row, place);
    if (row.pool_id !== null && this.#hasLeft({ poolId: row.pool_id, userId })) return leftPool();
    if (place.revision > BALLOT_CHANGES_MAX) return new Refusal('vote_conflict', { message: CHANGED_OFTEN });
    if (place.revision === 0) this.turnouts.set(row, (this.turnouts.get(row) ?? 0) + 1);
    const now = { ...place, choice, revision: place.revision + 1, at: this.#now };
    this.#places.set(`${proposalId} ${userId}`, now);
    this.cast_ballots.push({ proposalId, round: row.round, handle: place.handle, revision: now.revision, choice });
    return receiptOf(row, now);
  }
}

const CHANGED_OFTEN = sentence('You have changed your vote 20 times. It stays as it is now.');

const receiptOf = ({ id, round }: ProposalRow, { handle, choice, revision, at }: Place): BallotReceipt => ({
  proposal: id,
  round,
  handle,
  choice: choice as Choice,
  revision,
  at: (at as Date).toISOString(),
});

async function writeBallots(tx: Tx, ballots: readonly Ballot[]): Promise<void> {
  if (ballots.length === 0) return;
  await tx.sql`
    insert into proposal_ballots (proposal_id, round, handle, revision, choice, at)
    select proposal_id, round, decode(handle, 'hex'), revision, choice, ${tx.now}
    from unnest(
      ${texts(ballots.map(({ proposalId }) => proposalId))}::uuid[], ${integers(ballots.map(({ round }) => round))}::int[],
      ${texts(ballots.map(({ handle }) => handle))}::text[], ${integers(ballots.map(({ revision }) => revision))}::int[],
      ${texts(ballots.map(({ choice }) => choice))}::text[]) as b (proposal_id, round, handle, revision, choice)`;
}

/** Counts voters of each vote in. A quorum that is reached in the last day moves the end of the round, once. */
export async function raiseTurnout(tx: Tx, turnouts: ReadonlyMap<ProposalRow, number>): Promise<void> {
  if (turnouts.size === 0) return;
  const raised = [...turnouts].map(([row, added]) => ({ row, added, end: endAfter(row, added, tx.now) }));
  await tx.sql`
    update proposals p
    set turnout = p.turnout + r.added, closes_at = r.ends_at, is_extended = p.is_extended or r.ends_at > p.closes_at
    from unnest(
      ${texts(raised.map(({ row }) => row.id))}::uuid[], ${integers(raised.map(({ added }) => added))}::int[],
      ${texts(raised.map(({ end }) => end.toISOString()))}::timestamptz[]) as r (id, added, ends_at)
    where p.id = r.id`;
  const moved = raised.filter(({ row, end }) => end > (row.closes_at as Date));
  // The minute would tell whose vote it was.
  for (const { row } of moved) await addEvent(tx, row.id, { kind: 'extended', at: hourOf(tx.now) });
}

function endAfter(row: ProposalRow, added: number, now: Date): Date {
  const quorum = quorumOf(rulesOf(row), row.roll_size ?? 0, row.round);
  const isReached = row.turnout < quorum && row.turnout + added >= quorum;
  const closesAt = row.closes_at as Date;
  return isReached && !row.is_extended ? endAfterQuorum(closesAt, now) : closesAt;
}
