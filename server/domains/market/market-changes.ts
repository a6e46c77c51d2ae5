import type { MarketEvents, OrderSide } from '@ushirika/contract/market';
import { shillingsFromCents } from '@ushirika/contract/money';
import { joinedLookup } from '../../db/joined-lookup.ts';
import type { Database } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';

/** One change of a book, as `market_events.change` stores it. */
export interface BookChange {
  /** The levels that changed, with their new totals: side, price in cents, shares, orders. */
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
  /** The changes after this sequence are wanted. */
  readonly since: number;
}

/**
 * A market's current sequence and its changes since the given one, read in one statement. Oldest first; at most one
 * more than `CHANGES_MAX`.
 */
export interface Changes {
  readonly sequence: number;
  readonly stats: MarketEvents['stats'];
  readonly events: readonly { readonly sequence: number; readonly at: Date; readonly change: BookChange }[];
}

/** The most changes that are merged into one frame; a viewer who missed more reads the book again. */
export const CHANGES_MAX = 500;
/** The most trades in one frame, the latest ones: a page shows no more. */
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

/**
 * Makes a reader of changes. Calls in one turn of the event loop share one statement. Null for a market that does not
 * exist.
 */
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
 * The frame that takes a viewer from one sequence to a later one. A level that changed several times is in it once,
 * with its last state. Null when a change between is no longer stored, or there are too many.
 */
export function frameBetween(from: number, to: number, { events, stats }: Changes): Buffer | null {
  const missed = events.filter(({ sequence }) => sequence > from && sequence <= to);
  // Sequences have no gaps, so the count shows whether all changes are here.
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

/** A viewer's first frame: the sequence from which the stream goes on. The page compares it with that of its book. */
export function headFrame(sequence: number): Buffer {
  return Buffer.from(eventText('book', { from: sequence, sequence, levels: [] }, sequence));
}

/** Tells the page to read the book again; the stream goes on from this sequence. */
export function reloadFrame(sequence: number): Buffer {
  return Buffer.from(eventText('reload', { sequence }, sequence));
}

function eventText<Name extends keyof MarketEvents>(event: Name, data: MarketEvents[Name], id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
