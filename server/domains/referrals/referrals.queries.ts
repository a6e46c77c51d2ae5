import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { HeldReferral } from '@ushirika/contract/operator';
import { INVITATIONS_PER_DAY, type Referral, type ReferralStatus } from '@ushirika/contract/referrals';
import type { Unsaid } from '@ushirika/contract/said';
import { fromStored } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import type { Counted } from '../../db/counted.ts';
import { type Page, readCursor, toPage } from '../../db/page.ts';
import type { Database } from '../../db/tx.ts';
import type { ReferralFigures } from '../identity/identity.types.ts';
import { giveReferralCode } from './note-registration.ts';
import {
  causesInWords,
  DEFAULT_MONTHLY_REWARDS_MAX,
  DEFAULT_REWARD_CENTS,
  monthOf,
  referralLink,
  rewardStateInWords,
  statusFromWords,
  statusInWords,
} from './referrals.rules.ts';

/** The four figures of the profile (`GET /client/`). A person without a code yet is given one. */
export async function referralFigures(
  deps: { readonly database: Database; readonly publicUrl: string },
  userId: string,
): Promise<ReferralFigures> {
  const [row] = await deps.database.sql<{ code: string | null; points: number; earned: Cents }[]>`
    select
      (select code from referral_codes where user_id = ${userId}) as code,
      (select count(*)::int from referrals where referrer_id = ${userId} and status = 'fully_paid') as points,
      (select coalesce(sum(amount_cents), 0)::bigint from referral_rewards where referrer_id = ${userId}) as earned`;
  const code = row?.code ?? (await deps.database.transaction((tx) => giveReferralCode(tx, userId)));
  return { code, link: referralLink(deps.publicUrl, code), points: row?.points ?? 0, rewardCents: row?.earned ?? 0 };
}

/** How many stand where, and how many invitations are left today. */
export async function referralCounts(database: Database, userId: string) {
  const [row] = await database.sql<{ lead: number; joined: number; fully_paid: number; invited: number }[]>`
    select count(*) filter (where status = 'lead')::int as lead,
      count(*) filter (where status = 'joined')::int as joined,
      count(*) filter (where status = 'fully_paid')::int as fully_paid,
      (select count(*)::int from invitations
       where inviter_id = ${userId} and day = ${nairobiDay(database.now())}) as invited
    from referrals where referrer_id = ${userId}`;
  return {
    statuses: { lead: row?.lead ?? 0, joined: row?.joined ?? 0, fully_paid: row?.fully_paid ?? 0 },
    invitations_left_today: Math.max(0, INVITATIONS_PER_DAY - (row?.invited ?? 0)),
  };
}

interface ReferralRow {
  id: string;
  created_at: Date;
  status: string;
  reward_state: string;
  review: string;
  amount_cents: Cents | null;
  first_name: string;
  last_name: string;
}

export interface ReferralFilter {
  readonly status?: ReferralStatus | undefined;
  readonly search?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** A page of the people who registered with this person's code, newest first. */
export async function referralsOf(
  sql: Database['sql'],
  userId: string,
  filter: ReferralFilter,
  linkTo: (cursor: string) => string,
): Promise<Page<Referral> & { count: number }> {
  const cursor = readCursor(filter.cursor, ['uuid']);
  const matching = sql`
    from referrals r
    join people u on u.id = r.referred_id
    left join referral_rewards paid on paid.referral_id = r.id
    where r.referrer_id = ${userId}
      ${filter.status ? sql`and r.status = ${statusFromWords(filter.status)}` : sql``}
      ${filter.search ? sql`and position(lower(${filter.search}) in lower(u.first_name || ' ' || u.last_name)) > 0` : sql``}`;
  const [rows, counted] = await Promise.all([
    sql<ReferralRow[]>`
      select r.id, r.created_at, r.status, r.reward_state, r.review, paid.amount_cents, u.first_name, u.last_name
      ${matching} ${cursor ? sql`and r.id ${cursor.isBack ? sql`>` : sql`<`} ${cursor.keys[0] as string}` : sql``}
      order by r.id ${cursor?.isBack ? sql`asc` : sql`desc`} limit ${filter.limit + 1}`,
    sql<{ count: number }[]>`select count(*)::int as count ${matching}`,
  ]);
  const page = toPage(rows, { limit: filter.limit, cursor, keysOf: (row) => [row.id], linkTo });
  return { ...page, results: page.results.map(referralOf), count: counted[0]?.count ?? 0 };
}

function referralOf(row: ReferralRow): Referral {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    reward: row.amount_cents === null ? null : shillingsFromCents(row.amount_cents),
    reward_state: rewardStateInWords(row.reward_state, row.review),
    user: { first_name: row.first_name, last_name: row.last_name, status: statusInWords(row.status) },
  };
}

