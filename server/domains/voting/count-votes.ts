import { type Outcome, outcomeOf, secondWindowOf, type Tally } from '@ushirika/contract/voting-rules';
import type { Database, Tx } from '../../db/tx.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { leftOutOf, tellSupervisors } from './left-out.ts';
import { makeSecondRoll } from './make-roll.ts';
import { addEvent, lockProposal, type ProposalRow, rulesOf, stateAt, tellRoll } from './proposal-rows.ts';

const HOUR_MS = 3_600_000;

/** Counts a round that is over, and says what follows: a second round, an end, or the time at which it is carried out. */
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
    const leftOut = await leftOutOf(tx, row);
    const outcome = outcomeOf(rules, (row.roll_size ?? 0) - leftOut, row.round, tally);
    await tx.sql`
      insert into proposal_rounds (proposal_id, round, closes_at, votes_for, votes_against, abstentions, left_out, outcome, counted_at)
      values (${id}, ${row.round}, ${row.closes_at}, ${tally.for}, ${tally.against}, ${tally.abstain}, ${leftOut}, ${outcome}, ${tx.now})`;
    if (leftOut > 0) await tellSupervisors(tx, row, leftOut);
    if (outcome === 'no_quorum' && row.round === 1 && rules.has_second_round) return beginSecondRound(tx, row);
    await endVote(tx, row, outcome, executors);
  });
}

/** Of each handle the last vote of the round. */
async function tallyOf(tx: Tx, { id, round }: ProposalRow): Promise<Tally> {
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
