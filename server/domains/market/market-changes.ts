import type { MarketEvents, OrderSide } from '@ushirika/contract/market';
import { shillingsFromCents } from '@ushirika/contract/money';
import { joinedLookup } from '../../db/joined-lookup.ts';
import type { Database } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';

/** What one change of a book was, as `market_events.change` keeps it. */
export interface BookChange {
  /** Whole levels as they were after it: side, price in cents, shares, orders. */
  readonly levels: readonly (readonly [side: OrderSide, cents: number, shares: number, orders: number])[];
  readonly trades: readonly (readonly [
    id: string,
    shares: number,
    cents: number,
    taker: OrderSide,
    counts?: boolean,
  ])[];
}

interface Asked {
  readonly saccoId: string;
  /** The sequence after which the changes are wanted. */
  readonly since: number;
}

/** Where a market is now, and its changes since what was asked, of one moment: oldest first, one more than `CHANGES_MAX`. */
export interface Changes {
  readonly sequence: number;
  readonly stats: MarketEvents['stats'];
  readonly events: readonly { readonly sequence: number; readonly at: Date; readonly change: BookChange }[];
}

/** Changes that are merged into one frame at most; who has missed more reads the book again. */
export const CHANGES_MAX = 500;
/** Of the trades of one frame, only so many of the latest are told: a page shows no more. */
export const TRADES_TOLD_MAX = 50;

interface ChangesRow {
  readonly place: number;
  readonly market_sequence: number;
  readonly last_price_cents: number | null;
  readonly best_bid_cents: number | null;
  readonly best_ask_cents: number | null;
  readonly sequence: number | null;
  readonly at: Date | null;
  readonly change: BookChange | null;
}

/** Makes the look-up of changes; what is asked for within one turn is one statement. A market that is not there is null. */
export function changesReader(database: Database): (asked: Asked) => Promise<Changes | null> {
  return joinedLookup((asked: readonly Asked[]) => readChanges(database, asked), 16);
}

async function readChanges(database: Database, asked: readonly Asked[]): Promise<(Changes | null)[]> {
  const rows = await database.sql<ChangesRow[]>`
    select asked.place, m.sequence as market_sequence, m.last_price_cents, m.best_bid_cents, m.best_ask_cents,
      e.sequence, e.at, e.change
    from unnest(${texts(asked.map(({ saccoId }) => saccoId))}::uuid[], ${integers(asked.map(({ since }) => since))}::bigint[])
      with ordinality as asked (sacco_id, since, place)
    join markets m on m.sacco_id = asked.sacco_id
    left join lateral (
      select sequence, at, change from market_events
      where sacco_id = asked.sacco_id and sequence > asked.since order by sequence limit ${CHANGES_MAX + 1}
    ) e on true
    order by asked.place, e.sequence`;
  const found = new Array<Changes | null>(asked.length).fill(null);
  for (const row of rows) {
    const index = Number(row.place) - 1;
    found[index] ??= { sequence: row.market_sequence, stats: statsOf(row), events: [] };
    const { sequence, at, change } = row;
    if (sequence === null || at === null || change === null) continue;
    (found[index].events as Changes['events'][number][]).push({ sequence, at, change });
  }
  return found;
}

function statsOf(row: ChangesRow): MarketEvents['stats'] {
  return {
    last_price: shillingsOrNull(row.last_price_cents),
    best_bid: shillingsOrNull(row.best_bid_cents),
    best_ask: shillingsOrNull(row.best_ask_cents),
  };
}

export function shillingsOrNull(cents: number | null): number | null {
  return cents === null ? null : shillingsFromCents(cents);
}

/**
 * The frame that takes a viewer from one sequence to a later one, or null where a change between them is no longer kept,
 * or they are too many: a level that changed often is told once, as it is in the end.
 */
export function frameBetween(from: number, to: number, { events, stats }: Changes): Buffer | null {
  const missed = events.filter(({ sequence }) => sequence > from && sequence <= to);
  // Sequences have no holes: as many as there are numbers, and they are all there.
  if (missed.length !== to - from || missed.length > CHANGES_MAX) return null;
  const levels = new Map<string, MarketEvents['book']['levels'][number]>();
  const trades: MarketEvents['trade']['trades'] = [];
  for (const { at, change } of missed) {
    for (const [side, cents, shares, orders] of change.levels) {
      levels.set(`${side}${cents}`, { side, price: shillingsFromCents(cents), shares, orders });
    }
    for (const [id, shares, cents, taker, counts = true] of change.trades) {
      trades.push({ id, shares, price: shillingsFromCents(cents), at: at.toISOString(), taker, counts });
    }
  }
  const told = trades.slice(-TRADES_TOLD_MAX);
  return Buffer.from(
    (told.length > 0 ? eventText('trade', { trades: told }) : '') +
      eventText('stats', stats) +
      eventText('book', { from, sequence: to, levels: [...levels.values()] }, to),
  );
}

/** What a viewer hears first: where the stream goes on from, so that its page sees whether its book is of then or later. */
export function headFrame(sequence: number): Buffer {
  return Buffer.from(eventText('book', { from: sequence, sequence, levels: [] }, sequence));
}

/** The book is to be read again; the stream goes on from this sequence. */
export function reloadFrame(sequence: number): Buffer {
  return Buffer.from(eventText('reload', { sequence }, sequence));
}

function eventText<Name extends keyof MarketEvents>(event: Name, data: MarketEvents[Name], id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
