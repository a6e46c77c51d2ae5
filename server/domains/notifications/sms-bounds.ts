import { nairobiDay } from '@ushirika/contract/time';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import {
  BOUNDS,
  BOUNDS_REACH_MS,
  type Bound,
  boundUntil,
  isAsked,
  type SentLately,
  type SmsKind,
} from './sms.rules.ts';
import type { SmsWords } from './sms-words.ts';

/** An SMS before it is put into the outbox. */
export interface SmsToQueue {
  readonly userId: string | null;
  readonly phone: string;
  readonly template: string;
  readonly kind: SmsKind;
  readonly text: SmsWords;
  readonly causedBy: string | null;
  /** Null: a day later. */
  readonly sendBefore: Date | null;
  readonly canWait: boolean;
}

/** The first half of the advisory locks under which the codes of a phone are counted. */
const counting = 7246;

/**
 * Which of these SMS may go, by what the outbox has had of their kind: for the phone, by the account that causes them, and
 * on a day on which there were too many no news. `until` is when one that may not go could.
 */
export async function whatMayGo(
  tx: Tx,
  wanted: readonly SmsToQueue[],
): Promise<{ mayGo: SmsToQueue[]; until: Date | null }> {
  if (wanted.length === 0) return { mayGo: [], until: null };
  if (!isGuarded('sms_bounds')) return { mayGo: [...wanted], until: null };
  await takeTurns(tx, wanted);
  const [lately, isAlarmed] = await Promise.all([sentLately(tx, wanted), isDayAlarmed(tx)]);
  const gone = new Map<string, Date[]>();
  const mayGo: SmsToQueue[] = [];
  let until: Date | null = null;
  for (const [place, sms] of wanted.entries()) {
    if (isAlarmed && (sms.kind === 'news' || sms.kind === 'request')) continue;
    const now = ways(sms).flatMap(([countedBy, key]) => (gone.get(key) ?? []).map((at) => ({ countedBy, at })));
    const waits = boundUntil(sms.kind, [...(lately.get(place + 1) ?? []), ...now], tx.now);
    if (waits !== null) {
      until = waits;
      continue;
    }
    mayGo.push(sms);
    for (const [, key] of ways(sms)) gone.set(key, [...(gone.get(key) ?? []), tx.now]);
  }
  return { mayGo, until };
}

/** By what a message is counted. */
function ways({ kind, phone, userId, causedBy }: SmsToQueue): [Bound['countedBy'], string][] {
  return BOUNDS[kind].flatMap(({ countedBy }, place): [Bound['countedBy'], string][] => {
    if (BOUNDS[kind].findIndex((bound) => bound.countedBy === countedBy) !== place) return [];
    if (countedBy === 'cause') return causedBy === null ? [] : [['cause', `${kind} cause ${causedBy}`]];
    return [[countedBy, countedBy === 'phone' ? `${kind} ${phone}` : `${kind} ${phone} ${userId}`]];
  });
}

/**
 * Two codes for one phone at once are counted one after the other. News are not: their transactions do more, in any order,
 * and one message too many is better than two that wait for each other.
 */
async function takeTurns(tx: Tx, wanted: readonly SmsToQueue[]): Promise<void> {
  const phones = wanted.filter(({ kind }) => isAsked(kind)).map(({ phone }) => phone);
  if (phones.length === 0) return;
  await tx.sql`
    select pg_advisory_xact_lock(${counting}, hashtext(phone))
    from (select distinct phone from unnest(${texts(phones)}::text[]) as asked (phone) order by phone) as each`;
}

async function sentLately(tx: Tx, wanted: readonly SmsToQueue[]): Promise<Map<number, SentLately[]>> {
  const rows = await tx.sql<{ place: number; counted_by: Bound['countedBy']; at: Date }[]>`
    select place, counted_by, at from sms_lately(
      ${texts(wanted.map(({ phone }) => phone))}::text[], ${texts(wanted.map(({ kind }) => kind))}::text[],
      ${texts(wanted.map(({ userId }) => userId))}::uuid[], ${texts(wanted.map(({ causedBy }) => causedBy))}::uuid[],
      ${new Date(tx.now.getTime() - BOUNDS_REACH_MS)})`;
  const found = new Map<number, SentLately[]>();
  for (const { place, counted_by: countedBy, at } of rows) {
    found.set(place, [...(found.get(place) ?? []), { countedBy, at }]);
  }
  return found;
}

async function isDayAlarmed(tx: Tx): Promise<boolean> {
  const [day] = await tx.sql`
    select from sms_days where day = ${nairobiDay(tx.now)} and alarmed_at is not null`;
  return day !== undefined;
}
