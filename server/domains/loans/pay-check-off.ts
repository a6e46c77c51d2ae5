import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { Receipt } from '@ushirika/contract/receipts';
import { Refusal } from '@ushirika/contract/refusal';
import type { Unsaid } from '@ushirika/contract/said';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { lockBalances } from '../../ledger/balances.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { valueMoved } from '../identity/value-moved.ts';
import { type CheckOffRow, checkOffAccount, lockPayersCheckOff } from './check-off-rows.ts';
import { settlementOf, walletOf } from './loan-rows.ts';
import { tellOfficials } from './tell-of-check-offs.ts';

/** Lines that one transaction shares out: loans of a chunk wait for its end, under a second. */
export const LINES_OF_CHUNK = 1_000;

/**
 * The payer pays the sum of a checked list, once. From then on the sacco holds it for the members, and a job that the same
 * transaction enqueues shares it out.
 * @throws Refusal `not_found`, `check_off_conflict`, `sacco_inactive`, `loan_terms_changed` where another amount was shown,
 * `insufficient_funds`, `proof_required`, `payout_held`
 * @param input.linesOfChunk fewer, for tests with short lists
 */
export async function payCheckOff(
  tx: Tx,
  payer: { readonly userId: string; readonly sessionId: string },
  input: { readonly id: string; readonly amountCents: Cents; readonly linesOfChunk?: number },
): Promise<Unsaid<Receipt>> {
  const { linesOfChunk = LINES_OF_CHUNK } = input;
  const row = await lockPayersCheckOff(tx, payer, input.id);
  const { id, amount_cents: amount } = row;
  if (row.sacco_state !== 'active') throw new Refusal('sacco_inactive');
  if (input.amountCents !== amount) throw new Refusal('loan_terms_changed');
  const journal = await postOrRefuse(tx, {
    kind: 'check_off_received',
    idempotencyKey: `check_off_received:${id}`,
    causedBy: payer.userId,
    about: { type: 'check_off', id },
    transfers: transfersOf(row),
  });
  await tx.sql`
    insert into check_off_chunks (check_off_id, first_line, last_line, state)
    select ${id}, first, least(first + ${linesOfChunk} - 1, ${row.lines}), 'waiting'
    from generate_series(1, ${row.lines}, ${linesOfChunk}) first`;
  await tx.sql`update check_offs set state = 'running', received_at = ${tx.now} where id = ${id}`;
  await enqueue(tx, 'run_check_offs', {}, { key: 'run_check_offs' });
  await tellOfficials(tx, payer.userId, row, 'paid');
  await valueMoved(tx, { ...payer, cents: amount });
  const what = sentence('Check-off for {sacco}', { sacco: row.sacco_name });
  return { id, what, amount: shillingsFromCents(amount), at: tx.now.toISOString(), journal };
}

type Sum = Pick<CheckOffRow, 'id' | 'sacco_id' | 'payer_id' | 'amount_cents'>;

const transfersOf = ({ id, sacco_id: book, payer_id: payer, amount_cents: amount }: Sum) => [
  { debit: walletOf(payer), credit: settlementOf(book), amount },
  { debit: { book, kind: 'cash', owner: null } as const, credit: checkOffAccount(book, id), amount },
];

/**
 * Locks what several payments of one transaction need: first all lists by their ids, then all accounts in the ledger's order. If each
 * payment locked its own in turn, two batches could wait for each other. Lists that are not theirs to pay now are passed over.
 */
export async function lockPayments(
  tx: Tx,
  payments: readonly { readonly userId: string; readonly id: string }[],
): Promise<void> {
  const rows = await tx.sql<Sum[]>`
    select c.id, c.sacco_id, c.payer_id, c.amount_cents from check_offs c
    where c.state = 'checked' and (c.id, c.payer_id) in (
      select asked.id, asked.payer_id from unnest(
        ${texts(payments.map(({ id }) => id))}::uuid[], ${texts(payments.map(({ userId }) => userId))}::uuid[]) as asked (id, payer_id))
    order by c.id for update of c`;
  const transfers = rows.flatMap(transfersOf);
  await lockBalances(
    tx,
    transfers.flatMap(({ debit, credit }) => [debit, credit]),
  );
}
