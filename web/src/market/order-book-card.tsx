import { centsOf } from '@ushirika/contract/format';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Card, Tag } from '../ui/card.tsx';
import { formatCount } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import type { Book } from './market-book.ts';
import type { LineState } from './market-live.ts';
import { clockWords, formatPrice } from './market-words.ts';

/** Levels of each side that are shown unless all are asked for. */
const SHOWN = 7;

type Side = 'buy' | 'sell';
type Level = Book['bids'][number];
interface Row extends Level {
  readonly side: Side;
  /** Shares of one's own orders at this price. */
  readonly own: number;
}

/** The ladder: offers above, bids below, each with its depth. A level puts its price into the ticket. */
export function OrderBookCard({
  book,
  line,
  asOf,
  onPrice,
}: {
  book: Book;
  line: LineState;
  /** When the book was read, in milliseconds. */
  asOf: number;
  onPrice: (shillings: number) => void;
}) {
  const [isAll, setAll] = useState(false);
  const isEmpty = book.bids.length === 0 && book.asks.length === 0;
  const hasMore = book.bids.length > SHOWN || book.asks.length > SHOWN;
  return (
    <Card role="region" aria-label={say('Order book')} className="flex min-w-0 flex-col px-4.5 py-4">
      <div className="mb-1 flex min-h-8 items-center justify-between gap-3">
        <h2 className="text-body">{say('Order book')}</h2>
        <LivePill line={line} asOf={asOf} />
      </div>
      {isEmpty ? (
        <div className="grid grow place-content-center gap-1.5 py-10 text-center">
          <p className="font-semibold">{say('Nobody offers or wants shares now')}</p>
          <p className="mx-auto max-w-[34ch] text-small text-ink-2">
            {say('Place the first order in the ticket: it waits here until another member meets it.')}
          </p>
        </div>
      ) : (
        <Ladder book={book} most={isAll ? Number.POSITIVE_INFINITY : SHOWN} onPrice={onPrice} />
      )}
      {hasMore && (
        <button
          type="button"
          className="btn btn-quiet mt-1 w-full text-small"
          aria-expanded={isAll}
          onClick={() => setAll(!isAll)}
        >
          {isAll ? say('Show fewer prices') : say('Show all prices')}
        </button>
      )}
    </Card>
  );
}

/** How fresh what is shown is. */
function LivePill({ line, asOf }: { line: LineState; asOf: number }) {
  if (line.isOpen) {
    return (
      <Tag>
        <span aria-hidden="true" className="size-1.5 rounded-full bg-up" />
        {say('Live')}
      </Tag>
    );
  }
  if (line.failures === null) return <Tag tone="plain">{say('Connecting…')}</Tag>;
  if (line.failures < 2) return <Tag tone="ochre">{say('Reconnecting…')}</Tag>;
  return <Tag tone="plain">{say('As of {time}', { time: clockWords(asOf) })}</Tag>;
}

