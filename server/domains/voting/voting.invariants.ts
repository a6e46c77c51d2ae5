import { breachesShown, type Invariant } from '../../ledger/invariants.ts';

/** What holds between the tables of votes at any time. */
export const votingInvariants: readonly Invariant[] = [
  {
    name: 'a round was counted as its ballots say',
    find: (sql) => sql`
      select n.proposal_id::text || ', round ' || n.round as detail
      from proposal_rounds n join proposals p on p.id = n.proposal_id and p.ballot = 'open'
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
        or p.turnout <> case p.ballot when 'open' then
            (select count(distinct b.handle) from proposal_ballots b where b.proposal_id = p.id and b.round = p.round)
          else secret_turnout(p.id, p.round) end)
      limit ${breachesShown}`,
  },
  {
    name: 'a secret round was counted as its ballots say',
    find: (sql) => sql`
      select n.proposal_id::text || ', round ' || n.round as detail
      from proposal_rounds n join proposals p on p.id = n.proposal_id and p.ballot = 'secret'
      left join lateral (
        select count(*) filter (where choice not in ('against', 'abstain')) as yes, count(*) filter (where choice = 'against') as no,
          count(*) filter (where choice = 'abstain') as abstain
        from published_secret_ballots(n.proposal_id) b where b.round = n.round) t on true
      where (n.votes_for, n.votes_against, n.abstentions) is distinct from (t.yes::int, t.no::int, t.abstain::int)
      limit ${breachesShown}`,
  },
  {
    name: 'a secret vote has a key for its round, no more ballots than signatures, and no private key once it is over',
    find: (sql) => sql`
      select p.id::text as detail from proposals p
      where p.ballot = 'secret' and p.published_at is not null and (
        not exists (select from proposal_keys k where k.proposal_id = p.id and k.round = p.round)
        or secret_turnout(p.id, p.round) > (select count(*) from ballot_tokens t where t.proposal_id = p.id and t.round = p.round)
        or exists (select from proposal_keys k where k.proposal_id = p.id and k.private_key is not null
          and (k.round < p.round or p.counted_at is not null or p.cancelled_at is not null)))
      limit ${breachesShown}`,
  },
  {
    name: 'nobody whom members have expelled is a member in rights again before members have admitted them',
    find: (sql) => sql`
      select e.proposal_id::text as detail
      from expulsions e join memberships m on m.sacco_id = e.sacco_id and m.user_id = e.user_id
      where e.admitted_at is null and m.state in ('provisional', 'active')
      limit ${breachesShown}`,
  },
  {
    name: 'a pool that is not closed has a steward, and whom members elected a vote did that was carried out',
    find: (sql) => sql`
      (select g.id::text as detail from pools g
       where g.state <> 'CLOSED' and not exists (select from pool_stewards w where w.pool_id = g.id and w.until is null)
       limit ${breachesShown})
      union all
      (select w.id::text from pool_stewards w join proposals p on p.id = w.elected_by
       where p.executed_at is null or p.change_kind <> 'pool_steward' or p.pool_id <> w.pool_id or p.drafted_by <> w.user_id
       limit ${breachesShown})`,
  },
  {
    name: 'the terms and limits of a pool are those that it began with, or that a vote made that was carried out',
    find: (sql) => sql`
      select t.pool_id || ', ' || t.valid_from as detail
      from pool_parameters t left join proposals p on p.id = t.proposal_id
      where case when t.proposal_id is null
          then exists (select from pool_parameters e where e.pool_id = t.pool_id and e.valid_from < t.valid_from)
          else p.executed_at is null or p.change_kind not in ('pool_terms', 'pool_limits') or p.payload->>'pool' <> t.pool_id::text end
      limit ${breachesShown}`,
  },
];
