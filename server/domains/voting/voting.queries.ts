import { API_BASE } from '@ushirika/contract/constants';
import type { FormerName } from '@ushirika/contract/former-name';
import type { Office, QueryOf, ReplyOf } from '@ushirika/contract/route';
import { demandsNeeded, toText } from '@ushirika/contract/secret-ballots';
import { fromStored } from '@ushirika/contract/sentence';
import * as contract from '@ushirika/contract/voting';
import {
  type Choice,
  DRAFT_DAYS,
  draftEnd,
  type Governance,
  type OffRollReason,
  type Outcome,
  type ProposalState,
  quorumOf,
} from '@ushirika/contract/voting-rules';
import type { Fragment } from 'postgres';
import { countUpTo, linker, readCursor, toPage } from '../../db/page.ts';
import type { Database } from '../../db/tx.ts';
import { poolRollSince } from '../pools/pools-that-vote.ts';
import { mayAnswer } from './answer-vote.ts';
import { mayTakeBack } from './cancel-proposal.ts';
import { expellingSupervisor, interestedInPool, isOfSupervisors } from './hold-result.ts';
import { rollSince } from './off-roll.ts';
import { BOARD, noSuchProposal, type ProposalRow, rulesOf, stateAt } from './proposal-rows.ts';
import { mayStand, mayStandDown } from './stand-for-election.ts';
import { isAboutPerson, keepsBusy, type VoteInTheWay, votesInTheWay } from './votes-underway.ts';

export interface Deps {
  readonly database: Database;
  readonly publicUrl: string;
}

/** A member who asks, in a sacco, with the offices held there. */
export interface Asker {
  readonly userId: string;
  readonly saccoId: string;
  readonly offices: readonly Office[];
  readonly hasFullRights: boolean;
  /** Whether they would be on the roll of a vote that is published now. */
  readonly wouldVote: boolean;
  /** Pools of the sacco on whose rolls they would be. */
  readonly votesIn: readonly string[];
}

interface ShownRow extends ProposalRow {
  readonly sacco_name: string;
  /** Whether whoever asks is a steward of the pool, or owes it: they hold and void none of its votes. */
  readonly is_interested: boolean;
  /** Whether whoever asks reads words and names of it, by `reads_words_of` of PostgreSQL. Where they do not, the row has none. */
  readonly is_told: boolean;
  readonly about_pool: { readonly id: string; readonly name: string; readonly is_public: boolean } | null;
  readonly votes_for: number | null;
  readonly votes_against: number | null;
  readonly abstentions: number | null;
  readonly left_out: number | null;
  readonly off_roll: OffRollReason | null;
  readonly elected_name: string | null;
  readonly has_held: boolean;
  readonly stands: boolean;
  /** Of a draft: the rules that hold now. */
  readonly governance: Governance | null;
  /** Whether it expels one of the supervisory committee. */
  readonly expels_supervisor: boolean;
  /** Of a pool in which whoever asks has no money. */
  readonly has_left_pool: boolean;
  /** Whether whoever holds it is of the supervisory committee still. */
  readonly holder_sits: boolean;
  readonly title_hidden: boolean;
  readonly has_signed: boolean;
  readonly has_candidates: boolean;
  readonly handle: string | null;
  readonly choice: Choice | null;
  readonly voted_at: Date | null;
  readonly has_token: boolean;
  readonly has_demanded_secret: boolean;
  /** Of a draft: what it has to wait for. */
  readonly waits_for: VoteInTheWay | null;
}

/** Votes of a sacco, newest first, those that are over by their end, with what the asker has done in them. */
export async function proposalsOf(
  { database, publicUrl }: Deps,
  asker: Asker,
  query: QueryOf<typeof contract.listVotingProposals>,
): Promise<ReplyOf<typeof contract.listVotingProposals>> {
  const matching = database.sql`from votes_shown p where p.sacco_id = ${asker.saccoId} and ${viewOf(database, asker, query.view)}
    and ${isShownTo(database, asker.userId)}`;
  const path = contract.listVotingProposals.path;
  const isByEnd = query.view === 'past';
  return pageOf({ database, publicUrl }, { path, query, matching, userId: asker.userId, isByEnd }, (row) =>
    shown(row, asker, database.now()),
  );
}

