import type { Database, Tx } from '../../db/tx.ts';
import { samePhone, wholePhone } from '../../gateways/mobile-money/party.ts';
import { payerOf, type StoredAnswer } from './status-queries.ts';
import { foldAccountReference, PROMPT_PAID_AFTER_MS, PROMPT_PAID_BEFORE_MS } from './wallet.rules.ts';

/* Which prompt a payment answered: the one that M-Pesa names, or one with the same phone, amount and time. */

/**
 * The prompt that a payment answered, if M-Pesa names it: by its MerchantRequestID, or by the account number in the
 * list.
 */
export async function promptOfPayment(tx: Tx, receipt: string, answer: StoredAnswer): Promise<string | null> {
  const [byRequest] = await tx.sql<{ id: string }[]>`
    select id from deposits where merchant_request_id = ${answer.originatorConversationId}`;
  if (byRequest) return byRequest.id;
  const [listed] = await tx.sql<{ account_reference: string }[]>`
    select account_reference from paybill_payments where receipt = ${receipt} and listed_at is not null`;
  if (!listed) return null;
  const [byReference] = await tx.sql<{ id: string }[]>`
    select id from deposits where reference = ${foldAccountReference(listed.account_reference)}`;
  return byReference?.id ?? null;
}

interface Candidate {
  readonly phone: string;
  readonly merchant_request_id: string | null;
  readonly sending_at: Date | null;
  readonly state: string;
  readonly credited_at: Date | null;
  readonly is_listed: boolean;
}

/**
 * Whether a payment that M-Pesa links to no prompt may have answered this one, which a callback named. M-Pesa must name
 * no other request for it, and its list no other account number. The payment must have been made while the prompt was
 * open, and M-Pesa must not have said that the prompt was refused. Phone and amount alone prove nothing: whoever asks
 * for a top-up chooses both. Where M-Pesa does not say who paid, only a top-up that was credited may get the receipt.
 */
export async function mayHaveAnswered(
  tx: Tx,
  depositId: string,
  receipt: string,
  answer: StoredAnswer,
): Promise<boolean> {
  const [deposit] = await tx.sql<Candidate[]>`
    select phone, merchant_request_id, sending_at, state, credited_at,
      exists (select from paybill_payments where receipt = ${receipt} and listed_at is not null and account_reference <> '') as is_listed
    from deposits where id = ${depositId}`;
  if (!deposit?.sending_at || deposit.is_listed || answer.paidAt === null) return false;
  if (deposit.state === 'failed' || deposit.state === 'cancelled') return false;
  const payer = samePhone(payerOf(answer), deposit.phone);
  if (payer === 'another' || (payer === 'not_said' && deposit.credited_at === null)) return false;
  // A deposit that M-Pesa confirmed as paid only gets its receipt here. For it another request id is accepted: M-Pesa
  // does not document what this field holds.
  const namesAnother = deposit.merchant_request_id !== null && answer.originatorConversationId !== null;
  if (namesAnother && deposit.credited_at === null) return false;
  const afterMs = new Date(answer.paidAt).getTime() - deposit.sending_at.getTime();
  return afterMs >= -PROMPT_PAID_BEFORE_MS && afterMs <= PROMPT_PAID_AFTER_MS;
}

interface PaidPrompt {
  readonly id: string;
  readonly user_id: string;
  readonly state: string;
  /** Whether M-Pesa says that this phone paid. */
  readonly payer: 'same' | 'not_said';
}

/**
 * Deposits of the same amount whose prompt was open at the time of the payment, and which have no receipt. Another
 * phone's are left out. Where M-Pesa does not say who paid, those that were not credited must be of the request that it names.
 * @param openOnly only those whose outcome is not known; else those that were credited, or given up (expired, in review)
 */
export async function promptsThatMayBeIt(
  reader: Tx | Database,
  answer: StoredAnswer,
  openOnly: boolean,
): Promise<PaidPrompt[]> {
  const shown = payerOf(answer);
  const whole = wholePhone(shown);
  if (answer.amountCents === null || (whole === null && answer.paidAt === null)) return [];
  const states = openOnly ? ['sending', 'sent', 'expired', 'review'] : ['paid', 'expired', 'review'];
  const found = await (reader.sql as Tx['sql'])<(PaidPrompt & { phone: string; is_named: boolean })[]>`
    select d.id, d.user_id, d.state, d.phone, coalesce(d.merchant_request_id = ${answer.originatorConversationId}, false) as is_named
    from deposits d
    where (${whole}::text is null or d.phone = ${whole}) and d.amount_cents = ${answer.amountCents} and d.state = any (${states})
      and d.sending_at between coalesce(${answer.paidAt}::timestamptz, d.sending_at) - ${PROMPT_PAID_AFTER_MS} * interval '1 millisecond'
        and coalesce(${answer.paidAt}::timestamptz, d.sending_at) + ${PROMPT_PAID_BEFORE_MS} * interval '1 millisecond'
      and not exists (select from mpesa_receipts r where r.deposit_id = d.id)
      -- The request that M-Pesa names must be this one. A paid deposit only gets its receipt, so any request will do.
      and (d.state = 'paid' or coalesce(d.merchant_request_id = ${answer.originatorConversationId}, true))
      -- A payment that is listed under another account number did not answer this prompt.
      and not exists (
        select from paybill_payments p
        where p.receipt = ${answer.receipt} and p.account_reference not in ('', d.reference) and p.listed_at is not null)
    order by (d.state = 'paid') desc, d.id limit 1000`;
  return found
    .flatMap((each) => {
      const payer = samePhone(shown, each.phone);
      const isKnown = payer === 'same' || each.state === 'paid' || each.is_named;
      return payer !== 'another' && (isKnown || (openOnly && isOpen(each.state))) ? [{ ...each, payer }] : [];
    })
    .slice(0, 5);
}

const isOpen = (state: string) => state === 'sending' || state === 'sent';
