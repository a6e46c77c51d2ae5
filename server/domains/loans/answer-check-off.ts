import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { Receipt } from '@ushirika/contract/receipts';
import { Refusal } from '@ushirika/contract/refusal';
import type { Unsaid } from '@ushirika/contract/said';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { lockBalances } from '../../ledger/balances.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { allowanceOf } from '../identity/value-moved.ts';
import { type CheckOffRow, lockCheckOff, noSuchList } from './check-off-rows.ts';
import { settlementOf, walletOf } from './loan-rows.ts';
import { checkOffAccount } from './pay-check-off.ts';
import { tellOfficials } from './tell-of-check-offs.ts';

/** Lines that one transaction shares out: loans of a chunk wait for its end, under a second. */
export const LINES_OF_CHUNK = 1_000;

/** A payer's list that waits for its payer, under its lock. Before a second official has checked it there is none for them. */
async function lockOwn(tx: Tx, userId: string, id: string): Promise<CheckOffRow> {
  const row = await lockCheckOff(tx, id);
  if (row.payer_id !== userId || row.checked_by === null || row.state === 'refused') throw noSuchList();
  if (row.state !== 'checked') throw new Refusal('check_off_conflict');
  return row;
}

/**
 * The payer pays the sum of a checked list, once. From then on the sacco holds it for the members, and a job that the same
 * transaction enqueues shares it out. Everything is asked before anything is written.
 * @throws Refusal `not_found`, `check_off_conflict`, `sacco_inactive`, `loan_terms_changed` where another amount was shown,
 * `insufficient_funds`, `proof_required`, `payout_held`
 */
export async function payForCheckOff(
  tx: Tx,
  payer: { readonly userId: string; readonly sessionId: string },
  input: { readonly id: string; readonly amountCents: Cents },
): Promise<Unsaid<Receipt>> {
  const row = await lockOwn(tx, payer.userId, input.id);
  const { id, sacco_id: book, amount_cents: amount } = row;
  if (row.sacco_state !== 'active') throw new Refusal('sacco_inactive');
  if (input.amountCents !== amount) throw new Refusal('loan_terms_changed');
  const transfers = [
    { debit: walletOf(payer.userId), credit: settlementOf(book), amount },
    { debit: { book, kind: 'cash', owner: null } as const, credit: checkOffAccount(book, id), amount },
  ];
  // All at once, in the ledger's order: a chunk of another list may be paying into this very wallet.
  const [wallet = 0] = await lockBalances(
    tx,
    transfers.flatMap(({ debit, credit }) => [debit, credit]),
  );
  if (wallet < amount) throw new Refusal('insufficient_funds');
  const allowance = await allowanceOf(tx, [payer]);
  const refusal = allowance.take({ ...payer, cents: amount });
  if (refusal) throw refusal;
  const journal = await postOrRefuse(tx, {
    kind: 'check_off_received',
    idempotencyKey: `check_off_received:${id}`,
    causedBy: payer.userId,
    about: { type: 'check_off', id },
    transfers,
  });
  await tx.sql`
    insert into check_off_chunks (check_off_id, first_line, last_line, state)
    select ${id}, first, least(first + ${LINES_OF_CHUNK} - 1, ${row.lines}), 'waiting'
    from generate_series(1, ${row.lines}, ${LINES_OF_CHUNK}) first`;
  await tx.sql`update check_offs set state = 'running', received_at = ${tx.now} where id = ${id}`;
  await enqueue(tx, 'run_check_offs', {}, { key: 'run_check_offs' });
  await tellOfficials(tx, row, 'paid');
  await allowance.write();
  const what = sentence('Check-off of {employer} for {sacco}', { employer: row.employer, sacco: row.sacco_name });
  return { id, what, amount: shillingsFromCents(amount), at: tx.now.toISOString(), journal };
}

/** Whoever was named as the payer says no. @throws Refusal `not_found`, `check_off_conflict` */
export async function declineCheckOff(
  tx: Tx,
  payer: { readonly userId: string },
  input: { readonly id: string; readonly reason: string },
): Promise<void> {
  const row = await lockOwn(tx, payer.userId, input.id);
  await tx.sql`
    update check_offs set state = 'declined', ended_at = ${tx.now}, ended_by = ${payer.userId}, reason = ${input.reason}
    where id = ${row.id}`;
  await tellOfficials(tx, row, 'declined');
}
