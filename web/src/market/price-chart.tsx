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
import { now } from '../clock.ts';
import { formatCount } from '../ui/figures.tsx';
import { currentLanguage, say } from '../words/say.ts';
import { momentsOf } from './chart.rules.ts';
import { clockWords, formatPrice } from './market-words.ts';

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
    if (drawn.current) fill(drawn.current, stats);
  }, [stats]);
  const found = stats.candles.find(({ time }) => timeOf(Date.parse(time)) === pointed);
  const shown = found ?? stats.candles.at(-1);
  return (
    <div className="flex h-full flex-col">
      <p
        aria-hidden="true"
        className="num flex h-5 gap-x-3 overflow-hidden text-tiny text-ink-2 max-sm:h-9 max-sm:justify-between max-sm:gap-x-2"
      >
        {shown && (
          <>
            <span className="whitespace-nowrap max-sm:hidden">
              {found ? whenOf(found, hasClockIn(stats.range)) : say('Latest')}
            </span>
            <Part name={say('First')} value={formatPrice(shown.open)} />
            <Part name={say('Highest')} value={formatPrice(shown.high)} />
            <Part name={say('Lowest')} value={formatPrice(shown.low)} />
            <Part name={say('Last')} value={formatPrice(shown.close)} />
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
      <span className="max-sm:block">{name} </span>
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
    rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.1, bottom: 0.26 } },
    timeScale: { borderVisible: false, maxBarSpacing: 22 },
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

function fill({ chart, candles, volume }: Drawn, { range, candles: rows }: MarketStats): void {
  chart.applyOptions({ timeScale: { timeVisible: hasClockIn(range), secondsVisible: false } });
  const byTime = new Map(rows.map((row) => [Date.parse(row.time), row]));
  const moments = momentsOf(range, [...byTime.keys()], now()).map((at) => ({ time: timeOf(at), row: byTime.get(at) }));
  candles.setData(
    moments.map(({ time, row }) =>
      row ? { time, open: row.open, high: row.high, low: row.low, close: row.close } : { time },
    ),
  );
  volume.setData(moments.map(({ time, row }) => (row ? { time, value: row.volume } : { time })));
  chart.timeScale().fitContent();
}

const hasClockIn = (range: MarketStats['range']) => range === '1d' || range === '1w';

function timeOf(ms: number): UTCTimestamp {
  return (Math.floor(ms / 1_000) + NAIROBI_S) as UTCTimestamp;
}

const DAY = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'Africa/Nairobi' } as const;
const days = { en: new Intl.DateTimeFormat('en-GB', DAY), sw: new Intl.DateTimeFormat('sw-KE', DAY) };

function whenOf({ time }: Candle, hasClock: boolean): string {
  const at = Date.parse(time);
  const day = days[currentLanguage()].format(at);
  return hasClock ? `${day}, ${clockWords(at)}` : day;
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
