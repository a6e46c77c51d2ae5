import type { InfiniteData, QueryKey } from '@tanstack/react-query';
import { centsOf } from '@ushirika/contract/format';
import type { MarketEvents, MarketStats, Trade } from '@ushirika/contract/market';
import { useEffect, useSyncExternalStore } from 'react';
import { followEvents, type StreamEvent } from '../api/event-stream.ts';
import type { Page } from '../api/pages.ts';
import { queryClient } from '../api/queries.ts';
import { type Book, caughtUp, type Delta, merge } from './market-book.ts';

/*
 * One market as it moves: one stream for the tab and sacco, open while anything on screen uses it. What comes is merged
 * into the book that was read; a gap reads it again. While there is no stream, the reads ask again by themselves.
 */

/** The keys of what is read of a market, so that stream and reads mean the same. */
export const marketKeys = {
  book: (sacco: string): ['Chart', ...string[]] => ['Chart', 'book', sacco],
  stats: (sacco: string, range?: string): ['Chart', ...string[]] => [
    'Chart',
    'market',
    sacco,
    ...(range ? [range] : []),
  ],
  trades: (sacco: string): ['Chart', ...string[]] => ['Chart', 'trades', sacco],
  orders: (sacco: string): ['Client', ...string[]] => ['Client', 'orders', sacco],
} as const;

export interface LineState {
  readonly isOpen: boolean;
  /** Tries in a row that came to nothing; null before the first has ended. */
  readonly failures: number | null;
}

interface Line {
  users: number;
  ended: AbortController | null;
  state: LineState;
  /** The latest changes, for a book that is on its way while they come. */
  readonly recent: Delta[];
  /** What is to be read again soon, each once at a time. */
  readonly timers: Map<string, ReturnType<typeof setTimeout>>;
}

const CLOSED: LineState = { isOpen: false, failures: null };
const RECENT_MOST = 300;
const SOON_MS = { book: 300, own: 700, stats: 8_000 } as const;
const lines = new Map<string, Line>();
const listeners = new Set<() => void>();

/** Keeps the stream open while the caller is on screen and has a book (`isReady`) for it to go on from. */
export function useMarketLive(sacco: string, isReady: boolean): LineState {
  useEffect(() => {
    if (!isReady) return;
    const line = lineOf(sacco);
    line.users += 1;
    if (line.users === 1) start(sacco, line);
    return () => {
      line.users -= 1;
      if (line.users === 0) stop(sacco, line);
    };
  }, [sacco, isReady]);
  return useLine(sacco);
}

/** How the stream stands, without opening one. */
export function useLine(sacco: string): LineState {
  return useSyncExternalStore(subscribe, () => lines.get(sacco)?.state ?? CLOSED);
}

/** A book that has just been read, with what the stream told in the meantime. */
export function withRecent(sacco: string, book: Book): Book {
  const merged = caughtUp(book, lines.get(sacco)?.recent ?? []);
  if (merged.readAgain) readSoon(sacco, 'book');
  return merged.book;
}

function lineOf(sacco: string): Line {
  const line = lines.get(sacco) ?? { users: 0, ended: null, state: CLOSED, recent: [], timers: new Map() };
  lines.set(sacco, line);
  return line;
}

function start(sacco: string, line: Line): void {
  const own = new AbortController();
  line.ended = own;
  void followEvents({
    path: '/sacco/order-book/live',
    query: { sacco },
    signal: own.signal,
    // What is held here is what the stream has to go on from, whichever way it came.
    lastEventId: () => String(queryClient.getQueryData<Book>(marketKeys.book(sacco))?.sequence ?? ''),
    onEvent: (event) => take(sacco, line, event),
    onChange: (isOpen, failures) => setState(line, { isOpen, failures }),
  });
}

function stop(sacco: string, line: Line): void {
  line.ended?.abort();
  for (const timer of line.timers.values()) clearTimeout(timer);
  lines.delete(sacco);
}

function take(sacco: string, line: Line, { event, data }: StreamEvent): void {
  if (event === 'book') takeDelta(sacco, line, JSON.parse(data) as Delta);
  if (event === 'trade') takeTrades(sacco, JSON.parse(data) as MarketEvents['trade']);
  if (event === 'stats') takeStats(sacco, JSON.parse(data) as MarketEvents['stats']);
  if (event === 'reload') {
    line.recent.length = 0;
    readSoon(sacco, 'book');
    readSoon(sacco, 'own');
  }
}

function takeDelta(sacco: string, line: Line, delta: Delta): void {
  line.recent.push(delta);
  if (line.recent.length > RECENT_MOST) line.recent.shift();
  const book = queryClient.getQueryData<Book>(marketKeys.book(sacco));
  if (!book) return;
  const merged = merge(book, delta);
  if (merged.book !== book) queryClient.setQueryData(marketKeys.book(sacco), merged.book);
  if (merged.readAgain) readSoon(sacco, 'book');
  if (merged.touchesOwn) readSoon(sacco, 'own');
}

type TradeRow = Trade & { taker: 'buy' | 'sell'; counts: boolean; mine: 'bought' | 'sold' | null };

/** New trades stand first in the list at once; whether one is one's own is known when it is read. */
function takeTrades(sacco: string, { trades }: MarketEvents['trade']): void {
  queryClient.setQueryData<InfiniteData<Page<TradeRow>>>(marketKeys.trades(sacco), (old) => {
    const [first, ...more] = old?.pages ?? [];
    if (!old || !first) return old;
    const known = new Set(first.results.map(({ id }) => id));
    const fresh = trades.filter(({ id }) => !known.has(id)).map((trade) => ({ ...trade, mine: null }));
    const results = [...fresh.reverse(), ...first.results];
    return { ...old, pages: [{ ...first, count: first.count + fresh.length, results }, ...more] };
  });
  readSoon(sacco, 'stats');
}

function takeStats(sacco: string, { last_price }: MarketEvents['stats']): void {
  queryClient.setQueryData<Book>(marketKeys.book(sacco), (book) => book && { ...book, last_price });
  queryClient.setQueriesData<MarketStats>(
    { queryKey: marketKeys.stats(sacco) },
    (stats) => stats && withLast(stats, last_price),
  );
}

/** The change of a range moves with the last price: both are against the same price before. */
function withLast(stats: MarketStats, last: number | null): MarketStats {
  if (last === null || last === stats.last_price) return stats;
  if (stats.last_price === null || stats.change === null) return { ...stats, last_price: last };
  const before = centsOf(stats.last_price) - centsOf(stats.change);
  const change = centsOf(last) - before;
  const percentage = before === 0 ? null : Math.round((change * 10_000) / before) / 100;
  return { ...stats, last_price: last, change: change / 100, change_percentage: percentage };
}

/** However many changes ask for it, each thing is read again once in a while. */
function readSoon(sacco: string, what: keyof typeof SOON_MS): void {
  const timers = lines.get(sacco)?.timers;
  if (!timers || timers.has(what)) return;
  const read = () => {
    timers.delete(what);
    for (const queryKey of toRead(sacco, what)) void queryClient.invalidateQueries({ queryKey });
  };
  timers.set(what, setTimeout(read, SOON_MS[what]));
}

function toRead(sacco: string, what: keyof typeof SOON_MS): readonly QueryKey[] {
  if (what === 'book') return [marketKeys.book(sacco)];
  if (what === 'stats') return [marketKeys.stats(sacco)];
  return [marketKeys.book(sacco), marketKeys.trades(sacco), ['Client']];
}

function setState(line: Line, next: LineState): void {
  line.state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
