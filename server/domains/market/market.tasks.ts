import { z } from 'zod';
import type { Database } from '../../db/tx.ts';
import { closeOverTheCaps } from './close-unfit.ts';
import { tellOfMarkedPairs } from './marked-pairs.ts';
import type { MarketDependencies } from './market.types.ts';
import { cancelBuyOrders, closeSuspendedOrders, expireOrders, pruneMarkets, tellTraders } from './tend-markets.ts';

const leaving = z.object({ user: z.uuid(), sacco: z.uuid() });

/**
 * The market's jobs by name. A job that runs twice, or again after it was interrupted, has the same result as one run.
 */
export function marketTasks(
  dependencies: MarketDependencies & { readonly database: Database },
): Record<string, (payload: unknown) => Promise<void>> {
  const { database } = dependencies;
  return {
    expire_orders: async () => {
      await expireOrders(database, dependencies);
      await closeOverTheCaps(database, dependencies);
    },
    leave_market: (payload) => cancelBuyOrders(database, dependencies, leaving.parse(payload)),
    close_suspended_orders: () => closeSuspendedOrders(database, dependencies),
    tell_traders: () => tellTraders(database),
    tell_of_marked_pairs: () => tellOfMarkedPairs(database),
    prune_markets: () => pruneMarkets(database),
  };
}

export const marketSchedules = [
  { task: 'expire_orders', everySeconds: 15 },
  { task: 'close_suspended_orders', everySeconds: 30 },
  { task: 'tell_traders', everySeconds: 5 },
  { task: 'tell_of_marked_pairs', everySeconds: 60 },
  { task: 'prune_markets', everySeconds: 300 },
] as const;