function viewOf({ sql, now }: Database, { userId }: Asker, view: contract.VoteView): Fragment {
  const isUnderway = sql`p.published_at is not null and p.cancelled_at is null and p.counted_at is null`;
  const lapsed = sql`p.published_at is null and p.complete_at is null and p.drafted_at <= ${lapsedBefore(now())}`;
  return {
    open: sql`${isUnderway} and p.opens_at <= ${now()}`,
    coming: sql`p.cancelled_at is null and (p.published_at is null and not (${lapsed}) or ${isUnderway} and p.opens_at > ${now()})`,
    past: sql`(p.counted_at is not null or p.cancelled_at is not null or ${lapsed})`,
    // Whoever drafted it has signed it.
    mine: sql`(exists (select from proposal_signatures s where s.proposal_id = p.id and s.user_id = ${userId})
      or exists (
        select from proposal_roll r where r.proposal_id = p.id and r.member_id = ${userId} and (
          exists (select from proposal_ballots b where b.proposal_id = p.id and b.handle = r.handle)
          or exists (select from ballot_tokens t where t.proposal_id = p.id and t.handle = r.handle))))`,
  }[view];
}

/** Drafts that lapsed or were taken back are shown to those who have signed them. */
const isShownTo = ({ sql, now }: Database, userId: string): Fragment => sql`
  (p.published_at is not null or p.cancelled_at is null and (p.complete_at is not null or p.drafted_at > ${lapsedBefore(now())}) or exists (
    select from proposal_signatures s where s.proposal_id = p.id and s.user_id = ${userId}))`;

/** Drafts from before this have lapsed. */
const lapsedBefore = (now: Date) => new Date(2 * now.getTime() - draftEnd({ drafted_at: now }).getTime());

/** Published votes that were not taken back, of all saccos or of one, newest first. */
export async function publicVotes(
  { database, publicUrl }: Deps,
  query: QueryOf<typeof contract.listPublicVotes>,
): Promise<ReplyOf<typeof contract.listPublicVotes>> {
  const { sql } = database;
  const matching = sql`
    from proposals p where p.published_at is not null and p.cancelled_at is null
      and not exists (select from pools g where g.id = p.pool_id and not g.is_public)
      and ${query.sacco ? sql`p.sacco_id = ${query.sacco}` : sql`true`}`;
  const path = contract.listPublicVotes.path;
  return pageOf({ database, publicUrl }, { path, query, matching, userId: null }, (row) =>
    shownToStrangers(row, database.now()),
  );
}

/**
 * Of a pool that strangers do not see they read no name: whoever has the number of a vote may recount it. An operator reads a title that is
 * hidden, to judge whether it is shown again.
 * @throws Refusal `not_found` also for a draft, and for a vote that was taken back
 */
export async function publicVoteOf(
  database: Database,
  id: string,
  isOperator = false,
): Promise<contract.PublicVoteDetail> {
  const [row] = await readShown(
    database,
    database.sql`select p.id from proposals p where p.id = ${id} and p.published_at is not null and p.cancelled_at is null`,
    null,
  );
  if (!row) throw noSuchProposal();
  const candidates = await candidatesOf(database, row, null);
  const election =
    row.kind === 'election'
      ? { candidates: candidates.map(({ id: each }) => ({ id: each })), elected: row.elected }
      : null;
  const mayJudge = isOperator && row.title_hidden && row.about_id === null && row.pool_id === null;
  return {
    ...shownToStrangers(row, database.now()),
    ...(mayJudge ? { title: row.title } : {}),
    ...(await recountable(database, row)),
    election,
  };
}

