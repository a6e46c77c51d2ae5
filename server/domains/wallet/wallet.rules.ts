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

/** A prompt stays on a phone for up to a minute or three (payments.md 4); after that another may be opened. */
export const PROMPT_OPEN_MS = 2 * MINUTE_MS;
/** A prompt that our own outage delayed longer than this would surprise the person: it is not sent. */
export const PUSH_LATEST_MS = 2 * MINUTE_MS;
/** How long before and after it was sent a prompt may have been paid, by M-Pesa's clock. */
export const PROMPT_PAID_BEFORE_MS = MINUTE_MS;
export const PROMPT_PAID_AFTER_MS = 10 * MINUTE_MS;
/** Prompts in an hour that nobody paid, before a person has to wait: the phone may be somebody else's. */
export const UNPAID_PROMPTS_MAX = 10;

/** Prompts that a phone gets in so many seconds from all who are not its owner, together. */
export const STRANGERS_PROMPTS = [
  { max: 3, seconds: 600 },
  { max: 10, seconds: 86_400 },
] as const;

/** After the push, when M-Pesa is asked what became of a prompt (domain.md 4.11); then it has expired. */
export const DEPOSIT_QUERY_AFTER_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;

/** Waits between the times that transaction status is asked about one thing. */
const STATUS_WAITS_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS] as const;
/** How often at most. A withdrawal is asked about until it is known, every six hours. */
export const STATUS_ASKS_MAX = { claim: 4, paybill: 6, deposit: 6, stray: 6, withdrawal: Number.MAX_SAFE_INTEGER };
/** From this ask on, a withdrawal whose fate is unknown is an operator's matter too. */
export const WITHDRAWAL_ALARM_ASKS = 4;

export type StatusPurpose = keyof typeof STATUS_ASKS_MAX;

/** When to ask again after the `asks`-th time. */
export function nextStatusAsk(asks: number, now: Date): Date {
  const wait = STATUS_WAITS_MS[Math.min(Math.max(asks, 1), STATUS_WAITS_MS.length) - 1] as number;
  return new Date(now.getTime() + wait);
}

/** When to query a prompt after the `queries`-th time, counted from the push; null when it has been asked enough. */
export function nextDepositQuery(queries: number, sendingAt: Date, now: Date): Date | null {
  const after = DEPOSIT_QUERY_AFTER_MS[queries];
  if (after === undefined) return null;
  return new Date(Math.max(sendingAt.getTime() + after, now.getTime() + 10 * SECOND_MS));
}

/** Whole shillings between M-Pesa's limits, to a Kenyan phone; throws the refusal otherwise. */
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

/** What a person sees of our finer states. */
export function depositStateOnTheWire(state: string): DepositState {
  return state === 'created' || state === 'sending' || state === 'sent' ? 'pending' : (state as DepositState);
}

export function withdrawalStateOnTheWire(state: string): WithdrawalState {
  return state === 'paid' || state === 'returned' ? state : 'reserved';
}

/** The state that a definite "no" puts a top-up in: the person cancelled, nobody answered, or something else. */
export function refusedDepositState(resultCode: string): 'cancelled' | 'expired' | 'failed' {
  if (resultCode === '1032') return 'cancelled';
  return resultCode === '1037' || resultCode === '1019' ? 'expired' : 'failed';
}

/** `Ksh. 1,500.00` for a sentence. */
export function inWords(amountCents: Cents): string {
  return formatShillings(shillingsFromCents(amountCents)).replace('\u00a0', ' ');
}

/** How many bytes `newDepositReference` needs. */
export const REFERENCE_BYTES = 3;

/** What names a top-up to M-Pesa: the account number of whose wallet it fills, which the payer reads in the prompt, and three more. */
export function newDepositReference(accountNumber: string, bytes: Buffer): string {
  return `${accountNumber}${[...bytes.subarray(0, REFERENCE_BYTES)].map((byte) => CROCKFORD[byte & 31]).join('')}`;
}

/** A short reference of a journal that a person can read out: `U-00012-7K`; the last two tell a slip of the tongue. */
export function journalReference(journalId: string): string {
  const digest = createHash('sha256').update(`ushirika journal ${journalId}`).digest();
  const check = [digest[0] ?? 0, digest[1] ?? 0].map((byte) => CROCKFORD[byte & 31]).join('');
  return `U-${journalId.padStart(6, '0')}-${check}`;
}

/** What a payer typed as the account, folded: `id number 12345678` has many spellings. */
export function foldAccountReference(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

/** Text of a provider for our own records: bounded, of one line, without control characters. */
export function plainText(text: string, lengthMax: number): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim()
    .slice(0, lengthMax);
}
