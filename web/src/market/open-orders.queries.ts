import { useQuery } from '@tanstack/react-query';
import { OPEN_ORDERS_MAX } from '@ushirika/contract/constants';
import type { listOrders, Order } from '@ushirika/contract/market';
import { call } from '../api/call.ts';
import { marketKeys } from './market-live.ts';

/** One's open orders in a sacco, all of them; none are asked for without a sacco. */
export function useOpenOrders(sacco: string | undefined) {
  return useQuery({
    queryKey: [...marketKeys.orders(sacco ?? ''), 'open'],
    queryFn: async ({ signal }) => {
      if (!sacco) return [];
      const query = { sacco, status: 'open' as const, limit: OPEN_ORDERS_MAX };
      const page = await call<typeof listOrders>('GET', '/sacco/order-book-items', { query, saccoId: sacco, signal });
      return page.results;
    },
    enabled: sacco !== undefined,
  });
}

/** Shares that wait in open orders to sell. */
export function sharesInOrders(orders: readonly Order[] | undefined): number {
  return (orders ?? []).reduce((sum, { side, remaining }) => sum + (side === 'sell' ? remaining : 0), 0);
}
