import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { SaccoState } from '@ushirika/contract/saccos';
import { STANDING_ORDER_TRIES } from '@ushirika/contract/savings';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { notify } from '../notifications/notify.ts';
import { amountValue, saccoValue } from '../notifications/sms-values.ts';
import { depositSavings } from './deposit-savings.ts';
import { nairobiDayOfMonth, nairobiMonth } from './savings.rules.ts';
import { savingsSms } from './savings.sms.ts';

const CHUNK = 200;

/**
 * Carries out the standing orders that are due: once for each order and month, however often and in however many
 * processes this runs. Where funds lack, it is tried again on the next days of the same month, three times in all; then
 * the month is skipped and the member told. An order of somebody who is leaving or has left is ended; one of a suspended
 * account waits.
 */
export async function runStandingOrders(database: Database): Promise<void> {
  await database.transaction(skipPastMonths);
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const due = await dueOrders(database, after);
    const last = due.at(-1);
    if (!last) return;
    await database.transaction((tx) => runOrders(tx, due));
    after = last.id;
  }
}

interface DueOrder {
  readonly id: string;
  readonly sacco_id: string;
  readonly sacco_name: string;
  readonly sacco_state: SaccoState;
  readonly user_id: string;
  readonly amount_cents: Cents;
}

async function dueOrders(database: Database, after: string): Promise<DueOrder[]> {
  const now = database.now();
  const month = nairobiMonth(now);
  return database.sql<DueOrder[]>`
    select o.id, o.sacco_id, s.name as sacco_name, s.state as sacco_state, o.user_id, o.amount_cents
    from standing_orders o join saccos s on s.id = o.sacco_id
    left join standing_order_runs r on r.order_id = o.id and r.month = ${month}
    where o.state = 'active' and o.day <= ${nairobiDayOfMonth(now)} and o.first_month <= ${month} and o.id > ${after}
      and (r.order_id is null or (r.state = 'waiting' and r.tried_on < ${nairobiDay(now)}))
      and suspended_since(o.user_id, ${now}) is null
    order by o.id limit ${CHUNK}`;
}

interface Claimed extends DueOrder {
  readonly tries: number;
}

/** The day's try of each order is claimed by its row first: whoever else runs at the same time finds it taken. */
async function runOrders(tx: Tx, due: readonly DueOrder[]): Promise<void> {
  const claimed = await claim(tx, due);
  const month = nairobiMonth(tx.now);
  const answers = await depositSavings(
    tx,
    claimed.map((order) => ({
      userId: order.user_id,
      saccoId: order.sacco_id,
      amountCents: order.amount_cents,
      idempotencyKey: `savings_deposited:${month}:${order.id}`,
    })),
  );
  const outcomes = claimed.map((order, index) => outcomeOf(order, answers[index]));
  await settle(tx, month, outcomes);
  for (const outcome of outcomes) await tell(tx, outcome);
}

async function claim(tx: Tx, due: readonly DueOrder[]): Promise<Claimed[]> {
  const today = nairobiDay(tx.now);
  const rows = await tx.sql<{ order_id: string; tries: number }[]>`
    insert into standing_order_runs as run (order_id, month, state, tries, tried_on)
    select o.id, ${nairobiMonth(tx.now)}, 'waiting', 1, ${today}
    from standing_orders o where o.id = any (${texts(due.map(({ id }) => id))}::uuid[]) and o.state = 'active'
    order by o.id
    on conflict (order_id, month) do update
    set tries = run.tries + 1, tried_on = excluded.tried_on
    where run.state = 'waiting' and run.tried_on < excluded.tried_on
    returning order_id, tries`;
  const tries = new Map(rows.map((row) => [row.order_id, row.tries]));
  return due.flatMap((order) => {
    const count = tries.get(order.id);
    return count === undefined ? [] : [{ ...order, tries: count }];
  });
}

interface Outcome {
  readonly order: Claimed;
  readonly state: 'paid' | 'skipped' | 'waiting';
  readonly reason: string | null;
  readonly isOrderEnded: boolean;
}

function outcomeOf(order: Claimed, answer: unknown): Outcome {
  if (!(answer instanceof Refusal)) return { order, state: 'paid', reason: null, isOrderEnded: false };
  const isOrderEnded = answer.code === 'not_a_member' || answer.code === 'exit_conflict';
  const isWaiting = !isOrderEnded && order.tries < STANDING_ORDER_TRIES;
  return { order, state: isWaiting ? 'waiting' : 'skipped', reason: answer.code, isOrderEnded };
}

async function settle(tx: Tx, month: string, outcomes: readonly Outcome[]): Promise<void> {
  await tx.sql`
    update standing_order_runs r
    set state = done.state, reason = done.reason,
        settled_at = case when done.state = 'waiting' then null else ${tx.now}::timestamptz end
    from unnest(${texts(outcomes.map(({ order }) => order.id))}::uuid[], ${texts(outcomes.map(({ state }) => state))}::text[],
                ${texts(outcomes.map(({ reason }) => reason))}::text[]) as done (order_id, state, reason)
    where r.order_id = done.order_id and r.month = ${month}`;
  const ended = outcomes.filter(({ isOrderEnded }) => isOrderEnded).map(({ order }) => order.id);
  await tx.sql`
    update standing_orders set state = 'cancelled', cancelled_at = ${tx.now}
    where id = any (${texts(ended)}::uuid[]) and state = 'active'`;
}

async function tell(tx: Tx, { order, state, reason, isOrderEnded }: Outcome): Promise<void> {
  const amount = formatShillings(shillingsFromCents(order.amount_cents));
  const text = textOf({ amount, name: order.sacco_name }, { state, reason, isOrderEnded, tries: order.tries });
  if (text === null) return;
  const told = {
    userId: order.user_id,
    topic: 'money',
    template: `standing_order_${state}`,
    text,
    causedBy: null,
  } as const;
  if (state === 'paid') return notify(tx, told);
  const sacco = saccoValue({ name: order.sacco_name, state: order.sacco_state });
  const sms = savingsSms.standingOrder(isOrderEnded ? 'ended' : state, amountValue(order.amount_cents), sacco);
  await notify(tx, { ...told, sms });
}

/** Told when it is saved (in the app only), at the first failure, and when the month is given up. */
function textOf(
  order: { readonly amount: string; readonly name: string },
  outcome: Pick<Outcome, 'state' | 'reason' | 'isOrderEnded'> & { readonly tries: number },
): Sentence | null {
  if (outcome.state === 'paid') return sentence('Your standing order of {amount} for {name} is saved.', order);
  if (outcome.isOrderEnded) {
    return sentence(
      'Your standing order of {amount} for {name} is ended, because you are leaving or have left.',
      order,
    );
  }
  const why =
    outcome.reason === 'insufficient_funds'
      ? sentence('your wallet holds too little')
      : sentence('the sacco cannot take savings now');
  const values = { ...order, why };
  if (outcome.state === 'skipped') {
    return sentence('Your standing order of {amount} for {name} is skipped this month: {why}.', values);
  }
  if (outcome.tries > 1) return null;
  return sentence('Your standing order of {amount} for {name} waits: {why}. We try again tomorrow.', values);
}

/** A month that ended while its order still waited is skipped. */
async function skipPastMonths(tx: Tx): Promise<void> {
  await tx.sql`
    update standing_order_runs set state = 'skipped', settled_at = ${tx.now}
    where state = 'waiting' and month < ${nairobiMonth(tx.now)}`;
}
