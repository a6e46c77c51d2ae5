import type { SummaryPart } from '../wallet/summary-part.ts';

/**
 * The number of open votes on whose roll the person stands, without a vote or ballot paper of theirs. Votes of a pool count for people with
 * money in it.
 */
export const votingSummary: SummaryPart = {
  ofPerson: {
    json: (sql) => sql`'open_votes', votes.open`,
    joins: (sql, now) => sql`
      left join lateral (
        select count(*)::int as open
        from memberships m join proposals p on p.sacco_id = m.sacco_id
        join proposal_roll r on r.proposal_id = p.id and r.member_id = m.user_id
        where m.user_id = asked.user_id and m.state <> 'exited'
          and p.published_at is not null and p.cancelled_at is null and p.counted_at is null
          and p.opens_at <= ${now} and p.closes_at > ${now}
          and not exists (
            select from proposal_ballots b where b.proposal_id = p.id and b.round = p.round and b.handle = r.handle)
          and not exists (
            select from ballot_tokens t where t.proposal_id = p.id and t.round = p.round and t.handle = r.handle)
          and (p.pool_id is null or exists (
            select from pool_members i where i.pool_id = p.pool_id and i.user_id = m.user_id and i.position_cents > 0))
      ) votes on true`,
    fields: ({ open_votes }: { readonly open_votes: number }) => ({ open_votes }),
  },
};
