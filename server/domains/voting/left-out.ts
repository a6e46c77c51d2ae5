import { sentence } from '@ushirika/contract/sentence';
import { leftOutMost } from '@ushirika/contract/voting-rules';
import type { Tx } from '../../db/tx.ts';
import { tellPeople } from '../saccos/change-officials.ts';
import { electorateNamed, type ProposalRow, voteSaid } from './proposal-rows.ts';

/** All of them, and without how many of them the quorum is reckoned. */
export interface LeftOut {
  readonly suspended: number;
  readonly leftOut: number;
}

/**
 * Members on the roll whom one operator alone keeps from voting, by a suspension that no second one has upheld. Whoever has voted, or was
 * given a secret ballot paper, is not among them. The quorum is reckoned without them: else one operator prevents any vote. They are at
 * most a tenth of the roll: else one operator makes any quorum.
 */
export async function leftOutOf(tx: Tx, { id, round, roll_size }: ProposalRow): Promise<LeftOut> {
  const [found] = await tx.sql<{ members: number }[]>`
    select count(*)::int as members from proposal_roll r
    where r.proposal_id = ${id} and r.round = ${round}
      and exists (select from account_suspensions s
                  where s.user_id = r.member_id and s.ended_at is null and s.upheld_at is null and s.lapses_at > ${tx.now})
      and not exists (select from proposal_ballots b where b.proposal_id = r.proposal_id and b.round = r.round and b.handle = r.handle)
      and not exists (select from ballot_tokens t where t.proposal_id = r.proposal_id and t.round = r.round and t.handle = r.handle)`;
  const suspended = found?.members ?? 0;
  return { suspended, leftOut: Math.min(suspended, leftOutMost(roll_size ?? 0)) };
}

/** They may hold a result that came about without those members. They are told of all, as many as there are. */
export async function tellSupervisors(tx: Tx, row: ProposalRow, { suspended, leftOut: n }: LeftOut): Promise<void> {
  const { sacco_id } = row;
  const vote = voteSaid(row);
  const people = await tx.sql<{ user_id: string }[]>`
    select distinct user_id from offices
    where sacco_id = ${sacco_id} and office = 'supervisory_committee' and ended_at is null and until > ${tx.now}`;
  const name = await electorateNamed(tx, row);
  await tellPeople(
    tx,
    people.map(({ user_id }) => user_id),
    'vote_left_out',
    n === suspended
      ? sentence(
          '{name}: the quorum of {vote} was reckoned without {n, plural, one {1 member} other {# members}} whom an operator has suspended. You may hold the result.',
          { name, vote, n },
        )
      : sentence(
          '{name}: an operator kept {suspended, plural, one {1 member} other {# members}} from voting on {vote}. The quorum was reckoned without {n} of them. You may hold the result.',
          { name, vote, n, suspended },
        ),
  );
}