async function pageOf<Item>(
  { database, publicUrl }: Deps,
  list: {
    readonly path: string;
    readonly query: { readonly cursor?: string | undefined; readonly limit: number };
    readonly matching: Fragment;
    readonly userId: string | null;
    /** The one that ended last first; else the newest. */
    readonly isByEnd?: boolean;
  },
  show: (row: ShownRow) => Item,
) {
  const { sql } = database;
  const { query, matching, isByEnd = false } = list;
  const cursor = readCursor(query.cursor, isByEnd ? ['integer', 'uuid'] : ['uuid']);
  const isUp = cursor?.isBack ?? false;
  const end = isByEnd ? sql`${endOf(sql)},` : sql``;
  const keys = cursor?.keys ?? [];
  const place = sql`(${isByEnd ? sql`${Number(keys[0])}::bigint,` : sql``} ${String(keys.at(-1))}::uuid)`;
  const after = cursor ? sql`and (${end} p.id) ${isUp ? sql`>` : sql`<`} ${place}` : sql``;
  const order = sql`order by (${end} p.id) ${isUp ? sql`asc` : sql`desc`}`;
  const ids = sql`select p.id ${matching} ${after} ${order} limit ${query.limit + 1}`;
  const [rows, count] = await Promise.all([readShown(database, ids, list.userId, order), countUpTo(sql, matching)]);
  const linkTo = linker(`${publicUrl}${API_BASE}${list.path}`, query);
  const keysOf = (row: ShownRow) => (isByEnd ? [endedAt(row).getTime(), row.id] : [row.id]);
  const page = toPage(rows, { limit: query.limit, cursor, keysOf, linkTo });
  return { ...page, count, results: page.results.map(show) };
}

/** When a vote was over: its last round, or the nominations where nobody stood; or when it was taken back, or lapsed as a draft. */
function endedAt({ cancelled_at, counted_at, closes_at, drafted_at }: ShownRow): Date {
  if (cancelled_at !== null) return cancelled_at;
  if (counted_at === null) return draftEnd({ drafted_at });
  return closes_at !== null && closes_at < counted_at ? closes_at : counted_at;
}

/** The same in SQL, in milliseconds. */
const endOf = (sql: Database['sql']): Fragment =>
  sql`floor(extract(epoch from coalesce(p.cancelled_at, least(p.closes_at, p.counted_at), p.drafted_at + ${`${DRAFT_DAYS} days`}::interval)) * 1000)::bigint`;

/** Each vote is looked up by its id: joined to the page, the view would be read whole, with the votes of all saccos. */
async function readShown(
  database: Database,
  ids: Fragment,
  userId: string | null,
  order?: Fragment,
): Promise<ShownRow[]> {
  const { sql, now } = database;
  const rows = await sql<Omit<ShownRow, 'waits_for'>[]>`
    with page as materialized (${ids})
    select p.*, s.name as sacco_name,
      (select jsonb_build_object('id', g.id, 'name', g.name, 'is_public', g.is_public) from pools g where g.id = p.pool_id) as about_pool,
      ${interestedInPool({ sql, now: now() }, sql`p.pool_id`, sql`${userId}::uuid`)} as is_interested,
      n.votes_for, n.votes_against, n.abstentions, n.left_out, f.reason as off_roll,
      (select c.name from election_candidates c where c.id = p.elected) as elected_name,
      exists (select from proposal_events e where e.proposal_id = p.id and e.kind = 'held' and e.by_id = ${userId}::uuid) as has_held,
      exists (select from offices o where o.sacco_id = p.sacco_id and o.user_id = p.held_by and o.office = 'supervisory_committee'
        and o.ended_at is null and o.until > ${now()}) as holder_sits,
      ${expellingSupervisor(sql, now())} as expels_supervisor,
      p.pool_id is not null and not exists (
        select from pool_members m where m.pool_id = p.pool_id and m.user_id = ${userId}::uuid and m.position_cents > 0) as has_left_pool,
      title_is_hidden(p.id) as title_hidden,
      exists (select from proposal_signatures g where g.proposal_id = p.id and g.user_id = ${userId}::uuid) as has_signed,
      exists (select from election_candidates c where c.proposal_id = p.id and c.withdrawn_at is null) as has_candidates,
      exists (select from election_candidates c where c.proposal_id = p.id and c.member_id = ${userId}::uuid and c.withdrawn_at is null) as stands,
      case when p.rules is null then (
        select g.rules from vote_rules g where g.sacco_id = p.sacco_id order by g.number desc limit 1) end as governance,
      encode(r.handle, 'hex') as handle, b.choice, b.at as voted_at,
      exists (select from ballot_tokens t where t.proposal_id = p.id and t.round = p.round and t.handle = r.handle) as has_token,
      exists (select from secret_demands d where d.proposal_id = p.id and d.handle = r.handle) as has_demanded_secret
    from page cross join lateral (select * from votes_shown v where v.id = page.id offset 0) p join saccos s on s.id = p.sacco_id
    left join proposal_rounds n on n.proposal_id = p.id and n.round = p.round
    left join proposal_roll r on r.proposal_id = p.id and r.member_id = ${userId}::uuid
    left join proposal_off_roll f on f.proposal_id = p.id and f.member_id = ${userId}::uuid
    left join lateral (
      select b.choice, b.at from proposal_ballots b
      where b.proposal_id = p.id and b.round = p.round and b.handle = r.handle order by b.revision desc limit 1) b on true
    ${order ?? sql``}`;
  const drafts = rows.filter((row) => stateAt(row, now()) === 'draft' && row.kind !== 'resolution').map(({ id }) => id);
  const inTheWay = await votesInTheWay(database, drafts, now());
  return rows.map((row) => ({ ...row, waits_for: inTheWay.get(row.id) ?? null }));
}

