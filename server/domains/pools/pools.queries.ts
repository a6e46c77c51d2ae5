import { API_BASE } from '@ushirika/contract/constants';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import {
  listPoolMembers,
  listPools,
  type Pool,
  type PoolCall,
  type PoolContractState,
  type PoolDetails,
  type PoolMember,
  type PoolReview,
  type PoolState,
} from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import type { QueryOf, ReplyOf } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import {
  DRAFT_DAYS,
  type ProposalFacts,
  type ProposalState,
  stateOf as stateOfVote,
} from '@ushirika/contract/voting-rules';
import { isGuarded } from '#faults';
import type { Counted } from '../../db/counted.ts';
import { countUpTo, linker, readCursor, toPage } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { decides, isPlaceNow, thoseWhoDecide, voicesForRequest } from './pool-access.ts';
import { DAY_MS } from './pool-rows.ts';
import {
  capacityOf,
  equityOf,
  OPENING_CONTRIBUTIONS,
  OPENING_MEMBERS,
  type PoolTerms,
  priceExamples,
  utilisationOf,
} from './pools.rules.ts';
import { poolRollSince } from './pools-that-vote.ts';
import { termsHashOf } from './signed-terms.ts';
import { leastOf } from './withdraw-from-pool.ts';

type Sql = Database['sql'] | Tx['sql'];

interface PoolRow {
  id: string;
  name: string;
  sacco_id: string | null;
  sacco_name: string | null;
  state: PoolState;
  created_at: Date;
  created_by: string;
  review: PoolReview;
  review_reason: string | null;
  is_public: boolean;
  members_count: number;
  positions_cents: Cents;
  notice_cents: Cents;
  locked_cents: Cents;
  reserve_cents: Cents;
  guaranteed_cents: Cents;
  weighted_cents: Cents;
  guarantees_count: number;
  valid_from: Date;
  min_contribution_cents: Cents;
  min_contribution_perc: number;
  min_member_period_days: number;
  base_risk: number;
  risk_weight_factor: number;
  min_trust_score: number;
  exposure_multiple: number;
  kink: number;
  max_borrower_share: number;
  max_cover: number;
  max_active_per_borrower: number;
  fee_members: number;
  fee_reserve: number;
  fee_sacco: number;
  reserve_draw: number;
  notice_days: number;
  auto_limit_cents: Cents;
  auto_limit_share: number;
  rate_cap: number;
  my_position_cents: Cents | null;
  my_locked_cents: Cents | null;
  my_notice_cents: Cents | null;
  my_member_id: string | null;
  my_sequence: number | null;
  my_joined_at: Date | null;
  is_steward: boolean;
}

/** Who asks: null is a visitor. */
export interface PoolReader {
  readonly userId: string;
  readonly isOperator: boolean;
}

/**
 * The pools that somebody sees before everybody does: those that they made, or have money in, and those of their saccos.
 * A refused one stays theirs. Each is found by an index.
 */
async function ownHiddenPools(sql: Sql, userId: string): Promise<string[]> {
  const rows = await (sql as Database['sql'])<{ id: string }[]>`
    select id from pools where created_by = ${userId} and not is_public
    union
    select p.id from pool_members m join pools p on p.id = m.pool_id where m.user_id = ${userId} and not p.is_public
    union
    select p.id from pool_stewards w join pools p on p.id = w.pool_id where w.user_id = ${userId} and not p.is_public
    union
    (select p.id from pools p
     where not p.is_public and p.sacco_id in (
       select sacco_id from memberships where user_id = ${userId} and state <> 'exited'
       union select sacco_id from offices where user_id = ${userId} and ended_at is null
     ) order by p.id desc limit ${HIDDEN_MAX})`;
  return rows.map(({ id }) => id);
}

/** Pools of one's saccos that wait for their review: no list is longer. */
const HIDDEN_MAX = 1_000;

/** Whether strangers are kept from pools that nobody has looked at; a control of `prove/abuse/` leaves it out. */
async function isHiddenFrom(sql: Sql, row: PoolRow, reader: PoolReader): Promise<boolean> {
  if (row.is_public || reader.isOperator || !isGuarded('pools_are_reviewed')) return false;
  return !(await ownHiddenPools(sql, reader.userId)).includes(row.id);
}

