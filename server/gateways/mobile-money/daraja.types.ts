import type { Cents } from '@ushirika/contract/money';
import type { Text } from '@ushirika/contract/texts';
import type { World } from '../../world.ts';

/**
 * What a call to Daraja came to. A money call is never repeated on `unknown`: the money may have moved. Ask
 * (`stkQuery`, `transactionStatus`) until it is known. `accepted` means only that the request was taken.
 */
export type DarajaOutcome<Answer> =
  | ({ readonly outcome: 'accepted' } & Answer)
  | DarajaRejected
  | { readonly outcome: 'unknown'; readonly reason: UnknownReason; readonly detail: string };

/** A definite no: nothing moved and nothing will. */
export interface DarajaRejected {
  readonly outcome: 'rejected';
  /**
   * Daraja's errorCode; `invalid_request` when our own checks refused it before it was sent; `no_token` when no OAuth
   * token could be had and so nothing was sent.
   */
  readonly code: string;
  readonly message: string;
  readonly kind: RejectionKind;
}

/**
 * - `invalid_request`: a field is wrong; sending it again will not help.
 * - `credentials`: key, passkey, shortcode or product is not right; an operator must act.
 * - `subscriber_locked`: a prompt is open on that phone; wait a minute.
 * - `busy`: rate limit, quota or an overloaded M-Pesa; a person may try again.
 */
export type RejectionKind = 'invalid_request' | 'credentials' | 'subscriber_locked' | 'busy';

/**
 * - `no_answer`: timeout, network error, redirect, or an answer too large to read.
 * - `unreadable`: an answer that is not the JSON of the contract, or lacks its ids.
 * - `server_error`: an HTTP error whose code says nothing definite.
 * - `duplicate`: this OriginatorConversationID was sent before: the first send was received and may be paying.
 * - `not_found`: M-Pesa does not know the transaction (yet).
 */
export type UnknownReason = 'no_answer' | 'unreadable' | 'server_error' | 'duplicate' | 'not_found';

export interface DarajaConfig {
  /** `https://sandbox.safaricom.co.ke`, `https://api.safaricom.co.ke`, or the simulator's `…/simulator`. */
  readonly baseUrl: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  /** The paybill that collects. */
  readonly shortcode: string;
  readonly passkey: string;
  /** The shortcode that pays out; the collecting one unless told (a "one account" shortcode). */
  readonly payoutShortcode?: string;
  /** Needed for payouts and transaction status. */
  readonly initiator?: { readonly name: string; readonly password: string; readonly certificatePem: string };
  /** 30,000 unless told. */
  readonly timeoutMs?: number;
  /** 256 KiB unless told. */
  readonly responseBytesMax?: number;
}

export interface StkPushRequest {
  /** Whole shillings, 1 to 250,000. */
  readonly amountCents: Cents;
  /** `254…`, twelve digits. */
  readonly phone: string;
  /** 1 to 12 letters and digits; the person reads it in the prompt. */
  readonly accountReference: string;
  /** 1 to 13 characters. */
  readonly description: string;
  readonly callbackUrl: string;
}
export interface StkPushAccepted {
  readonly merchantRequestId: string | null;
  /** Ends in nine digits of the phone: personal data, no secret. */
  readonly checkoutRequestId: string;
}

export interface StkQueryAnswer {
  readonly verdict: StkVerdict;
  /** Null where M-Pesa said "being processed" without a code. */
  readonly resultCode: string | null;
  readonly resultDescription: string;
}

export interface PayoutRequest {
  /** Ours, unique for ever, stored before the call; the same one again never pays twice. 1-64 of `[A-Za-z0-9_-]`. */
  readonly originatorConversationId: string;
  /** Whole shillings, 10 to 250,000. */
  readonly amountCents: Cents;
  readonly phone: string;
  /** 2 to 100 characters. */
  readonly remarks: string;
  readonly occasion?: string;
  readonly resultUrl: string;
  readonly timeoutUrl: string;
}
export interface ConversationAccepted {
  readonly originatorConversationId: string;
  readonly conversationId: string;
}

export interface TransactionStatusRequest {
  /** Of a payment in: its receipt, or the MerchantRequestID of its prompt. Of a payout: our OriginatorConversationID. */
  readonly receipt?: string;
  readonly originalConversationId?: string;
  /** Whether we paid it out: another shortcode may do that than the one that takes payments. */
  readonly isPayout?: boolean;
  readonly resultUrl: string;
  readonly timeoutUrl: string;
  readonly remarks: string;
}

