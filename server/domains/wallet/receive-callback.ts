import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '@ushirika/contract/refusals';
import type { Tx } from '../../db/tx.ts';

export type CallbackKind =
  | 'stk'
  | 'payout_result'
  | 'payout_timeout'
  | 'status_result'
  | 'status_timeout'
  | 'c2b_confirmation'
  | 'c2b_validation';

export interface ReceivedCallback {
  readonly kind: CallbackKind;
  readonly aboutId: string | null;
  readonly body: Readonly<Record<string, unknown>>;
  /** What our parser made of it; null when it made nothing. */
  readonly parsed: object | null;
}

/** The part of the address that proves that it is M-Pesa; a wrong one is answered as any path that is not there. */
export function assertSecret(given: string, expected: string): void {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  if (!timingSafeEqual(hash(given), hash(expected))) throw new Refusal('not_found');
}

/** Stores what M-Pesa sent, once however often it is sent. Returns whether it was new. */
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
  return row?.deliveries === 1;
}

/** Nested so deep that it cannot even be written out again, it is nothing that M-Pesa sends. */
function asText(body: object): string {
  try {
    return JSON.stringify(body);
  } catch {
    throw new Refusal('malformed_request');
  }
}

/** What is kept of what came: no secret, no name, no whole phone number, and not more than a page. */
export function redacted(body: Readonly<Record<string, unknown>>): unknown {
  const clean = redactValue(body, '', 0);
  const text = JSON.stringify(clean);
  return text.length > 8_000 ? { truncated: true, length: text.length, begins: storable(text.slice(0, 2_000)) } : clean;
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
    return typeof value === 'number' && masked === String(value) ? value : masked;
  }
  return value ?? null;
}

function redactObject(fields: Record<string, unknown>, depth: number): unknown {
  // `{Key: 'ReceiverPartyPublicName', Value: '2547… - Jane'}` carries its key beside its value.
  const named = fields.Key ?? fields.Name;
  const entries = Object.entries(fields)
    .slice(0, 60)
    .map(([key, value]) => [
      storable(key.slice(0, 60)),
      redactValue(value, key === 'Value' && typeof named === 'string' ? named : key, depth + 1),
    ]);
  return Object.fromEntries(entries);
}

/** PostgreSQL's JSON holds no NUL and no half of a character, such as a name leaves that was cut in an emoji. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '');
}

function maskPhones(text: string): string {
  return text
    .replaceAll(/(?<!\d)(254\d{3})\d{3}(\d{3})(?!\d)/g, '$1***$2')
    .replaceAll(/(ws_CO_\d{14,17})\d{9}\b/g, '$1*********');
}

/** JSON knows no maps; the raw parameters are not needed once they were read. */
function withoutMaps(parsed: object): object {
  const clean = (_key: string, value: unknown) => {
    if (value instanceof Map) return undefined;
    return typeof value === 'string' ? storable(value) : value;
  };
  return JSON.parse(JSON.stringify(parsed, clean));
}