/** Pools by id, in no order, with the parameters of this instant and how the caller stands in each. */
async function readPools(sql: Sql, ids: readonly string[], callerId: string | null, now: Date): Promise<PoolRow[]> {
  if (ids.length === 0) return [];
  const run = sql as Database['sql'];
  return run<PoolRow[]>`
    select p.*, s.name as sacco_name, terms.*, p.id as id,
      own.position_cents as my_position_cents, own.locked_cents as my_locked_cents, own.notice_cents as my_notice_cents,
      own.id as my_member_id, own.sequence as my_sequence, own.joined_at as my_joined_at,
      exists (select from pool_stewards w
              where w.pool_id = p.id and w.user_id = ${callerId} and ${isPlaceNow(sql, now)}) as is_steward
    from pools p
    left join saccos s on s.id = p.sacco_id
    cross join lateral (
      select * from pool_parameters t where t.pool_id = p.id and t.valid_from <= ${now} order by t.valid_from desc limit 1
    ) terms
    left join pool_members own on own.pool_id = p.id and own.user_id = ${callerId}
    where p.id = any(${texts(ids)}::uuid[])`;
}

const percent = (hundredths: number) => hundredths / 100;
/** How a member is named to those who may not read the name. */
export const memberRefOf = (sequence: number): string => `M${String(sequence).padStart(4, '0')}`;

function figuresOf(row: PoolRow) {
  const equity = equityOf({ positions: row.positions_cents, notice: row.notice_cents });
  const capacity = capacityOf(equity, { exposureMultiple: row.exposure_multiple });
  return { equity, capacity, utilisation: (utilisationOf(row.weighted_cents, capacity) ?? 0) / 10_000 };
}

/** Terms and figures are for everybody; one's own standing is null for a visitor. */
function toPool(row: PoolRow, isSignedIn: boolean): Pool {
  const { capacity, utilisation } = figuresOf(row);
  const seen = <T>(value: T): T | null => (isSignedIn ? value : null);
  return {
    id: row.id,
    name: row.name,
    sacco: row.sacco_id === null ? null : { id: row.sacco_id, name: row.sacco_name ?? '' },
    min_contribution: shillingsFromCents(row.min_contribution_cents),
    min_contribution_perc: percent(row.min_contribution_perc),
    min_member_period: row.min_member_period_days,
    base_risk_percentage: percent(row.base_risk),
    risk_weight_factor: row.risk_weight_factor / 100,
    min_trust_score: row.min_trust_score,
    state: row.state,
    created_at: row.created_at.toISOString(),
    is_public: row.is_public,
    pool_size: shillingsFromCents(row.positions_cents),
    members_count: row.members_count,
    utilisation,
    available_capacity: shillingsFromCents(Math.max(0, capacity - row.weighted_cents)),
    is_member: seen((row.my_position_cents ?? 0) > 0),
    is_steward: seen(row.is_steward),
    my_position: seen(shillingsFromCents(row.my_position_cents ?? 0)),
  };
}

/** One pool as its list shows it; for the reply to its creator, inside the transaction. */
export async function poolOf(tx: Tx, poolId: string, callerId: string): Promise<Pool> {
  const [row] = await readPools(tx.sql, [poolId], callerId, tx.now);
  if (!row) throw new Refusal('not_found');
  return toPool(row, true);
}

/** A page of the pools that somebody sees, newest first. */
export async function listOfPools(
  deps: { readonly database: Database; readonly publicUrl: string },
  reader: PoolReader | null,
  query: QueryOf<typeof listPools>,
): Promise<ReplyOf<typeof listPools>> {
  const { sql } = deps.database;
  const cursor = readCursor(query.cursor, ['uuid']);
  const pattern = query.search ? `%${query.search.replace(/[\\%_]/g, '\\$&')}%` : null;
  const callerId = reader?.userId ?? null;
  const own = callerId === null ? [] : await ownHiddenPools(sql, callerId);
  const seen = isGuarded('pools_are_reviewed') ? sql`(p.is_public or p.id = any(${texts(own)}::uuid[]))` : sql`true`;
  const matching = sql`
    from pools p where ${seen}
      ${query.sacco ? sql`and (p.sacco_id = ${query.sacco} ${query.open ? sql`or p.sacco_id is null` : sql``})` : sql``}
      ${query.mine ? sql`and p.id in (select pool_id from pool_members where user_id = ${callerId} and position_cents > 0)` : sql``}
      ${pattern ? sql`and p.name_folded like lower(${pattern})` : sql``}`;
  const [ids, count] = await Promise.all([
    sql<{ id: string }[]>`
      select p.id ${matching}
        ${cursor ? sql`and p.id ${cursor.isBack ? sql`>` : sql`<`} ${cursor.keys[0] as string}` : sql``}
      order by p.id ${cursor?.isBack ? sql`asc` : sql`desc`} limit ${query.limit + 1}`,
    countUpTo(sql, matching),
  ]);
  const linkTo = linker(`${deps.publicUrl}${API_BASE}${listPools.path}`, query);
  const page = toPage(ids, { limit: query.limit, cursor, keysOf: (row) => [row.id], linkTo });
  const found = await readPools(
    sql,
    page.results.map(({ id }) => id),
    callerId,
    deps.database.now(),
  );
  const byId = new Map(found.map((row) => [row.id, row]));
  const results = page.results.flatMap(({ id }) => byId.get(id) ?? []).map((row) => toPool(row, callerId !== null));
  return { ...page, count, results };
}

