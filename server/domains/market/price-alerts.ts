import { PRICE_ALERTS_MAX, type PriceAlert } from '@ushirika/contract/market';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { SaccoState } from '@ushirika/contract/saccos';
import { sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { money } from './market-words.ts';
import { refusalOfPrice, refusalOfState, TERMS_COLUMNS, type TermsRow } from './terms.rules.ts';

interface AlertRow {
  readonly id: string;
  readonly sacco_id: string;
  readonly price_cents: number;
  readonly created_at: Date;
}

function toAlert(row: AlertRow): PriceAlert {
  return {
    id: row.id,
    sacco: row.sacco_id,
    price: shillingsFromCents(row.price_cents),
    created_at: row.created_at.toISOString(),
  };
}

/** A member's waiting alerts in a sacco's market, the highest price first: it is reached first. */
export async function priceAlertsOf(
  database: Database,
  { userId, saccoId }: { readonly userId: string; readonly saccoId: string },
): Promise<PriceAlert[]> {
  const rows = await database.sql<AlertRow[]>`
    select id, sacco_id, price_cents, created_at from price_alerts
    where user_id = ${userId} and sacco_id = ${saccoId} and state = 'waiting' order by price_cents desc, id`;
  return rows.map(toAlert);
}

/**
 * Adds an alert: the member is told once when somebody offers shares at this price, in cents, or below.
 * @throws Refusal `sacco_inactive`, `price_not_allowed`, or `alert_conflict` for the same price twice or too many
 * alerts
 */
export async function createPriceAlert(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly priceCents: Cents },
): Promise<PriceAlert> {
  const { saccoId, priceCents } = input;
  // Locks the person's row, so that alerts added at the same time are counted.
  await tx.sql`select from users where id = ${actor.userId} for no key update`;
  const [market] = await tx.sql.unsafe<
    (TermsRow & { name: string; state: SaccoState; share_value_cents: number; alerts: number })[]
  >(
    `select s.name, s.state, s.share_value_cents, ${TERMS_COLUMNS}, (
       select count(*)::int from price_alerts a where a.user_id = $2 and a.sacco_id = m.sacco_id and a.state = 'waiting'
     ) as alerts
     from markets m join saccos s on s.id = m.sacco_id where m.sacco_id = $1`,
    [saccoId, actor.userId],
  );
  if (!market) throw new Refusal('not_found', { message: sentence('There is no such sacco.') });
  const refusal = refusalOfState(market) ?? refusalOfPrice(priceCents, market, market.share_value_cents);
  if (refusal) throw refusal;
  if (market.alerts >= PRICE_ALERTS_MAX) {
    throw new Refusal('alert_conflict', {
      message: sentence('You have {n} alerts waiting here. Take one back first.', { n: PRICE_ALERTS_MAX }),
    });
  }
  const [row] = await tx.sql<AlertRow[]>`
    insert into price_alerts (id, sacco_id, user_id, price_cents, state, created_at)
    values (${tx.newId()}, ${saccoId}, ${actor.userId}, ${priceCents}, 'waiting', ${tx.now})
    on conflict do nothing returning id, sacco_id, price_cents, created_at`;
  if (row) return toAlert(row);
  throw new Refusal('alert_conflict', {
    message: sentence('You have an alert at {price} already.', { price: money(priceCents) }),
  });
}

/** Cancels one of the user's own waiting alerts. Throws `not_found` for any other. */
export async function cancelPriceAlert(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly alertId: string },
): Promise<void> {
  const ended = await tx.sql`
    update price_alerts set state = 'cancelled', ended_at = ${tx.now}
    where id = ${input.alertId} and user_id = ${actor.userId} and state = 'waiting'`;
  if (ended.count === 0) throw new Refusal('not_found');
}
