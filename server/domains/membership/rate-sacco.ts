import type { MembershipState } from '@ushirika/contract/saccos';
import type { Tx } from '../../db/tx.ts';
import { lockShownSacco } from '../saccos/lock-sacco.ts';
import { ratingScore } from '../saccos/saccos.rules.ts';
import { refusalOfRating } from './membership.rules.ts';

/** A member gives a sacco one to five stars; rating again changes what was given. */
export async function rateSacco(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly stars: number; readonly comment: string },
): Promise<{ readonly score: number; readonly count: number }> {
  const sacco = await lockShownSacco(tx, input.saccoId);
  const [own] = await tx.sql<{ state: MembershipState; joined_at: Date; is_official: boolean; stars: number | null }[]>`
    select m.state, m.joined_at, r.stars,
      exists (
        select from offices o
        where o.sacco_id = m.sacco_id and o.user_id = m.user_id and o.ended_at is null and o.until > ${tx.now}
      ) as is_official
    from memberships m left join sacco_ratings r on r.sacco_id = m.sacco_id and r.user_id = m.user_id
    where m.sacco_id = ${sacco.id} and m.user_id = ${actor.userId}`;
  const membership = own ? { state: own.state, joinedAt: own.joined_at } : null;
  const refusal = refusalOfRating(membership, own?.is_official ?? false, tx.now);
  if (refusal) throw refusal;
  await tx.sql`
    insert into sacco_ratings (sacco_id, user_id, stars, comment, rated_at)
    values (${sacco.id}, ${actor.userId}, ${input.stars}, ${input.comment}, ${tx.now})
    on conflict (sacco_id, user_id) do update
    set stars = excluded.stars, comment = excluded.comment, rated_at = excluded.rated_at`;
  const isFirst = own?.stars === null;
  const [figures] = await tx.sql<{ stars: number; ratings: number }[]>`
    update sacco_figures
    set stars = stars + ${input.stars - (own?.stars ?? 0)}, ratings = ratings + ${isFirst ? 1 : 0}
    where sacco_id = ${sacco.id}
    returning stars, ratings`;
  const { stars, ratings } = figures ?? { stars: 0, ratings: 0 };
  return { score: ratingScore(stars, ratings), count: ratings };
}
