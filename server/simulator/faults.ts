import { createHash } from 'node:crypto';
import type { Tx } from '../db/tx.ts';

/** The bad luck that can be had, and what a value after `=` means. */
export const FAULTS = {
  // Instead of acting.
  http_500: 'an Internal Server Error of Daraja',
  http_503: 'a 503 with nothing in it',
  html_page: 'a proxy error page in HTML',
  hang: 'no answer at all; the connection stays open for this many ms (60000)',
  spike_arrest: 'too many calls in one second, as HTTP 500',
  quota: 'too many calls, as HTTP 500',
  busy: 'System is busy',
  empty_400: 'HTTP 400 with nothing in it (OAuth)',
  redirect: 'a redirect to elsewhere',
  huge: 'an answer of a megabyte',
  not_enabled: 'this product is not enabled on the app, whatever the token',
  revoke_token: 'the token has just died',
  // Acting, and then losing the answer.
  lost_response: 'it acts, and the connection breaks',
  // The callback.
  drop: 'the callback is never sent',
  duplicate: 'this many copies (2)',
  delay: 'it comes this many ms later (60000)',
  reorder: 'it comes after the next one',
  before_response: 'the person answers and the callback comes before the HTTP response',
  amount_mismatch: 'the callback names this many shillings (one more than was paid)',
  unknown_result_code: 'the outcome is this code (7777)',
  query_contradicts: 'a paid prompt is called cancelled by the query',
  forged: 'a forged success comes first: one with a wrong secret in its path, one for an unknown request',
  stk_and_c2b: 'a C2B confirmation of the same receipt comes too',
  status_contradicts: 'transaction status calls a completed payment this (Failed)',
  request_unnamed: 'transaction status does not name the request that a payment answered, or names this one instead',
  mask: 'three digits are hidden in these: payer, receiver, phone, joined by + (payer)',
  reverse: 'these come the other way round: payer or receiver with the name first, parties with ours first (payer)',
  omit: 'these are left out: payer, receiver, name, request, phone, account, receipt, amount, time, joined by + (payer)',
  local: 'these numbers begin with 0 instead of 254: payer, receiver, phone (payer)',
  reversed: 'transaction status says that a completed payment was reversed',
  balance_off: 'account balance names this many shillings more than there are (1)',
  no_validation: 'the paybill is paid without our being asked first',
  queue_timeout: 'QueueTimeOut at once, the Result this many ms later (5000)',
} as const;
export type FaultName = keyof typeof FAULTS;
/** Each fault with its value, '' for none. */
export type Faults = Readonly<Partial<Record<FaultName, string>>>;

export const CALLS = [
  'oauth',
  'stk_push',
  'stk_query',
  'b2c',
  'transaction_status',
  'account_balance',
  'c2b_register',
  'pull',
  'c2b',
  'sms',
] as const;
export type Call = (typeof CALLS)[number];

/** `drop, duplicate=5`: null when a name is none of ours. */
export function parseFaults(text: string): Faults | null {
  const found: Partial<Record<FaultName, string>> = {};
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '') continue;
    const [name = '', value = ''] = part.split('=').map((each) => each.trim());
    if (!Object.hasOwn(FAULTS, name)) return null;
    found[name as FaultName] = value;
  }
  return found;
}

/** The faults of one call: those that the request asks for, the next that were laid ready, and those of the seed. */
export async function takeFaults(tx: Tx, call: Call, phone: string | null, header: unknown): Promise<Faults> {
  const asked = typeof header === 'string' ? (parseFaults(header) ?? {}) : {};
  const [ready] = await tx.sql<{ faults: string }[]>`
    update simulator.fault set times_left = times_left - 1
    where id = (select id from simulator.fault
                where times_left > 0 and call in (${call}, 'any') and (phone is null or phone = ${phone})
                order by ordinal limit 1)
    returning faults`;
  return { ...(await seeded(tx, call)), ...(parseFaults(ready?.faults ?? '') ?? {}), ...asked };
}

/** How often each fault befalls each call, from a seed: the same seed and calls bring the same faults. */
export interface Chaos {
  readonly seed: string;
  readonly rates: Readonly<Record<string, number>>;
  readonly calls: readonly string[];
  readonly count: number;
}

async function seeded(tx: Tx, call: Call): Promise<Faults> {
  const [row] = await tx.sql<{ value: string }[]>`select value from simulator.setting where name = 'chaos'`;
  if (!row) return {};
  const chaos = JSON.parse(row.value) as Chaos;
  if (!chaos.calls.includes(call)) return {};
  await tx.sql`
    update simulator.setting set value = ${JSON.stringify({ ...chaos, count: chaos.count + 1 })} where name = 'chaos'`;
  const drawn: Partial<Record<FaultName, string>> = {};
  for (const [name, rate] of Object.entries(chaos.rates)) {
    if (draw(`${chaos.seed}:${chaos.count}:${name}`) < rate) drawn[name as FaultName] = '';
  }
  return drawn;
}

/** A number in [0, 1) that hangs on the text alone. */
function draw(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** The number after a fault's `=`, or what it means without one. */
export function faultNumber(faults: Faults, name: FaultName, otherwise: number): number {
  const value = Number(faults[name]);
  return faults[name] && Number.isFinite(value) ? value : otherwise;
}
