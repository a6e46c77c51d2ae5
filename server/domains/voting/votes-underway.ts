import type { ChangeKind } from '@ushirika/contract/change-kinds';
import { POOL_STEWARDS_MAX } from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { POOL_VOTES_UNDERWAY_MAX, VOTES_UNDERWAY_MAX } from '@ushirika/contract/voting';
import type { Fragment } from 'postgres';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { isNotOver } from '../saccos/votes-not-over.ts';
import type { ProposalRow } from './proposal-rows.ts';

const DAY_MS = 86_400_000;

/** Changes of which there may be several at once, each about another person. */
const KINDS_ABOUT_PERSON: readonly ChangeKind[] = [
  'official_removal',
  'expulsion',
  'admission',
  'pool_steward',
  'pool_steward_end',
];
export const isAboutPerson = (kind: ChangeKind): boolean => KINDS_ABOUT_PERSON.includes(kind);
/** Changes of a pool of which there is one at a time. */
const KINDS_OF_POOL: ChangeKind[] = ['pool_terms', 'pool_limits'];

/** A vote of a pool; without a number it is being drafted. */
type OfPool = Pick<ProposalRow, 'pool_id' | 'change_kind'> & { readonly id?: string };

/**
 * Of some people, those who have drafted another vote of the pool that is published and not counted, or have signed one on which voting has
 * not begun: so that three friends do not take all five places. One that was taken back counts for a day more. The end of a steward's place is
 * apart.
 */
export async function busyAmong(
  tx: Tx,
  { id, pool_id, change_kind }: OfPool,
  userIds: readonly string[],
): Promise<string[]> {
  if (pool_id === null || change_kind === 'pool_steward_end') return [];
  const rows = await tx.sql<(Helped & { readonly user_id: string })[]>`
    select p.pool_id, p.change_kind, p.published_at, p.counted_at, p.cancelled_at, p.drafted_by, p.opens_at, s.user_id
    from proposals p join proposal_signatures s on s.proposal_id = p.id
    where p.pool_id = ${pool_id} and p.id is distinct from ${id ?? null}::uuid and p.counted_at is null
      and s.user_id = any (${[...userIds]}::uuid[])`;
  const busy = rows.filter((row) => keepsBusy(row, row.user_id, tx.now));
  return [...new Set(busy.map(({ user_id }) => user_id))];
}

type Helped = Pick<
  ProposalRow,
  'pool_id' | 'change_kind' | 'published_at' | 'counted_at' | 'cancelled_at' | 'drafted_by' | 'opens_at'
>;

/** Whether a vote keeps one of its signers from another vote of the pool. One that was taken back does for a day more. */
export const keepsBusy = (row: Helped, userId: string, now: Date): boolean =>
  row.pool_id !== null &&
  row.change_kind !== 'pool_steward_end' &&
  row.published_at !== null &&
  row.counted_at === null &&
  (row.cancelled_at === null || row.cancelled_at.getTime() > now.getTime() - DAY_MS) &&
  (row.drafted_by === userId || (row.opens_at !== null && row.opens_at > now));

/** @throws Refusal `vote_conflict` */
export async function refuseBusy(tx: Tx, vote: OfPool, userId: string): Promise<void> {
  if ((await busyAmong(tx, vote, [userId])).length > 0) throw new Refusal('vote_conflict', { message: BUSY });
}

const BUSY = sentence(
  'You help another vote of this pool. Draft or sign the next one once voting on it begins, or, if you drafted it, once it is counted.',
);

/** A vote by which members decide on what a draft would change, or have decided and it is not carried out yet. */
export interface VoteInTheWay extends Pick<ProposalRow, 'number' | 'office' | 'change_kind'> {
  readonly id: string;
  readonly title: string;
  readonly is_decided: boolean;
  /** When voting ends, or when it is carried out at the earliest. */
  readonly until: Date;
}

type Reading = Pick<Tx, 'sql'> | Pick<Database, 'sql'>;

