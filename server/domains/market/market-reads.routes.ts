import * as contract from '@ushirika/contract/market';
import { formatShillings } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Database } from '../../db/tx.ts';
import { type Binding, bindHandler, bindStream, bindVerb } from '../../http/bind.ts';
import { markedPairsOf } from './marked-pairs.ts';
import { contractNoteOf, orderBooks, ordersOf, tradesOf } from './market.queries.ts';
import type { MarketHub } from './market-live.ts';
import { marketStats } from './market-stats.queries.ts';
import { assertOwnSacco } from './own-sacco.ts';
import { cancelPriceAlert, createPriceAlert, priceAlertsOf } from './price-alerts.ts';

export interface MarketReadDependencies {
  readonly database: Database;
  readonly publicUrl: string;
  readonly markets: MarketHub;
}

export function marketReadRoutes({ database, publicUrl, markets }: MarketReadDependencies): Binding[] {
  const orderBookOf = orderBooks(database);
  return [
    bindHandler(contract.readOrderBook, ({ actor, saccoId, query }) =>
      orderBookOf({ userId: actor.userId, saccoId }, query.depth),
    ),
    bindHandler(contract.readMarketStats, ({ saccoId, query }) => marketStats(database, named(saccoId), query.range)),
    bindHandler(contract.listOrders, ({ actor, saccoId, query }) =>
      ordersOf(database, publicUrl, { userId: actor.userId, saccoId: named(saccoId) }, query),
    ),
    bindHandler(contract.listTrades, ({ actor, saccoId, query }) =>
      tradesOf(database, publicUrl, { userId: actor.userId, saccoId }, query),
    ),
    bindHandler(contract.readContractNote, ({ actor, params }) => contractNoteOf(database, actor.userId, params.id)),
    bindHandler(contract.listMarkedPairs, ({ saccoId }) => markedPairsOf(database, saccoId)),
    bindStream(contract.marketLive, async ({ saccoId, headers }, events) => {
      await assertOwnSacco(database, saccoId);
      return markets.watch(saccoId, sequenceOf(headers['last-event-id']), (frame) => void events.broadcast(frame));
    }),
    bindHandler(contract.listPriceAlerts, async ({ actor, saccoId }) => {
      const results = await priceAlertsOf(database, { userId: actor.userId, saccoId });
      return { count: results.length, next: null, previous: null, results };
    }),
    bindVerb(contract.createPriceAlert, async (tx, { actor, saccoId, body }) => {
      const alert = await createPriceAlert(tx, actor, { saccoId, priceCents: body.price });
      const price = formatShillings(alert.price);
      return {
        success: true as const,
        message: sentence('You will be told when shares are offered at {price} or less.', { price }),
        alert,
      };
    }),
    bindVerb(contract.cancelPriceAlert, async (tx, { actor, params }) => {
      await cancelPriceAlert(tx, actor, { alertId: params.id });
      return { success: true as const, message: sentence('The alert is taken back.') };
    }),
  ] as Binding[];
}

function named(saccoId: string | null): string {
  if (saccoId === null) throw new Refusal('sacco_required');
  return saccoId;
}

/** The sequence in `Last-Event-ID`; null when there is none or it is malformed. */
function sequenceOf(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null;
}
