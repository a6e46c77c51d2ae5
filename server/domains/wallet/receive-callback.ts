import { createHash } from 'node:crypto';
import { Refusal } from '@ushirika/contract/refusal';
import type { Tx } from '../../db/tx.ts';

export type CallbackKind =
  | 'stk'
  | 'payout_result'
  | 'payout_timeout'
  | 'status_result'
  | 'status_timeout'
  | 'balance_result'
  | 'balance_timeout'
  | 'c2b_confirmation'
  | 'c2b_validation';

export interface ReceivedCallback {
  readonly kind: CallbackKind;
  readonly aboutId: string | null;
  readonly body: Readonly<Record<string, unknown>>;
  /** What our parser read from it; null when it could not. */
  readonly parsed: object | null;
}

/** Different callbacks that are kept about one thing; M-Pesa itself sends two or three. */
const KEPT_OF_ONE_THING = 50;
/** Callbacks that are kept in all: a few gigabytes at most, even if an attacker knows the secret. */
const KEPT_IN_ALL = 1_000_000;
/** The longest stored body, as JSON text; M-Pesa's own are half as long. */
const BODY_CHARACTERS_MAX = 4_000;

/** Stores a callback; a repeated one only adds to a counter. Returns whether it was new. */
export async function storeCallback(tx: Tx, callback: ReceivedCallback): Promise<boolean> {
  const { kind, aboutId, body, parsed } = callback;
  const contentHash = createHash('sha256').update(asText(body)).digest();
  const [row] = await tx.sql<{ deliveries: number }[]>`
    insert into callback_log as c
      (id, kind, about_id, content_hash, body, parsed, received_at, last_received_at)
    values (${tx.newId()}, ${kind}, ${aboutId}, ${contentHash}, ${tx.sql.json(redacted(body) as never)},
            ${parsed === null ? null : tx.sql.json(withoutMaps(parsed) as never)}, ${tx.now}, ${tx.now})
    on conflict (kind, about_id, content_hash) do update set
      deliveries = c.deliveries + 1, last_received_at = excluded.last_received_at
    returning deliveries`;
  const isNew = row?.deliveries === 1;
  if (isNew && aboutId !== null) await forgetOldOf(tx, kind, aboutId);
  // About once in 256 callbacks: trimming for each one would cost more than the callback itself.
  if (isNew && contentHash[0] === 0) await trimCallbackLog(tx);
  return isNew;
}

/** Deletes the oldest callbacks about a thing. Each was handled when it arrived, and is not needed any more. */
async function forgetOldOf(tx: Tx, kind: CallbackKind, aboutId: string): Promise<void> {
  await tx.sql`
    delete from callback_log where id in (
      select id from callback_log where kind = ${kind} and about_id = ${aboutId}
      order by received_at desc, id desc offset ${KEPT_OF_ONE_THING} limit 100 for update skip locked)`;
}

/** Deletes the oldest callbacks above the limit. */
export async function trimCallbackLog(tx: Tx, keep = KEPT_IN_ALL): Promise<void> {
  await tx.sql`
    delete from callback_log where id in (
      select id from callback_log order by received_at desc, id desc offset ${keep} limit 10000 for update skip locked)`;
}

/** Refuses a body nested so deep that it cannot be serialized; M-Pesa sends nothing like it. */
function asText(body: object): string {
  try {
    return JSON.stringify(body);
  } catch {
    throw new Refusal('malformed_request');
  }
}

/** The body as it is stored: without secrets, names and whole phone numbers, and of limited length. */
export function redacted(body: Readonly<Record<string, unknown>>): unknown {
  const clean = redactValue(body, '', 0);
  const text = JSON.stringify(clean);
  return text.length > BODY_CHARACTERS_MAX
    ? { truncated: true, length: text.length, begins: storable(text.slice(0, 2_000)) }
    : clean;
}

const SECRET_KEYS = /credential|password|initiator(name)?$|token|secret/i;
const PERSONAL_KEYS = /^(first|middle|last)name$|publicname|partyname/i;

function redactValue(value: unknown, key: string, depth: number): unknown {
  if (SECRET_KEYS.test(key)) return '[secret]';
  if (depth > 8) return '[deep]';
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => redactValue(item, '', depth + 1));
  if (typeof value === 'object' && value !== null) return redactObject(value as Record<string, unknown>, depth);
  if (typeof value === 'string' || typeof value === 'number') {
    if (PERSONAL_KEYS.test(key)) return '[name]';
    const masked = maskPhones(storable(String(value).slice(0, 500)));
    // PostgreSQL would write 1e308 as 309 digits.
    return typeof value === 'number' && masked === String(value) && Math.abs(value) < 1e18 ? value : masked;
  }
  return value ?? null;
}

function redactObject(fields: Record<string, unknown>, depth: number): unknown {
  // `{Key: 'ReceiverPartyPublicName', Value: '2547… - Jane'}`: here the key is a value beside the value.
  const named = fields.Key ?? fields.Name;
  const entries = Object.entries(fields)
    .slice(0, 60)
    .map(([key, value]) => [
      storable(key.slice(0, 60)),
      redactValue(value, key === 'Value' && typeof named === 'string' ? named : key, depth + 1),
    ]);
  return Object.fromEntries(entries);
}

/**
 * PostgreSQL's JSON allows neither NUL nor half a surrogate pair, such as is left of a name that was cut within an
 * emoji.
 */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '');
}

function maskPhones(text: string): string {
  return text
    .replaceAll(/(?<!\d)(254\d{3}|0[17]\d\d)\d{3}(\d{3})(?!\d)/g, '$1***$2')
    .replaceAll(/(ws_CO_\d{14,17})\d{9}\b/g, '$1*********');
}

/** Leaves out maps, which JSON cannot represent; the raw parameters are not needed after parsing. */
function withoutMaps(parsed: object): object {
  const clean = (_key: string, value: unknown) => {
    if (value instanceof Map) return undefined;
    return typeof value === 'string' ? storable(value) : value;
  };
  return JSON.parse(JSON.stringify(parsed, clean));
}