/** Of some drafts, the vote that each has to wait for; none for those that may be published. */
export async function votesInTheWay(
  { sql: asked }: Reading,
  drafts: readonly string[],
  now: Date,
): Promise<Map<string, VoteInTheWay>> {
  if (drafts.length === 0) return new Map();
  const sql = asked as Tx['sql'];
  const rows = await sql<(VoteInTheWay & { draft: string })[]>`
    select distinct on (d.id) d.id as draft, ${shownInTheWay(sql)}
    from proposals d join proposals p on p.sacco_id = d.sacco_id and ${isSameMatter(sql)}
    where d.id = any (${[...drafts]}::uuid[]) and d.published_at is null and ${isNotOver(sql, now)}
    order by d.id, p.id`;
  return new Map(rows.map(({ draft, ...vote }) => [draft, vote]));
}

/** Whether another draft on the same matter had all its signatures before this one, and is published before it. */
export async function waitsBehind(tx: Tx, id: string): Promise<boolean> {
  const [earlier] = await tx.sql`
    select from proposals d join proposals p on p.sacco_id = d.sacco_id and p.id <> d.id and ${isSameMatter(tx.sql)}
    where d.id = ${id} and p.complete_at is not null and p.published_at is null and p.cancelled_at is null
      and (d.complete_at is null or (p.complete_at, p.id) < (d.complete_at, d.id))
    limit 1`;
  return earlier !== undefined;
}

const OF_DRAFTER_MAX = 3;

/**
 * Whether a draft finds no place among the votes under way. Drafts that had their signatures before, and wait for a place alone, come first.
 * Votes of the board, of members and of each pool have places apart, and so have offers to be a steward; for the end of a steward's place
 * there is always room. A vote that was taken back keeps its place for a day. Of one member three are under way at most.
 */
export async function lacksPlace(tx: Tx, row: ProposalRow): Promise<boolean> {
  const { id, sacco_id, pool_id, change_kind, drafted_as, drafted_by, complete_at } = row;
  if (change_kind === 'pool_steward_end') return false;
  const isOffer = change_kind === 'pool_steward';
  const rows = await tx.sql<{ id: string; drafted_by: string; is_underway: boolean }[]>`
    select id, drafted_by, published_at is not null as is_underway from proposals
    where sacco_id = ${sacco_id} and pool_id is not distinct from ${pool_id}::uuid and (drafted_as is null) = ${drafted_as === null}
      and change_kind is distinct from 'pool_steward_end' and coalesce(change_kind = 'pool_steward', false) = ${isOffer}
      and (published_at is not null and counted_at is null
          and (cancelled_at is null or cancelled_at > ${new Date(tx.now.getTime() - DAY_MS)})
        or complete_at is not null and published_at is null and cancelled_at is null and id <> ${id}
          and (${complete_at}::timestamptz is null or (complete_at, id) < (${complete_at}::timestamptz, ${id}::uuid)))`;
  const underway = rows.filter(({ is_underway }) => is_underway);
  const hasThree = (drafter: string) =>
    drafted_as === null && underway.filter((vote) => vote.drafted_by === drafter).length >= OF_DRAFTER_MAX;
  if (hasThree(drafted_by)) return true;
  const before = rows.filter((draft) => !draft.is_underway && !hasThree(draft.drafted_by)).map((draft) => draft.id);
  const held = await votesInTheWay(tx, before, tx.now);
  const most = isOffer ? POOL_STEWARDS_MAX : pool_id === null ? VOTES_UNDERWAY_MAX : POOL_VOTES_UNDERWAY_MAX;
  return underway.length + before.length - held.size >= most;
}

/** The ids, out of these, of people who took a published vote on the same matter back less than 90 days ago. */
export async function barredAmong(tx: Tx, id: string, userIds: readonly string[]): Promise<string[]> {
  const rows = await tx.sql<{ user_id: string }[]>`
    select distinct u.id as user_id
    from proposals d join proposals p on p.sacco_id = d.sacco_id and ${isSameMatter(tx.sql)}
      join unnest(${[...userIds]}::uuid[]) u (id) on u.id in (p.cancelled_by, p.take_back_by)
    where d.id = ${id} and p.published_at is not null and p.cancelled_at > ${new Date(tx.now.getTime() - BARRED_DAYS * DAY_MS)}`;
  return rows.map(({ user_id }) => user_id);
}

