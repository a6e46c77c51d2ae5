import { type Cents, centsFromShillings } from '@ushirika/contract/money';
import type {
  BalanceResult,
  C2bPayment,
  Parsed,
  PayoutResult,
  PulledPayment,
  QueueTimeout,
  StatusResult,
  StkCallback,
} from './daraja.types.ts';
import { isShortcode, type Party, partyOf, wholePhone } from './party.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Callbacks are unsigned and quirky: every reader here takes extra keys, missing values and either type of number. */

/** The STK callback (payments.md 2.4). */
export function parseStkCallback(body: unknown): Parsed<StkCallback> {
  const callback = object(object(object(body)?.Body)?.stkCallback);
  if (!callback) return { ok: false, reason: 'no Body.stkCallback' };
  const checkoutRequestId = text(callback.CheckoutRequestID, 100);
  const resultCode = code(callback.ResultCode);
  if (!checkoutRequestId) return { ok: false, reason: 'no CheckoutRequestID' };
  if (!resultCode) return { ok: false, reason: 'no ResultCode' };
  const items = valuesByName(object(callback.CallbackMetadata)?.Item, 'Name');
  const first = (name: string) => items.get(name)?.[0] ?? '';
  return {
    ok: true,
    value: {
      merchantRequestId: text(callback.MerchantRequestID, 100),
      checkoutRequestId,
      resultCode,
      resultDescription: text(callback.ResultDesc, 300) ?? '',
      payment:
        resultCode === '0'
          ? {
              amountCents: cents(first('Amount')),
              receipt: receipt(first('MpesaReceiptNumber')),
              paidAt: nairobiInstant(first('TransactionDate')),
              phone: partyOf(first('PhoneNumber')).number,
            }
          : null,
    },
  };
}

/** The Result of a B2C payment (payments.md 3.3). */
export function parsePayoutResult(body: unknown): Parsed<PayoutResult> {
  const head = resultHead(body);
  if (!head.ok) return head;
  const first = (key: string) => head.value.parameters.get(key)?.[0] ?? '';
  const receiver = first('ReceiverPartyPublicName') || null;
  const payout =
    head.value.resultCode === '0'
      ? {
          amountCents: cents(first('TransactionAmount')),
          receipt: receipt(first('TransactionReceipt')) ?? head.value.transactionId,
          completedAt: nairobiInstant(first('TransactionCompletedDateTime')),
          receiverName: receiver,
          receiverPhone: wholePhone(partyOf(receiver).number),
        }
      : null;
  return { ok: true, value: { ...head.value, payout } };
}

/** The Result of a transaction status query (payments.md 3.4). */
export function parseStatusResult(body: unknown): Parsed<StatusResult> {
  const head = resultHead(body);
  if (!head.ok) return head;
  const { parameters } = head.value;
  const first = (key: string) => parameters.get(key)?.[0] ?? '';
  // DebitPartyName may come twice: then the second is the other party (payments.md 3.2).
  const debits = parameters.get('DebitPartyName') ?? [];
  const credits = [...(parameters.get('CreditPartyName') ?? []), ...debits.slice(1)];
  const transaction =
    head.value.resultCode === '0'
      ? {
          receipt: receipt(first('ReceiptNo')),
          status: first('TransactionStatus') || null,
          amountCents: cents(first('Amount')),
          initiatedAt: nairobiInstant(first('InitiatedTime')),
          finalisedAt: nairobiInstant(first('FinalisedTime')),
          debitParties: debits,
          creditParties: credits,
          ...partiesOf(debits.map(partyOf), (parameters.get('CreditPartyName') ?? []).map(partyOf)),
          originatorConversationId: first('OriginatorConversationID') || null,
          reason: first('TransactionReason') || first('ReasonType') || null,
        }
      : null;
  return { ok: true, value: { ...head.value, transaction } };
}

/** The Result of an account balance query (payments.md 3.8). */
export function parseBalanceResult(body: unknown): Parsed<BalanceResult> {
  const head = resultHead(body);
  if (!head.ok) return head;
  const first = (key: string) => head.value.parameters.get(key)?.[0] ?? '';
  const accounts = head.value.resultCode === '0' ? balances(first('AccountBalance')) : null;
  const totalCents = accounts?.reduce((sum, { cents }) => sum + cents, 0) ?? 0;
  const balance = accounts && { accounts, totalCents, completedAt: nairobiInstant(first('BOCompletedTime')) };
  return { ok: true, value: { ...head.value, balance } };
}

