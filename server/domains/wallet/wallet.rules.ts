import { createHash } from 'node:crypto';
import { MPESA_SHILLINGS_MAX, MPESA_SHILLINGS_MIN } from '@ushirika/contract/constants';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { isKenyanMobile } from '@ushirika/contract/phone';
import { Refusal, sentenceOf } from '@ushirika/contract/refusal';
import type { RefusalCode } from '@ushirika/contract/refusals';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { type DepositState, WITHDRAWAL_SHILLINGS_MIN, type WithdrawalState } from '@ushirika/contract/wallet';
import { CROCKFORD } from '../identity/codes.rules.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A prompt stays on a phone for one to three minutes (payments.md 4). After this time another may be opened. */
export const PROMPT_OPEN_MS = 2 * MINUTE_MS;
/** A prompt that an outage of ours delayed longer than this is not sent: it would surprise the person. */
export const PUSH_LATEST_MS = 2 * MINUTE_MS;
/**
 * A payment is taken for a prompt's if it was made from so long before to so long after the sending, by M-Pesa's clock.
 */
export const PROMPT_PAID_BEFORE_MS = MINUTE_MS;
export const PROMPT_PAID_AFTER_MS = 10 * MINUTE_MS;
/** Unpaid prompts in an hour after which a person has to wait: the phone may be somebody else's. */
export const UNPAID_PROMPTS_MAX = 10;

/** The most prompts that a phone gets in so many seconds from all who are not its owner together. */
export const STRANGERS_PROMPTS = [
  { max: 3, seconds: 600 },
  { max: 10, seconds: 86_400 },
] as const;

/**
 * When M-Pesa is asked about a prompt, counted from the push (domain.md 4.11). After the last time the prompt has
 * expired.
 */
export const DEPOSIT_QUERY_AFTER_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;

/** Waits between questions about one transaction. */
const STATUS_WAITS_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS] as const;
/** The most questions about one transaction. A withdrawal is asked about every six hours until it is settled. */
export const STATUS_ASKS_MAX = {
  claim: 4,
  paybill: 6,
  deposit: 6,
  stray: 6,
  reversal: 4,
  withdrawal: Number.MAX_SAFE_INTEGER,
};
/** After this many questions a withdrawal without an answer is shown to operators too. */
export const WITHDRAWAL_ALARM_ASKS = 4;

export type StatusPurpose = keyof typeof STATUS_ASKS_MAX;

/** When to ask again, after `asks` questions. */
export function nextStatusAsk(asks: number, now: Date): Date {
  const wait = STATUS_WAITS_MS[Math.min(Math.max(asks, 1), STATUS_WAITS_MS.length) - 1] as number;
  return new Date(now.getTime() + wait);
}

/** So long after it was booked, M-Pesa is asked whether a payment still stands: it may be taken back for three days. */
export const REVERSAL_ASKED_AFTER_MS = [HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS] as const;

/** When to query a prompt again, after `queries` queries; null when there are no more. */
export function nextDepositQuery(queries: number, sendingAt: Date, now: Date): Date | null {
  const after = DEPOSIT_QUERY_AFTER_MS[queries];
  if (after === undefined) return null;
  return new Date(Math.max(sendingAt.getTime() + after, now.getTime() + 10 * SECOND_MS));
}

/**
 * Checks that an amount is whole shillings between M-Pesa's limits, and goes to a Kenyan phone. Throws the refusal
 * otherwise.
 */
export function assertMovable(amountCents: Cents, phone: string, direction: 'in' | 'out'): void {
  if (amountCents % 100 !== 0) throw amountRefusal('amount_not_whole_shillings');
  const least = direction === 'in' ? MPESA_SHILLINGS_MIN : WITHDRAWAL_SHILLINGS_MIN;
  if (amountCents < least * 100 || amountCents > MPESA_SHILLINGS_MAX * 100) {
    const thousands = MPESA_SHILLINGS_MAX.toLocaleString('en-KE');
    throw amountRefusal(
      'amount_out_of_range',
      sentence('Enter an amount between Ksh. {least} and Ksh. {most}.', { least, most: thousands }),
    );
  }
  if (!isKenyanMobile(phone)) throw new Refusal('phone_not_kenyan');
}

function amountRefusal(code: RefusalCode, message: Sentence = sentenceOf(code)): Refusal {
  return new Refusal(code, { message, errors: { amount: [message] } });
}

/** The state of a top-up as the API shows it. */
export function depositStateOnTheWire(state: string): DepositState {
  return state === 'created' || state === 'sending' || state === 'sent' ? 'pending' : (state as DepositState);
}

export function withdrawalStateOnTheWire(state: string): WithdrawalState {
  return state === 'paid' || state === 'returned' ? state : 'reserved';
}

/** The state of a top-up that M-Pesa refused: cancelled on the phone, not answered, or failed for another reason. */
export function refusedDepositState(resultCode: string): 'cancelled' | 'expired' | 'failed' {
  if (resultCode === '1032') return 'cancelled';
  return resultCode === '1037' || resultCode === '1019' ? 'expired' : 'failed';
}

/** `Ksh. 1,500.00` for a sentence. */
export function inWords(amountCents: Cents): string {
  return formatShillings(shillingsFromCents(amountCents)).replace('\u00a0', ' ');
}

/** The number of random bytes that `newDepositReference` needs. */
export const REFERENCE_BYTES = 3;

/**
 * A top-up's reference at M-Pesa, which the payer reads in the prompt: the account number of the wallet, and three
 * characters more.
 */
export function newDepositReference(accountNumber: string, bytes: Buffer): string {
  return `${accountNumber}${[...bytes.subarray(0, REFERENCE_BYTES)].map((byte) => CROCKFORD[byte & 31]).join('')}`;
}

/** A short reference of a journal that a person can read out: `U-00012-7K`. The last two characters detect mistakes. */
export function journalReference(journalId: string): string {
  const digest = createHash('sha256').update(`ushirika journal ${journalId}`).digest();
  const check = [digest[0] ?? 0, digest[1] ?? 0].map((byte) => CROCKFORD[byte & 31]).join('');
  return `U-${journalId.padStart(6, '0')}-${check}`;
}

/** What a payer typed as the account, without spaces, signs and case. */
export function foldAccountReference(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

/** Text from a provider for our own records: limited in length, one line, no control characters. */
export function plainText(text: string, lengthMax: number): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim()
    .slice(0, lengthMax);
}
