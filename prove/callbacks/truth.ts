import { audit } from '../../server/audit.ts';
import { invariants } from '../../server/domains.ts';
import { balances } from '../../server/ledger/balances.ts';
import { PLATFORM_BOOK } from '../../server/ledger/ledger.types.ts';
import { FLOAT_AT_FIRST_CENTS } from '../support/mpesa-float.ts';
import type { CallbackWorld } from './callback-world.ts';

interface PaymentIn {
  readonly receipt: string;
  readonly phone: string;
  readonly amount_cents: number;
  readonly account_reference: string;
  /** Whose top-up it paid, where it answered a prompt. */
  readonly asked_by: string | null;
}

interface Booked {
  readonly receipt: string;
  readonly amount_cents: number;
  readonly user_id: string | null;
}

/** Holds our books to what M-Pesa really took and paid, payment by payment, person by person and in all. */
export async function compareWithTruth(
  world: CallbackWorld,
  when: string,
): Promise<{ payments: number; payouts: number }> {
  const payments = await paymentsIn(world);
  await comparePayments(world, payments, when);
  const payouts = await comparePayouts(world, when);
  await comparePeople(world, payments, when);
  await compareFloat(world, when);
  await compareClaims(world, when);
  for (const { name, breach } of await audit(world.product.database.url, invariants)) {
    if (breach)
      world.violate(`${when}, the audit found "${name}" broken: ${JSON.stringify(breach.rows).slice(0, 300)}`);
  }
  return { payments: payments.length, payouts };
}

function paymentsIn(world: CallbackWorld): Promise<readonly PaymentIn[]> {
  return world.product.database.owner<PaymentIn[]>`
    select p.receipt, p.phone, p.amount_cents::int, p.account_reference, d.user_id as asked_by
    from simulator.payment p left join deposits d on p.kind = 'stk' and d.reference = p.account_reference
    where p.kind in ('stk', 'c2b') order by p.completed_at, p.receipt` as Promise<readonly PaymentIn[]>;
}

/** Whose account number that is, by the rules that people are told. */
function ownerOf(world: CallbackWorld, reference: string): string | null {
  const folded = reference.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  const digits = folded.replace(/^0/, '254');
  return world.people.find(({ account, phone }) => account === folded || phone === digits)?.id ?? null;
}

async function comparePayments(world: CallbackWorld, payments: readonly PaymentIn[], when: string): Promise<void> {
  const { owner } = world.product.database;
  const booked = await owner<Booked[]>`select receipt, amount_cents::int, user_id from mpesa_receipts`;
  const counts = new Map<string, Booked[]>();
  for (const row of booked) counts.set(row.receipt, [...(counts.get(row.receipt) ?? []), row]);
  const claimed = await claimedOutOfSuspense(world);
  for (const payment of payments) {
    const rows = counts.get(payment.receipt) ?? [];
    counts.delete(payment.receipt);
    const told = `${payment.receipt} of ${payment.amount_cents} cents for "${payment.account_reference}"`;
    if (rows.length > 1) world.violate(`${when}, the payment ${told} is in the books ${rows.length} times`);
    const row = rows[0];
    if (!row) {
      world.violate(`${when}, the payment ${told} is not in the books, and M-Pesa took it`);
      continue;
    }
    if (row.amount_cents !== payment.amount_cents) world.violate(`${when}, ${told} was booked as ${row.amount_cents}`);
    const right = payment.asked_by ?? ownerOf(world, payment.account_reference) ?? claimed.get(payment.receipt) ?? null;
    if (row.user_id !== right) {
      world.violate(
        `${when}, ${told} is with ${row.user_id}, and belongs to ${right} (${await howBooked(world, payment.receipt)})`,
      );
    }
  }
  for (const receipt of counts.keys()) world.violate(`${when}, ${receipt} is in the books, and M-Pesa never took it`);
}

