import { API_BASE, OPEN_ORDERS_MAX } from '@ushirika/contract/constants';
import type * as contract from '@ushirika/contract/market';
import { ORDER_STATES, type OrderSide } from '@ushirika/contract/market';
import { shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { QueryOf, ReplyOf } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import { joinedLookup } from '../../db/joined-lookup.ts';
import { countUpTo, linker, readCursor, toPage } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { handlesOf } from '../membership/handles.ts';
import { journalReference } from '../wallet/wallet.rules.ts';
import { shillingsOrNull } from './market-changes.ts';
import { ORDER_COLUMNS, type OrderRow, toOrder } from './order-rows.ts';
import { assertIsOwn, assertOwnSacco, isOwnSacco } from './own-sacco.ts';
import { bandOf, TERMS_COLUMNS, type TermsRow, termsOnWire } from './terms.rules.ts';

interface Member {
  readonly userId: string;
  readonly saccoId: string;
}

/** Price, shares, orders. */
type LevelRow = readonly [cents: number, shares: number, orders: number];

interface BookRow extends TermsRow {
  readonly sacco_id: string;
  readonly share_value_cents: number;
  readonly sequence: number;
  readonly last_price_cents: number | null;
  readonly best_bid_cents: number | null;
  readonly best_ask_cents: number | null;
  readonly bids: readonly LevelRow[];
  readonly asks: readonly LevelRow[];
  /** With their members' ids, which are not sent: a member's own orders are not offers to them. */
  readonly offers: readonly (readonly [id: string, cents: number, shares: number, userId: string])[];
}

const OFFERS_MAX = 20;
const DEPTH_MAX = 100;

/**
 * Makes a reader of order books for members. The part that is the same for all members is read once for all calls of
 * one turn. It runs as the platform, because offers are other people's rows; no name or user id is sent.
 */
export function orderBooks(database: Database) {
  const bookOf = joinedLookup((saccoIds: readonly string[]) => readBooks(database, saccoIds));
  return async (member: Member, depth: number): Promise<ReplyOf<typeof contract.readOrderBook>> => {
    const [book, own] = await Promise.all([bookOf(member.saccoId), ownPart(database, member)]);
    if (!book) throw new Refusal('not_found', { message: sentence('There is no such sacco.') });
    const { floorCents, ceilingCents } = bandOf(book, book.share_value_cents);
    const offers = book.offers.filter(([, , , userId]) => userId !== member.userId).slice(0, OFFERS_MAX);
    return {
      sacco: member.saccoId,
      sequence: book.sequence,
      reference_price: shillingsFromCents(book.share_value_cents),
      price_band: {
        floor: shillingsFromCents(floorCents),
        ceiling: shillingsFromCents(ceilingCents),
        tick: shillingsFromCents(book.tick_cents),
      },
      last_price: shillingsOrNull(book.last_price_cents),
      best_bid: shillingsOrNull(book.best_bid_cents),
      best_ask: shillingsOrNull(book.best_ask_cents),
      bids: book.bids.slice(0, depth).map(toLevel),
      asks: book.asks.slice(0, depth).map(toLevel),
      offers: offers.map(([order, cents, shares]) => ({ order, price: shillingsFromCents(cents), shares })),
      ...own,
      terms: termsOnWire(book, book.share_value_cents),
    };
  };
}

function toLevel([cents, shares, orders]: LevelRow): contract.Level {
  return { price: shillingsFromCents(cents), shares, orders };
}

/** The books of the saccos in the order asked for, in one statement. Each part reads the first rows of an index. */
async function readBooks(database: Database, saccoIds: readonly string[]): Promise<(BookRow | undefined)[]> {
  const rows = await database.sql.unsafe<BookRow[]>(
    `select m.sacco_id, s.share_value_cents, m.sequence, m.last_price_cents, m.best_bid_cents, m.best_ask_cents,
       ${TERMS_COLUMNS}, ${levels('buy', 'desc')} as bids, ${levels('sell', 'asc')} as asks,
       (select coalesce(json_agg(offer), '[]') from (
         select json_build_array(o.id, o.price_cents, o.shares - o.filled, o.user_id) as offer from share_orders o
         where o.sacco_id = m.sacco_id and o.side = 'sell' and o.state = 'open' order by o.rank, o.place
         limit ${OFFERS_MAX + OPEN_ORDERS_MAX}
       ) first) as offers
     from markets m join saccos s on s.id = m.sacco_id where m.sacco_id = any ($1::text::uuid[])`,
    [texts([...new Set(saccoIds)])],
    { prepare: true },
  );
  const bySacco = new Map(rows.map((row) => [row.sacco_id, row]));
  return saccoIds.map((id) => bySacco.get(id));
}

function levels(side: OrderSide, order: 'asc' | 'desc'): string {
  return `(select coalesce(json_agg(level), '[]') from (
    select json_build_array(l.price_cents, l.shares, l.orders) as level from market_levels l
    where l.sacco_id = m.sacco_id and l.side = '${side}' and l.shares > 0 order by l.price_cents ${order}
    limit ${DEPTH_MAX}) best)`;
}

type OwnRow = { readonly is_own: boolean; readonly free: number; readonly held: number } & (
  | OrderRow
  | { readonly id: null }
);

/**
 * The member's own part: free and held shares, and open orders, newest first. Runs as that person.
 * @throws Refusal `not_a_member` where PostgreSQL does not count the sacco among that person's
 */
async function ownPart(database: Database, { userId, saccoId }: Member) {
  const rows = await database.sql.unsafe<OwnRow[]>(
    `select a.is_own, a.free, a.held, o.* from (
       select ${isOwnSacco('$2')} as is_own, coalesce(max(balance) filter (where kind = 'holding'), 0)::bigint as free,
         coalesce(max(balance) filter (where kind = 'holding_hold'), 0)::bigint as held
       from accounts where book_id = $2 and kind in ('holding', 'holding_hold') and owner_id = $1
     ) a left join lateral (
       select ${ORDER_COLUMNS} from share_orders o
       where o.user_id = $1 and o.sacco_id = $2 and o.state = 'open' order by o.id desc limit ${OPEN_ORDERS_MAX}
     ) o on true
     order by o.id desc`,
    [userId, saccoId],
    { prepare: true },
  );
  assertIsOwn(rows[0]?.is_own);
  return {
    mine: rows.flatMap((row) => (row.id === null ? [] : [toOrder(row)])),
    free_shares: rows[0]?.free ?? 0,
    held_shares: rows[0]?.held ?? 0,
  };
}

/**
 * The member's own orders in a sacco, newest first, of one state or of all. Each state is a separate range of the
 * index.
 */
export async function ordersOf(
  database: Database,
  publicUrl: string,
  { userId, saccoId }: Member,
  query: QueryOf<typeof contract.listOrders>,
): Promise<ReplyOf<typeof contract.listOrders>> {
  const cursor = readCursor(query.cursor, ['uuid']);
  const states = texts(query.status ? [query.status] : ORDER_STATES);
  const order = cursor?.isBack ? 'asc' : 'desc';
  const condition = cursor ? `and o.id ${cursor.isBack ? '>' : '<'} $4::uuid` : '';
  const [rows, count] = await Promise.all([
    database.sql.unsafe<OrderRow[]>(
      `select found.* from unnest($3::text::text[]) as asked (state) cross join lateral (
         select ${ORDER_COLUMNS} from share_orders o
         where o.user_id = $1 and o.sacco_id = $2 and o.state = asked.state ${condition}
         order by o.id ${order} limit ${query.limit + 1}
       ) found order by found.id ${order} limit ${query.limit + 1}`,
      [userId, saccoId, states, ...(cursor ? [String(cursor.keys[0])] : [])],
      { prepare: true },
    ),
    countUpTo(
      database.sql,
      database.sql`from share_orders where user_id = ${userId} and sacco_id = ${saccoId} and state = any (${states}::text[])`,
    ),
  ]);
  const linkTo = linker(`${publicUrl}${API_BASE}/sacco/order-book-items`, { ...query, sacco: saccoId });
  const page = toPage(rows, { limit: query.limit, cursor, keysOf: ({ id }) => [id], linkTo });
  return { count, ...page, results: page.results.map(toOrder) };
}

interface TradeRow {
  readonly id: string;
  readonly place: number;
  readonly shares: number;
  readonly price_cents: number;
  readonly traded_at: Date;
  readonly taker: OrderSide;
  readonly counts: boolean;
  readonly mine: 'bought' | 'sold' | null;
}

/**
 * The trades of a market, newest first, with the member's own marked. Runs as the platform, because they are other
 * people's rows; only columns that identify nobody are selected.
 * @throws Refusal `not_a_member`
 */
export async function tradesOf(
  database: Database,
  publicUrl: string,
  { userId, saccoId }: Member,
  query: QueryOf<typeof contract.listTrades>,
): Promise<ReplyOf<typeof contract.listTrades>> {
  await assertOwnSacco(database, saccoId);
  return asSystem(async () => {
    const cursor = readCursor(query.cursor, ['integer']);
    const condition = cursor ? `and t.place ${cursor.isBack ? '>' : '<'} $3::bigint` : '';
    const [rows, [market]] = await Promise.all([
      database.sql.unsafe<TradeRow[]>(
        `select t.id, t.place, t.shares, t.price_cents, t.traded_at, t.taker, t.uncounted is null as counts,
           case $2::uuid when t.buyer_id then 'bought' when t.seller_id then 'sold' end as mine
         from share_trades t where t.sacco_id = $1 ${condition}
         order by t.place ${cursor?.isBack ? 'asc' : 'desc'} limit ${query.limit + 1}`,
        [saccoId, userId, ...(cursor ? [Number(cursor.keys[0])] : [])],
        { prepare: true },
      ),
      database.sql<{ trades: number }[]>`select trades from markets where sacco_id = ${saccoId}`,
    ]);
    const linkTo = linker(`${publicUrl}${API_BASE}/sacco/trades`, { ...query, sacco: saccoId });
    const page = toPage(rows, { limit: query.limit, cursor, keysOf: ({ place }) => [place], linkTo });
    const results = page.results.map(({ id, shares, price_cents, traded_at, taker, counts, mine }) => ({
      id,
      shares,
      price: shillingsFromCents(price_cents),
      at: traded_at.toISOString(),
      taker,
      counts,
      mine,
    }));
    return { count: market?.trades ?? 0, ...page, results };
  });
}

interface NoteRow {
  readonly id: string;
  readonly sacco_id: string;
  readonly sacco: string;
  readonly is_buyer: boolean;
  readonly buy_order_id: string;
  readonly sell_order_id: string;
  /** The user's id, which is not sent. */
  readonly counterparty: string;
  readonly shares: number;
  readonly price_cents: number;
  readonly buyer_fee_cents: number;
  readonly seller_fee_cents: number;
  readonly buyer_shares_after: number;
  readonly seller_shares_after: number;
  readonly traded_at: Date;
  readonly journal_id: number;
}

/**
 * The contract note of one of the user's own trades. Throws `not_found`, also for other people's. Runs as the platform,
 * to read the handle of the other party, who may have left the sacco.
 */
export function contractNoteOf(database: Database, userId: string, id: string): Promise<contract.ContractNote> {
  return asSystem(async (): Promise<contract.ContractNote> => {
    const [row] = await database.sql<NoteRow[]>`
      select t.id, t.sacco_id, s.name as sacco, t.buyer_id = ${userId} as is_buyer, t.buy_order_id, t.sell_order_id,
        case when t.buyer_id = ${userId} then t.seller_id else t.buyer_id end as counterparty, t.shares, t.price_cents, t.buyer_fee_cents,
        t.seller_fee_cents, t.buyer_shares_after, t.seller_shares_after, t.traded_at, t.journal_id
      from share_trades t join saccos s on s.id = t.sacco_id
      where t.id = ${id} and ${userId} in (t.buyer_id, t.seller_id)`;
    if (!row) throw new Refusal('not_found');
    const handles = await handlesOf(database, row.sacco_id, [row.counterparty]);
    const valueCents = row.price_cents * row.shares;
    const feeCents = row.is_buyer ? row.buyer_fee_cents : row.seller_fee_cents;
    const journal = String(row.journal_id);
    return {
      id: row.id,
      sacco: { id: row.sacco_id, name: row.sacco },
      side: row.is_buyer ? 'buy' : 'sell',
      order: row.is_buyer ? row.buy_order_id : row.sell_order_id,
      counterparty: handles.get(row.counterparty) ?? 'A member',
      shares: row.shares,
      price: shillingsFromCents(row.price_cents),
      value: shillingsFromCents(valueCents),
      fee: shillingsFromCents(feeCents),
      total: shillingsFromCents(row.is_buyer ? valueCents + feeCents : valueCents - feeCents),
      shares_after: row.is_buyer ? row.buyer_shares_after : row.seller_shares_after,
      at: row.traded_at.toISOString(),
      journal,
      reference: journalReference(journal),
    };
  });
}
