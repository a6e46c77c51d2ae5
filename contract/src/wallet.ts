import { z } from 'zod';
import { check } from './checks.ts';
import { dayAsked } from './day-asked.ts';
import { phoneNumber } from './identity.ts';
import { TRANSACTION_KINDS } from './journals.ts';
import { positiveAmount, shillings, amount as shillingsIn } from './money.ts';
import { acted, listOf, pageQuery, route } from './route.ts';
import { said } from './said.ts';
import { instant } from './time.ts';
import { CODE_TYPED_MAX, foldTyped, plainId } from './typed.ts';

/** What a person reads when a receipt has been sent for checking: the spec's words. */
export const CLAIM_REQUESTED = 'Request Send... Please wait as we process';
export const WITHDRAWAL_REQUESTED = 'Request sent. M-Pesa will confirm by SMS when the money has arrived.';

/** M-Pesa pays out nothing smaller than this, in shillings. */
export const WITHDRAWAL_SHILLINGS_MIN = 10;

/**
 * `pending`: the prompt is on its way or waits for a PIN, or its outcome is not known yet. `review`: money arrived that does
 * not match what was asked for, and a person looks at it. A late success turns `failed`, `cancelled` and `expired` to `paid`.
 */
export const DEPOSIT_STATES = ['pending', 'paid', 'failed', 'cancelled', 'expired', 'review'] as const;
export type DepositState = (typeof DEPOSIT_STATES)[number];

/** `reserved`: the money is set aside until M-Pesa says what became of it. */
export const WITHDRAWAL_STATES = ['reserved', 'paid', 'returned'] as const;
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number];

/** `review`: the money is real but could not be credited by rule, and a person looks at it. */
export const CLAIM_STATES = ['pending', 'credited', 'failed', 'review'] as const;

export const deposit = z.object({
  id: z.uuid(),
  status: z.enum(DEPOSIT_STATES),
  amount: shillings,
  /** The phone that was asked, `254…`: one's own entry. */
  phone: z.string(),
  /** How it stands or why it failed, as a sentence. */
  text: said,
  /** M-Pesa's receipt, once it is known. */
  receipt: z.string().nullable(),
  created_at: instant,
  settled_at: instant.nullable(),
});
export type Deposit = z.output<typeof deposit>;

export const claim = z.object({
  id: z.uuid(),
  status: z.enum(CLAIM_STATES),
  transaction_id: z.string(),
  phone_number: z.string(),
  /** Shillings; null until M-Pesa has told. */
  amount: shillings.nullable(),
  text: said,
  created_at: instant,
  settled_at: instant.nullable(),
});
export type Claim = z.output<typeof claim>;

export const withdrawal = z.object({
  id: z.uuid(),
  status: z.enum(WITHDRAWAL_STATES),
  amount: shillings,
  /** What M-Pesa charges for it and the member bears, on top of the amount; 0 where the platform does. */
  charge: shillings,
  phone: z.string(),
  text: said,
  receipt: z.string().nullable(),
  created_at: instant,
  settled_at: instant.nullable(),
});
export type Withdrawal = z.output<typeof withdrawal>;

const ENTER_A_RECEIPT = check('Enter the 10 characters of the M-Pesa transaction id.');
const TWO_RECEIPTS = check('There are two receipts. Paste one.');
/**
 * A receipt in a text: ten letters and digits, two letters first, with a digit or before the word that M-Pesa writes behind it. `KSH1000000` is
 * none.
 */
const RECEIPTS =
  /(?<![A-Z0-9])(?!K(?:SH|ES)\d)[A-Z]{2}[A-Z0-9]{8}(?= ?(?:CONFIRMED|IMETHIBITISHWA))|\b(?!K(?:SH|ES)\d)(?=[A-Z]*\d)[A-Z]{2}[A-Z0-9]{8}\b/g;

/**
 * An M-Pesa receipt, `SGH7XK2L9P`, alone or in a text, for instance the whole SMS in English or Kiswahili. A text with two receipts is
 * refused.
 */