/** Everything of one pool that somebody who is signed in may read; stewards' names are for its members and stewards. */
export async function detailsOfPool(
  database: Database,
  reader: PoolReader,
  poolId: string,
): Promise<Unsaid<PoolDetails>> {
  const [row] = await readPools(database.sql, [poolId], reader.userId, database.now());
  if (!row || (await isHiddenFrom(database.sql, row, reader))) throw new Refusal('not_found');
  const shown = toPool(row, true);
  const isInside = shown.is_member === true || shown.is_steward === true;
  const [stewards, history, gains, least, calls, votes, voting] = await Promise.all([
    stewardsOf(database, poolId, reader.userId),
    historyOf(database, poolId),
    gainsOf(database, row.my_member_id),
    row.my_joined_at === null ? 0 : leastOf(database, row, row.my_joined_at),
    isInside || row.my_member_id !== null ? callsOf(database, row, reader.userId) : null,
    votesOf(database, row),
    votingOf(database, row, reader.userId),
  ]);
  const { equity, capacity } = figuresOf(row);
  return {
    ...shown,
    equity: shillingsFromCents(equity),
    reserve: shillingsFromCents(row.reserve_cents),
    locked: shillingsFromCents(row.locked_cents),
    free: shillingsFromCents(equity - row.locked_cents),
    rwe: shillingsFromCents(row.weighted_cents),
    capacity: shillingsFromCents(capacity),
    settings: settingsOf(row),
    price_examples: examplesOf(row, equity),
    contracts_summary: { active: row.guarantees_count, outstanding: shillingsFromCents(row.guaranteed_cents) },
    until_open: untilOpenOf(row, equity),
    review: isInside || reader.isOperator ? { state: row.review, reason: row.review_reason } : null,
    stewards_count: stewards.length,
    deciders_count: thoseWhoDecide(stewards).length,
    stewards: isInside ? stewards : null,
    may_propose: voting.would,
    votes,
    terms_hash: termsHashOf(row),
    me: meOf(row, { gains, least, isLeaving: voting.isLeaving }),
    may: actsOf(row, stewards),
    calls,
    history,
  };
}

/** How a member stands: what can be lost, what is bound, and what is free to be withdrawn. */
function meOf(
  row: PoolRow,
  { gains, least, isLeaving }: { readonly gains: Gains; readonly least: Cents; readonly isLeaving: boolean },
): PoolDetails['me'] {
  if (row.my_sequence === null || row.my_joined_at === null) return null;
  const [position, locked, notice] = [row.my_position_cents ?? 0, row.my_locked_cents ?? 0, row.my_notice_cents ?? 0];
  return {
    member_ref: memberRefOf(row.my_sequence),
    joined_at: row.my_joined_at.toISOString(),
    position: shillingsFromCents(position),
    locked: shillingsFromCents(locked),
    notice: shillingsFromCents(notice),
    is_leaving: isLeaving,
    free: shillingsFromCents(position - locked - notice),
    least: shillingsFromCents(least),
    earned: shillingsFromCents(gains.earned),
    lost: shillingsFromCents(gains.lost),
  };
}

interface Gains {
  readonly earned: Cents;
  readonly lost: Cents;
}

