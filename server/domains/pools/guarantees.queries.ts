import { API_BASE } from '@ushirika/contract/constants';
import type { FormerName } from '@ushirika/contract/former-name';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import * as contract from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import type { QueryOf, ReplyOf } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import type { Fragment } from 'postgres';
import { countUpTo, linker, readCursor, toPage } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { judgeSigned } from './approve-guarantee.ts';
import { contractEventSaid } from './contract-events.ts';
import { countVoices } from './decide-request.ts';
import { reasonSaid } from './decline-reasons.ts';
import { isHandedIn } from './give-guarantee-back.ts';
import { interestedIn, isPlaceNow, stewardsOfPool, stewardsOfPools } from './pool-access.ts';
import { type ContractRow, callableFrom, readPoolRows } from './pool-rows.ts';
import { memberRefOf } from './pools.queries.ts';
import { allocate } from './pools.rules.ts';
import { decliningWords, endedLately, endOf } from './request-end.ts';
import { type Judged, type PoolNeeds, quoteOf, type RequestRow, waitAfterUnused } from './request-guarantee.ts';
import { memorandumOf } from './sign-guarantee.ts';
import { type Trust, type TrustInputs, trustOf } from './trust.rules.ts';
import { type HistoriesOf, trustCard, trustInputsOf } from './trust-score.ts';
import { couldProposeWriteOff, whoGivesUp } from './write-off-claim.ts';

/*
 * What people read of guarantees. The platform reads: scores, names and other members' locks belong to several people. Each function
 * takes who asks, and gives that person's own, or what they decide about.
 */

export interface Reads {
  readonly database: Database;
  readonly publicUrl: string;
  readonly needs: PoolNeeds;
}

const at = (database: Database) => ({ sql: database.sql as never, now: database.now() });
const shillings = (cents: Cents) => shillingsFromCents(cents);
const part = (tenThousandths: number) => tenThousandths / 10_000;

export async function ownTrustScore(
  database: Database,
  userId: string,
  historiesOf: HistoriesOf,
): Promise<Unsaid<contract.TrustScore>> {
  const inputs = (await trustInputsOf(at(database), [userId], historiesOf)).get(userId);
  if (!inputs) throw new Refusal('not_found');
  return trustCard(inputs, trustOf(inputs), database.now());
}

export async function dryRun(
  { database, needs }: Reads,
  asked: {
    readonly userId: string;
    readonly poolId: string;
    readonly amount: Cents;
    readonly months: number;
    readonly loanId: string | null;
  },
): Promise<Unsaid<contract.GuaranteeQuote>> {
  const judged = await quoteOf(at(database), asked, needs);
  return quoteReply(judged, asked, database.now());
}

function quoteReply(
  { pool, inputs, trust, judgement, askAgainAt }: Judged,
  asked: { readonly amount: Cents; readonly months: number },
  now: Date,
): Unsaid<contract.GuaranteeQuote> {
  return {
    pool: { id: pool.id, name: pool.name },
    amount: shillings(asked.amount),
    period_months: asked.months,
    trust: trustCard(inputs, trust, now),
    risk_weight: part(judgement.riskWeight),
    utilisation_after: part(judgement.utilisationAfter),
    crowding: part(judgement.crowding),
    risk_percentage: judgement.rate / 100,
    fee: shillings(judgement.fee),
    own_lock: shillings(judgement.ownLock),
    others_lock: shillings(asked.amount - judgement.ownLock),
    is_automatic: judgement.isAutomatic,
    reasons: judgement.reasons.map((reason) => ({ reason, text: reasonSaid(reason, askAgainAt) })),
  };
}

interface RequestRead extends RequestRow, Omit<Trust, 'score'> {
  readonly pool_name: string;
  readonly borrower: string;
  readonly former_name: FormerName | null;
  readonly inputs: TrustInputs;
  readonly score: number;
  readonly scored_at: Date;
  readonly contract_id: string | null;
  readonly words: readonly string[] | null;
  readonly sequence: number;
  readonly position_cents: Cents;
  readonly joined_at: Date;
}

