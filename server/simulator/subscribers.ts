import { createHash } from 'node:crypto';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../db/tx.ts';

const FIRST_NAMES = ['Amina', 'Brian', 'Chebet', 'Daudi', 'Esther', 'Fatuma', 'Grace', 'Hassan', 'Joyce', 'Kamau'];
const LAST_NAMES = [
  'Achieng',
  'Barasa',
  'Chepkoech',
  'Kariuki',
  'Mutua',
  'Mwangi',
  'Njeri',
  'Odhiambo',
  'Otieno',
  'Wafula',
];

/** What every subscriber has at least at the first use of a day; the rest of the day is theirs to spend. */
export const PAY_DAY_CENTS = 25_000_000;
/** The most that an M-Pesa account holds, and that one moves in a day. */
export const BALANCE_CENTS_MAX = 50_000_000;
export const DAILY_CENTS_MAX = 50_000_000;
export const TRANSACTION_CENTS_MAX = 25_000_000;

export interface SubscriberRow {
  readonly phone: string;
  readonly name: string;
  readonly balance_cents: number;
}

/** The subscriber of a number, who exists from the moment when somebody asks. */
export async function subscriberOf(tx: Tx, phone: string): Promise<SubscriberRow> {
  const today = nairobiDay(tx.now);
  const [row] = await tx.sql<SubscriberRow[]>`
    insert into simulator.subscriber as s (phone, name, balance_cents, paid_on)
    values (${phone}, ${nameOf(phone)}, ${PAY_DAY_CENTS}, ${today}::date)
    on conflict (phone) do update set
      balance_cents = case when s.paid_on < excluded.paid_on then greatest(s.balance_cents, excluded.balance_cents)
                           else s.balance_cents end,
      paid_on = greatest(s.paid_on, excluded.paid_on)
    returning phone, name, balance_cents`;
  if (!row) throw new Error('A subscriber was neither inserted nor updated.');
  return row;
}

/** The same number has the same name for ever. */
function nameOf(phone: string): string {
  const hash = createHash('sha256').update(phone).digest();
  const first = FIRST_NAMES[(hash[0] ?? 0) % FIRST_NAMES.length];
  return `${first} ${LAST_NAMES[(hash[1] ?? 0) % LAST_NAMES.length]}`;
}

/** Moves money out of a subscriber's account into the organisation's, or back with a negative amount. */
export async function moveToOrganisation(tx: Tx, phone: string, amountCents: number): Promise<void> {
  await tx.sql`update simulator.subscriber set balance_cents = balance_cents - ${amountCents} where phone = ${phone}`;
  await tx.sql`
    update simulator.organisation_account set balance_cents = balance_cents + ${amountCents} where name = 'utility'`;
}

/** What the organisation's account holds before anybody has paid: its owner's own money (migration 0006). */
export const ORGANISATION_OPENING_CENTS = 1_000_000_000;

export async function organisationBalance(tx: Tx, name: 'utility' | 'charges'): Promise<number> {
  const [row] = await tx.sql<{ balance_cents: number }[]>`
    select balance_cents from simulator.organisation_account where name = ${name}`;
  return row?.balance_cents ?? 0;
}

/** What M-Pesa's own rules say to a payment in: 0, or the code that refuses it (payments.md 2.5). */
export async function rulingOnPayment(
  tx: Tx,
  phone: string,
  amountCents: number,
  repeatWindowMs: number,
): Promise<string> {
  if (amountCents < 100) return '2';
  if (amountCents > TRANSACTION_CENTS_MAX) return '3';
  const since = new Date(tx.now.getTime() - repeatWindowMs);
  const [spent] = await tx.sql<{ today_cents: number; repeats: number }[]>`
    select coalesce(sum(amount_cents) filter
             (where (completed_at at time zone 'Africa/Nairobi')::date = ${nairobiDay(tx.now)}::date), 0)::bigint as today_cents,
           count(*) filter (where amount_cents = ${amountCents} and completed_at > ${since})::int as repeats
    from simulator.payment where phone = ${phone} and kind in ('stk', 'c2b')`;
  if ((spent?.today_cents ?? 0) + amountCents > DAILY_CENTS_MAX) return '4';
  if ((spent?.repeats ?? 0) > 0) return '17';
  const { balance_cents } = await subscriberOf(tx, phone);
  return balance_cents < amountCents ? '1' : '0';
}