export const receiptNumber = z
  .string()
  .max(5_000, ENTER_A_RECEIPT)
  .transform((text, context): string => {
    const alone = plainId(text);
    // Some receipts have no digit at all.
    if (/^[A-Z][A-Z0-9]{9}$/.test(alone)) return alone;
    const isTurned = text.includes('\u202e');
    const [found, other] = new Set(isTurned ? [] : foldTyped(text).toUpperCase().match(RECEIPTS));
    if (found && !other) return found;
    context.addIssue({ code: 'custom', message: other ? TWO_RECEIPTS : ENTER_A_RECEIPT });
    return z.NEVER;
  });

export const depositRoute = route({
  name: 'deposit',
  method: 'POST',
  path: '/integrations/mpesa/deposit',
  summary:
    'Top up the wallet: a prompt for the M-Pesa PIN goes to the phone. It is one’s own confirmed phone, or a Kenyan phone whose holder has agreed: see POST /integrations/mpesa/payers.',
  caller: 'signed_in',
  repetition: 'key',
  body: z.object({
    /** Whole shillings, 1 to 250,000. */
    amount: shillingsIn,
    phone: phoneNumber,
  }),
  status: 202,
  reply: acted({ deposit }),
  refusals: [
    'phone_unconfirmed',
    'amount_not_whole_shillings',
    'amount_out_of_range',
    'phone_not_kenyan',
    'phone_holder_not_asked',
    'deposit_in_progress',
  ],
});

export const getDeposit = route({
  name: 'getDeposit',
  method: 'GET',
  path: '/integrations/mpesa/deposits/{id}',
  summary: 'How a top-up of one’s own stands.',
  caller: 'signed_in',
  repetition: 'read',
  params: z.object({ id: z.uuid() }),
  reply: deposit,
});

export const listDeposits = route({
  name: 'listDeposits',
  method: 'GET',
  path: '/integrations/mpesa/deposits',
  summary: 'One’s own top-ups, newest first.',
  caller: 'signed_in',
  repetition: 'read',
  query: z.object(pageQuery),
  reply: listOf(deposit),
});

/** What a person reads when the code for another phone is on its way. */
export const PAYER_CODE_SENT = 'We sent a code to that phone. Ask its owner for it.';
export const PAYER_AGREED = 'That phone may now pay into your wallet.';
export const PAYER_ENDED = 'No more prompts go from this wallet to that phone.';

export const askPayer = route({
  name: 'askPayer',
  method: 'POST',
  path: '/integrations/mpesa/payers',
  summary:
    'Ask the holder of another phone, by a code in an SMS, whether top-ups of one’s own may send prompts to it. The answer is the same whoever’s phone it is.',
  caller: 'signed_in',
  repetition: 'natural',
  body: z.object({ phone: phoneNumber }),
  reply: acted({ expires_at: instant }),
  refusals: ['phone_unconfirmed', 'phone_not_kenyan', 'payer_known'],
});

export const confirmPayer = route({
  name: 'confirmPayer',
  method: 'POST',
  path: '/integrations/mpesa/payers/confirmation',
  summary: 'Enter the code that the holder of the other phone was sent and gave one.',
  caller: 'signed_in',
  repetition: 'natural',
  body: z.object({
    phone: phoneNumber,
    code: z.string().min(1, check('Enter the code from the SMS.')).max(CODE_TYPED_MAX),
  }),
  reply: acted({}),
  refusals: ['phone_code_invalid'],
});

export const listPayers = route({
  name: 'listPayers',
  method: 'GET',
  path: '/integrations/mpesa/payers',
  summary: 'Which other phones may pay into one’s wallet by a prompt, and who may send prompts to one’s own phone.',
  caller: 'signed_in',
  repetition: 'read',
  reply: z.object({
    phones: z.array(z.object({ id: z.uuid(), phone: z.string(), since: instant })),
    /** Whose wallets a prompt on one’s own confirmed phone may fill. */
    wallets: z.array(z.object({ id: z.uuid(), name: z.string(), account_number: z.string(), since: instant })),
  }),
});

