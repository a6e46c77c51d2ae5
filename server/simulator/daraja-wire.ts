import { constants, privateDecrypt } from 'node:crypto';
import type { Call, Faults } from './faults.ts';
import { newRequestId } from './identifiers.ts';
import type { Core } from './simulator.types.ts';

/** What goes back over the wire: JSON, plain text, or nothing. */
export interface WireAnswer {
  readonly status: number;
  readonly body: object | string;
  readonly type?: 'application/json' | 'text/html';
  readonly location?: string;
}

export type Fields = Readonly<Record<string, unknown>>;

export function wireError(core: Core, status: number, errorCode: string, errorMessage: string): WireAnswer {
  return { status, body: { requestId: newRequestId(core.world), errorCode, errorMessage } };
}

export function invalidField(core: Core, field: string): WireAnswer {
  return wireError(core, 400, '400.002.02', `Bad Request - Invalid ${field}`);
}

/** "Your token is not good", as each product says it (payments.md 1). */
export function tokenRefusal(core: Core, call: Call, token: string): WireAnswer {
  if (call === 'stk_push') return wireError(core, 404, '404.001.03', 'Invalid Access Token');
  if (call === 'b2c') {
    return wireError(core, 401, '401.002.01', `Error Occurred - Invalid Access Token - ${token}`);
  }
  if (call === 'pull') return wireError(core, 401, '401.001', 'Invalid Access Token');
  return wireError(core, 400, '400.003.01', 'Invalid Access Token');
}

/** The answer that a fault gives instead of acting, or null. */
export function answerInstead(core: Core, faults: Faults): WireAnswer | null {
  if (faults.http_500 !== undefined) return wireError(core, 500, '500.003.1001', 'Internal Server Error');
  if (faults.not_enabled !== undefined) {
    return wireError(core, 401, '401.003.01', 'Invalid API call as no apiproduct match found');
  }
  if (faults.http_503 !== undefined) return { status: 503, body: '' };
  if (faults.html_page !== undefined) {
    return { status: 502, type: 'text/html', body: '<html><body><h1>502 Bad Gateway</h1></body></html>' };
  }
  if (faults.spike_arrest !== undefined) {
    return wireError(core, 500, '500.003.02', 'Error Occurred: Spike Arrest Violation');
  }
  if (faults.quota !== undefined) return wireError(core, 500, '500.003.03', 'Quota Violation');
  if (faults.busy !== undefined) {
    return wireError(core, 500, '500.003.02', 'System is busy. Please try again in few minutes.');
  }
  if (faults.empty_400 !== undefined) return { status: 400, body: '' };
  if (faults.redirect !== undefined) return { status: 302, body: '', location: 'https://example.com/elsewhere' };
  if (faults.huge !== undefined) return { status: 200, body: { padding: 'x'.repeat(1_048_576) } };
  return null;
}

/** A field as Safaricom takes it: text or a number; '' when it is missing. */
export function fieldText(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Whole shillings as cents, or null. */
export function wholeAmountCents(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) * 100 : null;
}

export function isPhone(text: string): boolean {
  return /^254[17]\d{8}$/.test(text);
}

export function isUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The words that Safaricom refuses in C2B URLs (payments.md 3.5). */
export function hasRefusedWord(url: string): boolean {
  return /m-pesa|safaricom|exec?|cmd|sql|query|ngrok|mockbin|requestbin/i.test(url);
}

/** Whether it decrypts, by PKCS#1 v1.5 under our key, to the initiator's password. */
export function isCredentialRight(core: Core, initiator: string, credential: string): boolean {
  if (initiator !== core.keys.initiatorName) return false;
  try {
    const password = privateDecrypt(
      { key: core.keys.privateKeyPem, padding: constants.RSA_PKCS1_PADDING },
      Buffer.from(credential, 'base64'),
    );
    return password.toString() === core.keys.initiatorPassword;
  } catch {
    return false;
  }
}
