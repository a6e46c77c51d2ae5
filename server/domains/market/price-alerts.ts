import { PRICE_ALERTS_MAX, type PriceAlert } from '@ushirika/contract/market';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusals';
import type { SaccoState } from '@ushirika/contract/saccos';
import type { Database, Tx } from '../../db/tx.ts';
import { refusalOfPrice, TERMS_COLUMNS, type TermsRow } from './terms.rules.ts';

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

/** A member's alerts that wait in a sacco's market, the highest price first: the one that comes true first. */
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
 * Asks to be told once when somebody offers shares at a price, in cents, or below.
 * Throws `sacco_inactive`, `price_not_allowed`, or `alert_conflict` for the same price twice or one too many.
 */
export async function createPriceAlert(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly priceCents: Cents },
): Promise<PriceAlert> {
  const { saccoId, priceCents } = input;
  // The person's own row is the lock under which their alerts are counted.
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
  if (!market) throw new Refusal('not_found', { message: 'There is no such sacco.' });
  if (market.state !== 'active') {
    throw new Refusal('sacco_inactive', { message: `${market.name} is not active: its shares are not traded now.` });
  }
  const refusal = refusalOfPrice(priceCents, market, market.share_value_cents);
  if (refusal) throw refusal;
  if (market.alerts >= PRICE_ALERTS_MAX) {
    throw new Refusal('alert_conflict', {
      message: `You have ${PRICE_ALERTS_MAX} alerts waiting here. Take one back first.`,
    });
  }
  const [row] = await tx.sql<AlertRow[]>`
    insert into price_alerts (id, sacco_id, user_id, price_cents, state, created_at)
    values (${tx.newId()}, ${saccoId}, ${actor.userId}, ${priceCents}, 'waiting', ${tx.now})
    on conflict do nothing returning id, sacco_id, price_cents, created_at`;
  if (row) return toAlert(row);
  const price = formatShillings(shillingsFromCents(priceCents));
  throw new Refusal('alert_conflict', { message: `You have an alert at ${price} already.` });
}

/** Takes one's own alert back; one that is not there, not one's own or no longer waiting is `not_found`. */
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

/** An alert whose price has come, and the best price at which somebody else offers shares. */
export interface RipeAlert {
  readonly id: string;
  readonly user_id: string;
  readonly sacco_id: string;
  readonly sacco: string;
  readonly price_cents: Cents;
  readonly offered_cents: Cents;
}

/**
 * The alerts of changed markets that somebody else's open offer makes true now, the platform asking for everybody. For
 * the job, which tells them, ends them as `told`, and moves each market's `alerted_sequence` on.
 */
export async function alertsToFire(
  tx: Tx,
  { saccoIds, limit }: { readonly saccoIds: readonly string[]; readonly limit: number },
): Promise<readonly RipeAlert[]> {
  return tx.sql<RipeAlert[]>`
    select a.id, a.user_id, a.sacco_id, s.name as sacco, a.price_cents, o.price_cents as offered_cents
    from markets m join saccos s on s.id = m.sacco_id
    join price_alerts a on a.sacco_id = m.sacco_id and a.state = 'waiting' and a.price_cents >= m.best_ask_cents
    cross join lateral (
      select price_cents from share_orders o
      where o.sacco_id = a.sacco_id and o.side = 'sell' and o.state = 'open' and o.rank <= a.price_cents
        and o.user_id <> a.user_id and o.expires_at > ${tx.now}
      order by o.rank, o.place limit 1
    ) o
    where m.sacco_id = any (${saccoIds as string[]}::uuid[])
    order by a.sacco_id, a.price_cents desc, a.id limit ${limit} for update of a skip locked`;
}
