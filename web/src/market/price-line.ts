import type { Candle } from '@ushirika/contract/market';

export interface PriceLine {
  /** The path of the line, and of the area below it. */
  line: string;
  area: string;
  /** Where it ends: the last price. */
  end: readonly [x: number, y: number];
  lowest: number;
  highest: number;
}

/** Room above and below the line, so that its stroke is not cut. */
const MARGIN = 6;

/**
 * The closing prices of candles as a line in a box of so many units: time goes to the right, and days without a trade
 * keep their width. One candle alone goes from its opening to its close. Null where nothing was traded.
 */
export function priceLine(candles: readonly Candle[], width: number, height: number): PriceLine | null {
  const [first] = candles;
  const last = candles.at(-1);
  if (!first || !last) return null;
  const prices = candles.length > 1 ? candles.map(({ close }) => close) : [first.open, first.close];
  const lowest = Math.min(...prices);
  const highest = Math.max(...prices);
  const begin = Date.parse(first.time);
  const span = Date.parse(last.time) - begin;
  const x = (iso: string) => round(((Date.parse(iso) - begin) / span) * (width - MARGIN));
  const y = (price: number) => {
    const part = highest > lowest ? (price - lowest) / (highest - lowest) : 0.5;
    return round(height - MARGIN - part * (height - 2 * MARGIN));
  };
  const end = [width - MARGIN, y(last.close)] as const;
  const points =
    span > 0
      ? candles.map(({ time, close }) => `${x(time)} ${y(close)}`)
      : [`0 ${y(first.open)}`, `${end[0]} ${end[1]}`];
  const line = `M${points.join('L')}`;
  return { line, area: `${line}L${end[0]} ${height}L0 ${height}Z`, end, lowest, highest };
}

const round = (value: number) => Math.round(value * 10) / 10;
