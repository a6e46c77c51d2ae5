import type { PriceExample } from '@ushirika/contract/pools';

/** The price of one trust score: level while the pool is quiet, then rising in a straight line to its price in a full pool. */
export interface PriceLine {
  readonly trust: number;
  readonly quiet: number;
  readonly busy: number;
  readonly full: number;
  /** What the example's guarantee costs in a quiet, a busy and a full pool. */
  readonly fees: readonly [quiet: number, busy: number, full: number];
  readonly path: string;
}

export interface PriceDrawing {
  readonly lines: readonly PriceLine[];
  /** Where the pool is now, and where crowding begins, from the left. */
  readonly now: number;
  readonly kink: number;
  /** The height of a price of so many percent, from the top. */
  readonly heightOf: (percent: number) => number;
  readonly most: number;
}

const TOP = 8;

/**
 * The server's examples as lines in a box of so many units, the dearest first: fullness goes to the right, the price up.
 * A price rises in proportion to fullness above the kink (A5), so three examples of a score give its whole line.
 */
export function drawPrices(
  examples: readonly PriceExample[],
  { utilisation, kink }: { utilisation: number; kink: number },
  { width, height }: { width: number; height: number },
): PriceDrawing {
  const byTrust = new Map<number, PriceExample[]>();
  for (const example of examples)
    byTrust.set(example.trust_score, [...(byTrust.get(example.trust_score) ?? []), example]);
  const most = Math.max(1, ...examples.map(({ risk_percentage }) => risk_percentage));
  const x = (part: number) => round(Math.min(1, Math.max(0, part)) * width);
  const heightOf = (percent: number) => round(height - (percent / most) * (height - TOP));
  const lines = [...byTrust].flatMap(([trust, some]) => {
    const [quiet, busy, full] = some.toSorted((one, other) => one.utilisation_after - other.utilisation_after);
    if (!quiet || !busy || !full) return [];
    const path = `M0 ${heightOf(quiet.risk_percentage)}L${x(kink)} ${heightOf(quiet.risk_percentage)}L${width} ${heightOf(full.risk_percentage)}`;
    const fees = [quiet.fee, busy.fee, full.fee] as const;
    return [
      {
        trust,
        quiet: quiet.risk_percentage,
        busy: busy.risk_percentage,
        full: full.risk_percentage,
        fees,
        path,
      },
    ];
  });
  return { lines, now: x(utilisation), kink: x(kink), heightOf, most };
}

const round = (value: number) => Math.round(value * 10) / 10;
