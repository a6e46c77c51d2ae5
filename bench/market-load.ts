import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '@ushirika/contract/refusals';
import type { Database } from '../server/db/tx.ts';
import type { MarketCommand, MarketOutcome } from '../server/domains/market/market.types.ts';
import { trade } from '../server/domains/market/trade.ts';
import { createLane } from '../server/ledger/lane.ts';
import type { SignedIn } from './people.ts';
import { quantile, seeded } from './statistics.ts';

/** Orders under way at once: two batches of half of them. */
export const outstanding = 1_000;
/** Cents: the share value of the benches' saccos, and how far from it orders are placed. */
const PAR = 100;
const SPREAD = 6;

export interface MarketLoad {
  /** Orders a second, acknowledged after the commit that has settled all they traded. */
  readonly perSecond: number;
  readonly placed: number;
  readonly refused: number;
  readonly trades: number;
  readonly batchP50: number;
  readonly batchP99: number;
  readonly batchSize: number;
}

/** Draws an order: of anybody, in their own market, to buy or to sell a few shares near the share value. */
export function randomOrders(people: readonly SignedIn[], seed: number): () => MarketCommand {
  const random = seeded(seed);
  return () => {
    const { userId, saccoId } = people[Math.floor(random() * people.length)] as SignedIn;
    const side = random() < 0.5 ? 'buy' : 'sell';
    const away = Math.round((random() + random() + random() - 1.5) * SPREAD);
    const shares = 1 + Math.floor(random() * 10);
    return { kind: 'place', userId, saccoId, side, shares, priceCents: PAR + away, expiresAt: null };
  };
}

/** Keeps the market's lane full for some seconds. */
export async function loadMarkets(database: Database, seconds: number, draw: () => MarketCommand): Promise<MarketLoad> {
  const times: number[] = [];
  let batches = 0;
  let placed = 0;
  let refused = 0;
  let trades = 0;
  const lane = createLane<MarketCommand, MarketOutcome>({
    name: 'bench orders',
    database: {
      transaction: async (run) => {
        const started = performance.now();
        const result = await database.transaction(run);
        times.push(performance.now() - started);
        return result;
      },
    },
    batchMax: outstanding / 2,
    keyOf: (command) => (command.kind === 'place' ? command.saccoId : null),
    run: (tx, commands) => {
      batches += 1;
      return trade(tx, commands);
    },
  });
  const ends = performance.now() + seconds * 1_000;
  const client = async () => {
    while (performance.now() < ends) {
      try {
        const outcome = await lane.submit(draw());
        placed += 1;
        trades += outcome.trades.length;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refused += 1;
      }
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: outstanding }, client));
  await lane.close();
  const elapsed = (performance.now() - started) / 1_000;
  await nextTurn();
  return {
    perSecond: placed / elapsed,
    placed,
    refused,
    trades,
    batchP50: quantile(times, 0.5),
    batchP99: quantile(times, 0.99),
    batchSize: (placed + refused) / batches,
  };
}
