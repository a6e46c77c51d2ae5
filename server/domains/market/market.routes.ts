import * as contract from '@ushirika/contract/market';
import { shillingsFromCents } from '@ushirika/contract/money';
import type { Receipt } from '@ushirika/contract/receipts';
import { Refusal } from '@ushirika/contract/refusal';
import type { Unsaid } from '@ushirika/contract/said';
import { type Sentence, sentence, several, sharesSaid } from '@ushirika/contract/sentence';
import type { z } from 'zod';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { type Actor, type Binding, bindBatched, bindHandler } from '../../http/bind.ts';
import { changeById } from '../saccos/changes.queries.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { proposeChange } from '../saccos/propose-change.ts';
import { termsToKeep } from './change-market-terms.ts';
import type { MarketCommand, MarketDependencies, MarketOutcome, Shown, TradeNow } from './market.types.ts';
import type { MarketHub } from './market-live.ts';
import { marketReadRoutes } from './market-reads.routes.ts';
import { money } from './market-words.ts';
import { heldCentsOf, toOrder } from './order-rows.ts';
import { trade } from './trade.ts';

export interface MarketRoutesDependencies extends MarketDependencies {
  readonly database: Database;
  readonly publicUrl: string;
  readonly markets: MarketHub;
  readonly changes: ChangeExecutors;
}

export function marketRoutes(dependencies: MarketRoutesDependencies): Binding[] {
  const { database, changes } = dependencies;
  return [
    bindBatched(
      contract.placeOrder,
      'orders',
      (tx, calls) => {
        const commands = calls.map(({ actor, body }): MarketCommand => {
          const expiresAt = body.expires_at === undefined ? null : new Date(body.expires_at);
          const { sacco: saccoId, side, shares, price: priceCents } = body;
          const shown = shownIn(body.terms);
          return { kind: 'place', ...whoOf(actor), saccoId, side, shares, priceCents, expiresAt, shown };
        });
        return act(tx, dependencies, commands, placed);
      },
      ({ body }) => body.sacco,
    ),
    bindBatched(contract.takeOffer, 'offers', (tx, calls) => {
      const commands = calls.map(({ actor, body }): MarketCommand => {
        const { order: orderId, shares, price: priceCents = null } = body;
        return { kind: 'take', ...whoOf(actor), orderId, shares, priceCents, shown: shownIn(body.terms) };
      });
      return act(tx, dependencies, commands, placed);
    }),
    bindBatched(contract.changeOrder, 'changes of orders', (tx, calls) => {
      const commands = calls.map(({ actor, params, body }): MarketCommand => {
        const { shares = null, price: priceCents = null } = body;
        const shown = shownIn(body.terms);
        return { kind: 'change', ...whoOf(actor), orderId: params.id, shares, priceCents, shown };
      });
      return act(tx, dependencies, commands, changed);
    }),
    bindBatched(contract.cancelOrder, 'cancellations of orders', (tx, calls) => {
      const commands = calls.map(({ actor, params }): MarketCommand => {
        return { kind: 'cancel', userId: actor.userId, orderId: params.id };
      });
      return act(tx, dependencies, commands, cancelled);
    }),
    // Runs as the platform: two officials make the change, but it notifies other members and closes their orders.
    bindHandler(contract.setMarketTerms, async ({ actor, saccoId, body }) => {
      const { fee_min: fee_min_cents, tick: tick_cents, ...terms } = body;
      const payload = termsToKeep({ ...terms, tick_cents, fee_min_cents });
      const about = { saccoId, proposedBy: actor.userId };
      const executor = changes.market_terms;
      const id = await asSystem(() =>
        database.transaction((tx) => proposeChange(tx, about, { kind: 'market_terms', payload }, executor)),
      );
      const message = sentence('Proposed. Another official must confirm it.');
      return { success: true as const, message, change: await changeById(database, actor, { id, saccoId }, changes) };
    }),
    ...marketReadRoutes(dependencies),
  ] as Binding[];
}