/** What a position has won by fees and lost to calls. A position's account is owned by the place in the pool: the platform reads it. */
async function gainsOf({ sql }: Database, memberId: string | null): Promise<Gains> {
  if (memberId === null) return { earned: 0, lost: 0 };
  const [row] = await asSystem(
    () => sql<Gains[]>`
      select
        (select coalesce(sum(t.amount), 0)::bigint
         from accounts a join transfers t on t.credit_account_id = a.id join journals j on j.id = t.journal_id
         where a.owner_id = ${memberId} and a.kind = 'pool_position' and j.kind = 'pool_fee_earned') as earned,
        (select coalesce(sum(l.lost_cents - l.recovered_cents), 0)::bigint
         from pool_locks l where l.member_id = ${memberId}) as lost`,
  );
  return row ?? { earned: 0, lost: 0 };
}

const CALLS_MOST = 20;

interface CallRow {
  readonly id: string;
  readonly user_id: string;
  readonly borrower: string;
  readonly settled_at: Date;
  readonly state: PoolContractState;
  readonly paid_cents: Cents;
  readonly own_paid_cents: Cents;
  readonly reserve_paid_cents: Cents;
  readonly claim_cents: Cents;
  readonly recovered_cents: Cents;
  readonly losers: number;
  /** Of the lock of whoever asks; null without one. */
  readonly my_lost: Cents | null;
  readonly my_recovered: Cents | null;
}

/** The latest calls of a pool. What was taken of others is nobody's row: the platform reads it, and gives sums and one's own part. */
async function callsOf({ sql }: Database, pool: PoolRow, userId: string): Promise<PoolCall[]> {
  const rows = await asSystem(
    () => sql<CallRow[]>`
      select c.id, c.user_id, u.first_name || ' ' || u.last_name as borrower, c.settled_at, c.state, c.paid_cents,
        c.own_paid_cents, c.reserve_paid_cents, c.claim_cents, c.recovered_cents,
        (select count(*)::int from pool_locks l where l.contract_id = c.id and l.lost_cents > 0) as losers,
        mine.lost_cents as my_lost, mine.recovered_cents as my_recovered
      from pool_contracts c
      join users u on u.id = c.user_id
      left join pool_locks mine on mine.contract_id = c.id and mine.member_id = ${pool.my_member_id}
      where c.pool_id = ${pool.id} and c.settled_at is not null order by c.settled_at desc, c.id limit ${CALLS_MOST}`,
  );
  return rows.map((row) => {
    const mayRead = pool.is_steward || row.user_id === userId || row.my_lost !== null;
    const [lost, recovered] = [row.my_lost ?? 0, row.my_recovered ?? 0];
    return {
      contract: row.id,
      at: row.settled_at.toISOString(),
      borrower: mayRead ? row.borrower : null,
      called: shillingsFromCents(row.paid_cents),
      own: shillingsFromCents(row.own_paid_cents),
      reserve: shillingsFromCents(row.reserve_paid_cents),
      members: shillingsFromCents(row.claim_cents - row.reserve_paid_cents),
      members_count: row.losers,
      recovered: shillingsFromCents(row.recovered_cents),
      still_out: shillingsFromCents(row.claim_cents - row.recovered_cents),
      is_given_up: row.state === 'WRITTEN_OFF',
      my_part: shillingsFromCents(lost),
      my_recovered: shillingsFromCents(recovered),
      my_still_out: shillingsFromCents(lost - recovered),
    };
  });
}

function actsOf(
  row: PoolRow,
  stewards: readonly { readonly is_me: boolean; readonly decides: boolean }[],
): PoolDetails['may'] {
  const acts: PoolDetails['may'] = [];
  const isMember = (row.my_position_cents ?? 0) > 0;
  const takesMoney = row.state !== 'CLOSING' && row.state !== 'CLOSED';
  if (takesMoney) acts.push(isMember ? 'deposit' : 'join');
  if (isMember && row.state !== 'CLOSED') acts.push('withdraw');
  // No request of a steward is approved without the others (isInsider).
  const deciding = thoseWhoDecide(stewards);
  const isDeciding = deciding.some(({ is_me }) => is_me);
  const mayBeDecided = isDeciding ? deciding.length > voicesForRequest(deciding.length) : deciding.length > 0;
  if (isMember && row.state === 'OPEN' && mayBeDecided) acts.push('request_guarantee');
  if (isDeciding && row.state === 'OPEN') acts.push('suspend');
  if (isDeciding && row.state === 'SUSPENDED') acts.push('reopen');
  if (takesMoney && (isDeciding || (row.is_steward && row.positions_cents === 0))) acts.push('close');
  return acts;
}

