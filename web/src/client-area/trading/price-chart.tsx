import type { Candle, MarketStats } from '@ushirika/contract/market';
import {
  CandlestickSeries,
  createChart,
  type DeepPartial,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineStyle,
  type TimeChartOptions,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../../ui/figures.tsx';
import { say } from '../../words/say.ts';
import { formatPrice } from './market-words.ts';

/** The library draws in UTC: all times are moved to Nairobi's, which has no summer time. */
const NAIROBI_S = 3 * 3_600;

interface Drawn {
  readonly chart: IChartApi;
  readonly candles: ISeriesApi<'Candlestick'>;
  readonly volume: ISeriesApi<'Histogram'>;
}

/** The candles with their volume below; what the pointer is at stands above. */
export function PriceChart({ stats, label }: { stats: MarketStats; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const hasClock = stats.range === '1d' || stats.range === '1w';
  useEffect(() => {
    if (!box.current) return;
    const made = drawIn(box.current);
    drawn.current = made;
    made.chart.subscribeCrosshairMove(({ time }) => setPointed(typeof time === 'number' ? time : null));
    const unwatch = onThemeChange(() => colour(made));
    return () => {
      unwatch();
      made.chart.remove();
      drawn.current = null;
    };
  }, []);
  useEffect(() => {
    if (drawn.current) fill(drawn.current, stats.candles, hasClock);
  }, [stats.candles, hasClock]);
  const shown = stats.candles.find(({ time }) => timeOf(time) === pointed) ?? stats.candles.at(-1);
  return (
    <div className="flex h-full flex-col">
      <p aria-hidden="true" className="num flex h-5 gap-x-3 overflow-hidden text-tiny text-ink-2">
        {shown && (
          <>
            <span className="whitespace-nowrap max-sm:hidden">
              {pointed === null ? say('Latest') : whenOf(shown, hasClock)}
            </span>
            <Part name={say('Open')} value={formatPrice(shown.open)} />
            <Part name={say('High')} value={formatPrice(shown.high)} />
            <Part name={say('Low')} value={formatPrice(shown.low)} />
            <Part name={say('Close')} value={formatPrice(shown.close)} />
            <Part name={say('Shares')} value={formatCount(shown.volume)} />
          </>
        )}
      </p>
      <div role="img" aria-label={label} className="min-h-0 grow">
        <div ref={box} className="size-full" />
      </div>
    </div>
  );
}

function Part({ name, value }: { name: string; value: string }) {
  return (
    <span className="whitespace-nowrap">
      <span className="max-sm:hidden">{name} </span>
      <b className="text-ink">{value}</b>
    </span>
  );
}

function drawIn(box: HTMLElement): Drawn {
  const chart = createChart(box, {
    autoSize: true,
    layout: { attributionLogo: false, fontFamily: getComputedStyle(box).fontFamily, fontSize: 11 },
    // The page scrolls; the chart shows its whole range.
    handleScroll: false,
    handleScale: false,
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.06, bottom: 0.26 } },
    timeScale: { borderVisible: false, fixLeftEdge: true, fixRightEdge: true },
    localization: { priceFormatter: formatPrice, locale: 'en-GB' },
  });
  const candles = chart.addSeries(CandlestickSeries, { priceLineVisible: false, lastValueVisible: true });
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'volume' },
    priceLineVisible: false,
    lastValueVisible: false,
  });
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  const made = { chart, candles, volume };
  colour(made);
  return made;
}

function fill({ chart, candles, volume }: Drawn, rows: readonly Candle[], hasClock: boolean): void {
  chart.applyOptions({ timeScale: { timeVisible: hasClock, secondsVisible: false } });
  candles.setData(rows.map(({ time, open, high, low, close }) => ({ time: timeOf(time), open, high, low, close })));
  volume.setData(rows.map((row) => ({ time: timeOf(row.time), value: row.volume })));
  chart.timeScale().fitContent();
}

function timeOf(iso: string): UTCTimestamp {
  return (Math.floor(Date.parse(iso) / 1_000) + NAIROBI_S) as UTCTimestamp;
}

const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'Africa/Nairobi',
});
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Africa/Nairobi' });

function whenOf({ time }: Candle, hasClock: boolean): string {
  const at = Date.parse(time);
  return hasClock ? `${day.format(at)}, ${clock.format(at)}` : day.format(at);
}

/** The tokens as they are now: the canvas knows no CSS variables. */
function colour({ chart, candles, volume }: Drawn): void {
  const token = tokens(chart.chartElement());
  const options: DeepPartial<TimeChartOptions> = {
    layout: { background: { color: 'transparent' }, textColor: token('--ink-2') },
    grid: { vertLines: { visible: false }, horzLines: { color: token('--line') } },
    crosshair: {
      vertLine: { color: token('--edge'), style: LineStyle.Dashed, labelBackgroundColor: token('--forest') },
      horzLine: { color: token('--edge'), style: LineStyle.Dashed, labelBackgroundColor: token('--forest') },
    },
  };
  chart.applyOptions(options);
  const [up, down] = [token('--up'), token('--down')];
  candles.applyOptions({
    upColor: up,
    downColor: down,
    wickUpColor: up,
    wickDownColor: down,
    borderUpColor: up,
    borderDownColor: down,
  });
  volume.applyOptions({ color: token('--line-strong') });
}

/** Reads a token as a plain colour: `light-dark()` is worked out where a colour is used. */
function tokens(place: HTMLElement): (name: string) => string {
  return (name) => {
    const probe = document.createElement('i');
    probe.style.color = `var(${name})`;
    place.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  };
}

function onThemeChange(then: () => void): () => void {
  const chosen = new MutationObserver(then);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const device = matchMedia('(prefers-color-scheme: dark)');
  device.addEventListener('change', then);
  return () => {
    chosen.disconnect();
    device.removeEventListener('change', then);
  };
}