function Ladder({ book, most, onPrice }: { book: Book; most: number; onPrice: (shillings: number) => void }) {
  const asks = rowsOf(book, 'sell', most).reverse();
  const bids = rowsOf(book, 'buy', most);
  const rows = [...asks, ...bids];
  const deepest = Math.max(...rows.map(({ shares }) => shares));
  const body = useRef<HTMLTableElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const keys = rows.map(keyOf);
  const reachable = current !== null && keys.includes(current) ? current : (keys[asks.length - 1] ?? keys[0]);
  const move = (event: KeyboardEvent) => {
    const at = keys.indexOf(reachable ?? '');
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: keys.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const key = keys[Math.min(keys.length - 1, Math.max(0, to))];
    if (key === undefined) return;
    setCurrent(key);
    body.current?.querySelector<HTMLElement>(`[data-level="${key}"]`)?.focus();
  };
  const row = (level: Row) => (
    <LadderRow
      key={keyOf(level)}
      row={level}
      deepest={deepest}
      isReachable={keyOf(level) === reachable}
      onFocus={() => setCurrent(keyOf(level))}
      onPrice={onPrice}
    />
  );
  return (
    <table ref={body} className="num w-full text-small" onKeyDown={move}>
      <caption className="sr-only">{say('Order book: choose a price to put it into the ticket')}</caption>
      <thead>
        <tr className="text-ink-2 *:py-1.5 *:font-medium">
          <th scope="col" className="text-left">
            {say('Price')}
          </th>
          <th scope="col" className="w-[44%] text-right">
            {say('Shares')}
          </th>
          <th scope="col" className="w-15 text-right">
            {say('Orders')}
          </th>
        </tr>
      </thead>
      <tbody>
        {asks.length === 0 && <NoneOf words={say('No offers to sell')} />}
        {asks.map(row)}
      </tbody>
      <tbody>
        <tr>
          <td colSpan={3} className="border-y border-dashed border-line py-1.5 text-center text-ink-2">
            {spreadOf(book)}
          </td>
        </tr>
      </tbody>
      <tbody>
        {bids.map(row)}
        {bids.length === 0 && <NoneOf words={say('No bids')} />}
      </tbody>
    </table>
  );
}

function NoneOf({ words }: { words: string }) {
  return (
    <tr>
      <td colSpan={3} className="py-3 text-center text-ink-2">
        {words}
      </td>
    </tr>
  );
}

function LadderRow({
  row,
  deepest,
  isReachable,
  onFocus,
  onPrice,
}: {
  row: Row;
  deepest: number;
  isReachable: boolean;
  onFocus: () => void;
  onPrice: (shillings: number) => void;
}) {
  const isAsk = row.side === 'sell';
  const width = `${Math.max(3, Math.round((row.shares * 100) / deepest))}%`;
  return (
    <tr className="cursor-pointer hover:bg-sunken" onClick={() => onPrice(row.price)}>
      <td className="p-0">
        <button
          type="button"
          data-level={keyOf(row)}
          tabIndex={isReachable ? 0 : -1}
          className={`flex min-h-8 w-full cursor-pointer items-center gap-2 rounded-small pr-2 text-left font-semibold whitespace-nowrap max-md:min-h-9 ${isAsk ? 'text-down' : 'text-up'}`}
          onFocus={onFocus}
        >
          <span className="sr-only">{isAsk ? say('Ask') : say('Bid')} </span>
          {formatPrice(row.price)}
        </button>
      </td>
      <td className="relative isolate py-0 pr-1 text-right font-medium whitespace-nowrap">
        <span
          aria-hidden="true"
          className={`absolute inset-y-0.5 right-0 -z-10 rounded-[4px] ${isAsk ? 'bg-clay-tint' : 'bg-forest-tint'}`}
          style={{ width }}
        />
        <span className="flex items-center justify-end gap-2">
          {row.own > 0 && (
            <span className="rounded-full bg-indigo-tint px-1.5 text-tiny font-semibold text-indigo">
              {say('{n} yours', { n: formatCount(row.own) })}
            </span>
          )}
          {formatCount(row.shares)}
        </span>
      </td>
      <td className="py-0 text-right text-ink-2">{formatCount(row.orders)}</td>
    </tr>
  );
}

function rowsOf(book: Book, side: Side, most: number): Row[] {
  const levels = side === 'buy' ? book.bids : book.asks;
  return levels.slice(0, most).map((level) => ({ ...level, side, own: ownAt(book, side, level.price) }));
}

function ownAt(book: Book, side: Side, price: number): number {
  return book.mine.reduce((sum, one) => sum + (one.side === side && one.price === price ? one.remaining : 0), 0);
}

const keyOf = ({ side, price }: Row) => `${side}${price}`;

function spreadOf({ best_ask, best_bid }: Book): string {
  if (best_ask === null || best_bid === null) return say('No spread: one side is empty');
  return say('Spread {price}', { price: formatPrice((centsOf(best_ask) - centsOf(best_bid)) / 100) });
}
