import { ask } from '../ask.ts';

export interface SmsConfig {
  /** `https://api.africastalking.com`, its sandbox, or the simulator's `…/simulator`. */
  readonly baseUrl: string;
  readonly username: string;
  readonly apiKey: string;
  /** A registered sender id; theirs unless told. */
  readonly senderId?: string;
  /** 15,000 unless told. */
  readonly timeoutMs?: number;
}

/**
 * There is no idempotency key for SMS, so `unknown` may have been sent: a code is not sent twice, the person asks
 * for another one (payments.md 5.1).
 */
export type SmsOutcome =
  | { readonly outcome: 'sent'; readonly id: string }
  | { readonly outcome: 'failed'; readonly retryable: boolean; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string };

export interface SmsGateway {
  /** @param message.to E.164 digits without the plus. */
  sendSms(message: { readonly to: string; readonly message: string }): Promise<SmsOutcome>;
}

/** Processed, Sent, Queued. */
const TAKEN = new Set([100, 101, 102]);
/** InsufficientBalance (until topped up), InternalServerError, GatewayError, RejectedByGateway. */
const RETRYABLE = new Set([405, 500, 501, 502]);

/** Africa's Talking's form endpoint, which works live and in the sandbox alike. Sends once; never throws. */
export function createSmsGateway(
  config: SmsConfig,
  { fetch = globalThis.fetch }: { fetch?: typeof globalThis.fetch } = {},
): SmsGateway {
  return {
    async sendSms({ to, message }) {
      const answer = await ask({
        fetch,
        method: 'POST',
        url: `${config.baseUrl}/version1/messaging`,
        headers: {
          apiKey: config.apiKey,
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({
          username: config.username,
          to: `+${to}`,
          message,
          ...(config.senderId ? { from: config.senderId } : {}),
        }).toString(),
        timeoutMs: config.timeoutMs ?? 15_000,
        bytesMax: 65_536,
      });
      if (answer.kind === 'none') {
        // Nobody was there to take it.
        const isUnsent = answer.detail === 'ECONNREFUSED' || answer.detail === 'ENOTFOUND';
        return isUnsent
          ? { outcome: 'failed', retryable: true, reason: answer.detail }
          : { outcome: 'unknown', reason: answer.detail };
      }
      if (answer.status === 429) return { outcome: 'failed', retryable: true, reason: 'HTTP 429' };
      if (answer.status >= 400 && answer.status < 500) {
        return { outcome: 'failed', retryable: false, reason: `HTTP ${answer.status}` };
      }
      if (answer.kind === 'other' || answer.status >= 300) {
        return { outcome: 'unknown', reason: `HTTP ${answer.status}` };
      }
      return readRecipient(answer.body);
    },
  };
}

/** HTTP 201 says nothing of its own: each recipient has a status, and there may be none. */
function readRecipient(body: Readonly<Record<string, unknown>>): SmsOutcome {
  const data = body.SMSMessageData as { Message?: unknown; Recipients?: unknown } | null | undefined;
  if (typeof data !== 'object' || data === null || !Array.isArray(data.Recipients)) {
    return { outcome: 'unknown', reason: 'no SMSMessageData' };
  }
  const recipient = data.Recipients[0] as
    | { statusCode?: unknown; status?: unknown; messageId?: unknown }
    | null
    | undefined;
  if (!recipient) {
    return { outcome: 'failed', retryable: false, reason: String(data.Message ?? 'no recipient').slice(0, 100) };
  }
  const code = Number(recipient.statusCode);
  if (TAKEN.has(code)) return { outcome: 'sent', id: String(recipient.messageId ?? '').slice(0, 100) };
  return {
    outcome: 'failed',
    retryable: RETRYABLE.has(code),
    reason: `${code} ${String(recipient.status ?? '').slice(0, 60)}`.trim(),
  };
}
