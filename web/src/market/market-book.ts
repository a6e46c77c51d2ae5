import type { MarketEvents, readOrderBook } from '@ushirika/contract/market';
import type { ReplyOf } from '@ushirika/contract/route';

/** Price levels of each side that are read at once. */
export const DEPTH = 100;
/** Where a side is longer than what was read, it is read again before fewer than this are known. */
const KNOWN_LEAST = 25;

/** The order book as it was read, and whether each side was read to its end. */
export type Book = ReplyOf<typeof readOrderBook> & {
  readonly isWhole: { readonly buy: boolean; readonly sell: boolean };
};
export type Delta = MarketEvents['book'];
type Level = Book['bids'][number];

export interface Merged {
  readonly book: Book;
  /** Something was missed, or what lies behind the last known level is needed. */
  readonly readAgain: boolean;
  /** A level changed at which an own order waits. */
  readonly touchesOwn: boolean;
}

/** What the server answered, as a book that deltas can be merged into. */
export function bookOf(reply: ReplyOf<typeof readOrderBook>): Book {
  return { ...reply, isWhole: { buy: reply.bids.length < DEPTH, sell: reply.asks.length < DEPTH } };
}

/**
 * The book after a change. Deltas hold whole levels, so that one which begins before the book's sequence and ends after
 * it can be taken; one which begins after it leaves a gap, and the book has to be read again.
 */
export function merge(book: Book, delta: Delta): Merged {
  if (delta.sequence <= book.sequence) return { book, readAgain: false, touchesOwn: false };
  if (delta.from > book.sequence) return { book, readAgain: true, touchesOwn: false };
  const bids = withLevels(book.bids, changesOf(delta, 'buy'), 'buy', book.isWhole.buy);
  const asks = withLevels(book.asks, changesOf(delta, 'sell'), 'sell', book.isWhole.sell);
  const isShort = (side: 'buy' | 'sell', levels: readonly Level[]) =>
    !book.isWhole[side] && levels.length < KNOWN_LEAST;
  return {
    book: {
      ...book,
      bids,
      asks,
      sequence: delta.sequence,
      best_bid: bids[0]?.price ?? null,
      best_ask: asks[0]?.price ?? null,
    },
    readAgain: isShort('buy', bids) || isShort('sell', asks),
    touchesOwn: delta.levels.some(({ side, price }) =>
      book.mine.some((order) => order.side === side && order.price === price),
    ),
  };
}

/** A book that has just been read, with the changes that came while it was on its way. */
export function caughtUp(book: Book, deltas: readonly Delta[]): Merged {
  let merged: Merged = { book, readAgain: false, touchesOwn: false };
  for (const delta of deltas) {
    const next = merge(merged.book, delta);
    // A gap behind which nothing fits stays a gap, whatever comes after it.
    merged = {
      ...next,
      readAgain: merged.readAgain || next.readAgain,
      touchesOwn: merged.touchesOwn || next.touchesOwn,
    };
  }
  return merged;
}

function changesOf(delta: Delta, side: 'buy' | 'sell'): readonly Level[] {
  return delta.levels
    .filter((level) => level.side === side)
    .map(({ price, shares, orders }) => ({ price, shares, orders }));
}

/** Best first: the highest bid, the lowest ask. What lies behind the last known level of a side that goes on stays unknown. */
function withLevels(levels: Level[], changes: readonly Level[], side: 'buy' | 'sell', isWhole: boolean): Level[] {
  if (changes.length === 0) return levels;
  const rank = (price: number) => (side === 'buy' ? -price : price);
  const last = levels.at(-1);
  const horizon = isWhole || !last ? Number.POSITIVE_INFINITY : rank(last.price);
  const byPrice = new Map(levels.map((level) => [level.price, level]));
  for (const change of changes) {
    if (change.shares === 0) byPrice.delete(change.price);
    else if (rank(change.price) <= horizon) byPrice.set(change.price, change);
  }
  return [...byPrice.values()].sort((one, other) => rank(one.price) - rank(other.price));
}