/** What stands on the accounts of the collecting shortcode. */
export interface AccountBalanceRequest {
  readonly resultUrl: string;
  readonly timeoutUrl: string;
  /** 2 to 100 characters. */
  readonly remarks: string;
}

/** The list of payments to our paybill, by hand or by prompt, of the last 48 hours at most (payments.md 3.6). */
export interface PullRequest {
  readonly from: Date;
  readonly to: Date;
  /** Rows to leave out from the beginning: a page holds 100. */
  readonly offset: number;
}

/** A payment as the list tells it: over our own connection, so that nobody else can have written it. */
export interface PulledPayment {
  readonly receipt: string;
  readonly amountCents: Cents;
  /** What the payer typed, or what we gave the prompt; trimmed, at most 20 characters: hostile text. */
  readonly accountReference: string;
  /** The payer, as far as the list shows the number (`partyOf`). */
  readonly payer: string | null;
  readonly paidAt: Date | null;
}

export interface C2bRegisterRequest {
  readonly confirmationUrl: string;
  readonly validationUrl: string;
  /** What M-Pesa does when validation does not answer in 8 s; `Completed` unless told. */
  readonly responseType?: 'Completed' | 'Cancelled';
}

/** The client. Nothing here retries a push or a payout, and nothing secret reaches a log. */
export interface Daraja {
  stkPush(request: StkPushRequest): Promise<DarajaOutcome<StkPushAccepted>>;
  stkQuery(request: { readonly checkoutRequestId: string }): Promise<DarajaOutcome<StkQueryAnswer>>;
  /** B2C v3. The verdict comes to `resultUrl`. */
  b2c(request: PayoutRequest): Promise<DarajaOutcome<ConversationAccepted>>;
  /** The answer comes to `resultUrl`. */
  transactionStatus(request: TransactionStatusRequest): Promise<DarajaOutcome<ConversationAccepted>>;
  /** The answer comes to `resultUrl`. */
  accountBalance(request: AccountBalanceRequest): Promise<DarajaOutcome<ConversationAccepted>>;
  c2bRegister(request: C2bRegisterRequest): Promise<DarajaOutcome<object>>;
  /** One page of the list, `isLast` when none follows; rows that make no sense are left out. */
  pull(request: PullRequest): Promise<DarajaOutcome<{ readonly payments: PulledPayment[]; readonly isLast: boolean }>>;
}

export interface DarajaLogLine {
  readonly call: string;
  readonly outcome: string;
  readonly code?: string;
  readonly requestId?: string;
  readonly status?: number;
  readonly tookMs: number;
}

export interface DarajaDependencies {
  readonly world: World;
  readonly tokenStore: TokenStore;
  readonly fetch?: typeof globalThis.fetch;
  readonly log?: (line: DarajaLogLine) => void;
}

export interface StoredToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Where the one live token is kept. Each request for a token kills the one before it, so every process must use the
 * same one, and only one may fetch at a time.
 */
export interface TokenStore {
  read(key: string): Promise<StoredToken | null>;
  /**
   * Replaces `stale` (null: none) by what `fetchToken` brings, once among all processes; those who come second get
   * what the first brought. Null when nobody could bring one.
   */
  refresh(
    key: string,
    stale: string | null,
    fetchToken: () => Promise<StoredToken | null>,
  ): Promise<StoredToken | null>;
}

/**
 * - `paid`: verify amount, then credit.
 * - `failed`: the customer's; they may try again.
 * - `failed_transient`: M-Pesa's; they may try again after `retryAfterSeconds`.
 * - `config_alarm`: ours (product, operator, credential): failed, and an operator must look.
 * - `pending`: nothing is decided.
 * - `review`: a code that the table does not know, from a query: keep pending, raise an exception.
 */
export type StkVerdict = 'paid' | 'failed' | 'failed_transient' | 'config_alarm' | 'pending' | 'review';

/** `paid` settles; `failed` and `config_alarm` release the reserve; `review` keeps it until transaction status answers. */
export type PayoutVerdict = 'paid' | 'failed' | 'config_alarm' | 'review';