export const endPayer = route({
  name: 'endPayer',
  method: 'DELETE',
  path: '/integrations/mpesa/payers/{id}',
  summary: 'End it: by whose wallet it is, or by whose phone.',
  caller: 'signed_in',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  reply: acted({}),
});

export const getPaybill = route({
  name: 'getPaybill',
  method: 'GET',
  path: '/integrations/mpesa/paybill',
  summary: 'How one pays into one’s wallet by hand: the paybill, and what to type as the account.',
  caller: 'signed_in',
  repetition: 'read',
  reply: z.object({
    paybill: z.string(),
    /** Nine digits, the first an 8 and the last a check digit: one’s own for ever. A confirmed phone counts as well. */
    account_number: z.string().regex(/^8\d{8}$/),
  }),
});

export const claimReceiptRoute = route({
  name: 'claimReceipt',
  method: 'POST',
  path: '/integrations/mpesa/transaction-checker',
  summary: 'Confirm a deposit that is not reflected: the receipt is checked with M-Pesa and credited once.',
  caller: 'signed_in',
  repetition: 'key',
  body: z.object({
    transaction_id: receiptNumber,
    /** The phone that paid. */
    phone_number: phoneNumber,
  }),
  status: 202,
  reply: acted({ claim }),
  refusals: ['phone_not_kenyan', 'receipt_already_claimed', 'too_many_claims'],
});

export const getClaim = route({
  name: 'getClaim',
  method: 'GET',
  path: '/integrations/mpesa/transaction-checker/{id}',
  summary: 'How a receipt that one sent for checking stands.',
  caller: 'signed_in',
  repetition: 'read',
  params: z.object({ id: z.uuid() }),
  reply: claim,
});

export const withdrawRoute = route({
  name: 'withdraw',
  method: 'POST',
  path: '/integrations/mpesa/withdraw',
  summary:
    'Send money from the wallet to one’s own confirmed phone. It is set aside until M-Pesa confirms. The password was entered in this session in the last 15 minutes: by signing in, or by POST /client/password-proof.',
  caller: 'signed_in',
  repetition: 'key',
  body: z.object({
    /** Whole shillings, 10 to 250,000. */
    amount: positiveAmount,
    phone: phoneNumber,
  }),
  status: 202,
  reply: acted({ withdrawal }),
  refusals: [
    'proof_required',
    'phone_unconfirmed',
    'payout_held',
    'insufficient_funds',
    'amount_not_whole_shillings',
    'amount_out_of_range',
    'phone_not_kenyan',
    'phone_not_yours',
    'withdrawal_limit_reached',
  ],
});

export const getWithdrawalTerms = route({
  name: 'getWithdrawalTerms',
  method: 'GET',
  path: '/integrations/mpesa/withdrawal-terms',
  summary: 'What a withdrawal costs and who bears it, and what one may still withdraw today.',
  caller: 'signed_in',
  repetition: 'read',
  reply: z.object({
    /** `platform`: the member receives and pays the amount alone. */
    borne_by: z.enum(['platform', 'member']),
    /** M-Pesa's charges in shillings, by the greatest amount for which each holds. */
    tariff: z.array(z.object({ up_to: shillings, charge: shillings })),
    left: z.object({ count: z.number().int(), amount: shillings, renewed_at: instant }),
  }),
});

export const getWithdrawal = route({
  name: 'getWithdrawal',
  method: 'GET',
  path: '/integrations/mpesa/withdrawals/{id}',
  summary: 'How a withdrawal of one’s own stands.',
  caller: 'signed_in',
  repetition: 'read',
  params: z.object({ id: z.uuid() }),
  reply: withdrawal,
});

export const walletTransaction = z.object({
  /** Of the movement; unique in the list. */
  id: z.string(),
  /** For `/client/receipts/{journal}`. */
  journal: z.string(),
  at: instant,
  kind: z.enum(TRANSACTION_KINDS),
  /** What happened, in words. */
  description: said,
  direction: z.enum(['in', 'out']),
  /** Shillings, above zero; `direction` says which way. */
  amount: shillings,
  /** Shillings in the wallet after it. */
  balance: shillings,
  /** M-Pesa's receipt, where there is one. */
  receipt: z.string().nullable(),
});
export type WalletTransaction = z.output<typeof walletTransaction>;

