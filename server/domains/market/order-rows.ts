import type { CancelReason, Order, OrderSide, OrderState } from '@ushirika/contract/market';
import { holdOf } from '@ushirika/contract/market-fees';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';

/** The columns of `share_orders o` for an order of the API. */
export const ORDER_COLUMNS = `
  o.id, o.sacco_id, o.side, o.state, o.cancel_reason, o.price_cents, o.shares, o.filled, o.value_cents, o.fee_cents,
  o.fee_min_cents, o.fee_basis_points, o.fee_max_basis_points, o.placed_at, o.expires_at, o.closed_at`;

export interface OrderRow {
  readonly id: string;
  readonly sacco_id: string;
  readonly side: OrderSide;
  readonly state: OrderState;
  readonly cancel_reason: CancelReason | null;
  readonly price_cents: number;
  readonly shares: number;
  readonly filled: number;
  readonly value_cents: number;
  readonly fee_cents: number;
  readonly fee_min_cents: number;
  readonly fee_basis_points: number;
  readonly fee_max_basis_points: number;
  readonly placed_at: Date;
  readonly expires_at: Date;
  readonly closed_at: Date | null;
}

/** What an open order holds in its member's wallet. */
export function heldCentsOf(row: OrderRow): Cents {
  if (row.state !== 'open' || row.side !== 'buy') return 0;
  return holdOf(row.price_cents, row.shares - row.filled, row.value_cents, row);
}

/** The order for its own member. It has nothing of other members. */
export function toOrder(row: OrderRow): Order {
  const remaining = row.shares - row.filled;
  return {
    id: row.id,
    sacco: row.sacco_id,
    side: row.side,
    shares: row.shares,
    filled: row.filled,
    remaining,
    price: shillingsFromCents(row.price_cents),
    status: row.state,
    value: shillingsFromCents(row.value_cents),
    fee: shillingsFromCents(row.fee_cents),
    held: shillingsFromCents(heldCentsOf(row)),
    placed_at: row.placed_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
    cancel_reason: row.cancel_reason,
  };
}
