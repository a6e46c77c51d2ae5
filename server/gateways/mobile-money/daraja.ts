import { type Answer, ask } from '../ask.ts';
import { field, isTokenRejected, noToken, readAccepted, readPull, readStkQuery } from './daraja.answers.ts';
import {
  checkAccountBalance,
  checkC2bRegister,
  checkPayout,
  checkStkPush,
  checkTransactionStatus,
  nairobiText,
  nairobiTimestamp,
  securityCredential,
  stkPassword,
  wholeShillings,
} from './daraja.checks.ts';
import { tokenSource } from './daraja.token.ts';
import type {
  AccountBalanceRequest,
  ConversationAccepted,
  Daraja,
  DarajaConfig,
  DarajaDependencies,
  DarajaLogLine,
  DarajaOutcome,
  DarajaRejected,
  PayoutRequest,
  StkPushAccepted,
  StkPushRequest,
  TransactionStatusRequest,
} from './daraja.types.ts';

type Body = Readonly<Record<string, unknown>>;
type Send = <T extends object>(
  call: string,
  path: string,
  body: Body,
  read: (answer: Answer) => DarajaOutcome<T>,
) => Promise<DarajaOutcome<T>>;

/**
 * The client of Safaricom's Daraja. Base URL, keys and clock are handed in; it reads no environment. Outcomes are
 * three-valued, a push or payout is sent once, and what Safaricom says is checked before anybody sees it.
 */
export function createDaraja(config: DarajaConfig, dependencies: DarajaDependencies): Daraja {
  const send = sender(config, dependencies);
  const credentials = initiatorOf(config);
  const stamp = () => stamped(config, dependencies.world.now());
  return {
    async stkPush(request) {
      const body = { ...stamp(), ...pushBody(config, request) };
      return (
        checkStkPush(request) ??
        send('stk_push', '/mpesa/stkpush/v1/processrequest', body, (answer) => readAccepted(answer, pushIds))
      );
    },
    async stkQuery({ checkoutRequestId }) {
      const body = { ...stamp(), CheckoutRequestID: checkoutRequestId };
      return send('stk_query', '/mpesa/stkpushquery/v1/query', body, readStkQuery);
    },
    async b2c(request) {
      const wrong = checkPayout(request) ?? credentials.missing;
      if (wrong) return wrong;
      const body = payoutBody(config, credentials, request);
      return send('b2c', '/mpesa/b2c/v3/paymentrequest', body, readConversation);
    },
    async transactionStatus(request) {
      const wrong = checkTransactionStatus(request) ?? credentials.missing;
      if (wrong) return wrong;
      const body = statusBody(config, credentials, request);
      return send('transaction_status', '/mpesa/transactionstatus/v1/query', body, readConversation);
    },
    async accountBalance(request) {
      const wrong = checkAccountBalance(request) ?? credentials.missing;
      if (wrong) return wrong;
      const body = balanceBody(config, credentials, request);
      return send('account_balance', '/mpesa/accountbalance/v1/query', body, readConversation);
    },
    async c2bRegister(request) {
      const body = {
        ShortCode: config.shortcode,
        ResponseType: request.responseType ?? 'Completed',
        ConfirmationURL: request.confirmationUrl,
        ValidationURL: request.validationUrl,
      };
      return (
        checkC2bRegister(request) ??
        send('c2b_register', '/mpesa/c2b/v2/registerurl', body, (answer) => readAccepted(answer, () => ({})))
      );
    },
    async pull({ from, to, offset }) {
      const body = {
        ShortCode: config.shortcode,
        StartDate: nairobiText(from),
        EndDate: nairobiText(to),
        OffSetValue: String(offset),
      };
      return send('pull', '/pulltransactions/v1/query', body, readPull);
    },
  };
}

/** One timestamp for the password and for the field beside it. */
function stamped({ shortcode, passkey }: DarajaConfig, now: Date): Body {
  const timestamp = nairobiTimestamp(now);
  return {
    BusinessShortCode: shortcode,
    Password: stkPassword(shortcode, passkey, timestamp),
    Timestamp: timestamp,
  };
}

function pushBody({ shortcode }: DarajaConfig, request: StkPushRequest): Body {
  return {
    TransactionType: 'CustomerPayBillOnline',
    Amount: wholeShillings(request.amountCents),
    PartyA: request.phone,
    PartyB: shortcode,
    PhoneNumber: request.phone,
    CallBackURL: request.callbackUrl,
    AccountReference: request.accountReference,
    TransactionDesc: request.description,
  };
}

function pushIds(accepted: Body): StkPushAccepted | null {
  const checkoutRequestId = field(accepted, 'CheckoutRequestID');
  const merchantRequestId = field(accepted, 'MerchantRequestID') || null;
  return checkoutRequestId ? { merchantRequestId, checkoutRequestId } : null;
}