export interface Classified<Verdict> {
  readonly verdict: Verdict;
  /** A sentence for the person. */
  readonly sentence: Text;
  readonly retryAfterSeconds?: number;
  /** False for a code that is in no table. */
  readonly recognised: boolean;
}

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** A callback is a hint: verify by `stkQuery` and our own stored request before the ledger moves. */
export interface StkCallback {
  readonly merchantRequestId: string | null;
  readonly checkoutRequestId: string;
  /** As text, whatever type it came in. `'0'` is paid. */
  readonly resultCode: string;
  readonly resultDescription: string;
  /** Null on failure. A field that did not come, or made no sense, is null. */
  readonly payment: {
    readonly amountCents: Cents | null;
    readonly receipt: string | null;
    readonly paidAt: Date | null;
    readonly phone: string | null;
  } | null;
}

interface ResultHead {
  readonly resultCode: string;
  readonly resultDescription: string;
  readonly originatorConversationId: string | null;
  readonly conversationId: string | null;
  /** Null when absent or a placeholder such as `OA90000000` (no money moved). */
  readonly transactionId: string | null;
  /** Every parameter by key; a key may repeat, a value may be missing (''). */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
}

export interface PayoutResult extends ResultHead {
  readonly payout: {
    readonly amountCents: Cents | null;
    readonly receipt: string | null;
    readonly completedAt: Date | null;
    /** `254708374149 - John Doe`: registry text, for review only. */
    readonly receiverName: string | null;
    readonly receiverPhone: string | null;
  } | null;
}

export interface StatusResult extends ResultHead {
  /** `2032`: M-Pesa does not know that receipt, or not yet: not a fraud, ask again later. */
  readonly transaction: {
    readonly receipt: string | null;
    /** `Completed` is paid; also `Cancelled`, `Declined`, `Expired`, `Authorized`, … */
    readonly status: string | null;
    readonly amountCents: Cents | null;
    readonly initiatedAt: Date | null;
    readonly finalisedAt: Date | null;
    readonly debitParties: readonly string[];
    readonly creditParties: readonly string[];
    /** The payer's number as M-Pesa shows it, `254712***678` where it is masked, or a shortcode; null where it says none. */
    readonly payer: string | null;
    /** The payer's `254…`, when M-Pesa shows all of it. */
    readonly payerPhone: string | null;
    /** The name behind the payer's number, as M-Pesa has it. */
    readonly payerName: string | null;
    /** A person's number that received, as M-Pesa shows it. */
    readonly receiver: string | null;
    /** The receiver's `254…`, when M-Pesa shows all of it. */
    readonly receiverPhone: string | null;
    /** The shortcode credited, when a credit (or second debit) party begins with one. */
    readonly payeeShortcode: string | null;
    readonly originatorConversationId: string | null;
    readonly reason: string | null;
  } | null;
}

export interface BalanceResult extends ResultHead {
  /** Null where M-Pesa names no accounts, or one that makes no sense. */
  readonly balance: {
    /** What stands on each, by its name; what M-Pesa charged stands below zero on one of its own. */
    readonly accounts: readonly { readonly name: string; readonly cents: Cents }[];
    /** All of them together. */
    readonly totalCents: Cents;
    /** When M-Pesa looked, to the second. */
    readonly completedAt: Date | null;
  } | null;
}

/** QueueTimeOut: the outcome is unknown. Never treat it as a failure; ask transaction status. */
export interface QueueTimeout {
  /** Safaricom sends back our request, or a Result. */
  readonly shape: 'request' | 'result';
  readonly originatorConversationId: string | null;
  readonly conversationId: string | null;
  readonly receipt: string | null;
}

export interface C2bPayment {
  readonly transactionType: string;
  readonly receipt: string;
  readonly paidAt: Date | null;
  readonly amountCents: Cents;
  readonly shortcode: string;
  /** What the payer typed, trimmed, at most 20 characters: hostile text. */
  readonly accountReference: string;
  /** The payer, as far as M-Pesa shows the number (`partyOf`): v2 masks it, v1 hashes it, some leave it out. Nobody is credited by it. */
  readonly payer: string | null;
  readonly payerName: string;
  /** Null in validation. */
  readonly balanceCents: Cents | null;
  readonly thirdPartyTransactionId: string | null;
}
