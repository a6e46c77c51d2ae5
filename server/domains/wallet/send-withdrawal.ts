import type { Tx } from '../../db/tx.ts';
import type { ConversationAccepted, DarajaOutcome } from '../../gateways/mobile-money/daraja.types.ts';
import { payoutUrls } from './callback-urls.ts';
import { openException } from './money-exceptions.ts';
import { lockWithdrawal, returnWithdrawal, type WithdrawalRow } from './settle-withdrawal.ts';
import { openStatusQuery } from './status-queries.ts';
import type { WalletDeps } from './wallet.deps.ts';

/** M-Pesa's result usually comes within a minute. After this time M-Pesa is asked. */
const RESULT_LATEST_MS = 2 * 60_000;
/** A withdrawal that could not be sent returns to the wallet after this time. */
const UNSENT_LATEST_MS = 3_600_000;

/**
 * Sends a withdrawal to M-Pesa, at most once. Its id is the OriginatorConversationID, stored before the call. A run
 * that finds it `sending` does nothing: then only M-Pesa's answer settles it. For a suspended account only withdrawals
 * that two operators agreed on are sent.
 */
export async function sendWithdrawal(deps: WalletDeps, id: string): Promise<void> {
  const withdrawal = await deps.database.transaction((tx) => markSending(tx, id));
  if (!withdrawal) return;
  const outcome = await deps.daraja.b2c({
    originatorConversationId: id,
    amountCents: withdrawal.amount_cents,
    phone: withdrawal.phone,
    remarks: 'Wallet withdrawal',
    occasion: 'withdrawal',
    ...payoutUrls(deps.mpesa, id),
  });
  const sent = await deps.database.transaction((tx) => recordOutcome(tx, id, outcome));
  if (sent === 'not_sent') throw new Error('No token could be had from M-Pesa: the withdrawal was not sent.');
}

async function markSending(tx: Tx, id: string): Promise<WithdrawalRow | null> {
  const withdrawal = await lockWithdrawal(tx, id);
  if (withdrawal?.state !== 'created') return null;
  const [suspended] = await tx.sql`select where suspended_since(${withdrawal.user_id}, ${tx.now}) is not null`;
  if (suspended && withdrawal.proposal_id === null) {
    const explanation = 'Your account was suspended before the money left.' as const;
    await returnWithdrawal(tx, null, withdrawal, { resultCode: 'account_suspended', explanation });
    return null;
  }
  await tx.sql`
    update withdrawals set state = 'sending', sending_at = ${tx.now},
      next_query_at = ${new Date(tx.now.getTime() + RESULT_LATEST_MS)}
    where id = ${id}`;
  return withdrawal;
}

async function recordOutcome(
  tx: Tx,
  id: string,
  outcome: DarajaOutcome<ConversationAccepted>,
): Promise<'sent' | 'not_sent'> {
  const withdrawal = await lockWithdrawal(tx, id);
  if (withdrawal?.state !== 'sending') return 'sent';
  if (outcome.outcome === 'accepted') {
    await tx.sql`
      update withdrawals set state = 'sent', sent_at = ${tx.now}, conversation_id = ${outcome.conversationId}
      where id = ${id}`;
    return 'sent';
  }
  const isYoung = tx.now.getTime() - withdrawal.created_at.getTime() < UNSENT_LATEST_MS;
  if (outcome.outcome === 'rejected' && outcome.code === 'no_token' && outcome.kind === 'busy' && isYoung) {
    // The request was never sent, so the job may run again with the same id.
    await tx.sql`
      update withdrawals set state = 'created', sending_at = null, next_query_at = null where id = ${id}`;
    return 'not_sent';
  }
  if (outcome.outcome === 'unknown') {
    await openStatusQuery(tx, { purpose: 'withdrawal', aboutId: id, originalConversationId: id });
    return 'sent';
  }
  const isOurs = outcome.kind === 'credentials' || outcome.kind === 'invalid_request';
  if (isOurs) {
    const detail = { code: outcome.code, message: outcome.message };
    await openException(tx, { kind: 'mpesa_configuration', about: { type: 'withdrawal', id }, detail });
  }
  await returnWithdrawal(tx, null, withdrawal, {
    resultCode: outcome.code,
    explanation: isOurs
      ? 'M-Pesa refused us. We have been told, and your money is back in your wallet.'
      : 'M-Pesa is busy. Your money is back in your wallet. Try again in a few minutes.',
  });
  return 'sent';
}