/** What a sacco pays now. */
export async function referralTermsOf(database: Database, saccoId: string) {
  const [row] = await database.sql<{ reward_cents: Cents; monthly_rewards_max: number; valid_from: Date }[]>`
    select reward_cents, monthly_rewards_max, valid_from from referral_terms
    where sacco_id = ${saccoId} and valid_from <= ${database.now()} order by valid_from desc limit 1`;
  return {
    reward: shillingsFromCents(row?.reward_cents ?? DEFAULT_REWARD_CENTS),
    monthly_rewards_max: row?.monthly_rewards_max ?? DEFAULT_MONTHLY_REWARDS_MAX,
    since: row?.valid_from.toISOString() ?? null,
  };
}

/**
 * What bounds the rewards of this calendar month (Nairobi), in shillings: earned in fees in the month before, and paid of it
 * so far. Reads the sacco's books, which the caller may not.
 */
export async function rewardsOfMonth(database: Database, saccoId: string) {
  const month = monthOf(nairobiDay(database.now()));
  const [row] = await database.sql<{ earned: Cents; paid: Cents }[]>`
    select coalesce(m.earned_cents, fees_earned_before(${saccoId}, ${month})) as earned, coalesce(m.paid_cents, 0) as paid
    from (select) one left join referral_reward_months m on m.sacco_id = ${saccoId} and m.month = ${month}`;
  return { limit: shillingsFromCents(row?.earned ?? 0), paid: shillingsFromCents(row?.paid ?? 0) };
}

interface HeldRow {
  id: string;
  created_at: Date;
  held_at: Date;
  held_because: string[];
  status: string;
  referrer_id: string;
  referrer_first_name: string;
  referrer_last_name: string;
  referred_id: string;
  referred_first_name: string;
  referred_last_name: string;
  sacco_id: string | null;
  sacco_name: string | null;
}

/** Referrals that wait for an operator, the oldest first. */
export async function heldReferrals(
  sql: Database['sql'],
  query: { readonly cursor?: string | undefined; readonly limit: number },
  linkTo: (cursor: string) => string,
): Promise<Page<Unsaid<HeldReferral>> & { count: number }> {
  const cursor = readCursor(query.cursor, ['uuid']);
  const [rows, counted] = await Promise.all([
    sql<HeldRow[]>`
      select r.id, r.created_at, r.held_at, r.held_because, r.status,
        r.referrer_id, a.first_name as referrer_first_name, a.last_name as referrer_last_name,
        r.referred_id, b.first_name as referred_first_name, b.last_name as referred_last_name,
        r.sacco_id, s.name as sacco_name
      from referrals r
      join users a on a.id = r.referrer_id
      join users b on b.id = r.referred_id
      left join saccos s on s.id = r.sacco_id
      where r.review = 'held'
        ${cursor ? sql`and r.id ${cursor.isBack ? sql`<` : sql`>`} ${cursor.keys[0] as string}` : sql``}
      order by r.id ${cursor?.isBack ? sql`desc` : sql`asc`} limit ${query.limit + 1}`,
    sql<{ count: number }[]>`select count(*)::int as count from referrals where review = 'held'`,
  ]);
  const page = toPage(rows, { limit: query.limit, cursor, keysOf: (row) => [row.id], linkTo });
  return { ...page, results: page.results.map(heldOf), count: counted[0]?.count ?? 0 };
}

function heldOf(row: HeldRow): Unsaid<HeldReferral> {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    held_at: row.held_at.toISOString(),
    causes: row.held_because.map((cause) => causesInWords[cause] ?? fromStored(cause)),
    referrer: { id: row.referrer_id, first_name: row.referrer_first_name, last_name: row.referrer_last_name },
    referred: { id: row.referred_id, first_name: row.referred_first_name, last_name: row.referred_last_name },
    status: statusInWords(row.status),
    sacco: row.sacco_id === null ? null : { id: row.sacco_id, name: row.sacco_name ?? '' },
  };
}

export const referralsToReview: Counted = (sql) => sql`select count(*)::int from referrals where review = 'held'`;
