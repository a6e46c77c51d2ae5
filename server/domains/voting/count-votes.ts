import { type Choice, type Outcome, outcomeOf, secondWindowOf, type Tally } from '@ushirika/contract/voting-rules';
import type { Database, Tx } from '../../db/tx.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { destroyKeys, makeKey } from './ballot-keys.ts';
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
    const tally = await tallyOf(tx, row);
    const rules = rulesOf(row);
    const outcome = outcomeOf(rules, row.roll_size ?? 0, row.round, tally);
    await tx.sql`
      insert into proposal_rounds (proposal_id, round, closes_at, votes_for, votes_against, abstentions, outcome, counted_at)
      values (${id}, ${row.round}, ${row.closes_at}, ${tally.for}, ${tally.against}, ${tally.abstain}, ${outcome}, ${tx.now})`;
    await destroyKeys(tx, id);
    if (outcome === 'no_quorum' && row.round === 1 && rules.has_second_round) return beginSecondRound(tx, row);
    await endVote(tx, row, outcome, executors);
  });
}

async function tallyOf(tx: Tx, row: ProposalRow): Promise<Tally> {
  const { id, round } = row;
  return row.ballot === 'open' ? openTally(tx, row) : { ...NOBODY, ...(await secretTally(tx, { id, round })) };
}

const NOBODY: Tally = { for: 0, against: 0, abstain: 0 };

async function secretTally(tx: Tx, { id, round }: { readonly id: string; readonly round: number }) {
  const rows = await tx.sql<{ choice: Choice; votes: number }[]>`
    select choice, votes from count_secret_ballots(${id}, ${round}, ${tx.now})`;
  return Object.fromEntries(rows.map(({ choice, votes }) => [choice, votes]));
}

/** Of each handle the last vote of the round. */
async function openTally(tx: Tx, { id, round }: ProposalRow): Promise<Tally> {
  const [tally] = await tx.sql<Tally[]>`
    select count(*) filter (where choice = 'for')::int as "for", count(*) filter (where choice = 'against')::int as against,
      count(*) filter (where choice = 'abstain')::int as abstain
    from (select distinct on (handle) choice from proposal_ballots
          where proposal_id = ${id} and round = ${round} order by handle, revision desc) last`;
  return tally ?? NOBODY;
}

async function beginSecondRound(tx: Tx, row: ProposalRow): Promise<void> {
  const { opensAt, closesAt } = secondWindowOf(row.closes_at as Date, rulesOf(row));
  await tx.sql`
    update proposals set round = 2, turnout = 0, is_extended = false, opens_at = ${opensAt}, closes_at = ${closesAt}
    where id = ${row.id}`;
  if (row.ballot === 'secret') await makeKey(tx, row.id, 2);
  await addEvent(tx, row.id, { kind: 'second_round' });
  await tellRoll(tx, row.id, 'second_round');
}

async function endVote(tx: Tx, row: ProposalRow, outcome: Outcome, executors: ChangeExecutors): Promise<void> {
  const isCarriedOut = outcome === 'passed' && row.change_kind !== null;
  const eta = isCarriedOut ? new Date(tx.now.getTime() + rulesOf(row).timelock_hours * HOUR_MS) : null;
  await tx.sql`update proposals set counted_at = ${tx.now}, outcome = ${outcome}, eta = ${eta} where id = ${row.id}`;
  await addEvent(tx, row.id, { kind: 'counted' });
  await tellRoll(tx, row.id, 'result');
  if (eta === null || row.change_kind === null || row.payload === null) return;
  const about = { saccoId: row.sacco_id, proposedBy: row.drafted_by };
  await executors[row.change_kind].announce(tx, about, row.payload, eta);
}