/**
 * `Working Account|KES|346.00|346.00|0.00|0.00&…`: name, currency, current, available, reserved, uncleared. Null unless each
 * account can be read: a sum without one of them would be another sum. The charges' account stands below zero.
 */
function balances(text: string): { readonly name: string; readonly cents: Cents }[] | null {
  const found = text.split('&').map((account) => account.split('|').map((part) => part.trim()));
  const isRead = found.every(
    (parts) => parts.length === 6 && parts[0] && parts[1] === 'KES' && /^-?\d{1,12}(\.\d{1,2})?$/.test(parts[2] ?? ''),
  );
  if (!isRead) return null;
  return found.map(([name = '', , current = '']) => {
    const amount = centsFromShillings(current.replace('-', '')) ?? 0;
    return { name: name.slice(0, 60), cents: current.startsWith('-') ? -amount : amount };
  });
}

/** QueueTimeOut: our own request sent back, or a Result. It may hold our SecurityCredential: never log the body. */
export function parseQueueTimeout(body: unknown): Parsed<QueueTimeout> {
  const fields = object(body);
  if (!fields) return { ok: false, reason: 'not an object' };
  const result = object(fields.Result);
  const source = result ?? fields;
  return {
    ok: true,
    value: {
      shape: result ? 'result' : 'request',
      originatorConversationId: text(source.OriginatorConversationID ?? source.OriginalConversationID, 100),
      conversationId: text(source.ConversationID, 100),
      receipt: receipt(text(source.TransactionID, 20) ?? ''),
    },
  };
}

/** C2B validation and confirmation, which look alike (payments.md 3.5). */
export function parseC2bPayment(body: unknown): Parsed<C2bPayment> {
  const fields = object(body);
  if (!fields) return { ok: false, reason: 'not an object' };
  const transactionId = receipt(text(fields.TransID, 20) ?? '');
  const amountCents = cents(text(fields.TransAmount, 20) ?? '');
  const shortcode = text(fields.BusinessShortCode, 10);
  if (!transactionId) return { ok: false, reason: 'no TransID' };
  if (amountCents === null || amountCents <= 0) return { ok: false, reason: 'no TransAmount' };
  if (!shortcode) return { ok: false, reason: 'no BusinessShortCode' };
  const names = [fields.FirstName, fields.MiddleName, fields.LastName].map((name) => text(name, 60));
  return {
    ok: true,
    value: {
      transactionType: text(fields.TransactionType, 40) ?? '',
      receipt: transactionId,
      paidAt: nairobiInstant(text(fields.TransTime, 20) ?? ''),
      amountCents,
      shortcode,
      accountReference: text(fields.BillRefNumber, 20) ?? '',
      payer: partyOf(text(fields.MSISDN, 64)).number,
      payerName: names.filter((name) => name !== null).join(' '),
      balanceCents: cents(text(fields.OrgAccountBalance, 20) ?? ''),
      thirdPartyTransactionId: text(fields.ThirdPartyTransID, 60),
    },
  };
}

/** The list's key is not documented: any array is taken, and one inside it too (payments.md 3.6). */
export function parsePulled(body: Fields): { readonly payments: PulledPayment[]; readonly rows: number } {
  const rows = Object.values(body)
    .filter((value) => Array.isArray(value))
    .flat(2);
  return { payments: rows.flatMap((row) => pulledPayment(row) ?? []), rows: rows.length };
}

function pulledPayment(row: unknown): PulledPayment | null {
  const fields = object(row);
  const transactionId = receipt(text(fields?.transactionId, 20) ?? '');
  const amountCents = cents(text(fields?.amount, 20) ?? '');
  if (!fields || !transactionId || !amountCents) return null;
  const paidAt = new Date(text(fields.trxDate, 40) ?? '');
  return {
    receipt: transactionId,
    amountCents,
    accountReference: text(fields.billreference, 20) ?? '',
    payer: partyOf(text(fields.msisdn, 64)).number,
    paidAt: Number.isNaN(paidAt.getTime()) ? null : paidAt,
  };
}

