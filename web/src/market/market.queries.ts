import { useQuery } from '@tanstack/react-query';
import type {
  cancelOrder,
  cancelPriceAlert,
  changeOrder,
  createPriceAlert,
  listMarkedPairs,
  listOrders,
  listPriceAlerts,
  listTrades,
  MarketTerms,
  placeOrder,
  readContractNote,
  readMarketStats,
  readOrderBook,
  ShownTerms,
  StatsRange,
  takeOffer,
} from '@ushirika/contract/market';
import type { BodyIn, ReplyOf } from '@ushirika/contract/route';
import { call } from '../api/call.ts';
import { CallFailure } from '../api/failure.ts';
import { usePages } from '../api/pages.ts';
import { refresh } from '../api/queries.ts';
import { withProof } from '../api/with-proof.ts';
import { bookOf, DEPTH } from './market-book.ts';
import { marketKeys, useLine, withRecent } from './market-live.ts';

/** Without a stream the market is asked for again and again. */
const ASK_MS = 5_000;
const ASK_SELDOM_MS = 60_000;

/** The order book of a sacco, with one's own open orders in it. For its members. */
export function useOrderBook(sacco: string, enabled = true) {
  const { isOpen } = useLine(sacco);
  return useQuery({
    enabled,
    queryKey: marketKeys.book(sacco),
    queryFn: async ({ signal }) => {
      const query = { sacco, depth: DEPTH };
      const reply = await call<typeof readOrderBook>('GET', '/sacco/order-book', { query, saccoId: sacco, signal });
      return withRecent(sacco, bookOf(reply));
    },
    refetchInterval: isOpen ? ASK_SELDOM_MS : ASK_MS,
  });
}

/** Figures and candles of a range. Public. */
export function useMarketStats(sacco: string, range: StatsRange) {
  return useQuery({
    queryKey: marketKeys.stats(sacco, range),
    queryFn: ({ signal }) =>
      call<typeof readMarketStats>('GET', '/sacco/order-book-stats', {
        query: { sacco, range },
        saccoId: sacco,
        signal,
      }),
    refetchInterval: ASK_SELDOM_MS,
  });
}

/** The trades of a market, newest first; one's own are marked. */
export function useTrades(sacco: string) {
  return usePages(marketKeys.trades(sacco), (cursor, signal) =>
    call<typeof listTrades>('GET', '/sacco/trades', { query: { sacco, cursor }, saccoId: sacco, signal }),
  );
}

/** For officials: the latest who traded to and fro. */
export function useMarkedPairs(sacco: string) {
  return useQuery({
    queryKey: ['Chart', 'marked-pairs', sacco],
    queryFn: async ({ signal }) =>
      (await call<typeof listMarkedPairs>('GET', '/sacco/marked-pairs', { saccoId: sacco, signal })).results,
  });
}

/** One's own orders in a sacco, open and closed, newest first. */
export function useOwnOrders(sacco: string) {
  return usePages(marketKeys.orders(sacco), (cursor, signal) =>
    call<typeof listOrders>('GET', '/sacco/order-book-items', { query: { sacco, cursor }, saccoId: sacco, signal }),
  );
}

/** The contract note of one's own trade. */
export function useContractNote(id: string) {
  return useQuery({
    queryKey: ['Client', 'contract-note', id],
    queryFn: ({ signal }) => call<typeof readContractNote>('GET', '/sacco/trades/{id}', { params: { id }, signal }),
  });
}

/** One's price alerts that wait in a sacco's market. */
export function usePriceAlerts(sacco: string) {
  return useQuery({
    queryKey: ['Client', 'price-alerts', sacco],
    queryFn: ({ signal }) =>
      call<typeof listPriceAlerts>('GET', '/sacco/price-alerts', { query: { sacco }, saccoId: sacco, signal }),
  });
}

/** What of a market's terms stands on the screen: where they are worse by then, nothing is bought or sold. */
export function shownOf({ fee_percentage, fee_min, floor, ceiling, lot }: MarketTerms): ShownTerms {
  return { fee_percentage, fee_min, floor, ceiling, lot };
}

/** With the password, where it is asked for. Terms that changed under somebody's finger are shown, and they press again. */
async function withNewTerms<Reply>(send: () => Promise<Reply>): Promise<Reply> {
  return withProof(send).catch(async (error: unknown) => {
    if (error instanceof CallFailure && error.code === 'terms_changed') await refreshMarketTerms();
    throw error;
  });
}

/** Places an order, with the password where that is asked for; ends with what traded at once. The caller refreshes by `refreshMarket`. */
export function sendOrder(
  body: BodyIn<typeof placeOrder> & { terms: ShownTerms },
  idempotencyKey: string,
): Promise<ReplyOf<typeof placeOrder>> {
  const request = { body, idempotencyKey, saccoId: body.sacco };
  return withNewTerms(() => call<typeof placeOrder>('POST', '/sacco/order-book-items', request));
}

/** Buys at a named offer's price or better, all of the shares or none. */
export function sendTake(
  sacco: string,
  body: BodyIn<typeof takeOffer> & { price: number; terms: ShownTerms },
  idempotencyKey: string,
): Promise<ReplyOf<typeof takeOffer>> {
  const request = { body, idempotencyKey, saccoId: sacco };
  return withNewTerms(() => call<typeof takeOffer>('POST', '/sacco/members/buy-user-shares', request));
}

export function sendChange(
  id: string,
  body: BodyIn<typeof changeOrder> & { terms: ShownTerms },
): Promise<ReplyOf<typeof changeOrder>> {
  return withNewTerms(() =>
    call<typeof changeOrder>('PATCH', '/sacco/order-book-items/{id}', { params: { id }, body }),
  );
}

export function sendCancel(id: string): Promise<ReplyOf<typeof cancelOrder>> {
  return call<typeof cancelOrder>('DELETE', '/sacco/order-book-items/{id}', { params: { id } });
}

export function sendAlert(body: BodyIn<typeof createPriceAlert>): Promise<ReplyOf<typeof createPriceAlert>> {
  return call<typeof createPriceAlert>('POST', '/sacco/price-alerts', { body, saccoId: body.sacco });
}

export function sendAlertBack(id: string): Promise<ReplyOf<typeof cancelPriceAlert>> {
  return call<typeof cancelPriceAlert>('DELETE', '/sacco/price-alerts/{id}', { params: { id } });
}

/** After one's own act in a market. Trades change who holds what, which saccos, memberships and people show, too. */
export function refreshMarket(hasTraded: boolean): Promise<void> {
  return refresh(hasTraded ? ['Client', 'Chart', 'Sacco', 'User'] : ['Client', 'Chart']);
}

/** After the rules of a market have changed. */
export function refreshMarketTerms(): Promise<void> {
  return refresh(['Client', 'Chart', 'Sacco']);
}
