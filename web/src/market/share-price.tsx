import { formatShillings } from '@ushirika/contract/format';
import type { MarketStats } from '@ushirika/contract/market';
import { formatCount, Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { priceLine } from './price-line.ts';

const WIDTH = 320;
const HEIGHT = 72;

type Priced = Pick<MarketStats, 'last_price' | 'change' | 'candles' | 'terms'>;

/** What the last share went for, with its change in 30 days, and the line of the prices of those days. */
export function SharePrice({ stats }: { stats: Priced }) {
  const { last_price, change, candles, terms } = stats;
  if (last_price === null) {
    return (
      <p className="text-ink-2">
        {say('No market price yet: it takes trades between several members. The sacco itself sells at {price}.', {
          price: formatShillings(terms.share_value),
        })}
      </p>
    );
  }
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Money shillings={last_price} className="text-title font-bold tracking-tight" />
        <Change change={change} />
      </p>
      <PriceChart candles={candles} />
    </>
  );
}

/** Up or down, by sign and arrow and not by colour alone. */
function Change({ change }: { change: number | null }) {
  if (change === null) return null;
  if (change === 0) return <span className="tag tag-plain">{say('the same as 30 days ago')}</span>;
  const words =
    change > 0
      ? say('up {amount} in 30 days', { amount: formatShillings(change) })
      : say('down {amount} in 30 days', { amount: formatShillings(-change) });
  return (
    <span role="img" aria-label={words} title={words} className={`tag num ${change > 0 ? '' : 'tag-clay'}`}>
      {change > 0 ? '▲' : '▼'} {Math.abs(change).toFixed(2)} · {say('30 days')}
    </span>
  );
}

function PriceChart({ candles }: { candles: MarketStats['candles'] }) {
  const drawn = priceLine(candles, WIDTH, HEIGHT);
  if (!drawn) return <p className="mt-2 text-small text-ink-2">{say('Nothing was traded in the last 30 days.')}</p>;
  const volume = candles.reduce((sum, candle) => sum + candle.volume, 0);
  const words = say('Prices of 30 days, from {lowest} to {highest}', {
    lowest: formatShillings(drawn.lowest),
    highest: formatShillings(drawn.highest),
  });
  return (
    <figure className="mt-2">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
        className="block h-24 w-full"
      >
        <path d={drawn.area} fill="var(--forest-tint)" />
        <path
          d={drawn.line}
          fill="none"
          stroke="var(--forest)"
          strokeWidth="2.2"
          strokeLinecap="round"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
        {/* A line of no length with a round end: a dot that stays round however the picture is stretched. */}
        <path
          d={`M${drawn.end[0]} ${drawn.end[1]}h0`}
          stroke="var(--ochre)"
          strokeWidth="9"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="num mt-1.5 flex justify-between gap-3 text-small text-ink-2">
        <span aria-hidden="true">
          {drawn.lowest.toFixed(2)} – {drawn.highest.toFixed(2)}
        </span>
        <span>{say('{n} {n, plural, one {share} other {shares}} in 30 days', { n: formatCount(volume) })}</span>
      </figcaption>
    </figure>
  );
}