/**
 * What people write of somebody is for members: strangers read that it is a vote about a person, or that its title is hidden. So is what they write
 * of a hidden pool.
 */
const shownToStrangers = (row: ShownRow, now: Date): contract.PublicVote => ({
  ...shownToAll(row, now),
  ...(row.about_id === null && !row.title_hidden ? {} : { title: '' }),
  ...(row.about_pool === null || row.about_pool.is_public ? {} : { title: '', pool: null }),
});

function shownToAll(row: ShownRow, now: Date): contract.PublicVote {
  return {
    id: row.id,
    number: row.number,
    sacco: { id: row.sacco_id, name: row.sacco_name },
    pool: row.about_pool && { id: row.about_pool.id, name: row.about_pool.name },
    title: row.title,
    title_hidden: row.title_hidden,
    is_about_person: row.change_kind !== null && isAboutPerson(row.change_kind),
    kind: row.kind,
    class: row.class,
    ballot: row.ballot,
    office: row.office,
    state: stateAt(row, now),
    round: row.round,
    published_at: row.published_at?.toISOString() ?? null,
    opens_at: row.opens_at?.toISOString() ?? null,
    closes_at: row.closes_at?.toISOString() ?? null,
    counted_at: row.counted_at?.toISOString() ?? null,
    eta: row.eta?.toISOString() ?? null,
    executed_at: row.executed_at?.toISOString() ?? null,
    roll_size: row.roll_size,
    rules: rulesOf(row),
    quorum: row.roll_size === null ? null : quorumOf(rulesOf(row), row.roll_size - (row.left_out ?? 0), row.round),
    left_out: row.left_out ?? 0,
    result:
      row.votes_for === null
        ? null
        : { for: row.votes_for, against: row.votes_against ?? 0, abstain: row.abstentions ?? 0 },
  };
}

const inTheWayShown = ({ id, number, title, is_decided, until }: VoteInTheWay): contract.VoteInTheWay => ({
  ...{ id, number, title, is_decided },
  until: until.toISOString(),
});

function shown(row: ShownRow, asker: Asker, now: Date): contract.VotingProposal {
  return {
    ...shownToAll(row, now),
    my: {
      on_roll: row.roll_size === null ? null : row.handle !== null,
      off_roll: row.off_roll,
      handle: row.handle,
      choice: row.choice,
      voted_at: row.voted_at?.toISOString() ?? null,
      has_signed: row.has_signed,
      has_token: row.has_token,
      has_demanded_secret: row.has_demanded_secret,
      keeps_from_others: row.has_signed && keepsBusy(row, asker.userId, now),
    },
    is_of_board: row.drafted_as !== null,
    signatures: { given: row.signatures, needed: row.signatures_needed },
    elected_name: row.elected_name,
    waits_for: row.waits_for && row.is_told ? inTheWayShown(row.waits_for) : null,
    may: mayOf(row, asker, now),
  };
}

