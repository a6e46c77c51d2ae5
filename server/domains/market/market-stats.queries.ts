import type * as contract from '@ushirika/contract/market';
import type { MarketStats, StatsRange } from '@ushirika/contract/market';
import { shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { shillingsOrNull } from './market-changes.ts';
import { type CandleRange, type CandleWidth, candleRange, changeOf, DAY_MS, medianDays } from './stats.rules.ts';
import { TERMS_COLUMNS, type TermsRow, termsOnWire } from './terms.rules.ts';

interface FiguresRow extends TermsRow {
  readonly share_value_cents: number;
  readonly last_price_cents: number | null;
  readonly best_bid_cents: number | null;
  readonly best_ask_cents: number | null;
  readonly sale_minutes: readonly number[];
  readonly bid_depth: number;
  readonly ask_depth: number;
  readonly volume_24h: number;
  readonly volume_30d: number;
  readonly close_before_cents: number | null;
}

interface CandleRow {
  readonly starts_at: Date;
  /** Null where no trade had made a last price yet. */
  readonly open_cents: number | null;
  readonly high_cents: number | null;
  readonly low_cents: number | null;
  readonly close_cents: number | null;
  readonly volume: number;
  readonly turnover_cents: number;
  readonly trades: number;
}

/**
 * The public figures of a sacco's market. Runs as the platform: only sums of the levels are returned, since the levels
 * themselves are for members. The cost grows with the days of the range and the prices of the band, not with the
 * trades.
 */
export function marketStats(database: Database, saccoId: string, range: StatsRange): Promise<MarketStats> {
  return asSystem(async () => {
    const drawn = candleRange(range, database.now());
    const [figures, rows] = await Promise.all([
      figuresOf(database, saccoId, drawn),
      candlesOf(database, saccoId, drawn),
    ]);
    if (!figures) throw new Refusal('not_found', { message: sentence('There is no such sacco.') });
    const sum = (of: (row: CandleRow) => number) => rows.reduce((total, row) => total + of(row), 0);
    const { last_price_cents, close_before_cents } = figures;
    const priced = rows.filter(hasPrices);
    const change = changeOf(last_price_cents, close_before_cents, priced[0]?.open_cents ?? null);
    return {
      sacco: saccoId,
      range,
      last_price: shillingsOrNull(last_price_cents),
      change: shillingsOrNull(change?.cents ?? null),
      change_percentage: change?.percentage ?? null,
      high: priced.length === 0 ? null : shillingsFromCents(Math.max(...priced.map((row) => row.high_cents))),
      low: priced.length === 0 ? null : shillingsFromCents(Math.min(...priced.map((row) => row.low_cents))),
      volume: sum(({ volume }) => volume),
      turnover: shillingsFromCents(sum(({ turnover_cents }) => turnover_cents)),
      trades: sum(({ trades }) => trades),
      best_bid: shillingsOrNull(figures.best_bid_cents),
      best_ask: shillingsOrNull(figures.best_ask_cents),
      bid_depth: figures.bid_depth,
      ask_depth: figures.ask_depth,
      volume_24h: figures.volume_24h,
      volume_30d: figures.volume_30d,
      days_to_sell: medianDays(figures.sale_minutes),
      candles: priced.map(toCandle),
      terms: termsOnWire(figures, figures.share_value_cents),
    };
  });
}

type PricedRow = CandleRow & {
  readonly [Price in 'open_cents' | 'high_cents' | 'low_cents' | 'close_cents']: number;
};

function hasPrices(row: CandleRow): row is PricedRow {
  return row.open_cents !== null;
}

function toCandle(row: PricedRow): contract.Candle {
  return {
    time: row.starts_at.toISOString(),
    open: shillingsFromCents(row.open_cents),
    high: shillingsFromCents(row.high_cents),
    low: shillingsFromCents(row.low_cents),
    close: shillingsFromCents(row.close_cents),
    volume: row.volume,
  };
}

/** A rejected sacco has no public market. */
async function figuresOf(
  database: Database,
  saccoId: string,
  { unit, from }: CandleRange,
): Promise<FiguresRow | undefined> {
  const ago = (days: number) => new Date(database.now().getTime() - days * DAY_MS);
  const volume = (of: string, since: string) => `coalesce((
    select sum(volume) from market_candles c
    where c.sacco_id = m.sacco_id and c.unit = '${of}' and c.starts_at > ${since}::timestamptz), 0)::bigint`;
  const depth = (side: string) => `coalesce((
    select sum(shares) from market_levels l where l.sacco_id = m.sacco_id and l.side = '${side}'), 0)::bigint`;
  const [row] = await database.sql.unsafe<FiguresRow[]>(
    `select s.share_value_cents, m.last_price_cents, m.best_bid_cents, m.best_ask_cents, m.sale_minutes,
       ${TERMS_COLUMNS}, ${depth('buy')} as bid_depth, ${depth('sell')} as ask_depth,
       ${volume('quarter', '$2')} as volume_24h, ${volume('day', '$3')} as volume_30d,
       (select close_cents from market_candles c
        where c.sacco_id = m.sacco_id and c.unit = $4 and c.starts_at < $5::timestamptz and c.close_cents is not null
        order by c.starts_at desc limit 1) as close_before_cents
     from markets m join saccos s on s.id = m.sacco_id where m.sacco_id = $1 and s.state <> 'rejected'`,
    [saccoId, ago(1), ago(30), unit, from],
    { prepare: true },
  );
  return row;
}

/** 2001 began on a Monday, at midnight in Nairobi; `stats.rules.ts` uses the same start. */
const STARTS: Readonly<Record<CandleWidth, string>> = {
  quarter: 'starts_at',
  four_hours: `date_bin('4 hours', starts_at, '2001-01-01 00:00+03')`,
  day: 'starts_at',
  week: `date_bin('7 days', starts_at, '2001-01-01 00:00+03')`,
  month: `date_trunc('month', starts_at at time zone interval '3 hours') at time zone interval '3 hours'`,
};

async function candlesOf(
  database: Database,
  saccoId: string,
  { unit, width, from }: CandleRange,
): Promise<readonly CandleRow[]> {
  return database.sql.unsafe<CandleRow[]>(
    `select ${STARTS[width]} as starts_at, (array_agg(open_cents order by starts_at) filter (where open_cents is not null))[1] as open_cents,
       max(high_cents) as high_cents, min(low_cents) as low_cents,
       (array_agg(close_cents order by starts_at desc) filter (where close_cents is not null))[1] as close_cents,
       sum(volume)::bigint as volume, sum(turnover_cents)::bigint as turnover_cents, sum(trades)::bigint as trades
     from market_candles
     where sacco_id = $1 and unit = $2 and starts_at >= coalesce($3::timestamptz, '-infinity') group by 1 order by 1`,
    [saccoId, unit, from],
    { prepare: true },
  );
}
