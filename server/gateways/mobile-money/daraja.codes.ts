import type { Text } from '@ushirika/contract/texts';
import type { Classified, PayoutVerdict, StkVerdict } from './daraja.types.ts';

type Known<Verdict> = readonly [verdict: Verdict, sentence: Text, retryAfterSeconds?: number];

const MPESA_BUSY: Text = 'M-Pesa could not carry it out just now. Try again in a few minutes.';
const OUR_SIDE: Text = 'M-Pesa refused us. We have been told, and nothing was taken from you.';

/** ResultCodes of the STK callback and query (payments.md 2.5). */
const STK_CODES: Readonly<Record<string, Known<StkVerdict>>> = {
  '0': ['paid', 'Paid.'],
  '1': ['failed', 'The M-Pesa balance of that phone is not enough.'],
  '2': ['failed', "The amount is below M-Pesa's minimum."],
  '3': ['failed', "The amount is above M-Pesa's maximum for one transaction."],
  '4': ['failed', 'That would pass the daily M-Pesa limit of that phone.'],
  '8': ['config_alarm', 'Our paybill cannot take that amount now. We have been told.'],
  '17': ['failed', 'M-Pesa takes the same amount from the same phone only once in two minutes.', 120],
  '26': ['failed_transient', MPESA_BUSY, 60],
  '1001': ['failed_transient', 'Another M-Pesa transaction is under way on that phone. Wait a few minutes.', 180],
  '1019': ['failed', 'The request expired before it was answered.'],
  '1025': ['failed_transient', 'M-Pesa could not show the prompt on that phone. Try again.', 60],
  '1032': ['failed', 'The request was cancelled on the phone.'],
  '1037': ['failed', 'The phone could not be reached, or nobody answered. Nothing was taken.', 60],
  '2001': ['failed', 'The M-Pesa PIN was wrong.'],
  '2028': ['config_alarm', OUR_SIDE],
  '8006': ['failed', 'The M-Pesa PIN of that phone is locked. Its owner calls M-Pesa to unlock it.'],
  '9999': ['failed_transient', 'M-Pesa could not show the prompt on that phone. Try again.', 60],
  '4999': ['pending', 'M-Pesa is still working on it.'],
  SFC_IC0003: ['config_alarm', OUR_SIDE],
  E3008: ['failed', 'M-Pesa refused this phone.'],
};

/** ResultCodes of B2C (payments.md 3.3). */
const PAYOUT_CODES: Readonly<Record<string, Known<PayoutVerdict>>> = {
  '0': ['paid', 'Paid.'],
  '1': ['config_alarm', 'We could not pay out just now. Your money is back in your wallet.'],
  '2': ['failed', "The amount is below M-Pesa's minimum."],
  '3': ['failed', "The amount is above M-Pesa's maximum for one transaction."],
  '4': ['failed', 'That would pass your daily M-Pesa limit.'],
  '8': ['failed', 'That would pass the most that your M-Pesa account may hold.'],
  '11': ['config_alarm', OUR_SIDE],
  '21': ['config_alarm', OUR_SIDE],
  '26': ['failed', MPESA_BUSY],
  '2001': ['config_alarm', OUR_SIDE],
  '2006': ['failed', 'That M-Pesa account is not active.'],
  '2028': ['config_alarm', OUR_SIDE],
  '2040': ['failed', 'That number is not registered for M-Pesa.'],
  '8006': ['config_alarm', OUR_SIDE],
  SFC_IC0003: ['failed', 'M-Pesa does not know that number.'],
};

/**
 * What an STK ResultCode means. An unknown code is a failure in a callback, but only a matter for review in a query:
 * a query can contradict the callback that is still to come (payments.md 2.5, 2.6).
 */
export function classifyStk(resultCode: string, source: 'callback' | 'query'): Classified<StkVerdict> {
  return (
    classified(STK_CODES, resultCode) ?? {
      verdict: source === 'callback' ? 'failed' : 'review',
      sentence: 'M-Pesa did not carry it out.',
      recognised: false,
    }
  );
}

/** What a B2C ResultCode means. An unknown code keeps the reserve until transaction status answers. */
export function classifyPayout(resultCode: string): Classified<PayoutVerdict> {
  return (
    classified(PAYOUT_CODES, resultCode) ?? {
      verdict: 'review',
      sentence: 'M-Pesa has not said clearly whether it paid. We are finding out.',
      recognised: false,
    }
  );
}

function classified<Verdict>(
  table: Readonly<Record<string, Known<Verdict>>>,
  resultCode: string,
): Classified<Verdict> | null {
  if (!Object.hasOwn(table, resultCode)) return null;
  const known = table[resultCode];
  if (!known) return null;
  const [verdict, sentence, retryAfterSeconds] = known;
  return { verdict, sentence, recognised: true, ...(retryAfterSeconds ? { retryAfterSeconds } : {}) };
}
