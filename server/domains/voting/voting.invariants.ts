import { breachesShown, type Invariant } from '../../ledger/invariants.ts';

/** What holds between the tables of votes at any time. */
export const votingInvariants: readonly Invariant[] = [
  {
    name: 'a round was counted as its ballots say',
    find: (sql) => sql`
      select n.proposal_id::text || ', round ' || n.round as detail
      from proposal_rounds n
      left join lateral (
        select count(*) filter (where choice = 'for') as yes, count(*) filter (where choice = 'against') as no,
          count(*) filter (where choice = 'abstain') as abstain
        from (select distinct on (b.handle) b.choice from proposal_ballots b
              where b.proposal_id = n.proposal_id and b.round = n.round order by b.handle, b.revision desc) last) t on true
      where (n.votes_for, n.votes_against, n.abstentions) is distinct from (t.yes::int, t.no::int, t.abstain::int)
      limit ${breachesShown}`,
  },
  {
    name: 'the roll of a published vote has as many members as it says, and its turnout is those who voted',
    find: (sql) => sql`
      select p.id::text as detail from proposals p
      where p.published_at is not null and (
        p.roll_size <> (select count(*) from proposal_roll r where r.proposal_id = p.id and r.round = p.round)
        or p.turnout <> (select count(distinct b.handle) from proposal_ballots b where b.proposal_id = p.id and b.round = p.round))
      limit ${breachesShown}`,
  },
];
