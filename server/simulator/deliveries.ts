import type { Tx } from '../db/tx.ts';
import { type Faults, faultNumber } from './faults.ts';
import type { Core } from './simulator.types.ts';

/** Safaricom gives up on a callback after about this long (its own deadline for validation is 8 s). */
const CALLBACK_TIMEOUT_MS = 8_000;
const CLAIM_SECONDS = 20;
const AT_ONCE = 8;

export interface Callback {
  readonly kind: string;
  readonly url: string;
  /** The body exactly as it goes over the wire: JSON text, or a form for an `sms_report`. */
  readonly body: string;
  /** From now. */
  readonly afterMs?: number;
}

/** Writes down a callback that is owed; the faults say what becomes of it. */
export async function oweCallback(tx: Tx, callback: Callback, faults: Faults): Promise<void> {
  const copies = faults.duplicate === undefined ? 1 : faultNumber(faults, 'duplicate', 2);
  const lateMs = faults.delay === undefined ? 0 : faultNumber(faults, 'delay', 60_000);
  const due = new Date(tx.now.getTime() + (callback.afterMs ?? 0) + lateMs);
  for (let copy = 0; copy < Math.min(copies, 100); copy += 1) {
    await tx.sql`
      insert into simulator.delivery (id, kind, url, body, status, is_reordered, created_at, due_at)
      values (${tx.newId()}, ${callback.kind}, ${callback.url}, ${callback.body},
              ${faults.drop === undefined ? 'waiting' : 'dropped'}, ${faults.reorder !== undefined}, ${tx.now}, ${due})`;
  }
}

interface DueRow {
  readonly id: string;
  readonly kind: string;
  readonly url: string;
  readonly body: string;
}

/** Sends what is due, several at once, in the order of their times. As M-Pesa does: once, whatever the answer. */
export async function sendDue(core: Core): Promise<number> {
  const due = await core.act(
    (tx) => tx.sql<DueRow[]>`
      with due as (
        select id from simulator.delivery d
        where status = 'waiting' and due_at <= ${tx.now}
          and (claimed_until is null or claimed_until < clock_timestamp())
          and (not is_reordered or due_at <= ${new Date(tx.now.getTime() - 10_000)}
               or exists (select from simulator.delivery younger where younger.status = 'sent' and younger.ordinal > d.ordinal))
        order by due_at, ordinal limit 50
      ), claimed as (
        update simulator.delivery set claimed_until = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})
        where id in (select id from due) returning id, kind, url, body, due_at, ordinal
      )
      select id, kind, url, body from claimed order by due_at, ordinal`,
  );
  for (let from = 0; from < due.length; from += AT_ONCE) {
    await Promise.all(due.slice(from, from + AT_ONCE).map((delivery) => sendOne(core, delivery)));
  }
  return due.length;
}

async function sendOne(core: Core, { id, kind, url, body }: DueRow): Promise<void> {
  const answer = await postCallback(core, url, body, kind === 'sms_report' ? FORM : JSON_TYPE);
  await core.database.transaction(
    (tx) => tx.sql`
      update simulator.delivery
      set status = ${answer.status === null ? 'failed' : 'sent'}, attempts = attempts + 1,
          answered_status = ${answer.status}, answered_at = ${tx.now}, failure = ${answer.failure}
      where id = ${id}`,
  );
}

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

/** One POST to the platform, as Safaricom makes it. Never throws; no redirect is followed. */
export async function postCallback(
  core: Core,
  url: string,
  body: string,
  contentType = JSON_TYPE,
): Promise<{ status: number | null; text: string; failure: string | null }> {
  try {
    const response = await core.fetch(url, {
      method: 'POST',
      headers: { 'content-type': contentType, accept: 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(CALLBACK_TIMEOUT_MS),
    });
    return { status: response.status, text: (await response.text()).slice(0, 10_000), failure: null };
  } catch (error) {
    return { status: null, text: '', failure: error instanceof Error ? error.name : 'failed' };
  }
}
