import type { Cents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';
import type { LoanRow } from './loan-rows.ts';
import { postAll } from './pledges.ts';

/** A loan is owed no more: what was set aside for it is not needed. The caller clears its row. */
export async function releaseProvision(
  tx: Tx,
  loan: Pick<LoanRow, 'id' | 'sacco_id'>,
  provision: Cents,
): Promise<void> {
  if (provision === 0) return;
  const account = (kind: 'loan_loss_provision' | 'provision_expense') => ({ book: loan.sacco_id, kind, owner: null });
  await postAll(tx, [
    {
      kind: 'provision_changed',
      idempotencyKey: `provision_changed:${loan.id}`,
      causedBy: null,
      about: { type: 'loan', id: loan.id },
      transfers: [{ debit: account('loan_loss_provision'), credit: account('provision_expense'), amount: provision }],
    },
  ]);
}
