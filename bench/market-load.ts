import type { OrderSide } from '@ushirika/contract/market';
import { holdOf } from '@ushirika/contract/market-fees';
import { Refusal } from '@ushirika/contract/refusal';
import { SMS_TOPICS } from '@ushirika/contract/topics';
import postgres from 'postgres';
import type { Database } from '../server/db/tx.ts';
import { journalOfHold } from '../server/domains/market/journals.ts';
import type { MarketCommand, MarketOutcome } from '../server/domains/market/market.types.ts';
import { trade } from '../server/domains/market/trade.ts';
import { post } from '../server/ledger/post.ts';
import { type BatchLoad, keepQueueFull } from './batch-load.ts';
import type { SignedIn } from './people.ts';
import { seeded } from './statistics.ts';

/** Cents: the share value of the benches' saccos, and how far from it orders are placed. */
const PAR = 100;
const SPREAD = 6;

/** Of orders, each acknowledged after the commit that has settled all it traded. */
export interface MarketLoad extends BatchLoad {
  readonly trades: number;
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

/** Keeps the market's batch queue full for some seconds. */
export async function loadMarkets(database: Database, seconds: number, draw: () => MarketCommand): Promise<MarketLoad> {
  let trades = 0;
  const load = await keepQueueFull<MarketCommand, MarketOutcome>(
    database,
    seconds,
    { run: trade, keyOf: (command) => (command.kind === 'place' ? command.saccoId : null) },
    async (queue) => {
      try {
        const outcome = await queue.submit(draw());
        trades += outcome.trades.length;
        return 'done';
      } catch (error) {
        if (error instanceof Refusal) return 'refused';
        throw error;
      }
    },
  );
  return { ...load, trades };
}

/**
 * Everybody is told of their trades in the app and not by SMS: how fast another company takes thousands of messages a second
 * is not what is measured.
 */
export async function withoutSms(ownerUrl: string): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  await sql`
    insert into notification_preferences (user_id, language, updated_at)
    select id, 'en', now() from users on conflict do nothing`;
  await sql`
    insert into sms_choices (user_id, topic, is_wanted, chosen_at)
    select id, topic, false, now() from users cross join unnest(${[...SMS_TOPICS]}::text[]) topic on conflict do nothing`;
  await sql.end();
}

/** The night's audit has run: a server that starts would otherwise begin with reading every row there is. */
export async function auditIsDone(ownerUrl: string): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  await sql`
    insert into job_schedules (task, begun_at) values ('audit_books', now())
    on conflict (task) do update set begun_at = excluded.begun_at`;
  await sql.end();
}

/**
 * Fills the markets with resting orders of one share each, so many in all: to sell at the highest price, to buy at the
 * lowest. As the verb would have left them: holds, levels and figures agree. The orders are written as the owner and
 * set-based, what they hold is posted by the ledger.
 */
export async function deepenBook(database: Database, ownerUrl: string, resting: number): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  try {
    await sql`
      insert into share_orders (id, place, price_cents, shares, fee_min_cents, fee_basis_points, placed_at, expires_at,
                                sacco_id, user_id, side, state)
      select uuidv7(), row_number() over (partition by sacco_id order by nth, user_id),
        (case side when 'sell' then ${PAR + 10}::bigint else ${PAR - 10}::bigint end), 1, ${FEES.fee_min_cents}::bigint, ${FEES.fee_basis_points}::int, now(),
        now() + interval '80 days', sacco_id, user_id, side, 'open'
      from (
        select nth, sacco_id, user_id, case when hashtext(user_id::text) % 2 = 0 then 'sell' else 'buy' end as side
        from memberships cross join generate_series(1, 50) as nth order by nth, user_id limit ${resting}
      ) wanted`;
    await holdForResting(database, sql);
    await sql`
      insert into market_levels (sacco_id, side, price_cents, shares, orders)
      select sacco_id, side, price_cents, count(*), count(*) from share_orders where state = 'open' group by 1, 2, 3`;
    await sql`
      update markets m
      set last_place = (select coalesce(max(place), 0) from share_orders o where o.sacco_id = m.sacco_id),
        best_ask_cents = (select min(price_cents) from market_levels l where l.sacco_id = m.sacco_id and l.side = 'sell'),
        best_bid_cents = (select max(price_cents) from market_levels l where l.sacco_id = m.sacco_id and l.side = 'buy')`;
    await sql`vacuum analyze`;
    await sql`checkpoint`;
  } finally {
    await sql.end();
  }
}

const FEES = { fee_basis_points: 50, fee_min_cents: 10 };

async function holdForResting(database: Database, sql: postgres.Sql): Promise<void> {
  const holders = await sql<{ id: string; sacco_id: string; user_id: string; side: OrderSide; orders: number }[]>`
    select min(id::text)::uuid as id, sacco_id, user_id, side, count(*)::int as orders
    from share_orders where state = 'open' group by sacco_id, user_id, side`;
  const holdOfOne = holdOf(PAR - 10, 1, 0, FEES);
  for (let start = 0; start < holders.length; start += 2_000) {
    const journals = holders
      .slice(start, start + 2_000)
      .map((holder) => journalOfHold(holder, holder.orders * (holder.side === 'buy' ? holdOfOne : 1)));
    await database.transaction((tx) => post(tx, journals));
  }
}