function mayOf(
  row: ShownRow,
  { userId, offices, hasFullRights, wouldVote, votesIn }: Asker,
  now: Date,
): contract.VotingProposal['may'] {
  const state = stateAt(row, now);
  const isOfBoard = offices.some((office) => (BOARD as readonly Office[]).includes(office));
  const isElector = row.pool_id === null ? wouldVote : votesIn.includes(row.pool_id);
  const isSigner = row.drafted_as === null ? hasFullRights && isElector : isOfBoard;
  const isAboutThem = row.about_id === userId && row.change_kind !== 'pool_steward';
  const supervises = offices.includes('supervisory_committee') && row.about_id !== userId && !row.is_interested;
  const may: [contract.VotingProposal['may'][number], boolean][] = [
    ['sign', state === 'draft' && !row.has_signed && isSigner && !isAboutThem],
    [
      'cancel',
      mayTakeBack(state, row) && (state === 'draft' ? row.drafted_by === userId : isSigner && mayAgree(row, userId)),
    ],
    ['vote', state === 'open' && row.handle !== null && !row.has_left_pool],
    [
      'demand_secret',
      state === 'published' &&
        row.round === 1 &&
        row.ballot === 'open' &&
        row.handle !== null &&
        !row.has_left_pool &&
        !row.has_demanded_secret,
    ],
    ['stand', mayStand(row, now) && row.handle !== null],
    ['stand_down', mayStandDown(row, now) && row.stands],
    ['answer', row.about_id === userId && mayAnswer(row, now)],
    ['hold', supervises && mayHold(row, state, now)],
    ['release', state === 'held' && supervises],
    [
      'void',
      state === 'held' &&
        supervises &&
        row.held_by !== userId &&
        row.holder_sits &&
        !isOfSupervisors(row, row.expels_supervisor),
    ],
  ];
  return may.flatMap(([what, isAllowed]) => (isAllowed ? [what] : []));
}

/** Of those who have signed a published vote: to take it back, but for whoever has asked for that. */
const mayAgree = (row: ShownRow, userId: string): boolean =>
  row.has_signed && row.take_back_by !== userId && !row.has_candidates;

/** Each once, and within 14 days of the first hold; also what is held by somebody who has left the committee. */
const mayHold = (row: ShownRow, state: ProposalState, now: Date): boolean =>
  (state === 'queued' || state === 'execution_failed' || (state === 'held' && !row.holder_sits)) &&
  !row.has_held &&
  (row.held_until === null || now < row.held_until);

interface EventRow {
  readonly kind: contract.VoteEvent;
  readonly at: Date;
  readonly name: string | null;
  readonly text: string | null;
  /** The former name of the drafter. */
  readonly former_name: FormerName | null;
}

interface RoundRow {
  readonly round: number;
  readonly closes_at: Date;
  readonly votes_for: number;
  readonly votes_against: number;
  readonly abstentions: number;
  readonly left_out: number;
  readonly outcome: Outcome;
}

/** One vote of the asker's sacco. @throws Refusal `not_found` */
export async function proposalOf(database: Database, asker: Asker, id: string) {
  const { sql } = database;
  const which = sql`select p.id from votes_shown p where p.id = ${id} and p.sacco_id = ${asker.saccoId}
    and ${isShownTo(database, asker.userId)}`;
  const [[row], events] = await Promise.all([
    readShown(database, which, asker.userId),
    sql<EventRow[]>`
      select e.kind, e.at, e.text, case when e.kind = 'drafted' then former_name(e.by_id, ${database.now()}) end as former_name,
        coalesce(case when e.kind = 'drafted' then p.drafter_name end, u.first_name || ' ' || u.last_name) as name
      from proposal_events e join votes_shown p on p.id = e.proposal_id left join people u on u.id = e.by_id
      where e.proposal_id = ${id} order by e.number`,
  ]);
  if (!row) throw noSuchProposal();
  return {
    ...shown(row, asker, database.now()),
    ...details(row, events, database.now()),
    ...(await recountable(database, row)),
    ...(await electionOf(database, row, asker)),
    about: await aboutOf(database, row, asker),
  };
}

