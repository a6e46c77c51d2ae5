import { shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { Unsaid } from '@ushirika/contract/said';
import { fromStored, type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Claim, Deposit, LiveEvents, Withdrawal } from '@ushirika/contract/wallet';
import type { Tx } from '../../db/tx.ts';
import { balances, type Reader } from '../../ledger/balances.ts';
import { wallet, walletHold } from './receipts.ts';
import { depositStateOnTheWire, inWords, withdrawalStateOnTheWire } from './wallet.rules.ts';

const sqlOf = (reader: Reader) => (typeof reader === 'function' ? reader : reader.sql) as Tx['sql'];

/** A person's money in shillings: all of it, what is held for withdrawals, and what can be spent. */
export async function readWallet(reader: Reader, userId: string): Promise<LiveEvents['wallet']> {
  const [available = 0, held = 0] = await balances(reader, [wallet(userId), walletHold(userId)]);
  return {
    amount: shillingsFromCents(available + held),
    held: shillingsFromCents(held),
    available: shillingsFromCents(available),
  };
}

/** The account number that a person types when paying the paybill by hand. Throws `not_found`. */
export async function accountNumberOf(reader: Reader, userId: string): Promise<string> {
  const [row] = await sqlOf(reader)<{ account_number: string }[]>`
    select account_number from users where id = ${userId}`;
  if (!row) throw new Refusal('not_found');
  return row.account_number;
}

interface DepositRow {
  readonly id: string;
  readonly state: string;
  readonly amount_cents: number;
  readonly phone: string;
  readonly is_own_phone: boolean;
  readonly explanation: string | null;
  readonly receipt: string | null;
  readonly created_at: Date;
  readonly settled_at: Date | null;
}

/** One of the user's own top-ups. Throws `not_found`, also for another person's. */
export async function depositOf(reader: Reader, userId: string, id: string): Promise<Unsaid<Deposit>> {
  const [row] = await sqlOf(reader)<DepositRow[]>`
    select d.id, d.state, d.amount_cents, d.phone, d.phone = u.phone as is_own_phone, d.explanation, r.receipt, d.created_at, d.settled_at
    from deposits d join users u on u.id = d.user_id left join mpesa_receipts r on r.deposit_id = d.id
    where d.id = ${id} and d.user_id = ${userId}`;
  if (!row) throw new Refusal('not_found');
  return shownDeposit(row);
}

/** The user's own top-ups, newest first. The count is exact up to 10,000. */
export async function depositsOf(
  reader: Reader,
  userId: string,
  page: { readonly before: string | null; readonly limit: number },
): Promise<{ rows: Unsaid<Deposit>[]; count: number; hasMore: boolean }> {
  const sql = sqlOf(reader);
  const rows = await sql<DepositRow[]>`
    select d.id, d.state, d.amount_cents, d.phone, d.phone = u.phone as is_own_phone, d.explanation, r.receipt, d.created_at, d.settled_at
    from deposits d join users u on u.id = d.user_id left join mpesa_receipts r on r.deposit_id = d.id
    where d.user_id = ${userId} and (${page.before}::uuid is null or d.id < ${page.before}::uuid)
    order by d.id desc limit ${page.limit + 1}`;
  const [total] = await sql<{ count: number }[]>`
    select count(*)::int as count from (select from deposits where user_id = ${userId} limit 10001) counted`;
  const shown = rows.slice(0, page.limit).map(shownDeposit);
  return { rows: shown, count: total?.count ?? 0, hasMore: rows.length > page.limit };
}

function explained({ explanation }: { readonly explanation: string | null }, otherwise: Sentence): Sentence {
  return explanation === null ? otherwise : fromStored(explanation);
}

function shownDeposit(row: DepositRow): Unsaid<Deposit> {
  const status = depositStateOnTheWire(row.state);
  return {
    id: row.id,
    status,
    amount: shillingsFromCents(row.amount_cents),
    phone: row.phone,
    text: explained(
      row,
      row.is_own_phone
        ? sentence('Check your phone and enter your M-Pesa PIN.')
        : sentence('The owner of the phone {phone} enters their M-Pesa PIN there.', { phone: row.phone }),
    ),
    receipt: row.receipt,
    created_at: row.created_at.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
  };
}

interface ClaimRow {
  readonly id: string;
  readonly state: Claim['status'];
  readonly receipt: string;
  readonly phone: string;
  readonly amount_cents: number | null;
  readonly explanation: string | null;
  readonly created_at: Date;
  readonly settled_at: Date | null;
}

function textOfClaim(row: ClaimRow): Sentence {
  if (row.state === 'credited' && row.amount_cents !== null) {
    return sentence('{amount} is in your wallet.', { amount: inWords(row.amount_cents) });
  }
  return explained(row, sentence('We are checking the payment with M-Pesa.'));
}

/** One of the user's own claims. Throws `not_found`. */
export async function claimOf(reader: Reader, userId: string, id: string): Promise<Unsaid<Claim>> {
  const [row] = await sqlOf(reader)<ClaimRow[]>`
    select id, state, receipt, phone, amount_cents, explanation, created_at, settled_at
    from receipt_claims where id = ${id} and user_id = ${userId}`;
  if (!row) throw new Refusal('not_found');
  return {
    id: row.id,
    status: row.state,
    transaction_id: row.receipt,
    phone_number: row.phone,
    amount: row.amount_cents === null ? null : shillingsFromCents(row.amount_cents),
    text: textOfClaim(row),
    created_at: row.created_at.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
  };
}

/** One of the user's own withdrawals. Throws `not_found`. */
export async function withdrawalOf(reader: Reader, userId: string, id: string): Promise<Unsaid<Withdrawal>> {
  const [row] = await sqlOf(reader)<(DepositRow & { charge_cents: number })[]>`
    select id, state, amount_cents, charge_cents, phone, explanation, receipt, created_at, settled_at
    from withdrawals where id = ${id} and user_id = ${userId}`;
  if (!row) throw new Refusal('not_found');
  return {
    id: row.id,
    status: withdrawalStateOnTheWire(row.state),
    amount: shillingsFromCents(row.amount_cents),
    charge: shillingsFromCents(row.charge_cents),
    phone: row.phone,
    text: explained(row, sentence('The money is set aside. M-Pesa is sending it to your phone.')),
    receipt: row.receipt,
    created_at: row.created_at.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
  };
}