function settingsOf(row: PoolRow): PoolDetails['settings'] {
  return {
    exposure_multiple: row.exposure_multiple / 100,
    kink: row.kink / 10_000,
    max_borrower_share: percent(row.max_borrower_share),
    max_cover: percent(row.max_cover),
    max_active_per_borrower: row.max_active_per_borrower,
    fee_split: { members: row.fee_members, reserve: row.fee_reserve, sacco: row.fee_sacco },
    reserve_draw: percent(row.reserve_draw),
    notice_days: row.notice_days,
    auto_limit: shillingsFromCents(row.auto_limit_cents),
    auto_limit_share: percent(row.auto_limit_share),
    rate_cap: percent(row.rate_cap),
    valid_from: row.valid_from.toISOString(),
  };
}

function examplesOf(row: PoolRow, equity: Cents): PoolDetails['price_examples'] {
  const terms: PoolTerms = {
    minContribution: row.min_contribution_cents,
    minContributionPerc: row.min_contribution_perc,
    minMemberPeriodDays: row.min_member_period_days,
    baseRisk: row.base_risk,
    riskWeightFactor: row.risk_weight_factor,
    minTrustScore: row.min_trust_score,
  };
  const settings = { kink: row.kink, rateCap: row.rate_cap, maxBorrowerShare: row.max_borrower_share };
  return priceExamples(terms, settings, equity).map((price) => ({
    trust_score: price.trustScore,
    utilisation_after: price.utilisationAfter / 10_000,
    risk_weight: price.riskWeight / 10_000,
    crowding: price.crowding / 10_000,
    risk_percentage: percent(price.riskPercentage),
    amount: shillingsFromCents(price.amount),
    period_months: price.months,
    fee: shillingsFromCents(price.fee),
  }));
}

function untilOpenOf(row: PoolRow, equity: Cents): PoolDetails['until_open'] {
  if (row.state !== 'FORMING') return null;
  return {
    members: Math.max(0, OPENING_MEMBERS - row.members_count),
    contributions: shillingsFromCents(Math.max(0, OPENING_CONTRIBUTIONS * row.min_contribution_cents - equity)),
  };
}

/**
 * All stewards of a pool, read as the platform so that everybody reads their count. The caller passes their names only to people who may
 * read them.
 */
async function stewardsOf({ sql, now }: Database, poolId: string, userId: string): Promise<StewardRow[]> {
  return asSystem(
    () => sql<StewardRow[]>`
      select w.id, u.first_name, u.last_name, w.elected_by is not null as is_elected, w.user_id = ${userId} as is_me,
        ${decides(sql)} as decides
      from pool_stewards w join users u on u.id = w.user_id
      where w.pool_id = ${poolId} and ${isPlaceNow(sql, now())} order by w.since, w.user_id`,
  );
}

interface StewardRow {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly is_elected: boolean;
  readonly is_me: boolean;
  readonly decides: boolean;
}

const VOTES_MOST = 10;
type VoteRow = ProposalFacts & {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly change_kind: string | null;
};
const UNDER_WAY: readonly ProposalState[] = [
  'draft',
  'published',
  'open',
  'closed',
  'queued',
  'held',
  'execution_failed',
];

/** Votes of a pool that are not over, the newest first and drafts last, as far as whoever asks reads the votes of its sacco, and their titles. */
async function votesOf({ sql, now }: Database, { id: poolId, sacco_id }: PoolRow): Promise<PoolDetails['votes']> {
  const rows = await (sql as Database['sql'])<VoteRow[]>`
    select * from votes_shown p
    where p.pool_id = ${poolId} and p.sacco_id = ${sacco_id}::uuid and p.cancelled_at is null
      and (p.counted_at is null or p.outcome = 'passed' and p.executed_at is null and p.voided_at is null and p.given_up_at is null)
      and (p.published_at is not null or p.complete_at is not null or p.drafted_at > ${new Date(now().getTime() - DRAFT_DAYS * DAY_MS)})
    order by p.published_at is null, p.id desc limit ${VOTES_MOST}`;
  return rows.flatMap(({ id, title, ...facts }) => {
    const state = stateOfVote({ ...facts, is_executable: facts.kind !== 'resolution' }, now());
    return UNDER_WAY.includes(state) ? [{ id, title, state }] : [];
  });
}

interface Voting {
  readonly would: boolean;
  readonly isLeaving: boolean;
}