async function howBooked(world: CallbackWorld, receipt: string): Promise<string> {
  const [row] = await world.product.database.owner`
    select r.source, p.account_reference, p.listed_at, p.received_at, e.kind, e.detail
    from mpesa_receipts r left join paybill_payments p on p.receipt = r.receipt
    left join money_exceptions e on e.receipt = r.receipt
    where r.receipt = ${receipt} limit 1`;
  return JSON.stringify(row);
}

/** Money of nobody's account number, that its payer claimed or an operator gave to somebody: by receipt. */
async function claimedOutOfSuspense(world: CallbackWorld): Promise<ReadonlyMap<string, string>> {
  const rows = await world.product.database.owner<{ receipt: string; user_id: string }[]>`
    select c.receipt, c.user_id from receipt_claims c join users u on u.id = c.user_id
    join simulator.payment p on p.receipt = c.receipt and p.phone = u.phone and p.kind = 'c2b'
    where c.state = 'credited'
    union
    select receipt, credited_user_id from money_exceptions where resolution = 'credit' and receipt is not null
      and held_in = 'suspense'`;
  return new Map(rows.map(({ receipt, user_id }) => [receipt, user_id]));
}

interface WithdrawalTruth {
  readonly id: string;
  readonly state: string;
  readonly paid: number;
  readonly settlements: number;
  readonly is_shown: boolean;
}

async function comparePayouts(world: CallbackWorld, when: string): Promise<number> {
  const { owner } = world.product.database;
  const strangers = await owner<{ id: string }[]>`
    select originator_conversation_id as id from simulator.payout
    where originator_conversation_id not in (select id::text from withdrawals)`;
  for (const { id } of strangers) {
    world.violate(`${when}, M-Pesa was asked to pay under ${id}, an id that is no withdrawal's`);
  }
  const rows = await owner<WithdrawalTruth[]>`
    select w.id, w.state,
      (select count(*)::int from simulator.payment p
       where p.kind = 'b2c' and p.originator_conversation_id = w.id::text) as paid,
      (select count(*)::int from journals j
       where j.about_id = w.id and j.kind in ('withdrawal_paid', 'withdrawal_returned')) as settlements,
      exists (select from money_exceptions e where e.about_id = w.id and e.resolved_at is null) as is_shown
    from withdrawals w`;
  for (const { id, state, paid, settlements, is_shown } of rows) {
    const isSettled = state === 'paid' || state === 'returned';
    if (paid > 1) world.violate(`${when}, M-Pesa paid the withdrawal ${id} ${paid} times`);
    if (state === 'paid' && paid === 0)
      world.violate(`${when}, the withdrawal ${id} is paid, and M-Pesa never paid it`);
    if (state === 'returned' && paid > 0)
      world.violate(`${when}, the withdrawal ${id} was returned, and M-Pesa has paid it`);
    if (!isSettled && paid > 0) world.violate(`${when}, the withdrawal ${id} is still held, and M-Pesa has paid it`);
    if (!isSettled && !is_shown) world.violate(`${when}, the withdrawal ${id} is held, and no operator sees it`);
    if (settlements !== (isSettled ? 1 : 0)) {
      world.violate(`${when}, the withdrawal ${id} is ${state} and was settled ${settlements} times`);
    }
  }
  return rows.length;
}