function shownIn(terms: z.output<typeof contract.shownTerms> | undefined): Shown | null {
  if (!terms) return null;
  const { fee_percentage, fee_min: feeMinCents, floor: floorCents, ceiling: ceilingCents, lot } = terms;
  return { feeBasisPoints: Math.round(fee_percentage * 100), feeMinCents, floorCents, ceilingCents, lot };
}
const whoOf = ({ userId, sessionId }: Actor) => ({ userId, sessionId });

async function act<Reply>(
  tx: Tx,
  dependencies: MarketDependencies,
  commands: readonly MarketCommand[],
  replyTo: (outcome: MarketOutcome, at: Date) => Reply,
): Promise<(Reply | Refusal)[]> {
  const answers = await trade(tx, commands, dependencies);
  return answers.map((answer) => (answer instanceof Refusal ? answer : replyTo(answer, tx.now)));
}

function placed(outcome: MarketOutcome, at: Date) {
  return { success: true as const, message: messageOf(outcome), ...made(outcome, at), receipt: receiptOf(outcome, at) };
}

function changed(outcome: MarketOutcome, at: Date) {
  const message = outcome.trades.length > 0 ? messageOf(outcome) : sentence('Your order is changed.');
  return { success: true as const, message, ...made(outcome, at) };
}

function cancelled({ order }: MarketOutcome) {
  const message =
    order.side === 'sell'
      ? sentence('Your order is cancelled. The shares that it held are free.')
      : sentence('Your order is cancelled. The money that it held is back in your wallet.');
  return { success: true as const, message, order: toOrder(order) };
}

function made({ order, trades }: MarketOutcome, at: Date) {
  return {
    order: toOrder(order),
    trades: trades.slice(0, contract.TRADES_SHOWN_MAX).map(({ id, shares, priceCents }) => ({
      id,
      shares,
      price: shillingsFromCents(priceCents),
      at: at.toISOString(),
    })),
  };
}

const sum = (trades: readonly TradeNow[], of: (trade: TradeNow) => number) =>
  trades.reduce((total, each) => total + of(each), 0);

function messageOf({ order, trades }: MarketOutcome): Sentence {
  const done = sum(trades, ({ shares }) => shares);
  const left = order.state === 'open' ? order.shares - order.filled : 0;
  const price = money(order.price_cents);
  const shares = sharesSaid(done);
  if (order.side === 'buy') {
    if (done === 0)
      return sentence('Your order to buy {shares} at {price} waits in the book.', { shares: sharesSaid(left), price });
    if (left === 0) return sentence('You have bought {shares}.', { shares });
    return sentence('You have bought {shares}. {left} more wait in the book at {price}.', { shares, left, price });
  }
  if (done === 0)
    return sentence('Your order to sell {shares} at {price} waits in the book.', { shares: sharesSaid(left), price });
  if (left === 0) return sentence('You have sold {shares}.', { shares });
  return sentence('You have sold {shares}. {left} more wait in the book at {price}.', { shares, left, price });
}

/** What moved now: paid, or received after the fee; for an order to buy also what is held for its rest. */
function receiptOf({ order, trades, journal, saccoName }: MarketOutcome, at: Date): Unsaid<Receipt> {
  const value = sum(trades, ({ shares, priceCents }) => shares * priceCents);
  const moved =
    order.side === 'buy'
      ? value + sum(trades, ({ buyerFeeCents }) => buyerFeeCents)
      : value - sum(trades, ({ sellerFeeCents }) => sellerFeeCents);
  const done = sum(trades, ({ shares }) => shares);
  const left = order.state === 'open' ? order.shares - order.filled : 0;
  const traded = order.side === 'buy' ? sentence('{n} bought', { n: done }) : sentence('{n} sold', { n: done });
  const waiting = sentence('{n} waiting', { n: left });
  const parts = several([...(done > 0 ? [traded] : []), ...(left > 0 ? [waiting] : [])], ', ');
  const ofOrder = { shares: sharesSaid(order.shares), name: saccoName, parts };
  return {
    id: order.id,
    what:
      order.side === 'buy'
        ? sentence('Order to buy {shares} of {name}: {parts}', ofOrder)
        : sentence('Order to sell {shares} of {name}: {parts}', ofOrder),
    amount: shillingsFromCents(moved + heldCentsOf(order)),
    at: at.toISOString(),
    journal: journal?.id ?? '',
  };
}
