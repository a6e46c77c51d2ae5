import { type CandidateVotes, elected } from '@ushirika/contract/elections';
import { toText } from '@ushirika/contract/secret-ballots';
import { type Outcome, outcomeOf, secondWindowOf, type Tally } from '@ushirika/contract/voting-rules';
import type { Database, Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { destroyKeys, makeKey } from './ballot-keys.ts';
import { makeSecondRoll } from './make-roll.ts';
import { addEvent, lockProposal, type ProposalRow, rulesOf, stateAt, tellRoll } from './proposal-rows.ts';

const HOUR_MS = 3_600_000;

/** Counts a round that is over, destroys its key where it had one, and says what follows: a second round, an end, or the time at which it is carried out. */
export async function countRound(
  database: Database,
  { id, saccoId }: { readonly id: string; readonly saccoId: string },
  executors: ChangeExecutors,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockSacco(tx, saccoId);
    const row = await lockProposal(tx, { id, saccoId });
    if (stateAt(row, tx.now) !== 'closed') return;
    const counts = await countsOf(tx, row);
    const tally = tallyOf(counts);
    const rules = rulesOf(row);
    const candidates = row.kind === 'election' ? await candidatesOf(tx, id) : null;
    const outcome = outcomeOf(rules, row.roll_size ?? 0, row.round, tally, candidates?.length ?? null);
    // The round's entry in the log has the votes of each candidate.
    const votes = await writeVotes(tx, row, candidates ?? [], counts);
    await tx.sql`
      insert into proposal_rounds (proposal_id, round, closes_at, votes_for, votes_against, abstentions, outcome, counted_at)
      values (${id}, ${row.round}, ${row.closes_at}, ${tally.for}, ${tally.against}, ${tally.abstain}, ${outcome}, ${tx.now})`;
    await destroyKeys(tx, id);
    if (outcome === 'no_quorum' && row.round === 1 && rules.has_second_round) return beginSecondRound(tx, row);
    const winner = outcome === 'passed' && candidates ? await winnerOf(tx, row, votes) : null;
    await endVote(tx, row, { outcome, elected: winner }, executors);
  });
}

type Counts = ReadonlyMap<string, number>;

/** A vote for a candidate is a vote for somebody. */
function tallyOf(counts: Counts): Tally {
  const tally = { for: 0, against: 0, abstain: 0 };
  for (const [choice, votes] of counts) {
    tally[choice === 'against' || choice === 'abstain' ? choice : 'for'] += votes;
  }
  return tally;
}

async function countsOf(tx: Tx, row: ProposalRow): Promise<Counts> {
  const { id, round, ballot } = row;
  if (ballot === 'open') return new Map(Object.entries(await openTally(tx, row)));
  const rows = await tx.sql<{ choice: string; votes: number }[]>`
    select choice, votes from count_secret_ballots(${id}, ${round}, ${tx.now})`;
  return new Map(rows.map(({ choice, votes }) => [choice, votes]));
}

async function candidatesOf(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx.sql<
    { id: string }[]
  >`select id from election_candidates where proposal_id = ${id} and withdrawn_at is null order by id`;
  return rows.map((row) => row.id);
}

async function writeVotes(
  tx: Tx,
  { id, round }: ProposalRow,
  candidates: readonly string[],
  counts: Counts,
): Promise<CandidateVotes[]> {
  const votes = candidates.map((candidate) => ({ candidate, votes: counts.get(candidate) ?? 0 }));
  if (votes.length === 0) return votes;
  await tx.sql`
    insert into election_votes (proposal_id, round, candidate_id, votes)
    select ${id}, ${round}, candidate, votes
    from unnest(
      ${texts(votes.map(({ candidate }) => candidate))}::uuid[], ${integers(votes.map((one) => one.votes))}::int[]) as v (candidate, votes)`;
  return votes;
}

async function winnerOf(tx: Tx, { id, round }: ProposalRow, votes: readonly CandidateVotes[]): Promise<string | null> {
  const ballots = await tx.sql<{ serial: Buffer; choice: string }[]>`
    select serial, choice from published_secret_ballots(${id}) where round = ${round}`;
  return elected(
    id,
    votes,
    ballots.map(({ serial, choice }) => ({ serial: toText(serial), choice })),
  );
}

/** Of each handle the last vote of the round. */
async function openTally(tx: Tx, { id, round }: ProposalRow): Promise<Tally> {
  const [tally] = await tx.sql<Tally[]>`
    select count(*) filter (where choice = 'for')::int as "for", count(*) filter (where choice = 'against')::int as against,
      count(*) filter (where choice = 'abstain')::int as abstain
    from (select distinct on (handle) choice from proposal_ballots
          where proposal_id = ${id} and round = ${round} order by handle, revision desc) last`;
  return tally ?? { for: 0, against: 0, abstain: 0 };
}

async function beginSecondRound(tx: Tx, row: ProposalRow): Promise<void> {
  await makeSecondRoll(tx, row);
  const { opensAt, closesAt } = secondWindowOf(row.closes_at as Date, rulesOf(row));
  await tx.sql`
    update proposals set round = 2, turnout = 0, is_extended = false, opens_at = ${opensAt}, closes_at = ${closesAt}
    where id = ${row.id}`;
  if (row.ballot === 'secret') await makeKey(tx, row.id, 2);
  await addEvent(tx, row.id, { kind: 'second_round' });
  await tellRoll(tx, row.id, 'second_round');
}

async function endVote(
  tx: Tx,
  row: ProposalRow,
  { outcome, elected: winner }: { readonly outcome: Outcome; readonly elected: string | null },
  executors: ChangeExecutors,
): Promise<void> {
  const isCarriedOut = outcome === 'passed' && row.kind !== 'resolution';
  const eta = isCarriedOut ? new Date(tx.now.getTime() + rulesOf(row).timelock_hours * HOUR_MS) : null;
  await tx.sql`update proposals set counted_at = ${tx.now}, outcome = ${outcome}, eta = ${eta}, elected = ${winner}
    where id = ${row.id}`;
  await addEvent(tx, row.id, { kind: 'counted' });
  await tellRoll(tx, row.id, 'result');
  if (eta === null || row.change_kind === null || row.payload === null) return;
  const about = { saccoId: row.sacco_id, proposedBy: row.drafted_by };
  await executors[row.change_kind].announce(tx, about, row.payload, eta);
}

/** An election for which nobody stands ends when nominations do. */
export async function endWithoutCandidates(
  database: Database,
  { id, saccoId }: { readonly id: string; readonly saccoId: string },
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockSacco(tx, saccoId);
    const row = await lockProposal(tx, { id, saccoId });
    const isOver =
      row.nominations_end !== null && row.nominations_end <= tx.now && stateAt(row, tx.now) === 'published';
    if (!isOver || row.round > 1 || (await candidatesOf(tx, id)).length > 0) return;
    await tx.sql`update proposals set counted_at = ${tx.now}, outcome = 'no_candidates' where id = ${id}`;
    await tx.sql`
      insert into proposal_rounds (proposal_id, round, closes_at, votes_for, votes_against, abstentions, outcome, counted_at)
      select id, 1, ${tx.now}, 0, 0, 0, 'no_candidates', ${tx.now} from proposals where id = ${id}`;
    await destroyKeys(tx, id);
    await addEvent(tx, id, { kind: 'counted' });
    await tellRoll(tx, id, 'result');
  });
}
