import type { ReactNode } from 'react';
import { formatCount } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import type { Book } from './market-book.ts';
import { fromCents } from './ticket-checks.ts';

/** How many shares may be sold now, of those that no order holds: the minimum stays, and only whole lots are sold. */
export function SharesAtHand({ book, most }: { book: Pick<Book, 'free_shares' | 'held_shares'>; most: number }) {
  const { free_shares: free, held_shares: held } = book;
  return (
    <AtHand name={say('You can sell')}>
      <span>
        <b className="text-ink">{formatCount(most)}</b>
        {most !== free && ` ${say('of {n} free', { n: formatCount(free) })}`}
        {held > 0 && ` · ${say('{n} held by orders', { n: formatCount(held) })}`}
      </span>
    </AtHand>
  );
}

export function MoneyAtHand({ availableCents, onTopUp }: { availableCents: number; onTopUp: () => void }) {
  return (
    <AtHand name={say('In your wallet')}>
      <span className="whitespace-nowrap">
        <b className="text-ink">{fromCents(availableCents)}</b>{' '}
        <button
          type="button"
          className="ml-1 min-h-6 cursor-pointer font-semibold text-forest underline decoration-1 underline-offset-2"
          onClick={onTopUp}
        >
          {say('Top Up')}
        </button>
      </span>
    </AtHand>
  );
}

function AtHand({ name, children }: { name: string; children: ReactNode }) {
  return (
    <p className="num flex min-h-6 flex-wrap items-baseline justify-between gap-x-3 text-small text-ink-2">
      <span>{name}</span>
      {children}
    </p>
  );
}
