import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { payRewards } from './pay-rewards.ts';
import { DEFAULT_REWARD_CENTS, FULLY_PAID_AFTER_DAYS, TRACES_KEPT_DAYS } from './referrals.rules.ts';

const DAY_MS = 86_400_000;
const BATCH = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * The daily run: moves referrals on by what the registers of the saccos say, decides what each is worth, and pays.
 * Every batch is a transaction of its own; a run that was cut off, or that runs twice at once, is taken up by the next.
 */
export async function advanceReferrals(database: Database): Promise<void> {
  for (let after: string | null = FIRST; after !== null; ) {
    const from: string = after;
    after = await database.transaction((tx) => advanceBatch(tx, from));
  }
  await payRewards(database);
  await database.transaction(forgetTraces);
}

/** Answers the last referral looked at, or null after the last batch. */
async function advanceBatch(tx: Tx, after: string): Promise<string | null> {
  const batch = await tx.sql<{ id: string }[]>`
    select id from referrals where status <> 'fully_paid' and id > ${after} order by id limit ${BATCH} for update`;
  const ids = batch.map(({ id }) => id);
  if (ids.length === 0) return null;
  await markJoined(tx, ids);
  await markFullyPaid(tx, ids);
  return ids.length < BATCH ? null : (ids.at(-1) ?? null);
}

/** Those who joined a sacco: `noteJoining` has said so at once; what the register says holds all the same. */
async function markJoined(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.sql`
    update referrals r set status = 'joined', joined_at = m.joined_at
    from (select user_id, min(joined_at) as joined_at from memberships
          where user_id in (select referred_id from referrals where id = any(${texts(ids)}::uuid[]))
          group by user_id) m
    where m.user_id = r.referred_id and r.id = any(${texts(ids)}::uuid[]) and r.status = 'lead'`;
}

/**
 * Those whose minimum shares have been paid for 60 days in a sacco of which they are still members, and who still own
 * them: of several saccos the first one pays. The reward is what that sacco paid when the person signed up: nobody raises
 * or takes back afterwards what was promised then. It is none where it paid none, where the referrer is an official of it,
 * and where a review has denied it.
 */
async function markFullyPaid(tx: Tx, ids: readonly string[]): Promise<void> {
  const paidUpBefore = new Date(tx.now.getTime() - FULLY_PAID_AFTER_DAYS * DAY_MS);
  await tx.sql`
    update referrals r set
      status = 'fully_paid', fully_paid_at = ${tx.now}, sacco_id = due.sacco_id,
      reward_state = case when due.none_because is null then 'waiting' else 'none' end,
      reward_cents = case when due.none_because is null then due.reward_cents end,
      no_reward_because = due.none_because
    from (
      select waiting.id, m.sacco_id, terms.reward_cents,
        case when waiting.review = 'denied' then 'denied'
             when terms.reward_cents = 0 then 'rewards_off'
             when exists (select from offices o where o.sacco_id = m.sacco_id and o.user_id = waiting.referrer_id
                            and o.since <= ${tx.now} and o.until > ${tx.now} and o.ended_at is null)
               then 'referrer_is_official' end as none_because
      from referrals waiting
      cross join lateral (
        select own.sacco_id from memberships own join saccos s on s.id = own.sacco_id
        where own.user_id = waiting.referred_id and own.state = 'active' and own.paid_up_at <= ${paidUpBefore}
          and s.min_shares <= (select coalesce(sum(balance), 0) from accounts
                               where book_id = own.sacco_id and owner_id = own.user_id
                                 and kind in ('holding', 'holding_hold'))
        order by own.paid_up_at, own.sacco_id limit 1
      ) m
      cross join lateral (
        select coalesce((select reward_cents from referral_terms
                         where sacco_id = m.sacco_id and valid_from <= waiting.created_at
                         order by valid_from desc limit 1), ${DEFAULT_REWARD_CENTS}::bigint) as reward_cents
      ) terms
      where waiting.id = any(${texts(ids)}::uuid[]) and waiting.status = 'joined'
    ) due
    where due.id = r.id`;
}

async function forgetTraces(tx: Tx): Promise<void> {
  const before = new Date(tx.now.getTime() - TRACES_KEPT_DAYS * DAY_MS);
  await tx.sql`delete from referral_traces where created_at < ${before}`;
}
