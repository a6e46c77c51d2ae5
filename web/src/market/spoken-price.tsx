import { formatShillings } from '@ushirika/contract/format';
import { useEffect, useRef, useState } from 'react';
import { say } from '../words/say.ts';
import type { Book } from './market-book.ts';

const AT_MOST_EACH_MS = 10_000;

/** Prices for a screen reader: one sentence when they have changed, and at most one in ten seconds. */
export function SpokenPrice({ book }: { book: Book | undefined }) {
  const words = book ? wordsOf(book) : '';
  const [said, setSaid] = useState('');
  const first = useRef<string | null>(null);
  const latest = useRef(words);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  latest.current = words;
  useEffect(() => {
    if (!words) return;
    // What the page opens with is read as part of the page.
    first.current ??= words;
    if (words === first.current && said === '') return;
    if (words === said || timer.current) return;
    setSaid(words);
    timer.current = setTimeout(() => {
      timer.current = null;
      setSaid(latest.current);
    }, AT_MOST_EACH_MS);
  }, [words, said]);
  useEffect(() => () => void (timer.current && clearTimeout(timer.current)), []);
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  );
}

function wordsOf({ last_price, best_bid, best_ask }: Book): string {
  const parts = [
    last_price === null ? '' : say('Last price {price}', { price: formatShillings(last_price) }),
    best_bid === null ? '' : say('best bid {price}', { price: formatShillings(best_bid) }),
    best_ask === null ? '' : say('best ask {price}', { price: formatShillings(best_ask) }),
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join(', ')}.` : '';
}
