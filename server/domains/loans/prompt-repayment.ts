import type { Surplus } from '@ushirika/contract/loans';
import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { nairobiDay } from '@ushirika/contract/time';
import { eachPart } from '../../db/each-part.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { requestDeposit } from '../wallet/request-deposit.ts';
import { type LoanRow, noSuchLoan } from './loan-rows.ts';
import { isOwed } from './loans.queries.ts';
import { repayAny } from './repay-late.ts';
import { setSurplus } from './set-surplus.ts';

/**
 * Asks for a prompt on the borrower's own confirmed phone. The money comes into the wallet, and goes to the loan from there.
 * @throws Refusal `loan_conflict`, `phone_unconfirmed`, and those of a top-up
 */
export async function promptRepayment(
  tx: Tx,
  actor: { readonly userId: string; readonly saccoId: string },
  input: { readonly loanId: string; readonly amountCents: Cents; readonly surplus?: Surplus | undefined },
): Promise<string> {
  const [loan] = await tx.sql<LoanRow[]>`
    select * from loans where id = ${input.loanId} and borrower_id = ${actor.userId} and sacco_id = ${actor.saccoId}`;
  if (!loan) throw noSuchLoan();
  if (!isOwed(loan)) throw new Refusal('loan_conflict');
  const [user] = await tx.sql<{ phone: string; phone_confirmed_at: Date | null }[]>`
    select phone, phone_confirmed_at from users where id = ${actor.userId}`;
  if (!user?.phone_confirmed_at) throw new Refusal('phone_unconfirmed');
  const depositId = await requestDeposit(tx, actor, { amountCents: input.amountCents, phone: user.phone });
  await tx.sql`insert into loan_prompts (deposit_id, loan_id) values (${depositId}, ${input.loanId})`;
  if (input.surplus && input.surplus !== loan.surplus) {
    await setSurplus(tx, actor, { loanId: loan.id, surplus: input.surplus });
  }
  return depositId;
}

const CHUNK = 100;
const RETRY_MS = 300_000;

interface Came {
  readonly id: string;
  readonly loan_id: string;
  readonly borrower_id: string;
  readonly amount_cents: Cents;
  readonly is_paid: boolean;
  /** When it was paid, as M-Pesa has told. */
  readonly paid_at: Date | null;
}

/** One way by which money comes: what waits, and what says that it is done. */
interface Channel {
  readonly name: 'mpesa' | 'paybill';
  waiting(tx: Tx, only: string | null): Promise<Came[]>;
  settled(tx: Tx, ids: readonly string[]): Promise<unknown>;
  later(tx: Tx, id: string, at: Date): Promise<unknown>;
}

/**
 * Pays into loans the money that came by prompts and by the paybill under loans' numbers, each payment once. A job runs it as soon as money
 * names a loan (migration 0445); `tendLoans` runs it again, for payments that a job left.
 */
export async function settleMpesaRepayments(database: Database): Promise<void> {
  await eachPart([PROMPTS, PAYBILLS].map((channel) => () => settleAll(database, channel)));
}

async function settleAll(database: Database, channel: Channel): Promise<void> {
  while ((await settleChunk(database, channel)) === CHUNK);
}

/** A set at once; where one of them goes wrong, each alone: the others are paid, and that one waits. */
async function settleChunk(database: Database, channel: Channel): Promise<number> {
  try {
    return await database.transaction(async (tx) => settle(tx, channel, await channel.waiting(tx, null)));
  } catch {
    const rows = await database.transaction((tx) => channel.waiting(tx, null));
    await eachPart(
      rows.map(
        ({ id }) =>
          () =>
            settleOne(database, channel, id),
      ),
    );
    return rows.length;
  }
}

async function settleOne(database: Database, channel: Channel, id: string): Promise<void> {
  try {
    await database.transaction(async (tx) => settle(tx, channel, await channel.waiting(tx, id)));
  } catch (error) {
    await database.transaction((tx) => channel.later(tx, id, new Date(tx.now.getTime() + RETRY_MS)));
    throw error;
  }
}

async function settle(tx: Tx, channel: Channel, rows: readonly Came[]): Promise<number> {
  await repayAny(
    tx,
    rows.filter(({ is_paid }) => is_paid).map((row) => paymentOf(row, channel.name)),
  );
  await channel.settled(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

const PROMPTS: Channel = {
  name: 'mpesa',
  waiting: (tx, only) => tx.sql<Came[]>`
    select p.deposit_id as id, p.loan_id, l.borrower_id, d.amount_cents, d.credited_at is not null as is_paid,
      -- A prompt is paid within minutes or never.
      coalesce(m.paid_at, d.sending_at) as paid_at
    from loan_prompts p join deposits d on d.id = p.deposit_id join loans l on l.id = p.loan_id
    left join mpesa_receipts m on m.deposit_id = d.id
    where p.settled_at is null and (p.retry_at is null or p.retry_at <= ${tx.now})
      and p.deposit_id = coalesce(${only}::uuid, p.deposit_id)
      and (d.credited_at is not null or d.state in ('failed', 'cancelled', 'expired') and d.settled_at < ${twoDaysBefore(tx)})
    order by p.deposit_id limit ${CHUNK} for update of p skip locked`,
  settled: (tx, ids) =>
    tx.sql`update loan_prompts set settled_at = ${tx.now} where deposit_id = any (${texts(ids)}::uuid[])`,
  later: (tx, id, at) => tx.sql`update loan_prompts set retry_at = ${at} where deposit_id = ${id}`,
};

/** Late callbacks still credit a prompt: it is given up only then. */
const twoDaysBefore = (tx: Tx) => new Date(tx.now.getTime() - 2 * 86_400_000);

const PAYBILLS: Channel = {
  name: 'paybill',
  waiting: (tx, only) => tx.sql<Came[]>`
    select p.receipt as id, p.loan_id, l.borrower_id, p.amount_cents, true as is_paid, m.paid_at
    from loan_paybills p join loans l on l.id = p.loan_id left join mpesa_receipts m on m.receipt = p.receipt
    where p.settled_at is null and (p.retry_at is null or p.retry_at <= ${tx.now})
      and p.receipt = coalesce(${only}, p.receipt)
    order by p.receipt limit ${CHUNK} for update of p skip locked`,
  settled: (tx, ids) =>
    tx.sql`update loan_paybills set settled_at = ${tx.now} where receipt = any (${texts(ids)}::text[])`,
  later: (tx, id, at) => tx.sql`update loan_paybills set retry_at = ${at} where receipt = ${id}`,
};

/** No more than is owed is taken; the rest stays in the wallet, and so does all of it where the loan is paid by then. */
const paymentOf = (row: Came, channel: 'mpesa' | 'paybill') => ({
  madeOn: row.paid_at && nairobiDay(row.paid_at),
  loanId: row.loan_id,
  payerId: row.borrower_id,
  amountCents: row.amount_cents,
  channel,
  key: `${channel}:${row.id}`,
});
