import type { Tx } from '../../db/tx.ts';
import { keepMpesaName } from '../identity/mpesa-names.ts';
import { openException } from './money-exceptions.ts';
import { promptOfPayment } from './prompts-of-payment.ts';
import { settleClaim } from './settle-claim.ts';
import {
  isPaidToUs,
  namesUsAsPaid,
  settleDepositByStatus,
  settleOnceSure,
  settleUnmatched,
  waitsForList,
} from './settle-deposit-by-status.ts';
import { settlePaybill } from './settle-paybill.ts';
import { settleReversal } from './settle-reversal.ts';
import { settleWithdrawalByStatus } from './settle-withdrawal.ts';
import { askAgainForClaims, lockQuestionsOfClaims, type StatusQuery, type StoredAnswer } from './status-queries.ts';
import type { WalletDeps } from './wallet.deps.ts';

/** Acts on M-Pesa's final answer about a transaction. Running it again changes nothing more. */
export async function settleStatus(deps: WalletDeps, id: string): Promise<void> {
  const { database } = deps;
  const [query] = await database.sql<StatusQuery[]>`
    select id, purpose, about_id, receipt, original_conversation_id, state, asks, answer, conversation_ids, asked_at,
      next_ask_at, doubted
    from status_queries where id = ${id} and state = 'answered'`;
  if (!query?.answer) return;
  // Asked by the id of a request, M-Pesa answers about that request, whether or not it names it again.
  const asked = query.purpose === 'deposit' ? query.original_conversation_id : null;
  const originatorConversationId = query.answer.originatorConversationId ?? asked;
  const answer: StoredAnswer = { ...query.answer, originatorConversationId };
  const { purpose } = query;
  await (purpose === 'claim' ? settleClaim(deps, query, answer) : settleOther(deps, query, answer));
  // After the money: what a name says holds nothing up.
  await database.transaction((tx) => keepPayerName(tx, deps.mpesa.shortcode, answer));
}

/** A payment that M-Pesa confirms says what name is behind the phone that paid. */
async function keepPayerName(tx: Tx, shortcode: string, answer: StoredAnswer): Promise<void> {
  const { payerName, payerPhone: phone, paidAt } = answer;
  if (!payerName || phone === null || paidAt === null || !namesUsAsPaid(answer, shortcode)) return;
  await keepMpesaName(tx, payerName, { phone, paidAt: new Date(paidAt) });
}

async function settleOther(deps: WalletDeps, query: StatusQuery, answer: StoredAnswer): Promise<void> {
  const { purpose } = query;
  const receipt = answer.receipt ?? query.receipt;
  const { shortcode } = deps.mpesa;
  await deps.database.transaction(async (tx) => {
    if (purpose === 'withdrawal') return settleWithdrawalByStatus(tx, query, answer);
    if (receipt !== null) await lockQuestionsOfClaims(tx, receipt);
    if (answer.status === 'Reversed') await settleReversal(tx, query, answer);
    if (purpose === 'reversal') return;
    if (purpose === 'paybill') await settlePaybill(tx, shortcode, query, answer);
    else if (purpose === 'deposit') await settleDepositByStatus(tx, shortcode, query, answer);
    else await settleStray(tx, shortcode, query, answer);
    if (receipt !== null) await askAgainForClaims(tx, receipt);
  });
}

/**
 * Settles a receipt that a callback named and nobody asked for. Confirmed money that answers no prompt goes to
 * suspense.
 */
async function settleStray(tx: Tx, shortcode: string, query: StatusQuery, answer: StoredAnswer): Promise<void> {
  const receipt = query.receipt ?? answer.receipt;
  if (receipt === null) return;
  if (await isPaidToUs(tx, answer, shortcode, receipt)) {
    const depositId = await promptOfPayment(tx, receipt, answer);
    if (depositId !== null) return settleOnceSure(tx, shortcode, query, { depositId, receipt }, answer);
    const [booked] = await tx.sql`select receipt from mpesa_receipts where receipt = ${receipt}`;
    if (!booked && (await waitsForList(tx, shortcode, query, answer))) return;
    return settleUnmatched(tx, query, receipt, answer);
  }
  const [open] = await tx.sql<{ kind: 'unknown_deposit'; about_type: string | null; about_id: string | null }[]>`
    select kind, about_type, about_id from money_exceptions
    where receipt = ${receipt} and resolved_at is null order by opened_at, id limit 1`;
  if (!open) return;
  await openException(tx, {
    kind: open.kind,
    receipt,
    about: open.about_id === null ? null : { type: open.about_type ?? '', id: open.about_id },
    detail: { mpesa_status: answer.status, payee: answer.payeeShortcode },
  });
}