async function comparePeople(world: CallbackWorld, payments: readonly PaymentIn[], when: string): Promise<void> {
  const { database } = world.product;
  const claimed = await claimedOutOfSuspense(world);
  const truth = new Map<string, number>(world.people.map(({ id }) => [id, 0]));
  let unknown = 0;
  for (const payment of payments) {
    const id = payment.asked_by ?? ownerOf(world, payment.account_reference) ?? claimed.get(payment.receipt);
    if (id === undefined) unknown += payment.amount_cents;
    else truth.set(id, (truth.get(id) ?? 0) + payment.amount_cents);
  }
  const out = await database.owner<{ user_id: string; paid: number; held: number }[]>`
    select w.user_id, coalesce(sum(p.amount_cents), 0)::int as paid,
      coalesce(sum(w.amount_cents) filter (where w.state not in ('paid', 'returned')), 0)::int as held
    from withdrawals w left join simulator.payment p on p.originator_conversation_id = w.id::text
    group by w.user_id`;
  for (const [id, taken] of truth) {
    const [wallet = 0, hold = 0] = await balances(database, [
      { book: PLATFORM_BOOK, kind: 'wallet', owner: id },
      { book: PLATFORM_BOOK, kind: 'wallet_hold', owner: id },
    ]);
    const moved = out.find(({ user_id }) => user_id === id) ?? { paid: 0, held: 0 };
    if (wallet + hold !== taken - moved.paid) {
      world.violate(`${when}, ${id} has ${wallet + hold} cents, and M-Pesa took ${taken} and paid ${moved.paid}`);
    }
    if (hold !== moved.held) world.violate(`${when}, ${hold} cents of ${id} are held, and ${moved.held} are under way`);
  }
  const [suspense = 0] = await balances(database, [{ book: PLATFORM_BOOK, kind: 'suspense', owner: null }]);
  if (suspense !== unknown) world.violate(`${when}, suspense is ${suspense} cents, and ${unknown} came for nobody`);
  const [shown] = await database.owner<{ cents: number }[]>`
    select coalesce(sum(amount_cents), 0)::int as cents from money_exceptions
    where held_in = 'suspense' and resolved_at is null`;
  if (shown?.cents !== suspense)
    world.violate(`${when}, operators are shown ${shown?.cents} of ${suspense} cents in suspense`);
}

async function compareFloat(world: CallbackWorld, when: string): Promise<void> {
  const { database } = world.product;
  const [account] = await database.owner<{ balance_cents: string }[]>`
    select balance_cents from simulator.organisation_account where name = 'utility'`;
  const held = Number(account?.balance_cents) - FLOAT_AT_FIRST_CENTS;
  const [float = 0] = await balances(database, [{ book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null }]);
  if (float !== held) world.violate(`${when}, the float in our books is ${float} cents, and ${held} at M-Pesa`);
}

/** What a payment was worth is for whom it was credited to: its receipt can be read over a shoulder. */
async function compareClaims(world: CallbackWorld, when: string): Promise<void> {
  const rows = await world.product.database.owner<{ receipt: string }[]>`
    select receipt from receipt_claims where state <> 'credited' and amount_cents is not null`;
  for (const { receipt } of rows) world.violate(`${when}, a claim of ${receipt} in vain tells what it was worth`);
}

/** What a flood leaves behind is bounded, and nobody waited for each other in a ring. */
export async function compareBounds(world: CallbackWorld): Promise<void> {
  const { owner } = world.product.database;
  const [log] = await owner<{ longest: number; most: number }[]>`
    select max(length(body::text))::int as longest, max(kept)::int as most
    from callback_log l, lateral (
      select count(*) as kept from callback_log o
      where o.kind = l.kind and o.about_id = l.about_id) of_one`;
  if ((log?.longest ?? 0) > 8_000) world.violate(`a stored callback is ${log?.longest} characters long`);
  // Fifty, and those that came in the same moment as the fiftieth: each of the pool's connections may bring one.
  if ((log?.most ?? 0) > 60) world.violate(`of one thing ${log?.most} callbacks are kept`);
  const [open] = await owner<{ most: number }[]>`
    select coalesce(max(count), 0)::int as most from (
      select count(*) from money_exceptions where resolved_at is null and about_id is not null group by about_id) about`;
  if ((open?.most ?? 0) > 20) world.violate(`about one thing ${open?.most} exceptions are open`);
  await owner`select pg_stat_force_next_flush()`;
  const [stat] = await owner<{ deadlocks: number }[]>`
    select deadlocks::int from pg_stat_database where datname = current_database()`;
  if ((stat?.deadlocks ?? 0) > 0)
    world.violate(`transactions waited for each other in a ring ${stat?.deadlocks} times`);
}