/** Whether somebody would be on the roll of a vote of a pool now, and whether all of their money leaves. Suspensions and cards are nobody's to read: the platform looks. */
async function votingOf({ sql, now }: Database, pool: PoolRow, userId: string): Promise<Voting> {
  const nothing = { would: false, isLeaving: false };
  if (pool.my_member_id === null || pool.sacco_id === null || pool.state === 'CLOSED') return nothing;
  const [found] = await asSystem(
    () => sql<Voting[]>`
      select would_vote_in_pool(m.pool_id, ${poolRollSince(now())}, m.user_id) as would,
        m.position_cents > 0 and not has_voting_money(m) as "isLeaving"
      from pool_members m where m.pool_id = ${pool.id} and m.user_id = ${userId}`,
  );
  return found ?? nothing;
}

interface EventRow {
  kind: PoolDetails['history'][number]['event'];
  from_state: PoolState | null;
  to_state: PoolState | null;
  at: Date;
}

const HISTORY_MAX = 50;

async function historyOf(database: Database, poolId: string): Promise<Unsaid<PoolDetails['history']>> {
  const rows = await database.sql<EventRow[]>`
    select kind, from_state, to_state, at from pool_events
    where pool_id = ${poolId} order by id desc limit ${HISTORY_MAX}`;
  return rows.map((row) => ({ at: row.at.toISOString(), event: row.kind, text: sentenceOf(row) }));
}

const STATES: Readonly<Record<PoolState, Sentence>> = {
  FORMING: sentence('forming'),
  OPEN: sentence('open'),
  SUSPENDED: sentence('suspended'),
  CLOSING: sentence('closing'),
  CLOSED: sentence('closed'),
};
const stateOf = (state: PoolState | null): Sentence => STATES[state ?? 'FORMING'];

function sentenceOf({ kind, from_state, to_state }: EventRow): Sentence {
  switch (kind) {
    case 'created':
      return sentence('The pool was created and is forming.');
    case 'state_changed':
      return sentence('The pool was {from}; it is {to} now.', { from: stateOf(from_state), to: stateOf(to_state) });
    case 'terms_changed':
      return sentence('The terms were changed by a vote of the members.');
    case 'settings_changed':
      return sentence('The settings were changed by a vote of the members.');
  }
}

interface MemberRow {
  sequence: number;
  first_name: string;
  last_name: string;
  position_cents: Cents;
  locked_cents: Cents;
  joined_at: Date;
}

/** Who has money in a pool, in the order of joining: for its members and stewards only. */
export async function membersOfPool(
  deps: { readonly database: Database; readonly publicUrl: string },
  reader: PoolReader,
  query: QueryOf<typeof listPoolMembers>,
): Promise<ReplyOf<typeof listPoolMembers>> {
  const { sql } = deps.database;
  const [pool] = await readPools(sql, [query.pool], reader.userId, deps.database.now());
  if (!pool || (await isHiddenFrom(sql, pool, reader))) throw new Refusal('not_found');
  if (!pool.is_steward && (pool.my_position_cents ?? 0) === 0) throw new Refusal('not_a_pool_member');
  const cursor = readCursor(query.cursor, ['int4']);
  const rows = await sql<MemberRow[]>`
    select m.sequence, u.first_name, u.last_name, m.position_cents, m.locked_cents, m.joined_at
    from pool_members m join people u on u.id = m.user_id
    where m.pool_id = ${query.pool} and m.position_cents > 0
      ${cursor ? sql`and m.sequence ${cursor.isBack ? sql`<` : sql`>`} ${cursor.keys[0] as number}` : sql``}
    order by m.sequence ${cursor?.isBack ? sql`desc` : sql`asc`} limit ${query.limit + 1}`;
  const linkTo = linker(`${deps.publicUrl}${API_BASE}${listPoolMembers.path}`, query);
  const page = toPage(rows, { limit: query.limit, cursor, keysOf: (row) => [row.sequence], linkTo });
  return { ...page, count: pool.members_count, results: page.results.map(toMember) };
}

function toMember(row: MemberRow): PoolMember {
  return {
    member_ref: memberRefOf(row.sequence),
    name: `${row.first_name} ${row.last_name}`,
    position: shillingsFromCents(row.position_cents),
    locked: shillingsFromCents(row.locked_cents),
    joined_at: row.joined_at.toISOString(),
  };
}

export const poolsToReview: Counted = (sql) => sql`select count(*)::int from pools where review = 'waiting'`;
