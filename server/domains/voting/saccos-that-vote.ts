import { leastRoll } from '@ushirika/contract/voting-rules';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import type { Reader } from '../loans/loan-rows.ts';
import { rollSince } from './off-roll.ts';

/*
 * Saccos whose members could vote, once (docs/decisions/190). It is kept: else accounts that nobody has seen, which anybody makes, would
 * give their terms back to two officials.
 */

const CHUNK = 200;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface Votes {
  readonly sacco_id: string;
  readonly has_voted: boolean;
  /** Who would be on a roll now. */
  readonly able: number;
  /** Those and others who joined 30 days ago or more. */
  readonly members: number;
}

/** Whether a roll that is made now would be large enough, in a sacco without any yet. */
export const couldVote = ({ able, members }: Votes): boolean => able >= leastRoll(members, null);

/** How far the members of these saccos can vote. */
export async function votesOf(reader: Reader, saccoIds: readonly string[]): Promise<Votes[]> {
  return (reader.sql as Tx['sql'])<Votes[]>`
    select s.id as sacco_id, exists (select from saccos_that_vote v where v.sacco_id = s.id) as has_voted, r.able, r.members
    from unnest(${texts(saccoIds)}::uuid[]) as s (id) cross join lateral (
      select count(*) filter (where reason is null)::int as able,
        count(*) filter (where reason is null or reason not in ('new', 'operator'))::int as members
      from roll_standing(s.id, ${rollSince(reader.now)})) r`;
}

/** The largest roll of a sacco so far; null before the first. */
export async function largestRollOf(tx: Tx, saccoId: string): Promise<number | null> {
  const [found] = await tx.sql<{ largest_roll: number }[]>`
    select largest_roll from saccos_that_vote where sacco_id = ${saccoId}`;
  return found?.largest_roll ?? null;
}

/** Keeps that so many members of a sacco could vote. */
export async function noteRoll(tx: Pick<Tx, 'sql' | 'now'>, saccoId: string, able: number): Promise<void> {
  await tx.sql`
    insert into saccos_that_vote as v (sacco_id, since, largest_roll) values (${saccoId}, ${tx.now}, ${able})
    on conflict (sacco_id) do update set largest_roll = excluded.largest_roll where v.largest_roll < excluded.largest_roll`;
}

/** Keeps for each sacco that its members can vote, as soon as they can; also where nobody has published a vote yet. */
export async function noteSaccosThatVote(database: Database): Promise<void> {
  for (let after = FIRST; ; ) {
    const saccos = await database.sql<{ id: string }[]>`
      select id from saccos s
      where id > ${after} and state in ('active', 'suspended') and not exists (select from saccos_that_vote v where v.sacco_id = s.id)
      order by id limit ${CHUNK}`;
    const last = saccos.at(-1);
    if (!last) return;
    await database.transaction(async (tx) => {
      const votes = await votesOf(
        tx,
        saccos.map(({ id }) => id),
      );
      for (const found of votes.filter(couldVote)) await noteRoll(tx, found.sacco_id, found.able);
    });
    after = last.id;
  }
}