export const listTransactions = route({
  name: 'listTransactions',
  method: 'GET',
  path: '/client/transactions',
  summary: 'The history of one’s wallet from the ledger, newest first.',
  caller: 'signed_in',
  repetition: 'read',
  query: z.object({
    kind: z.enum(TRANSACTION_KINDS).optional(),
    /** First and last day, in Nairobi. */
    from: dayAsked.optional(),
    to: dayAsked.optional(),
    ...pageQuery,
  }),
  reply: listOf(walletTransaction),
});

/** The days that one statement may span. */
export const STATEMENT_DAYS_MAX = 366;

export const getStatement = route({
  name: 'getStatement',
  method: 'GET',
  path: '/client/statement',
  summary: 'A statement of one’s wallet as PDF or CSV: opening balance, every movement, closing balance.',
  caller: 'signed_in',
  repetition: 'read',
  query: z.object({
    /** First day in Nairobi; 30 days before the last unless told. */
    from: dayAsked.optional(),
    /** Last day in Nairobi; today unless told. */
    to: dayAsked.optional(),
    format: z.enum(['pdf', 'csv']).default('pdf'),
  }),
  reply: z.unknown(),
  replyType: 'file',
});

/** What `event: deposit|withdrawal|claim|wallet` carries. */
export const liveEvents = {
  deposit,
  withdrawal,
  claim,
  /** Shillings. */
  wallet: z.object({ amount: shillings, held: shillings, available: shillings }),
} as const;
export type LiveEvents = { [Name in keyof typeof liveEvents]: z.output<(typeof liveEvents)[Name]> };

export const clientLive = route({
  name: 'clientLive',
  method: 'GET',
  path: '/client/live',
  summary:
    'Server-sent events of one’s own money: `deposit`, `withdrawal` and `claim` when one changes its state, `wallet` with the balance at the start and at each change.',
  caller: 'signed_in',
  repetition: 'read',
  reply: z.unknown(),
  replyType: 'sse',
});

export const moneyReceipt = z.object({
  journal: z.string(),
  /** What it was, in words: `Top-up by M-Pesa`. */
  title: said,
  kind: z.enum(TRANSACTION_KINDS),
  direction: z.enum(['in', 'out']),
  /** Shillings. */
  amount: shillings,
  at: instant,
  /** What of it is M-Pesa's charge, in shillings; null where none was paid. */
  charge: shillings.nullable(),
  /** A short reference to quote, such as `U-7F3K-92QD`. */
  reference: z.string(),
  /** M-Pesa's receipt, where there is one. */
  receipt: z.string().nullable(),
  /** What else belongs to it, in words: of a repayment the loan's number, and the penalty, interest and principal that it paid. */
  details: z.array(z.object({ name: said, value: said })),
  /** All of it as plain text that can be shared. */
  text: said,
});
export type MoneyReceipt = z.output<typeof moneyReceipt>;

export const getReceipt = route({
  name: 'getReceipt',
  method: 'GET',
  path: '/client/receipts/{journal}',
  summary: 'The receipt of one money act of one’s own.',
  caller: 'signed_in',
  repetition: 'read',
  params: z.object({ journal: z.string().min(1).max(64) }),
  reply: moneyReceipt,
});

/** Whatever M-Pesa sends: it is stored first and read after. */
const anything = z.record(z.string(), z.unknown());
const secret = z.string().min(1).max(200);

/** What M-Pesa is answered once the row is stored. C2B validation may answer a refusal's code. */
const acknowledged = z.object({ ResultCode: z.union([z.number(), z.string()]), ResultDesc: z.string() });

const callback = {
  method: 'POST',
  caller: 'provider',
  repetition: 'natural',
  body: anything,
  reply: acknowledged,
} as const;