async function readRequests(database: Database, ids: readonly string[]): Promise<Map<string, RequestRead>> {
  if (ids.length === 0) return new Map();
  const rows = await database.sql<RequestRead[]>`
    select r.*, p.name as pool_name, u.first_name || ' ' || u.last_name as borrower, former_name(u.id, ${database.now()}) as former_name, s.score, s.age, s.kyc, s.contributions,
      s.repayment, s.standing, s.defaults, s.inputs, s.at as scored_at, c.id as contract_id, m.sequence, m.position_cents,
      m.joined_at, ${decliningWords(database.sql)} as words
    from pool_requests r
    join pools p on p.id = r.pool_id
    join users u on u.id = r.user_id
    join pool_members m on m.id = r.member_id
    join trust_snapshots s on s.id = r.snapshot_id
    left join pool_contracts c on c.request_id = r.id
    where r.id = any (${texts(ids)}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

function requestReply(row: RequestRead): Unsaid<contract.PoolRequest> {
  const isQuoted = row.state === 'QUOTED';
  return {
    id: row.id,
    state: row.state,
    pool: { id: row.pool_id, name: row.pool_name },
    amount: shillings(row.amount_cents),
    period_months: row.months,
    trust: trustCard(row.inputs, row, row.scored_at),
    risk_weight: part(row.risk_weight),
    utilisation_after: part(row.utilisation_after),
    crowding: part(row.crowding),
    risk_percentage: row.rate / 100,
    fee: shillings(row.fee_cents),
    own_lock: shillings(row.own_lock_cents),
    others_lock: shillings(row.amount_cents - row.own_lock_cents),
    is_automatic: row.is_automatic,
    reasons: row.reasons.map((reason) => ({ reason, text: reasonSaid(reason, row.ask_again_at) })),
    purpose: row.purpose,
    loan: row.loan_id,
    quote_hash: row.quote_hash,
    requested_at: row.requested_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    contract: row.contract_id,
    end: endOf(row),
    memorandum: memorandumLines(row),
    may: [
      ...(isQuoted ? (['accept'] as const) : []),
      ...(isQuoted || row.state === 'IN_REVIEW' ? (['cancel'] as const) : []),
    ],
  };
}

const memorandumLines = (row: RequestRead) =>
  memorandumOf({
    poolName: row.pool_name,
    borrower: row.borrower,
    amount: row.amount_cents,
    months: row.months,
    rate: row.rate,
    fee: row.fee_cents,
    ownLock: row.own_lock_cents,
    wording: row.wording,
  });

/** One's own request. What stands against a quote is judged as things are now, so that nobody is asked to sign for nothing. */
export async function requestJudgedNow(
  { database, needs }: Reads,
  userId: string,
  id: string,
): Promise<Unsaid<contract.PoolRequest>> {
  const row = (await readRequests(database, [id])).get(id);
  if (!row || row.user_id !== userId) throw new Refusal('not_found');
  const shown = requestReply(row);
  const against = row.state === 'QUOTED' ? await standsAgainst({ database, needs }, row) : [];
  return against.length === 0 ? shown : { ...shown, reasons: against, may: ['cancel'] };
}

async function standsAgainst(
  { database, needs }: Pick<Reads, 'database' | 'needs'>,
  row: RequestRow,
): Promise<Unsaid<contract.PoolRequest['reasons']>> {
  const [pool] = await readPoolRows(at(database), [row.pool_id]);
  if (!pool) return [];
  const judged = await judgeSigned(at(database), pool, row, needs).catch((error: unknown) => {
    // The loan that it names is gone, or the position: signing says so.
    if (error instanceof Refusal) return null;
    throw error;
  });
  return (judged?.judgement.reasons ?? []).map((reason) => ({
    reason,
    text: reasonSaid(reason, judged?.askAgainAt ?? null),
  }));
}

/** One's own request as it was kept: for the reply to an act, which has just judged it. */
export async function requestAsKept(
  database: Database,
  userId: string,
  id: string,
): Promise<Unsaid<contract.PoolRequest>> {
  const row = (await readRequests(database, [id])).get(id);
  if (!row || row.user_id !== userId) throw new Refusal('not_found');
  return requestReply(row);
}

export async function myRequests(
  { database, publicUrl }: Reads,
  userId: string,
  query: QueryOf<typeof contract.listPoolRequests>,
): Promise<Unsaid<ReplyOf<typeof contract.listPoolRequests>>> {
  const { sql } = database;
  const waits = sql`r.state in ('QUOTED', 'IN_REVIEW')`;
  const wanted = {
    open: sql`and ${waits}`,
    over: sql`and not (${waits})`,
    recent: sql`and (${waits} or ${endedLately(sql, database.now())})`,
  };
  const matching = sql`
    from pool_requests r where r.user_id = ${userId}
      ${query.pool ? sql`and r.pool_id = ${query.pool}` : sql``}
      ${query.status ? wanted[query.status] : sql``}`;
  const page = await pageOf(database, publicUrl, contract.listPoolRequests.path, query, matching, 'desc');
  const rows = await readRequests(
    database,
    page.results.map(({ id }) => id),
  );
  return { ...page, results: page.results.flatMap(({ id }) => rows.get(id) ?? []).map(requestReply) };
}

/** A page of ids of an aliased table `r`, by keyset. */
async function pageOf(
  database: Database,
  publicUrl: string,
  path: string,
  query: { readonly cursor?: string | undefined; readonly limit: number },
  matching: Fragment,
  order: 'asc' | 'desc',
) {
  const { sql } = database;
  const cursor = readCursor(query.cursor, ['uuid']);
  const isDown = (order === 'desc') !== (cursor?.isBack ?? false);
  const [ids, count] = await Promise.all([
    sql<{ id: string }[]>`
      select r.id ${matching}
        ${cursor ? sql`and r.id ${isDown ? sql`<` : sql`>`} ${cursor.keys[0] as string}` : sql``}
      order by r.id ${isDown ? sql`desc` : sql`asc`} limit ${query.limit + 1}`,
    countUpTo(sql, matching),
  ]);
  const linkTo = linker(`${publicUrl}${API_BASE}${path}`, query);
  const page = toPage(ids, { limit: query.limit, cursor, keysOf: (row) => [row.id], linkTo });
  return { ...page, count };
}

/** Requests that wait for whoever asks as a steward, oldest first; one's own and those of related accounts wait for others. */
export async function reviewsFor(
  { database, publicUrl, needs }: Reads,
  userId: string,
  query: QueryOf<typeof contract.listPoolReviews>,
): Promise<Unsaid<ReplyOf<typeof contract.listPoolReviews>>> {
  const { sql } = database;
  const others = texts(await interestedIn(at(database), userId, needs));
  const matching = sql`
    from pool_requests r
    where r.state = 'IN_REVIEW' and r.user_id <> all (${others}::uuid[]) ${query.pool ? sql`and r.pool_id = ${query.pool}` : sql``}
      and exists (select from pool_stewards w where w.pool_id = r.pool_id and w.user_id = ${userId}
        and ${isPlaceNow(sql, database.now())})`;
  const page = await pageOf(database, publicUrl, contract.listPoolReviews.path, query, matching, 'asc');
  const results = await reviewsOf(
    database,
    userId,
    page.results.map(({ id }) => id),
  );
  return { ...page, results };
}

export async function reviewOf(
  database: Database,
  userId: string,
  id: string,
): Promise<Unsaid<contract.PoolReviewItem>> {
  const [review] = await reviewsOf(database, userId, [id]);
  if (!review) throw new Refusal('not_found');
  return review;
}

/** Requests as a steward of their pools reads them, in the order of the ids. A constant number of statements. */
async function reviewsOf(
  database: Database,
  userId: string,
  ids: readonly string[],
): Promise<Unsaid<contract.PoolReviewItem>[]> {
  const rows = await readRequests(database, ids);
  const pools = [...new Set([...rows.values()].map(({ pool_id }) => pool_id))];
  const [stewards, mine, voices] = await Promise.all([
    stewardsOfPools(at(database), pools),
    ownParts(database, userId, ids),
    database.sql<SpokenRow[]>`
      select about_id, since, steward_id, voice from pool_voices
      where about_id = any (${texts(ids)}::uuid[]) and matter = 'request'`,
  ]);
  return ids.flatMap((id) => {
    const row = rows.get(id);
    const deciding = row ? (stewards.get(row.pool_id) ?? []) : [];
    if (!row || !deciding.includes(userId)) return [];
    return [{ ...reviewItem(row, userId, deciding, voices), mine: ownPart(row, mine.get(id)) }];
  });
}

interface OwnPartRow {
  readonly id: string;
  readonly position_cents: Cents;
  readonly free_cents: Cents;
  /** What everybody but the borrower has free in the pool, the steward too. */
  readonly lockable_cents: Cents;
  /** The part of it that belongs to members who joined after the request. */
  readonly late_cents: Cents;
  /** Whether the steward is one of them. */
  readonly is_late: boolean;
}

/** What a steward has in the pools of some requests, by the request's id; none where they have nothing in it. */
async function ownParts(
  database: Database,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OwnPartRow>> {
  const rows = await database.sql<OwnPartRow[]>`
    select r.id, me.position_cents, me.position_cents - me.locked_cents - me.notice_cents as free_cents,
      p.positions_cents - p.locked_cents - p.notice_cents
        - (b.position_cents - b.locked_cents - b.notice_cents) as lockable_cents,
      coalesce((select sum(m.position_cents - m.locked_cents - m.notice_cents) from pool_members m
                where m.pool_id = r.pool_id and m.id <> r.member_id and m.joined_at > r.requested_at), 0)::bigint as late_cents,
      me.joined_at > r.requested_at as is_late
    from pool_requests r
    join pools p on p.id = r.pool_id
    join pool_members b on b.id = r.member_id
    join pool_members me on me.pool_id = r.pool_id and me.user_id = ${userId}
    where r.id = any (${texts(ids)}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** The steward’s part of what an approval locks of others: in proportion to what each has free, as `approveGuarantee` locks it. */
function ownPart(row: RequestRead, own: OwnPartRow | undefined): contract.PoolReviewItem['mine'] {
  const isWaiting = row.state === 'IN_REVIEW';
  const free = Math.max(own?.free_cents ?? 0, 0);
  const needed = row.amount_cents - row.own_lock_cents;
  const { lockable_cents: all, late_cents: late, is_late: isLate } = own ?? NOTHING_IN;
  // Money that came in after the request is left out where the rest is enough.
  const isEnough = all - late >= needed;
  const counted = isEnough && isLate ? 0 : free;
  const others = Math.max((isEnough ? all - late : all) - counted, 0);
  // Others have not that much free: then it is not approved.
  const shared = Math.min(needed, counted + others);
  const [locked = 0] = shared > 0 ? allocate(shared, [counted, others]) : [];
  return {
    position: shillings(own?.position_cents ?? 0),
    free: shillings(free),
    would_lock: isWaiting ? shillings(locked) : null,
  };
}

const NOTHING_IN = { lockable_cents: 0, late_cents: 0, is_late: false };

interface SpokenRow {
  readonly about_id: string;
  readonly since: Date;
  readonly steward_id: string;
  readonly voice: 'approve' | 'decline';
}

function reviewItem(
  row: RequestRead,
  userId: string,
  stewards: readonly string[],
  voices: readonly SpokenRow[],
): Omit<Unsaid<contract.PoolReviewItem>, 'mine'> {
  const since = row.state === 'IN_REVIEW' ? row.state_at : (row.signed_at ?? row.state_at);
  const about = voices.filter(({ about_id }) => about_id === row.id);
  return {
    ...requestReply(row),
    may: [],
    borrower: {
      member_ref: memberRefOf(row.sequence),
      name: row.borrower,
      former_name: row.former_name,
      position: shillings(row.position_cents),
      joined_at: row.joined_at.toISOString(),
    },
    voices: countVoices(
      about.filter((each) => each.since.getTime() === since.getTime()),
      stewards,
      'request',
    ),
    my_voice: about.find(({ steward_id }) => steward_id === userId)?.voice ?? null,
  };
}

interface ContractRead extends ContractRow {
  readonly pool_name: string;
  readonly borrower: string;
  readonly sequence: number;
  readonly my_lock: Cents | null;
  readonly my_lost: Cents | null;
  readonly my_recovered: Cents | null;
  /** From when on its borrower could ask again, if it ended now and no loan had used it. */
  readonly could_ask_again_at: Date;
}

async function readContracts(
  database: Database,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, ContractRead>> {
  if (ids.length === 0) return new Map();
  const { sql } = database;
  const couldAskAgain = waitAfterUnused(sql, sql`c.approved_at`, sql`${database.now()}::timestamptz`);
  const rows = await sql<ContractRead[]>`
    select c.*, p.name as pool_name, u.first_name || ' ' || u.last_name as borrower, m.sequence,
      ${couldAskAgain} as could_ask_again_at, l.current_cents as my_lock, l.lost_cents as my_lost, l.recovered_cents as my_recovered
    from pool_contracts c
    join pools p on p.id = c.pool_id
    join users u on u.id = c.user_id
    join pool_members m on m.id = c.member_id
    left join pool_members mine on mine.pool_id = c.pool_id and mine.user_id = ${userId}
    left join pool_locks l on l.contract_id = c.id and l.member_id = mine.id
    where c.id = any (${texts(ids)}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

function contractReply(row: ContractRead): contract.PoolContract {
  const from = row.state === 'DEMAND' || row.state === 'CALLED' ? callableFrom(row) : null;
  return {
    id: row.id,
    pool: { id: row.pool_id, name: row.pool_name },
    state: row.state,
    borrower: { member_ref: memberRefOf(row.sequence), name: row.borrower },
    loan: row.loan_id,
    period_months: row.months,
    amount: shillings(row.amount_cents),
    outstanding: shillings(row.outstanding_cents),
    risk_percentage: row.rate / 100,
    fee: shillings(row.fee_cents),
    locks_total: shillings(row.outstanding_cents),
    my_lock: shillings(row.my_lock ?? 0),
    my_loss: shillings(row.my_lost ?? 0),
    my_recovered: shillings(row.my_recovered ?? 0),
    approved_at: row.approved_at.toISOString(),
    activated_at: row.activated_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    use_by: row.use_by?.toISOString() ?? null,
    callable_from: from?.toISOString() ?? null,
    paid: shillings(row.paid_cents),
    claim: shillings(row.claim_cents),
    recovered: shillings(row.recovered_cents),
  };
}

export async function myContracts(
  { database, publicUrl }: Reads,
  userId: string,
  query: QueryOf<typeof contract.listPoolContracts>,
): Promise<ReplyOf<typeof contract.listPoolContracts>> {
  const { sql } = database;
  const open = query.status === undefined ? null : query.status === 'open';
  const whose =
    query.as === 'borrower'
      ? sql`r.user_id = ${userId}`
      : sql`r.user_id <> ${userId} and exists (select from pool_locks l join pool_members m on m.id = l.member_id
          where l.contract_id = r.id and m.user_id = ${userId})`;
  const matching = sql`
    from pool_contracts r where ${whose} ${query.pool ? sql`and r.pool_id = ${query.pool}` : sql``}
      ${open === null ? sql`` : sql`and (r.ended_at is null) = ${open}`}`;
  const page = await pageOf(database, publicUrl, contract.listPoolContracts.path, query, matching, 'desc');
  const rows = await readContracts(
    database,
    userId,
    page.results.map(({ id }) => id),
  );
  return { ...page, results: page.results.flatMap(({ id }) => rows.get(id) ?? []).map(contractReply) };
}

/** For its borrower, those whose money backs or backed it, and the stewards. */
export async function contractOf(
  { database, needs }: Pick<Reads, 'database' | 'needs'>,
  userId: string,
  id: string,
): Promise<Unsaid<contract.PoolContractDetail>> {
  const row = (await readContracts(database, userId, [id])).get(id);
  if (!row) throw new Refusal('not_found');
  const isSteward = (await stewardsOfPool(at(database), row.pool_id)).includes(userId);
  const isBorrower = row.user_id === userId;
  if (!isSteward && !isBorrower && row.my_lock === null) throw new Refusal('not_found');
  const isDecider = isSteward && !isBorrower;
  const isOwed = isDecider && row.state === 'RECOVERING';
  const [request, timeline, mayGiveBack, givesUp, mayPropose] = await Promise.all([
    readRequests(database, [row.request_id]),
    timelineOf(database, id),
    isBorrower && isFree(database, row, needs),
    isOwed && asSystem(() => whoGivesUp(at(database), row.pool_id)),
    asSystem(() => couldProposeWriteOff(at(database), row, userId)),
  ]);
  const signed = request.get(row.request_id);
  return {
    ...contractReply(row),
    reader: isBorrower ? 'borrower' : isSteward ? 'steward' : 'backer',
    memorandum:
      (isSteward || isBorrower) && signed?.signed_at && signed.signed_name && signed.memorandum_hash
        ? {
            lines: memorandumLines(signed),
            hash: signed.memorandum_hash,
            signed_name: signed.signed_name,
            signed_at: signed.signed_at.toISOString(),
          }
        : null,
    timeline,
    ask_again_at: mayGiveBack ? row.could_ask_again_at.toISOString() : null,
    may: [
      ...(mayGiveBack ? (['give_back'] as const) : []),
      ...(isDecider && row.state === 'DEMAND' ? (['dispute'] as const) : []),
      ...(givesUp === 'stewards' ? (['write_off'] as const) : []),
      ...(mayPropose ? (['propose_write_off'] as const) : []),
      ...(isBorrower && row.claim_cents > row.recovered_cents ? (['pay_back'] as const) : []),
    ],
  };
}

/** Whether no loan uses the guarantee, and no application that is handed in counts on it. */
async function isFree(database: Database, row: ContractRead, needs: PoolNeeds): Promise<boolean> {
  return row.state === 'PENDING_LOAN' && !(await isHandedIn(at(database), row, needs));
}

async function timelineOf(
  database: Database,
  contractId: string,
): Promise<Unsaid<contract.PoolContractDetail['timeline']>> {
  const rows = await database.sql<
    {
      event: contract.PoolContractDetail['timeline'][number]['event'];
      amount_cents: Cents | null;
      at: Date;
      is_by_nobody: boolean;
    }[]
  >`select event, amount_cents, at, caused_by is null as is_by_nobody from pool_contract_events where contract_id = ${contractId}
    order by at, event = 'released', id`;
  return rows.map(({ event, amount_cents, at: when, is_by_nobody }) => ({
    at: when.toISOString(),
    event,
    amount: amount_cents === null ? null : shillings(amount_cents),
    text: contractEventSaid(event, is_by_nobody),
  }));
}

/** Disputes that wait for the supervisory committee of a sacco, oldest first. */
export async function disputesOf(
  { database, publicUrl }: Reads,
  userId: string,
  saccoId: string,
  query: QueryOf<typeof contract.listPoolDisputes>,
): Promise<ReplyOf<typeof contract.listPoolDisputes>> {
  const { sql } = database;
  const matching = sql`from pool_contracts r where r.sacco_id = ${saccoId} and r.state = 'DISPUTED'`;
  const page = await pageOf(database, publicUrl, contract.listPoolDisputes.path, query, matching, 'asc');
  const ids = page.results.map(({ id }) => id);
  const [rows, disputes] = await Promise.all([
    readContracts(database, userId, ids),
    sql<{ contract_id: string; reason: string; disputed_at: Date; name: string }[]>`
      select d.contract_id, d.reason, d.disputed_at, u.first_name || ' ' || u.last_name as name
      from pool_disputes d join users u on u.id = d.disputed_by
      where d.contract_id = any (${texts(ids)}::uuid[]) and d.decision is null`,
  ]);
  const results = disputes.flatMap(({ contract_id, reason, disputed_at, name }) => {
    const row = rows.get(contract_id);
    return row
      ? [{ contract: contractReply(row), reason, disputed_at: disputed_at.toISOString(), disputed_by: name }]
      : [];
  });
  return { ...page, results };
}

/** A contract as the committee that has just decided reads it. */
export async function decidedContract(database: Database, userId: string, id: string): Promise<contract.PoolContract> {
  const row = (await readContracts(database, userId, [id])).get(id);
  if (!row) throw new Refusal('not_found');
  return contractReply(row);
}
