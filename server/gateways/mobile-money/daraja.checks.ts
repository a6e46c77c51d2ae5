import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { isKenyanMobile } from '@ushirika/contract/phone';
import type {
  AccountBalanceRequest,
  C2bRegisterRequest,
  DarajaRejected,
  PayoutRequest,
  StkPushRequest,
  TransactionStatusRequest,
} from './daraja.types.ts';

/** Shillings per transaction (payments.md 4, Limits). */
export const PAYMENT_SHILLINGS_MIN = 1;
export const PAYOUT_SHILLINGS_MIN = 10;
export const TRANSACTION_SHILLINGS_MAX = 250_000;

/** Words that Safaricom refuses in a callback URL, in any case (payments.md 3.5); `mpesa` undashed out of caution. */
const REFUSED_URL_WORDS = /m-?pesa|safaricom|exec?|cmd|sql|query|ngrok|mockbin|requestbin/i;

/** `YYYYMMDDHHmmss` in Nairobi (UTC+3, no daylight saving). */
export function nairobiTimestamp(at: Date): string {
  return new Date(at.getTime() + 3 * 3_600_000).toISOString().replace(/\D/g, '').slice(0, 14);
}

/** `YYYY-MM-DD HH:mm:ss` in Nairobi, as the list of payments wants its times. */
export function nairobiText(at: Date): string {
  return new Date(at.getTime() + 3 * 3_600_000).toISOString().replace('T', ' ').slice(0, 19);
}

/** base64(shortcode + passkey + timestamp): the very timestamp that goes beside it. */
export function stkPassword(shortcode: string, passkey: string, timestamp: string): string {
  return Buffer.from(shortcode + passkey + timestamp).toString('base64');
}

/**
 * The initiator's password under Safaricom's key: RSA, PKCS#1 v1.5, base64. Takes a certificate or a bare public key;
 * a certificate's expiry is not looked at, since the sandbox's ran out in 2016 (payments.md 3.1).
 */
export function securityCredential(password: string, certificatePem: string): string {
  const key = createPublicKey(certificatePem);
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(password)).toString('base64');
}

export function isC2bUrlAllowed(url: string): boolean {
  return isCallbackUrl(url) && !REFUSED_URL_WORDS.test(url);
}

export function checkStkPush(request: StkPushRequest): DarajaRejected | null {
  return firstWrong([
    wrongAmount(request.amountCents, PAYMENT_SHILLINGS_MIN),
    wrongPhone(request.phone),
    /^[A-Za-z0-9]{1,12}$/.test(request.accountReference) ? null : 'AccountReference must be 1-12 letters and digits',
    printable(request.description, 1, 13) ? null : 'TransactionDesc must be 1-13 characters',
    isCallbackUrl(request.callbackUrl) ? null : 'CallBackURL must be an http(s) URL',
  ]);
}

export function checkPayout(request: PayoutRequest): DarajaRejected | null {
  return firstWrong([
    /^[A-Za-z0-9_-]{1,64}$/.test(request.originatorConversationId)
      ? null
      : 'OriginatorConversationID must be 1-64 letters, digits, - or _',
    wrongAmount(request.amountCents, PAYOUT_SHILLINGS_MIN),
    wrongPhone(request.phone),
    printable(request.remarks, 2, 100) ? null : 'Remarks must be 2-100 characters',
    request.occasion === undefined || printable(request.occasion, 1, 100) ? null : 'Occassion must be 1-100 characters',
    wrongResultUrls(request),
  ]);
}

export function checkTransactionStatus(request: TransactionStatusRequest): DarajaRejected | null {
  const { receipt, originalConversationId } = request;
  return firstWrong([
    receipt || originalConversationId ? null : 'TransactionID or OriginalConversationID is needed',
    receipt === undefined || /^[A-Z0-9]{10}$/.test(receipt) ? null : 'TransactionID must be 10 capitals and digits',
    printable(request.remarks, 2, 100) ? null : 'Remarks must be 2-100 characters',
    wrongResultUrls(request),
  ]);
}

export function checkAccountBalance(request: AccountBalanceRequest): DarajaRejected | null {
  return firstWrong([
    printable(request.remarks, 2, 100) ? null : 'Remarks must be 2-100 characters',
    wrongResultUrls(request),
  ]);
}

export function checkC2bRegister(request: C2bRegisterRequest): DarajaRejected | null {
  return firstWrong([
    isC2bUrlAllowed(request.confirmationUrl) ? null : 'ConfirmationURL holds a word that M-Pesa refuses',
    isC2bUrlAllowed(request.validationUrl) ? null : 'ValidationURL holds a word that M-Pesa refuses',
  ]);
}

/** Whole shillings as Daraja's text; the checks above have seen to it that they are whole. */
export function wholeShillings(amountCents: number): string {
  return String(amountCents / 100);
}

function wrongAmount(amountCents: number, shillingsMin: number): string | null {
  const whole = Number.isSafeInteger(amountCents) && amountCents % 100 === 0;
  if (!whole) return 'Amount must be whole shillings';
  const inRange = amountCents >= shillingsMin * 100 && amountCents <= TRANSACTION_SHILLINGS_MAX * 100;
  return inRange ? null : `Amount must be ${shillingsMin} to ${TRANSACTION_SHILLINGS_MAX} shillings`;
}

function wrongPhone(phone: string): string | null {
  return isKenyanMobile(phone) ? null : 'the phone must be a Kenyan mobile number, 254 and nine digits';
}

function wrongResultUrls(urls: { resultUrl: string; timeoutUrl: string }): string | null {
  return isCallbackUrl(urls.resultUrl) && isCallbackUrl(urls.timeoutUrl)
    ? null
    : 'ResultURL and QueueTimeOutURL must be http(s) URLs';
}

function isCallbackUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function printable(text: string, lengthMin: number, lengthMax: number): boolean {
  return text.length >= lengthMin && text.length <= lengthMax && /^[\x20-\x7e]+$/.test(text);
}

function firstWrong(wrongs: readonly (string | null)[]): DarajaRejected | null {
  const message = wrongs.find((wrong) => wrong !== null);
  return message ? { outcome: 'rejected', code: 'invalid_request', message, kind: 'invalid_request' } : null;
}
