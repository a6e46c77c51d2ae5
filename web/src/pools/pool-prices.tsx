import type { PoolDetails } from '@ushirika/contract/pools';
import { Card } from '../ui/card.tsx';
import { Money } from '../ui/figures.tsx';
import { Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';
import { quoteInWords } from './guarantee-words.ts';
import { percent } from './pool-card.tsx';
import { drawPrices, type PriceDrawing } from './price-drawing.ts';

const BOX = { width: 320, height: 120 };

/** What a guarantee would cost: drawn over how full the pool is, and as a table. */
export function PoolPrices({ pool }: { pool: PoolDetails }) {
  const [example] = pool.price_examples;
  if (!example) return null;
  const { kink } = pool.settings;
  const drawing = drawPrices(pool.price_examples, { utilisation: pool.utilisation ?? 0, kink }, BOX);
  return (
    <Card className="mt-4 p-5">
      <h2 className="mb-1 text-lead">{say('What a guarantee would cost')}</h2>
      <p className="max-w-[70ch] text-small text-ink-2">
        {say('The fee, paid once, for {guarantee}.', { guarantee: quoteInWords(example) })}
      </p>
      <div className="mt-3 grid items-center gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,26rem)_1fr]">
        <PricePicture drawing={drawing} kink={kink} utilisation={pool.utilisation ?? 0} />
        <PriceTable drawing={drawing} kink={kink} />
      </div>
    </Card>
  );
}

function PricePicture({ drawing, kink, utilisation }: { drawing: PriceDrawing; kink: number; utilisation: number }) {
  const words = say('Price a year over how full the pool is: from {least}% to {most}%', {
    least: Math.min(...drawing.lines.map(({ quiet }) => quiet)).toFixed(2),
    most: drawing.most.toFixed(2),
  });
  return (
    <figure>
      <div className="grid grid-cols-[auto_1fr] gap-x-2">
        <div aria-hidden="true" className="num flex flex-col justify-between text-right text-tiny text-ink-3">
          <span>{drawing.most.toFixed(1)}%</span>
          <span>0%</span>
        </div>
        <PriceLines drawing={drawing} words={words} />
      </div>
      <figcaption className="num mt-1.5 flex justify-between gap-3 text-small text-ink-2">
        <span>{say('now {part} full', { part: percent(utilisation) })}</span>
        <span className="rounded-small bg-ochre-tint px-2 text-ochre-ink">
          {say('dearer above {part}', { part: percent(kink) })}
        </span>
      </figcaption>
    </figure>
  );
}

function PriceLines({ drawing, words }: { drawing: PriceDrawing; words: string }) {
  return (
    <svg
      viewBox={`0 0 ${BOX.width} ${BOX.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
      className="block h-36 w-full border-b border-l border-line-strong"
    >
      <path d={`M${drawing.kink} 0H${BOX.width}V${BOX.height}H${drawing.kink}Z`} fill="var(--ochre-tint)" />
      <path
        d={`M${drawing.now} 0V${BOX.height}`}
        stroke="var(--ink-2)"
        strokeWidth="1.5"
        strokeDasharray="4 4"
        vectorEffect="non-scaling-stroke"
      />
      {drawing.lines.map(({ trust, path }, index) => (
        <path
          key={trust}
          d={path}
          fill="none"
          stroke={`var(--${STROKES[strokeOf(index, drawing)]})`}
          strokeWidth="2.4"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}

const STROKES = ['clay', 'ochre', 'forest'] as const;
const GROUNDS = ['bg-clay', 'bg-ochre', 'bg-forest'] as const;

/** The dearest line is the first, the cheapest the last. */
function strokeOf(index: number, { lines }: PriceDrawing): 0 | 1 | 2 {
  if (index === lines.length - 1) return 2;
  return index === 0 ? 0 : 1;
}

function PriceTable({ drawing, kink }: { drawing: PriceDrawing; kink: number }) {
  const at = (rate: number, fee: number) => (
    <span>
      <Money shillings={fee} className="block font-semibold" />
      <span className="text-small text-ink-2">{say('{part}% a year', { part: rate.toFixed(2) })}</span>
    </span>
  );
  const busy = (1 + kink) / 2;
  return (
    <Table
      caption={say('What a guarantee would cost')}
      keyOf={(line) => String(line.trust)}
      rows={drawing.lines}
      columns={[
        {
          head: say('Trust score'),
          title: true,
          cell: (line) => (
            <span className="flex items-center gap-2 font-semibold">
              <span
                aria-hidden="true"
                className={`h-1 w-5 shrink-0 rounded-full ${GROUNDS[strokeOf(drawing.lines.indexOf(line), drawing)]}`}
              />
              {say('Trust {n}', { n: line.trust })}
            </span>
          ),
        },
        { head: say('In a quiet pool'), cell: (line) => at(line.quiet, line.fees[0]), end: true },
        { head: say('{part} full', { part: percent(busy) }), cell: (line) => at(line.busy, line.fees[1]), end: true },
        { head: say('In a full pool'), cell: (line) => at(line.full, line.fees[2]), end: true },
      ]}
    />
  );
}