function payoutBody(config: DarajaConfig, credentials: Credentials, request: PayoutRequest): Body {
  return {
    OriginatorConversationID: request.originatorConversationId,
    InitiatorName: credentials.name,
    SecurityCredential: credentials.credential(),
    CommandID: 'BusinessPayment',
    Amount: wholeShillings(request.amountCents),
    PartyA: config.payoutShortcode ?? config.shortcode,
    PartyB: request.phone,
    Remarks: request.remarks,
    QueueTimeOutURL: request.timeoutUrl,
    ResultURL: request.resultUrl,
    // Safaricom's spelling, here with two s.
    ...(request.occasion === undefined ? {} : { Occassion: request.occasion }),
  };
}

function statusBody(config: DarajaConfig, credentials: Credentials, request: TransactionStatusRequest): Body {
  const { receipt, originalConversationId, isPayout = false } = request;
  return {
    Initiator: credentials.name,
    SecurityCredential: credentials.credential(),
    CommandID: 'TransactionStatusQuery',
    ...(receipt === undefined ? {} : { TransactionID: receipt }),
    ...(originalConversationId === undefined ? {} : { OriginalConversationID: originalConversationId }),
    PartyA: isPayout ? (config.payoutShortcode ?? config.shortcode) : config.shortcode,
    IdentifierType: '4',
    ResultURL: request.resultUrl,
    QueueTimeOutURL: request.timeoutUrl,
    Remarks: request.remarks,
    Occasion: 'status',
  };
}

function balanceBody(config: DarajaConfig, credentials: Credentials, request: AccountBalanceRequest): Body {
  return {
    Initiator: credentials.name,
    SecurityCredential: credentials.credential(),
    CommandID: 'AccountBalance',
    PartyA: config.shortcode,
    IdentifierType: '4',
    Remarks: request.remarks,
    QueueTimeOutURL: request.timeoutUrl,
    ResultURL: request.resultUrl,
  };
}

/** Sends with the shared token; on "token rejected" renews it once and sends once more, since nothing was done. */
function sender(config: DarajaConfig, dependencies: DarajaDependencies): Send {
  const { fetch = globalThis.fetch, world, log } = dependencies;
  const tokens = tokenSource(config, dependencies);
  const post = (path: string, body: Body, token: string) =>
    ask({
      fetch,
      method: 'POST',
      url: config.baseUrl + path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      timeoutMs: config.timeoutMs ?? 30_000,
      bytesMax: config.responseBytesMax ?? 262_144,
    });
  return async (call, path, body, read) => {
    const began = world.now().getTime();
    const finish = <T extends object>(outcome: DarajaOutcome<T>, answer?: Answer): DarajaOutcome<T> => {
      log?.(logLine(call, outcome, answer, world.now().getTime() - began));
      return outcome;
    };
    const token = await tokens.get();
    if (!token.ok) return finish(noToken(token.kind, token.message));
    const first = await post(path, body, token.token);
    if (!isTokenRejected(first)) return finish(read(first), first);
    const renewed = await tokens.get(token.token);
    if (!renewed.ok) return finish(noToken(renewed.kind, renewed.message));
    const second = await post(path, body, renewed.token);
    return finish(isTokenRejected(second) ? notEnabled(second) : read(second), second);
  };
}

/** A fresh token refused too: the product is not enabled on the app, not an expired token (payments.md 1). */
function notEnabled(answer: Answer): DarajaRejected {
  const code = answer.kind === 'json' ? field(answer.body, 'errorCode') : '';
  return {
    outcome: 'rejected',
    code: code || '401',
    message: 'M-Pesa refuses a fresh token: this product is not enabled on the app',
    kind: 'credentials',
  };
}

function readConversation(answer: Answer): DarajaOutcome<ConversationAccepted> {
  return readAccepted(answer, (accepted) => {
    const conversationId = field(accepted, 'ConversationID');
    const originatorConversationId = field(accepted, 'OriginatorConversationID');
    return conversationId ? { conversationId, originatorConversationId } : null;
  });
}

interface Credentials {
  readonly missing: DarajaRejected | null;
  readonly name: string;
  credential(): string;
}

function initiatorOf({ initiator }: DarajaConfig): Credentials {
  if (!initiator) {
    const message = 'no M-Pesa initiator is configured';
    const missing: DarajaRejected = { outcome: 'rejected', code: 'invalid_request', message, kind: 'credentials' };
    return { missing, name: '', credential: () => '' };
  }
  // The credential may serve many requests; one per process is enough.
  let credential: string | null = null;
  return {
    missing: null,
    name: initiator.name,
    credential() {
      credential ??= securityCredential(initiator.password, initiator.certificatePem);
      return credential;
    },
  };
}

/** Ids and codes only: never a body, a token, a credential or a phone number. */
function logLine(
  call: string,
  outcome: DarajaOutcome<object>,
  answer: Answer | undefined,
  tookMs: number,
): DarajaLogLine {
  const code = outcome.outcome === 'rejected' ? outcome.code : outcome.outcome === 'unknown' ? outcome.reason : '';
  const requestId =
    answer?.kind === 'json' ? field(answer.body, 'requestId') || field(answer.body, 'ConversationID') : '';
  return {
    call,
    outcome: outcome.outcome,
    tookMs,
    ...(code ? { code } : {}),
    ...(requestId ? { requestId } : {}),
    ...(answer && answer.kind !== 'none' ? { status: answer.status } : {}),
  };
}
