import type { OrderSide } from '@ushirika/contract/market';
import type { MembershipState } from '@ushirika/contract/saccos';
import type { Sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { lockAccounts } from '../../ledger/balances.ts';
import type { AccountKey, JournalInput } from '../../ledger/ledger.types.ts';
import type { LockedAccounts } from '../../ledger/locked-accounts.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { provenSince } from '../identity/prove-password.ts';
import { UnprovenDays } from '../identity/value-moved.ts';
import { lockSaccos } from '../saccos/lock-sacco.ts';
import { limitNow } from '../shares/shares.rules.ts';
import { mostForTaken, reasonAgainst, refusalOfStanding } from './market.rules.ts';
import {
  type MarketCommand,
  type MarketDependencies,
  type MarketNow,
  type MarketRow,
  type MemberNow,
  memberKey,
  type OrderNow,
  type PlannedJournal,
} from './market.types.ts';
import {
  cashOf,
  feeIncomeOf,
  holdingHoldOf,
  holdingOf,
  settlementOf,
  sharesIssuedOf,
  walletAccountOf,
  walletHoldOf,
} from './market-accounts.ts';
import { OpenBook, otherSide, type ReadPlace, rankOf } from './open-book.ts';
import { ORDER_COLUMNS, type OrderRow } from './order-rows.ts';
import { TERMS_COLUMNS } from './terms.rules.ts';

/** The state that a batch of commands is judged by, read under locks, and the changes that the batch makes to it. */
export interface Batch {
  readonly tx: Tx;
  readonly dependencies: MarketDependencies;
  readonly markets: Map<string, MarketNow>;
  /** By `memberKey`. */
  readonly members: Map<string, MemberNow>;
  /** Members whose shares have been read. */
  readonly counted: Set<MemberNow>;
  /** Every order that the batch has read. */
  readonly orders: Map<string, OrderNow>;
  /** The available balance of wallets in cents, by user. */
  readonly wallets: Map<string, number>;
  readonly journals: { readonly input: JournalInput; readonly planned: PlannedJournal }[];
  /** The accounts that were locked when the batch was opened: nearly all that it uses. */
  locked: LockedAccounts | null;
  /** Orders closed by the platform, not by their members: their members are told. */
  readonly closedByUs: OrderNow[];
  /** Sessions whose password was entered recently. */
  readonly provenSessions: ReadonlySet<string>;
  /** What the people of other sessions have moved today. */
  readonly unproven: UnprovenDays;
  /** Members who have reached the minimum shares in this batch. */
  readonly paidUp: MemberNow[];
  /** Closes an order in this batch by a rule of the platform; given by trade.ts. */
  readonly close: (batch: Batch, market: MarketNow, order: OrderNow, reason: CloseReason) => void;
}

type CloseReason = NonNullable<ReturnType<typeof reasonAgainst>> | 'one_fifth';

/** The orders of one side that an incoming order may match. */
export interface Reach {
  readonly market: MarketNow;
  /** The resting side. */
  readonly side: OrderSide;
  /** The worst price that may match, as a rank. */
  readonly worstRank: number;
  /** The most shares that are wanted. */
  readonly shares: number;
}

/**
 * Locks the saccos and markets of the commands, then every account that the batch reads or moves, and reads their
 * state. The number of statements does not grow with the batch.
 */
export async function openBatch(
  tx: Tx,
  commands: readonly MarketCommand[],
  dependencies: MarketDependencies,
  close: Batch['close'],
): Promise<Batch> {
  const named = await saccosOfOrders(tx, commands);
  const saccoIds = [...new Set(commands.flatMap((command) => saccoOf(command, named) ?? []))];
  const people = commands.flatMap((command) => personOf(command, named));
  // Sent in this order without waiting in between: the locks of saccos come first, and the later statements run under
  // them.
  const [saccos, markets, rows, members] = await Promise.all([
    lockSaccos(tx, saccoIds),
    lockMarkets(tx, saccoIds),
    readOrders(tx, [...named.keys()]),
    readMembers(tx, people, dependencies),
  ]);
  const batch: Batch = {
    tx,
    dependencies,
    close,
    markets: new Map(),
    members: members.byKey,
    provenSessions: members.provenSessions,
    unproven: new UnprovenDays(tx),
    counted: new Set(),
    orders: new Map(rows.map((row) => [row.id, orderNow(row)])),
    wallets: new Map(),
    journals: [],
    locked: null,
    closedByUs: [],
    paidUp: [],
  };
  for (const row of markets) {
    const sacco = saccos.get(row.sacco_id);
    // For members and the public a rejected sacco does not exist.
    if (sacco && sacco.state !== 'rejected') batch.markets.set(row.sacco_id, marketNow(row, sacco));
  }
  await readFronts(batch, reachesOf(batch, commands), keysOfCommands(batch, commands), UNJUDGED_ROWS_MAX);
  // Read while the wallets are locked, so that no other batch counts at the same time.
  await batch.unproven.read(unprovenPeople(batch, commands));
  return batch;
}

/** Reads more of a book when the part in memory has fewer shares than an incoming order wants. */
export async function readDeeper(batch: Batch, reach: Reach): Promise<void> {
  await readFronts(batch, [reach], [], Number.MAX_SAFE_INTEGER);
}

/** Adds a journal to those that the batch will post. */
export function plan(batch: Batch, input: JournalInput): PlannedJournal {
  const planned = { id: '' };
  batch.journals.push({ input, planned });
  return planned;
}

type Named = ReadonlyMap<string, { readonly sacco_id: string; readonly user_id: string }>;

/** The member and sacco of an order never change, so they are read before the sacco is locked. */
async function saccosOfOrders(tx: Tx, commands: readonly MarketCommand[]): Promise<Named> {
  const ids = [...new Set(commands.flatMap((command) => ('orderId' in command ? [command.orderId] : [])))];
  if (ids.length === 0) return new Map();
  const rows = await tx.sql<{ id: string; sacco_id: string; user_id: string }[]>`
    select id, sacco_id, user_id from share_orders where id = any (${texts(ids)}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

function saccoOf(command: MarketCommand, named: Named): string | null {
  return command.kind === 'place' ? command.saccoId : (named.get(command.orderId)?.sacco_id ?? null);
}

interface Asked {
  readonly userId: string;
  readonly saccoId: string;
  readonly sessionId: string | null;
}

function personOf(command: MarketCommand, named: Named): Asked[] {
  const saccoId = saccoOf(command, named);
  if (saccoId === null) return [];
  if (!('userId' in command)) return [{ userId: named.get(command.orderId)?.user_id ?? '', saccoId, sessionId: null }];
  return [{ userId: command.userId, saccoId, sessionId: sessionOf(command) }];
}

function sessionOf(command: MarketCommand): string | null {
  return ('sessionId' in command && command.sessionId) || null;
}

function unprovenPeople(batch: Batch, commands: readonly MarketCommand[]): string[] {
  const people = commands.flatMap((command) => {
    const session = sessionOf(command);
    return 'userId' in command && session !== null && !batch.provenSessions.has(session) ? [command.userId] : [];
  });
  return [...new Set(people)];
}

function lockMarkets(tx: Tx, saccoIds: readonly string[]): Promise<MarketRow[]> {
  return tx.sql.unsafe<MarketRow[]>(
    `select sacco_id, sequence, last_place, best_bid_cents, best_ask_cents, last_price_cents, ${TERMS_COLUMNS}
     from markets
     where sacco_id = any ($1::uuid[]) order by sacco_id for no key update`,
    [texts(saccoIds)],
    { prepare: true },
  ) as unknown as Promise<MarketRow[]>;
}

type StoredOrder = OrderRow & { readonly user_id: string; readonly place: number };

async function readOrders(tx: Tx, ids: readonly string[]): Promise<StoredOrder[]> {
  if (ids.length === 0) return [];
  return (await tx.sql.unsafe<StoredOrder[]>(
    `select ${ORDER_COLUMNS}, o.user_id, o.place from share_orders o where o.id = any ($1::uuid[])`,
    [texts(ids)],
    { prepare: true },
  )) as unknown as StoredOrder[];
}

const openOrdersCounted = 50;

interface MemberRow {
  readonly place: number;
  readonly state: MembershipState | null;
  readonly held_until: Date | null;
  readonly open_orders: number;
  readonly is_proven: boolean;
}

interface ReadMembers {
  readonly byKey: Map<string, MemberNow>;
  readonly provenSessions: ReadonlySet<string>;
}

/** The members who send the commands, in each sacco, and which of their sessions have a recent proof. */
async function readMembers(tx: Tx, people: readonly Asked[], dependencies: MarketDependencies): Promise<ReadMembers> {
  const distinct = [...new Map(people.map((asked) => [Object.values(asked).join(' '), asked])).values()];
  const [rows, blocks] = await Promise.all([
    tx.sql<MemberRow[]>`
      select asked.place, m.state, (select payout_held_until from users u where u.id = asked.user_id) as held_until, (
          select count(*)::int from (
            select from share_orders o
            -- No order has the state 'none'. With it the planner uses the member's index instead of the book's.
            where o.user_id = asked.user_id and o.sacco_id = asked.sacco_id and o.state = any ('{open,none}')
            limit ${openOrdersCounted}
          ) open
        ) as open_orders,
        exists (
          select from sessions s
          where s.id = asked.session_id and s.ended_at is null and s.proven_at > ${provenSince(tx.now)}
        ) as is_proven
      from unnest(${texts(distinct.map(({ saccoId }) => saccoId))}::uuid[],
                  ${texts(distinct.map(({ userId }) => userId))}::uuid[],
                  ${texts(distinct.map(({ sessionId }) => sessionId))}::uuid[])
        with ordinality as asked (sacco_id, user_id, session_id, place)
      left join memberships m on m.sacco_id = asked.sacco_id and m.user_id = asked.user_id`,
    dependencies.blocksOf?.(tx, distinct),
  ]);
  const byKey = new Map<string, MemberNow>();
  const provenSessions = new Set<string>();
  for (const row of rows) {
    const asked = distinct[Number(row.place) - 1] as Asked;
    const key = memberKey(asked.saccoId, asked.userId);
    byKey.set(key, memberNow(asked, row, blocks?.get(key) ?? null));
    if (row.is_proven && asked.sessionId !== null) provenSessions.add(asked.sessionId);
  }
  return { byKey, provenSessions };
}

function memberNow(
  { userId, saccoId }: Pick<Asked, 'userId' | 'saccoId'>,
  row: Omit<MemberRow, 'place' | 'is_proven'>,
  blocked: Sentence | null,
): MemberNow {
  const { state: membership, held_until: heldUntil, open_orders: openOrders } = row;
  return { userId, saccoId, membership, blocked, heldUntil, free: 0, held: 0, openOrders, newlyOpen: 0 };
}

function orderNow(row: StoredOrder): OrderNow {
  return { ...row, isNew: false, isTouched: false, handle: -1 };
}

function marketNow(row: MarketRow, sacco: MarketNow['sacco']): MarketNow {
  return {
    saccoId: row.sacco_id,
    sacco,
    terms: row,
    sequenceBefore: row.sequence,
    lastPriceCents: row.last_price_cents,
    lastPlace: row.last_place,
    issued: 0,
    holders: sacco.share_holders,
    limit: limitNow(sacco),
    book: new OpenBook({ buy: row.best_bid_cents, sell: row.best_ask_cents }),
    levels: new Map(),
    trades: [],
  };
}

/**
 * The parts of books that the commands may match, with the wanted shares of one side added up. A member who may not
 * trade reaches nothing, so no resting orders are read, or closed by rules, for them.
 */
function reachesOf(batch: Batch, commands: readonly MarketCommand[]): Reach[] {
  const reaches = new Map<string, Reach>();
  for (const command of commands) {
    const wanted = wantedMatchOf(batch, command);
    if (!wanted) continue;
    const { market, incoming, priceCents, shares } = wanted;
    const member = 'userId' in command && batch.members.get(memberKey(market.saccoId, command.userId));
    if (!member || refusalOfStanding(market, member, incoming, batch.tx.now)) continue;
    if (!market.book.isUnread(incoming, priceCents)) continue;
    const side = otherSide(incoming);
    const key = `${side} ${market.saccoId}`;
    const before = reaches.get(key);
    const worstRank = Math.max(before?.worstRank ?? Number.MIN_SAFE_INTEGER, rankOf(side, priceCents));
    reaches.set(key, { market, side, worstRank, shares: (before?.shares ?? 0) + shares });
  }
  return [...reaches.values()];
}

interface WantedMatch {
  readonly market: MarketNow;
  readonly incoming: OrderSide;
  readonly priceCents: number;
  readonly shares: number;
}

/** What a command may match at once, before it is judged; null where it can match nothing. */
function wantedMatchOf(batch: Batch, command: MarketCommand): WantedMatch | null {
  if (command.kind === 'place') {
    const market = batch.markets.get(command.saccoId);
    return market ? { market, incoming: command.side, priceCents: command.priceCents, shares: command.shares } : null;
  }
  const order = batch.orders.get(command.orderId);
  const market = order && batch.markets.get(order.sacco_id);
  if (!order || !market || order.state !== 'open') return null;
  if (command.kind === 'take') {
    return { market, incoming: 'buy', priceCents: mostForTaken(order, command), shares: command.shares };
  }
  if (command.kind !== 'change' || command.userId !== order.user_id) return null;
  const priceCents = command.priceCents ?? order.price_cents;
  const shares = (command.shares ?? order.shares) - order.filled;
  return shares > 0 ? { market, incoming: order.side, priceCents, shares } : null;
}

/** The accounts of the members who send commands. Accounts are opened only for commands that may succeed. */
function keysOfCommands(batch: Batch, commands: readonly MarketCommand[]): AccountKey[] {
  const keys: AccountKey[] = [];
  for (const command of commands) {
    const order = 'orderId' in command ? batch.orders.get(command.orderId) : null;
    const saccoId = command.kind === 'place' ? command.saccoId : order?.sacco_id;
    const userId = 'userId' in command ? command.userId : order?.user_id;
    const market = saccoId && batch.markets.get(saccoId);
    const member = saccoId && userId && batch.members.get(memberKey(saccoId, userId));
    if (!market || !member) continue;
    const isOwn = command.kind === 'place' || command.kind === 'take' || order?.user_id === userId;
    const side = command.kind === 'place' ? command.side : command.kind === 'take' ? 'buy' : (order?.side ?? 'buy');
    const mayAct = (order && command.kind !== 'take') || refusalOfStanding(market, member, side, batch.tx.now) === null;
    if (!isOwn || !mayAct) continue;
    // A buyer who takes an offer pays at once, without a hold, so a seller's accounts are enough.
    keys.push(...keysOfTrader(market.saccoId, member.userId, command.kind === 'take' ? 'sell' : side));
  }
  return keys;
}

function keysOfTrader(saccoId: string, userId: string, side: OrderSide): AccountKey[] {
  const shares = [holdingOf(saccoId, userId), holdingHoldOf(saccoId, userId)];
  return side === 'buy'
    ? [walletAccountOf(userId), walletHoldOf(userId), ...shares]
    : [walletAccountOf(userId), ...shares];
}

/** Rows read first for each reach; later reads are larger. */
const readAtFirst = 16;
/**
 * The most resting orders that are read and locked before a command's money is checked. An accepted command may read
 * more (`readDeeper`).
 */
const UNJUDGED_ROWS_MAX = 1_000;

type FrontRow = StoredOrder & { readonly reach: number; readonly membership: MembershipState | null };

/**
 * Reads resting orders as far as wanted, locks their members' accounts together with `keys`, and adds the orders to the
 * books.
 */
async function readFronts(
  batch: Batch,
  reaches: readonly Reach[],
  keys: readonly AccountKey[],
  rowsMax: number,
): Promise<void> {
  const found = reaches.length > 0 ? await findResting(batch, reaches, rowsMax) : [];
  await readRestingMembers(
    batch,
    found.flatMap(({ rows }) => rows),
  );
  const traders = [
    ...keys,
    ...found.flatMap(({ rows }) => rows.flatMap((row) => keysOfTrader(row.sacco_id, row.user_id, row.side))),
  ];
  // A sacco whose commands were all refused gets no new accounts.
  const books = new Set(traders.map(({ book }) => book));
  const saccoIds = [...batch.markets.keys()].filter((saccoId) => books.has(saccoId));
  await lockAll(batch, [...traders, ...saccoIds.flatMap(keysOfSacco)]);
  for (const { reach, rows, read, coveredTo } of found) fillBook(batch, reach, rows, read, coveredTo);
}

interface Found {
  readonly reach: Reach;
  readonly rows: FrontRow[];
  readonly read: ReadPlace | null;
  readonly coveredTo: number | null;
}

async function findResting(batch: Batch, reaches: readonly Reach[], rowsMax: number): Promise<Found[]> {
  let open = reaches.map((reach) => ({ reach, ...reach.market.book.front(reach.side), limit: limitOf(reach) }));
  const found = new Map<Reach, { rows: FrontRow[]; read: ReadPlace | null; coveredTo: number | null; sum: number }>();
  while (open.length > 0) {
    const rows = await readQueues(batch.tx, open);
    const next: typeof open = [];
    for (const [index, ask] of open.entries()) {
      const own = rows.filter(({ reach }) => reach === index);
      const so = found.get(ask.reach) ?? { rows: [], read: null, coveredTo: null, sum: 0 };
      found.set(ask.reach, so);
      let taken = 0;
      for (; taken < own.length && so.sum < ask.reach.shares; taken += 1) {
        const row = own[taken] as FrontRow;
        so.rows.push(row);
        so.sum += row.shares - row.filled;
        so.read = { rank: rankOf(row.side, row.price_cents), place: row.place };
      }
      if (taken < own.length) continue;
      if (own.length < ask.limit) so.coveredTo = ask.reach.worstRank;
      else if (so.sum < ask.reach.shares && so.read && so.rows.length < rowsMax) {
        next.push({ ...ask, ...so.read, limit: Math.min(4 * ask.limit, rowsMax - so.rows.length) });
      }
    }
    open = next;
  }
  return reaches.map((reach) => ({ reach, ...(found.get(reach) as Omit<Found, 'reach'>) }));
}

const limitOf = ({ shares }: Reach) => Math.min(readAtFirst, shares) + Math.min(500, Math.ceil(shares / 10));

function readQueues(
  tx: Tx,
  asks: readonly { readonly reach: Reach; readonly rank: number; readonly place: number; readonly limit: number }[],
): Promise<FrontRow[]> {
  return tx.sql.unsafe<FrontRow[]>(
    `select asked.index::int - 1 as reach, ${ORDER_COLUMNS}, o.user_id, o.place, m.state as membership
     from unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
       with ordinality as asked (sacco_id, side, worst, rank, place, most, index)
     cross join lateral (
       select * from share_orders s
       where s.sacco_id = asked.sacco_id and s.side = asked.side and s.state = 'open' and s.rank <= asked.worst
         and (s.rank, s.place) > (asked.rank, asked.place)
       order by s.rank, s.place limit asked.most
     ) o
     left join memberships m on m.sacco_id = o.sacco_id and m.user_id = o.user_id
     order by asked.index, o.rank, o.place`,
    [
      texts(asks.map(({ reach }) => reach.market.saccoId)),
      texts(asks.map(({ reach }) => reach.side)),
      integers(asks.map(({ reach }) => reach.worstRank)),
      integers(asks.map(({ rank }) => rank)),
      integers(asks.map(({ place }) => place)),
      integers(asks.map(({ limit }) => limit)),
    ],
    { prepare: true },
  ) as unknown as Promise<FrontRow[]>;
}

/** Adds the members of resting orders that the batch has not read yet. */
async function readRestingMembers(batch: Batch, rows: readonly FrontRow[]): Promise<void> {
  const made: MemberNow[] = [];
  for (const { sacco_id: saccoId, user_id: userId, membership } of rows) {
    const key = memberKey(saccoId, userId);
    if (batch.members.has(key)) continue;
    // `held_until` is not read: a hold stops new orders, and does not affect those that already rest.
    const member = memberNow({ saccoId, userId }, { state: membership, held_until: null, open_orders: 0 }, null);
    batch.members.set(key, member);
    made.push(member);
  }
  if (made.length === 0 || !batch.dependencies.blocksOf) return;
  const blocks = await batch.dependencies.blocksOf(batch.tx, made);
  for (const member of made) {
    const key = memberKey(member.saccoId, member.userId);
    batch.members.set(key, { ...member, blocked: blocks.get(key) ?? null });
  }
}

function keysOfSacco(saccoId: string): AccountKey[] {
  return [sharesIssuedOf(saccoId), settlementOf(saccoId), cashOf(saccoId), feeIncomeOf(saccoId)];
}

/** Locks accounts in one statement, in the ledger's order, and stores the balances that the batch does not know yet. */
async function lockAll(batch: Batch, keys: readonly AccountKey[]): Promise<void> {
  if (keys.length === 0) return;
  const locked = await lockAccounts(batch.tx, keys);
  batch.locked ??= locked;
  const counted = new Set<MemberNow>();
  for (const [index, { book, kind, owner }] of keys.entries()) {
    const balance = locked.balances[index] ?? 0;
    if (kind === 'wallet' && owner !== null) {
      if (!batch.wallets.has(owner)) batch.wallets.set(owner, balance);
      continue;
    }
    const market = batch.markets.get(book);
    if (kind === 'shares_issued' && market) market.issued = balance;
    if (kind !== 'holding' && kind !== 'holding_hold') continue;
    const member = batch.members.get(memberKey(book, owner ?? ''));
    // Balances that are known already have changed with the batch, so they are not overwritten.
    if (!member || batch.counted.has(member)) continue;
    counted.add(member);
    if (kind === 'holding') member.free = balance;
    else member.held = balance;
  }
  for (const member of counted) batch.counted.add(member);
}

function fillBook(
  batch: Batch,
  { market, side }: Reach,
  rows: readonly FrontRow[],
  read: ReadPlace | null,
  coveredTo: number | null,
): void {
  const orders: OrderNow[] = [];
  for (const row of rows) {
    const known = batch.orders.get(row.id);
    const order = known ?? orderNow(row);
    if (!known) batch.orders.set(row.id, order);
    // Closed or moved by this batch, so the row that was read is outdated.
    if (order.state !== 'open' || order.place !== row.place) continue;
    const member = batch.members.get(memberKey(row.sacco_id, row.user_id));
    const reason = member ? reasonAgainst(market, member, order, batch.tx.now) : 'left';
    if (reason) batch.close(batch, market, order, reason);
    else orders.push(order);
  }
  market.book.extend(side, orders, read, coveredTo);
}