/** @throws Refusal `vote_conflict` for whoever took a vote on the same matter back lately */
export async function refuseBarred(tx: Tx, id: string, userId: string): Promise<void> {
  if ((await barredAmong(tx, id, [userId])).length > 0 && isGuarded('voting.taken_back_bars'))
    throw new Refusal('vote_conflict', { message: TAKEN_BACK });
}

/**
 * The ids, out of these, of people who have signed another draft on the same matter that waits with all its signatures. A few friends could
 * otherwise fill the queue.
 */
export async function waitingAmong(tx: Tx, id: string, userIds: readonly string[]): Promise<string[]> {
  const rows = await tx.sql<{ user_id: string }[]>`
    select distinct s.user_id
    from proposals d join proposals p on p.sacco_id = d.sacco_id and p.id <> d.id and ${isSameMatter(tx.sql)}
      join proposal_signatures s on s.proposal_id = p.id and s.user_id = any (${[...userIds]}::uuid[])
    where d.id = ${id} and p.complete_at is not null and p.published_at is null and p.cancelled_at is null`;
  return rows.map(({ user_id }) => user_id);
}

/** @throws Refusal `vote_conflict` for a signer of another draft on the same matter that waits */
export async function refuseWaiting(tx: Tx, id: string, userId: string): Promise<void> {
  if ((await waitingAmong(tx, id, [userId])).length > 0) throw new Refusal('vote_conflict', { message: WAITS });
}

const WAITS = sentence('A draft on the same that you have signed waits already. Sign this one once that is published.');
const BARRED_DAYS = 90;
const TAKEN_BACK = sentence(
  'You took a vote on the same matter back. For 90 days after that you neither draft nor sign one on it.',
);

const shownInTheWay = (sql: Tx['sql']): Fragment =>
  sql`p.id, p.title, p.number, p.office, p.change_kind, p.counted_at is not null as is_decided, coalesce(p.eta, p.closes_at) as until`;

/** In SQL, whether the vote `p` and the draft `d` are about one matter: the same change, or an office that one person holds. */
const isSameMatter = (sql: Tx['sql']): Fragment => sql`
  (p.change_kind = d.change_kind and ${isSame(sql)} or p.office = d.office and d.office not in ('credit_committee', 'supervisory_committee'))`;

/**
 * In SQL, of votes of one kind: whether the vote `p` and the draft `d` are about the same. That is a kind of terms of a sacco or of a pool, one
 * loan product, one claim of a pool, or one person. Of the end of a steward's place it is the person, whichever place it names.
 */
const isSame = (sql: Tx['sql']): Fragment => sql`
  case
    when d.change_kind = any (${KINDS_OF_POOL}::text[]) then p.payload->>'pool' = d.payload->>'pool'
    when d.change_kind = 'pool_steward_end'
      then p.payload->>'pool' = d.payload->>'pool' and p.about_id is not distinct from d.about_id
    when d.change_kind = any (${[...KINDS_ABOUT_PERSON]}::text[])
      then p.about_id is not distinct from d.about_id and p.pool_id is not distinct from d.pool_id
        and p.expected->>'office' is not distinct from d.expected->>'office'
    when d.change_kind = 'pool_write_off' then p.payload = d.payload
    when d.change_kind = 'loan_product' then p.payload->>'product' is not distinct from d.payload->>'product'
      and (d.payload->>'product' is not null or lower(p.payload->>'name') = lower(d.payload->>'name'))
    else true
  end`;

/** Votes on terms that are not over, for whoever means to draft one: by their kind, and the loan product or the pool. */
export async function termsUnderway({ sql: asked }: Reading, saccoId: string, now: Date) {
  const sql = asked as Tx['sql'];
  return sql<(VoteInTheWay & { kind: ChangeKind; subject: string | null })[]>`
    select p.change_kind as kind, coalesce(p.payload->>'product', p.payload->>'pool') as subject, ${shownInTheWay(sql)}
    from proposals p
    where p.sacco_id = ${saccoId} and p.pool_id is null and p.about_id is null and p.change_kind is not null and ${isNotOver(sql, now)}
    order by p.id`;
}
