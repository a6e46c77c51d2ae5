import type { Answer } from '../ask.ts';
import { classifyStk } from './daraja.codes.ts';
import { parsePulled } from './daraja.parse.ts';
import type {
  DarajaOutcome,
  DarajaRejected,
  PulledPayment,
  RejectionKind,
  StkQueryAnswer,
  UnknownReason,
} from './daraja.types.ts';

type Body = Readonly<Record<string, unknown>>;

/** "Your token is not good": another code for each product (payments.md 1). */
const TOKEN_REJECTED = new Set(['404.001.03', '401.002.01', '400.003.01', '401.001', '401.003.01']);

export function isTokenRejected(answer: Answer): boolean {
  if (answer.kind === 'none') return false;
  if (answer.kind === 'other') return answer.status === 401;
  return answer.status >= 400 && (TOKEN_REJECTED.has(field(answer.body, 'errorCode')) || answer.status === 401);
}

/** A push, a payout, a status query or a registration: taken, refused for certain, or not known. */
export function readAccepted<T extends object>(
  answer: Answer,
  acceptedFrom: (body: Body) => T | null,
): DarajaOutcome<T> {
  if (answer.kind === 'none') return unknown('no_answer', answer.detail);
  if (answer.kind === 'other') return unknown('unreadable', `HTTP ${answer.status}, not JSON`);
  const { status, body } = answer;
  if (status < 200 || status >= 300) return readError(status, body);
  const responseCode = field(body, 'ResponseCode');
  if (responseCode !== '0') return unknown('unreadable', `ResponseCode ${responseCode.slice(0, 20) || 'missing'}`);
  const accepted = acceptedFrom(body);
  return accepted ? { outcome: 'accepted', ...accepted } : unknown('unreadable', 'accepted without its ids');
}

/** STK Query, whose "still processing" has two shapes and whose 500.001.1001 means five things (payments.md 2.6). */
export function readStkQuery(answer: Answer): DarajaOutcome<StkQueryAnswer> {
  if (answer.kind === 'none') return unknown('no_answer', answer.detail);
  if (answer.kind === 'other') return unknown('unreadable', `HTTP ${answer.status}, not JSON`);
  const { status, body } = answer;
  if (status >= 200 && status < 300) {
    const resultCode = field(body, 'ResultCode');
    if (!resultCode) return unknown('unreadable', 'no ResultCode');
    const { verdict } = classifyStk(resultCode, 'query');
    return { outcome: 'accepted', verdict, resultCode, resultDescription: field(body, 'ResultDesc').slice(0, 300) };
  }
  const message = field(body, 'errorMessage');
  if (field(body, 'errorCode') === '500.001.1001') {
    if (/being processed|under processing/i.test(message)) {
      return { outcome: 'accepted', verdict: 'pending', resultCode: null, resultDescription: message.slice(0, 300) };
    }
    if (/transaction does not exist/i.test(message)) return unknown('not_found', 'M-Pesa does not know it');
  }
  return readError(status, body);
}

/** Rows that one page of the list holds (payments.md 3.6). */
const PULL_PAGE = 100;

/** A page of the list of payments: `1000` with rows, `1001` with none (payments.md 3.6). */
export function readPull(answer: Answer): DarajaOutcome<{ payments: PulledPayment[]; isLast: boolean }> {
  if (answer.kind === 'none') return unknown('no_answer', answer.detail);
  if (answer.kind === 'other') return unknown('unreadable', `HTTP ${answer.status}, not JSON`);
  const { status, body } = answer;
  if (status < 200 || status >= 300) return readError(status, body);
  const code = field(body, 'ResponseCode');
  if (code === '1001') return { outcome: 'accepted', payments: [], isLast: true };
  if (code !== '1000') return unknown('unreadable', `ResponseCode ${code.slice(0, 20) || 'missing'}`);
  const { payments, rows } = parsePulled(body);
  return { outcome: 'accepted', payments, isLast: rows < PULL_PAGE };
}

function readError(status: number, body: Body): DarajaOutcome<never> {
  const code = field(body, 'errorCode');
  const message = withoutSecrets(field(body, 'errorMessage'));
  // An earlier send of the same id is live: not a refusal (payments.md 6.1).
  if (code === '500.002.1001' && /duplicate/i.test(message)) return unknown('duplicate', message);
  const kind = kindOfRefusal(status, code, message);
  return kind ? { outcome: 'rejected', code, message, kind } : unknown('server_error', `HTTP ${status} ${code}`.trim());
}

/** Null where nothing definite is said. */
function kindOfRefusal(status: number, code: string, message: string): RejectionKind | null {
  if (!code) return null;
  if (TOKEN_REJECTED.has(code) || status === 401 || status === 403) return 'credentials';
  if (code === '500.003.02' || code === '500.003.03' || status === 429) return 'busy';
  if (/system is busy|spike arrest|quota violation/i.test(message)) return 'busy';
  if (/unable to lock subscriber/i.test(message)) return 'subscriber_locked';
  if (/wrong credentials|merchant does not exist/i.test(message)) return 'credentials';
  if (/urls are already registered/i.test(message)) return 'invalid_request';
  return status >= 400 && status < 500 ? 'invalid_request' : null;
}

export function noToken(kind: RejectionKind, message: string): DarajaRejected {
  return { outcome: 'rejected', code: 'no_token', message, kind };
}

/** A field as text, whatever type it came in; '' when it did not come. */
export function field(body: Body, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

/** `401.002.01` quotes the token back (payments.md 1). */
function withoutSecrets(message: string): string {
  return message.replace(/(access token\s*-\s*)\S+/i, '$1[redacted]').slice(0, 300);
}

function unknown(reason: UnknownReason, detail: string): DarajaOutcome<never> {
  return { outcome: 'unknown', reason, detail };
}