export const stkCallbackRoute = route({
  ...callback,
  name: 'stkCallback',
  path: '/integrations/mpesa/callback/{secret}/stk/{deposit}',
  summary: 'M-Pesa tells what became of a prompt: a hint, verified before any money moves.',
  params: z.object({ secret, deposit: z.uuid() }),
});

export const payoutResultRoute = route({
  ...callback,
  name: 'payoutResult',
  path: '/integrations/mpesa/callback/{secret}/b2c/{withdrawal}/result',
  summary: 'M-Pesa tells what became of a withdrawal.',
  params: z.object({ secret, withdrawal: z.uuid() }),
});

export const payoutTimeoutRoute = route({
  ...callback,
  name: 'payoutTimeout',
  path: '/integrations/mpesa/callback/{secret}/b2c/{withdrawal}/timeout',
  summary: 'M-Pesa’s queue timed out for a withdrawal: its outcome is unknown, and is asked for.',
  params: z.object({ secret, withdrawal: z.uuid() }),
});

export const statusResultRoute = route({
  ...callback,
  name: 'statusResult',
  path: '/integrations/mpesa/callback/{secret}/status/{query}/result',
  summary: 'M-Pesa answers a question about a transaction.',
  params: z.object({ secret, query: z.uuid() }),
});

export const statusTimeoutRoute = route({
  ...callback,
  name: 'statusTimeout',
  path: '/integrations/mpesa/callback/{secret}/status/{query}/timeout',
  summary: 'M-Pesa’s queue timed out for a question: it is asked again.',
  params: z.object({ secret, query: z.uuid() }),
});

export const balanceResultRoute = route({
  ...callback,
  name: 'balanceResult',
  path: '/integrations/mpesa/callback/{secret}/balance/{comparison}/result',
  summary: 'M-Pesa answers what it holds for us; compared with the books, and nothing is booked.',
  params: z.object({ secret, comparison: z.uuid() }),
});

export const balanceTimeoutRoute = route({
  ...callback,
  name: 'balanceTimeout',
  path: '/integrations/mpesa/callback/{secret}/balance/{comparison}/timeout',
  summary: 'M-Pesa’s queue timed out for that question: it is asked again.',
  params: z.object({ secret, comparison: z.uuid() }),
});

export const c2bConfirmationRoute = route({
  ...callback,
  name: 'c2bConfirmation',
  path: '/integrations/mpesa/callback/{secret}/c2b/confirmation',
  summary: 'M-Pesa tells of a payment that somebody made to the paybill by hand.',
  params: z.object({ secret }),
});

export const c2bValidationRoute = route({
  ...callback,
  name: 'c2bValidation',
  path: '/integrations/mpesa/callback/{secret}/c2b/validation',
  summary: 'M-Pesa asks whether a payment to the paybill may be made.',
  params: z.object({ secret }),
});

/** M-Pesa refuses to register addresses with certain words in them, so that C2B has these too. */
export const hookConfirmationRoute = route({
  ...callback,
  name: 'hookConfirmation',
  path: '/hooks/pay/{secret}/confirmation',
  summary: 'The same as c2b/confirmation, at an address that M-Pesa lets one register.',
  params: z.object({ secret }),
});

export const hookValidationRoute = route({
  ...callback,
  name: 'hookValidation',
  path: '/hooks/pay/{secret}/validation',
  summary: 'The same as c2b/validation, at an address that M-Pesa lets one register.',
  params: z.object({ secret }),
});

export const walletContract = [
  depositRoute,
  getDeposit,
  listDeposits,
  askPayer,
  confirmPayer,
  listPayers,
  endPayer,
  getPaybill,
  claimReceiptRoute,
  getClaim,
  withdrawRoute,
  getWithdrawalTerms,
  getWithdrawal,
  listTransactions,
  getStatement,
  clientLive,
  getReceipt,
  stkCallbackRoute,
  payoutResultRoute,
  payoutTimeoutRoute,
  statusResultRoute,
  statusTimeoutRoute,
  balanceResultRoute,
  balanceTimeoutRoute,
  c2bConfirmationRoute,
  c2bValidationRoute,
  hookConfirmationRoute,
  hookValidationRoute,
] as const;
