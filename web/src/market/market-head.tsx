import type { MarketStats } from '@ushirika/contract/market';
import type { ReactNode } from 'react';
import { Tag } from '../ui/card.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import type { Book } from './market-book.ts';
import { formatPrice } from './market-words.ts';
import { timeToSell } from './time-to-sell.ts';

/** What a share costs now, and how the market stands. `today` are the figures of one day. */
export function MarketHead({ book, today }: { book: Book | undefined; today: MarketStats | undefined }) {
  const last = book?.last_price ?? today?.last_price ?? null;
  const reference = book?.reference_price ?? today?.terms.share_value;
  const isKnown = book !== undefined || today !== undefined;
  return (
    <section aria-label={say('Share price')} className="flex flex-wrap items-end gap-x-6 gap-y-4">
      <div>
        <h1 className="text-body font-semibold tracking-normal">{say('Share Trading')}</h1>
        <p className="text-small text-ink-2">
          {last === null && isKnown ? say('One share, from the sacco') : say('One share, last price')}
        </p>
        <div className="mt-1 flex min-h-10 flex-wrap items-center gap-x-4 gap-y-2">
          {isKnown ? (
            <Money
              shillings={last ?? reference ?? 0}
              className="text-[2.25rem]/none font-extrabold tracking-[-0.03em] max-xs:text-[2rem]/none"
            />
          ) : (
            <span aria-hidden="true" className="skeleton h-9 w-48" />
          )}
          {today && <Change last={last} change={today.change} />}
        </div>
      </div>
      <dl className="num ml-auto flex flex-wrap gap-x-6 gap-y-2 max-sm:ml-0 max-sm:w-full max-sm:justify-between max-sm:gap-x-3">
        <Figure name={say('Best bid')} tone="text-up">
          {price(book ? book.best_bid : today?.best_bid)}
        </Figure>
        <Figure name={say('Best ask')} tone="text-down">
          {price(book ? book.best_ask : today?.best_ask)}
        </Figure>
        <Figure name={say('30 days')} more={say('shares traded')}>
          {today ? formatCount(today.volume_30d) : '–'}
        </Figure>
        <Figure name={say('Time to sell')} more={say('half of all sellers waited less')}>
          {timeToSell(today?.days_to_sell ?? null, (book ?? today)?.terms.trading) ?? '–'}
        </Figure>
      </dl>
    </section>
  );
}

function price(shillings: number | null | undefined): string {
  return shillings == null ? '–' : formatPrice(shillings);
}

function Change({ last, change }: { last: number | null; change: number | null }) {
  if (last === null) return <Tag tone="plain">{say('No price yet')}</Tag>;
  if (change === null || change === 0) return <Tag tone="plain">{say('Unchanged today')}</Tag>;
  const words = formatPrice(Math.abs(change));
  return change > 0 ? (
    <Tag>
      <span aria-hidden="true">▲</span> {say('{price} up today', { price: words })}
    </Tag>
  ) : (
    <Tag tone="clay">
      <span aria-hidden="true">▼</span> {say('{price} down today', { price: words })}
    </Tag>
  );
}

function Figure({
  name,
  more,
  tone = '',
  children,
}: {
  name: string;
  more?: string;
  tone?: string;
  children: ReactNode;
}) {
  return (
    <div title={more}>
      <dt className="text-small whitespace-nowrap text-ink-2">
        {name}
        {more && <span className="sr-only">, {more}</span>}
      </dt>
      <dd className={`font-semibold whitespace-nowrap ${tone}`}>{children}</dd>
    </div>
  );
}
