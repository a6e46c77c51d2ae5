import type { Tx } from '../db/tx.ts';
import { newConversationId, newReceipt, newRequestId } from './identifiers.ts';
import type { Core, PaymentRow } from './simulator.types.ts';
import { moveToOrganisation } from './subscribers.ts';

/** Books a payment that has happened in the simulated world, and gives its receipt. */
export async function bookPayment(
  core: Core,
  tx: Tx,
  payment: Pick<PaymentRow, 'kind' | 'phone' | 'amount_cents' | 'account_reference'> &
    Partial<Pick<PaymentRow, 'receipt' | 'originator_conversation_id' | 'conversation_id'>>,
): Promise<PaymentRow> {
  const row: PaymentRow = {
    receipt: newReceipt(core.world),
    originator_conversation_id: newRequestId(core.world),
    conversation_id: newConversationId(core.world),
    ...payment,
    shortcode: core.keys.shortcode,
    completed_at: tx.now,
    reversed_at: null,
  };
  await tx.sql`
    insert into simulator.payment
      (receipt, kind, phone, amount_cents, shortcode, account_reference, originator_conversation_id, conversation_id, completed_at)
    values (${row.receipt}, ${row.kind}, ${row.phone}, ${row.amount_cents}, ${row.shortcode}, ${row.account_reference},
            ${row.originator_conversation_id}, ${row.conversation_id}, ${row.completed_at})`;
  return row;
}

/** M-Pesa takes a payment back and gives it to its payer; nobody calls us back. False where there is none to take back. */
export async function reversePayment(tx: Tx, receipt: string): Promise<boolean> {
  const [payment] = await tx.sql<PaymentRow[]>`
    update simulator.payment set reversed_at = ${tx.now}
    where receipt = ${receipt} and kind in ('stk', 'c2b') and reversed_at is null returning *`;
  if (!payment) return false;
  await moveToOrganisation(tx, payment.phone, -payment.amount_cents);
  return true;
}