/** What whoever recounts a vote needs besides its files. */
async function recountable({ sql }: Database, row: ShownRow) {
  const [keys, votes, rounds] = await Promise.all([
    sql<{ round: number; public_key: Buffer }[]>`
      select round, public_key from proposal_keys where proposal_id = ${row.id} order by round`,
    sql<{ round: number; candidate: string; votes: number }[]>`
      select round, candidate_id as candidate, votes from election_votes where proposal_id = ${row.id} order by votes desc, candidate_id`,
    // A first round is public once the vote is over: those who vote in the second would else know how the others voted.
    sql<RoundRow[]>`
      select * from proposal_rounds where proposal_id = ${row.id} and ${row.counted_at !== null} order by round`,
  ]);
  return {
    rules: rulesOf(row),
    keys: keys.map(({ round, public_key }) => ({ round, key: toText(public_key) })),
    rounds: rounds.map((each) => ({
      round: each.round,
      closes_at: each.closes_at.toISOString(),
      tally: { for: each.votes_for, against: each.votes_against, abstain: each.abstentions },
      left_out: each.left_out,
      outcome: each.outcome,
      votes: votes.flatMap(({ round, ...one }) => (round === each.round ? [one] : [])),
    })),
  };
}

/** Who stands, in the order of their numbers, each under the name that they stood with. The names are for members. */
async function candidatesOf({ sql, now }: Database, { id }: Pick<ProposalRow, 'id'>, userId: string | null) {
  return sql<
    {
      id: string;
      name: string;
      number: string;
      former_name: FormerName | null;
      words: string;
      has_picture: boolean;
      is_me: boolean;
    }[]
  >`
    select c.id, c.name, c.number, former_name(c.member_id, ${now()}) as former_name, c.words,
      exists (select from candidate_pictures p where p.candidate_id = c.id) as has_picture,
      coalesce(c.member_id = ${userId}::uuid, false) as is_me
    from election_candidates c where c.proposal_id = ${id} and c.withdrawn_at is null order by c.id`;
}

/** The person whom it is about, with what they answer. */
async function aboutOf({ sql, now }: Database, row: ShownRow, { userId }: Asker) {
  if (row.about_id === null) return null;
  const [found] = await sql<{ former_name: FormerName | null; words: string | null; answered_at: Date | null }[]>`
    select former_name(${row.about_id}, ${now()}) as former_name, a.words, a.answered_at
    from (select) one left join proposal_answers a on a.proposal_id = ${row.id}`;
  const { former_name, words, answered_at } = found ?? { former_name: null, words: null, answered_at: null };
  return {
    name: row.about_name ?? '',
    former_name,
    is_me: row.about_id === userId,
    answer: words !== null && answered_at !== null ? { words, at: answered_at.toISOString() } : null,
  };
}

async function electionOf(database: Database, row: ProposalRow, { userId }: Asker) {
  if (row.kind !== 'election') return { election: null };
  const candidates = await candidatesOf(database, row, userId);
  return {
    election: {
      nominations_until: row.nominations_end?.toISOString() ?? null,
      candidates: [...candidates],
      elected: row.elected,
    },
  };
}

/** The values before the change, with the name of the person whom the vote is about. */
const beforeOf = ({ expected, about_name }: ShownRow) => ({
  ...expected,
  ...(about_name === null ? {} : { name: about_name }),
});

function details(row: ShownRow, events: readonly EventRow[], now: Date) {
  const rules = rulesOf(row);
  return {
    text: row.text,
    change:
      row.change_kind === null || !row.is_told
        ? null
        : { kind: row.change_kind, before: beforeOf(row), after: row.payload ?? {} },
    drafted_by: { name: events[0]?.name ?? '', former_name: events[0]?.former_name ?? null, office: row.drafted_as },
    drafted_at: row.drafted_at.toISOString(),
    lapses_at: stateAt(row, now) === 'draft' && row.complete_at === null ? draftEnd(row).toISOString() : null,
    majority: rules.majority,
    timelock_hours: rules.timelock_hours,
    has_second_round: rules.has_second_round,
    held_until: stateAt(row, now) === 'held' ? (row.held_until?.toISOString() ?? null) : null,
    secret_demands: row.roll_size === null ? null : { given: row.secret_demands, needed: demandsNeeded(row.roll_size) },
    events: events.map(({ kind, at, name, text }) => ({
      kind,
      at: at.toISOString(),
      name,
      text: text === null ? null : fromStored(text),
    })),
  };
}