function resultHead(body: unknown): Parsed<Omit<PayoutResult, 'payout'>> {
  const result = object(object(body)?.Result);
  if (!result) return { ok: false, reason: 'no Result' };
  const resultCode = code(result.ResultCode);
  if (!resultCode) return { ok: false, reason: 'no ResultCode' };
  return {
    ok: true,
    value: {
      resultCode,
      resultDescription: text(result.ResultDesc, 300) ?? '',
      originatorConversationId: text(result.OriginatorConversationID, 100),
      conversationId: text(result.ConversationID, 100),
      transactionId: receipt(text(result.TransactionID, 20) ?? ''),
      parameters: valuesByName(object(result.ResultParameters)?.ResultParameter, 'Key'),
    },
  };
}

/** `[{Name|Key, Value?}]`, or one of them bare, as name → values in order; a missing value is ''. */
function valuesByName(items: unknown, nameKey: 'Name' | 'Key'): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const list = (Array.isArray(items) ? items : [items]).slice(0, 100);
  for (const item of list) {
    const fields = object(item);
    const name = text(fields?.[nameKey], 60);
    if (!fields || !name) continue;
    const value = text(fields.Value, 500) ?? '';
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  return found;
}

function object(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

/** Text or a number as trimmed text of at most `lengthMax`; null for anything else and for nothing. */
function text(value: unknown, lengthMax: number): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return null;
  return value.trim().slice(0, lengthMax) || null;
}

/** Number in one place, string in another, sometimes a word (`SFC_IC0003`): always as text. */
function code(value: unknown): string | null {
  const found = text(value, 40);
  return found && /^-?[A-Za-z0-9_.]+$/.test(found) ? found : null;
}

/** M-Pesa writes plain decimals; what people write besides is no amount here. */
function cents(value: string): Cents | null {
  return /^\d+(\.\d+)?$/.test(value) ? centsFromShillings(value) : null;
}

/** Ten capitals and digits; `OA90000000` stands for "no money moved". */
function receipt(value: string): string | null {
  return /^[A-Z0-9]{10}$/.test(value) && !/0{7}$/.test(value) ? value : null;
}

/**
 * The two sides of a transaction. DebitPartyName may come twice: then the second is the other party (payments.md 3.2).
 * Where an organisation comes before a person, or alone, M-Pesa does not say which of them paid.
 */
function partiesOf(debits: readonly Party[], credited: readonly Party[]) {
  const [payer = null, ...others] = debits;
  const credits = [...credited, ...others];
  const isUnclear =
    credited.length === 0 &&
    isShortcode(payer?.number ?? null) &&
    (others.length === 0 || others.some(({ number }) => !isShortcode(number)));
  if (isUnclear) {
    return {
      payer: null,
      payerPhone: null,
      payerName: null,
      receiver: null,
      receiverPhone: null,
      payeeShortcode: null,
    };
  }
  const payeeShortcode = credits.map(({ number }) => number).find(isShortcode) ?? null;
  const receiver = credits.map(({ number }) => number).find((each) => each !== null && !isShortcode(each)) ?? null;
  const payerPhone = wholePhone(payer?.number ?? null);
  return {
    payer: payer?.number ?? null,
    payerPhone,
    payerName: payerPhone === null ? null : (payer?.name ?? null),
    receiver,
    receiverPhone: wholePhone(receiver),
    payeeShortcode,
  };
}

/** `20191219102115` or `06.07.2024 22:48:52`, both in Nairobi's time. A year before this century is none of M-Pesa's. */
function nairobiInstant(value: string): Date | null {
  const compact = /^(20\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(value);
  const dotted = /^(\d\d)\.(\d\d)\.(20\d\d) (\d\d):(\d\d):(\d\d)$/.exec(value);
  const [year, month, day] = compact ? compact.slice(1, 4) : dotted ? [dotted[3], dotted[2], dotted[1]] : [];
  const time = (compact ?? dotted)?.slice(4, 7);
  if (!year || !time) return null;
  const at = new Date(`${year}-${month}-${day}T${time.join(':')}+03:00`);
  return Number.isNaN(at.getTime()) ? null : at;
}
