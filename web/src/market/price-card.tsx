import type { Candle, MarketStats, StatsRange } from '@ushirika/contract/market';
import { Suspense, useState } from 'react';
import { wordsFor } from '../api/failure.ts';
import { later } from '../layouts/later.tsx';
import { Card, FailureState } from '../ui/card.tsx';
import { formatCount } from '../ui/figures.tsx';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { useMarketStats } from './market.queries.ts';
import { clockWords, dayWords, formatPrice } from './market-words.ts';

/** Comes after the page: the ticket never waits for it. */
const PriceChart = later(() => import('./price-chart.tsx'), 'PriceChart');

const HEIGHT = 'h-60 sm:h-72';

/** Candles and volume of a range, or the same as a table. */
export function PriceCard({
  sacco,
  range,
  onRange,
}: {
  sacco: string;
  range: StatsRange;
  onRange: (range: StatsRange) => void;
}) {
  const { data: stats, error, refetch } = useMarketStats(sacco, range);
  const [isTable, setTable] = useState(false);
  return (
    <Card role="region" aria-label={say('Price')} className="min-w-0 px-4.5 pt-4 pb-3">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="text-body">{say('Price')}</h2>
        <fieldset className="-mr-2 flex">
          <legend className="sr-only">{say('Time shown')}</legend>
          {ranges().map(([value, words, long]) => (
            <label
              key={value}
              className="relative grid min-h-9 min-w-10 cursor-pointer place-items-center rounded-small px-2 text-small text-ink-2 has-checked:font-bold has-checked:text-ink has-focus-visible:outline-3 has-focus-visible:outline-(--focus) hover:bg-sunken"
            >
              <input
                type="radio"
                name="range"
                aria-label={long}
                className="absolute inset-0 cursor-pointer opacity-0"
                checked={range === value}
                onChange={() => onRange(value)}
              />
              {words}
              {range === value && <span aria-hidden="true" className="absolute inset-x-2 bottom-0 h-0.5 bg-ochre" />}
            </label>
          ))}
        </fieldset>
      </div>
      <div className={HEIGHT}>
        {stats && stats.candles.length > 0 && !isTable && (
          <Suspense fallback={<div aria-hidden="true" className="skeleton size-full" />}>
            <PriceChart stats={stats} label={summaryOf(stats)} />
          </Suspense>
        )}
        {stats && stats.candles.length > 0 && isTable && <CandleTable candles={stats.candles} />}
        {stats?.candles.length === 0 && <NoCandles stats={stats} />}
        {!stats && !error && <div aria-hidden="true" className="skeleton size-full" />}
        {!stats && error && (
          <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
        )}
      </div>
      <div className="mt-1 flex min-h-9 flex-wrap items-center justify-between gap-x-4 text-tiny text-ink-2">
        {stats?.candles.length === 0 ? (
          <span />
        ) : (
          <button
            type="button"
            aria-pressed={isTable}
            className="min-h-9 cursor-pointer font-semibold underline decoration-1 underline-offset-2 hover:text-ink"
            onClick={() => setTable(!isTable)}
          >
            {isTable ? say('Show as a chart') : say('Show as a table')}
          </button>
        )}
        {/* The chart library's licence asks for this line. */}
        <a
          href="https://www.tradingview.com/"
          target="_blank"
          rel="noreferrer"
          className="underline decoration-1 underline-offset-2"
        >
          {say('Chart by TradingView Lightweight Charts™')}
        </a>
      </div>
    </Card>
  );
}

function ranges(): readonly (readonly [StatsRange, string, string])[] {
  return [
    ['1d', say('1D'), say('One day')],
    ['1w', say('1W'), say('One week')],
    ['1m', say('1M'), say('One month')],
    ['1y', say('1Y'), say('One year')],
    ['all', say('All'), say('All time')],
  ];
}

function NoCandles({ stats }: { stats: MarketStats }) {
  const neverTraded = stats.last_price === null;
  return (
    <div className="grid h-full place-content-center gap-1.5 rounded-box bg-sunken px-6 text-center">
      <p className="font-semibold">{neverTraded ? say('No price yet') : say('No trades in this time')}</p>
      <p className="max-w-[42ch] text-small text-ink-2">
        {neverTraded
          ? say(
              'Prices are drawn here once three pairs of members have traded. Until then the sacco’s own share value is the guide.',
            )
          : say('Choose a longer time to see earlier prices.')}
      </p>
    </div>
  );
}

/** What the chart shows, in a sentence. */
function summaryOf({ candles, high, low, volume }: MarketStats): string {
  return say(
    'Prices from {first} to {last}; highest {high}, lowest {low}; {n} {n, plural, one {share} other {shares}} traded',
    {
      first: formatPrice(candles[0]?.open ?? 0),
      last: formatPrice(candles.at(-1)?.close ?? 0),
      high: formatPrice(high ?? 0),
      low: formatPrice(low ?? 0),
      n: formatCount(volume),
    },
  );
}

function CandleTable({ candles }: { candles: readonly Candle[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area is reached by keyboard
    <div className="h-full overflow-auto" tabIndex={0}>
      <table className="num w-full text-small max-sm:text-tiny">
        <caption className="sr-only">{say('Prices and shares traded')}</caption>
        <thead className="sticky top-0 bg-surface">
          <tr className="text-ink-2 *:px-1 *:py-1.5 *:font-medium *:whitespace-nowrap">
            <th scope="col" className="text-left">
              {say('When')}
            </th>
            {[say('First'), say('Highest'), say('Lowest'), say('Last'), say('Shares')].map((head) => (
              <th key={head} scope="col" className="text-right">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...candles].reverse().map(({ time, open, high, low, close, volume }) => (
            <tr key={time} className="*:border-t *:border-dashed *:border-line *:px-1 *:py-1.5">
              <th scope="row" className="min-w-16 text-left font-normal text-ink-2">
                <time dateTime={time} title={longDateTime(time)}>
                  {dayWords(Date.parse(time))}, {clockWords(Date.parse(time))}
                </time>
              </th>
              {[open, high, low, close].map((price, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
                <td key={index} className="text-right whitespace-nowrap">
                  {formatPrice(price)}
                </td>
              ))}
              <td className="text-right">{formatCount(volume)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