/** The handles of a published vote, sorted, one a line; those of a second round with a 2 behind. @throws Refusal `not_found` */
export async function rollFile(database: Database, id: string): Promise<string> {
  await publicVoteOf(database, id);
  const rows = await database.sql<{ round: number; handle: string }[]>`
    select r.round, encode(r.handle, 'hex') as handle from proposal_roll r where r.proposal_id = ${id} order by r.round, r.handle`;
  return rows.map(({ round, handle }) => (round === 1 ? `${handle}\n` : `${handle} ${round}\n`)).join('');
}

/**
 * The ballots, sorted, one JSON object a line, once the vote has ended: who voted in the first round, and how, would else be known before the
 * second. Of an open vote the last one of each handle in each round.
 * @throws Refusal `not_found`
 */
export async function ballotsFile(database: Database, id: string): Promise<string> {
  const { ballot, rounds } = await publicVoteOf(database, id);
  if (rounds.length === 0) return '';
  if (ballot === 'secret') return secretBallotsFile(database, id);
  const rows = await database.sql<{ round: number; handle: string; choice: Choice }[]>`
    select distinct on (b.round, b.handle) b.round, encode(b.handle, 'hex') as handle, b.choice
    from proposal_ballots b where b.proposal_id = ${id} order by b.round, b.handle, b.revision desc`;
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

async function secretBallotsFile({ sql }: Database, id: string): Promise<string> {
  const rows = await sql<
    { round: number; serial: Buffer; prefix: Buffer; signature: Buffer; choice: Choice; salt: Buffer }[]
  >`select * from published_secret_ballots(${id})`;
  const lines = rows.map(({ round, serial, prefix, signature, choice, salt }) =>
    JSON.stringify({
      round,
      serial: toText(serial),
      choice,
      salt: toText(salt),
      prefix: toText(prefix),
      signature: toText(signature),
    }),
  );
  return lines.map((line) => `${line}\n`).join('');
}

/** Of a secret vote that has ended: who was given a signature in each round, by handle, sorted. @throws Refusal `not_found` */
export async function issuedFile(database: Database, id: string): Promise<string> {
  await publicVoteOf(database, id);
  const rows = await database.sql<{ round: number; handle: string }[]>`
    select t.round, encode(t.handle, 'hex') as handle
    from ballot_tokens t join proposals p on p.id = t.proposal_id and p.counted_at is not null
    where t.proposal_id = ${id} order by t.round, t.handle`;
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** Whether somebody has the rights of a member in a sacco. */
export async function hasFullRights(database: Database, userId: string, saccoId: string): Promise<boolean> {
  const [member] = await database.sql`
    select from memberships where sacco_id = ${saccoId} and user_id = ${userId} and state = 'active'`;
  return member !== undefined;
}

/**
 * Whether somebody would be on the roll of a vote that is published now, of the sacco and of which of its pools. Asked as the platform:
 * suspensions are nobody's to read.
 */
export async function wouldVote(
  { sql, now }: Database,
  userId: string,
  saccoId: string,
): Promise<Pick<Asker, 'wouldVote' | 'votesIn'>> {
  const [found] = await sql<{ would: boolean; pools: string[] }[]>`
    select would_vote(${saccoId}, ${rollSince(now())}, ${userId}) as would,
      array(select p.id::text from pool_members m join pools p on p.id = m.pool_id
            where m.user_id = ${userId} and p.sacco_id = ${saccoId} and would_vote_in_pool(p.id, ${poolRollSince(now())}, ${userId})) as pools`;
  return { wouldVote: found?.would ?? false, votesIn: found?.pools ?? [] };
}

/** Whether there is such a vote for the person who asks: what they may not read, they may not act on. @throws Refusal `not_found` */
export async function refuseUnseen(
  { sql }: Database,
  { saccoId, id }: { readonly saccoId: string; readonly id: string },
) {
  const [seen] = await sql`select from votes_shown where id = ${id} and sacco_id = ${saccoId}`;
  if (!seen) throw noSuchProposal();
}
