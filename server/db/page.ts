import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Fragment } from 'postgres';
import type { Database } from './tx.ts';

/** Where a page begins: after the row with these sort keys, or before it when paging back. */
export interface Cursor {
  readonly isBack: boolean;
  readonly keys: readonly (string | number)[];
}

export interface Page<T> {
  readonly results: T[];
  readonly next: string | null;
  readonly previous: string | null;
}

/**
 * Reads the opaque cursor of a page link. @param shape the type of each sort key; the last is the row's id. A cursor of
 * another shape is refused.
 */
export function readCursor(text: string | undefined, shape: readonly KeyShape[]): Cursor | null {
  if (text === undefined || text === '') return null;
  try {
    const [direction, ...keys] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[];
    const isOurs =
      (direction === 'a' || direction === 'b') &&
      keys.length === shape.length &&
      keys.every((key, index) => isOfShape(key, shape[index]));
    if (isOurs) return { isBack: direction === 'b', keys: keys as (string | number)[] };
  } catch {
    // Not base64 or not JSON: refused below.
  }
  throw new Refusal('validation_failed', { errors: { cursor: [sentence('That cursor is not one of ours.')] } });
}

/**
 * `int4` is the range of a PostgreSQL `integer`; `integer` is a safe integer of JavaScript; `instant` is milliseconds since 1970, up to the
 * year 9999, which both a `Date` and PostgreSQL take.
 */
type KeyShape = 'text' | 'integer' | 'int4' | 'instant' | 'uuid';

const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function isOfShape(key: unknown, shape: KeyShape | undefined): boolean {
  if (shape === 'int4') return Number.isSafeInteger(key) && Math.abs(key as number) < 2 ** 31;
  if (shape === 'instant') return Number.isSafeInteger(key) && (key as number) >= 0 && (key as number) <= LAST_INSTANT;
  if (shape === 'integer') return Number.isSafeInteger(key);
  if (shape === 'uuid') return typeof key === 'string' && UUID.test(key);
  return typeof key === 'string' && !key.includes('\0');
}

/**
 * Makes a page from `limit + 1` rows that were read in the cursor's direction. @param keysOf the sort keys of a row, in
 * the order of the cursor's shape @param linkTo maps a cursor to the URL of its page
 */
export function toPage<T>(
  rows: readonly T[],
  options: {
    readonly limit: number;
    readonly cursor: Cursor | null;
    readonly keysOf: (row: T) => readonly (string | number)[];
    readonly linkTo: (cursor: string) => string;
  },
): Page<T> {
  const { limit, cursor, keysOf, linkTo } = options;
  const hasMore = rows.length > limit;
  const results = rows.slice(0, limit);
  if (cursor?.isBack) results.reverse();
  const link = (direction: 'a' | 'b', row: T | undefined) =>
    row === undefined ? null : linkTo(Buffer.from(JSON.stringify([direction, ...keysOf(row)])).toString('base64url'));
  const hasNext = cursor?.isBack ? true : hasMore;
  const hasPrevious = cursor?.isBack ? hasMore : cursor !== null;
  return {
    results,
    next: hasNext ? link('a', results.at(-1)) : null,
    previous: hasPrevious ? link('b', results[0]) : null,
  };
}

/** Returns a function from a cursor to a URL: the list's address, its query without the old cursor, and the cursor. */
export function linker(address: string, query: Readonly<Record<string, unknown>>): (cursor: string) => string {
  return (cursor) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (name !== 'cursor' && value !== undefined && value !== '') parameters.set(name, String(value));
    }
    parameters.set('cursor', cursor);
    return `${address}?${parameters}`;
  };
}

/** Counts are exact up to this. A longer list reports this number. */
export const COUNT_MAX = 10_000;

/** Counts rows for the head of a list, up to 10,000. `matching` is the query from its word `from` on. */
export async function countUpTo(sql: Database['sql'], matching: Fragment): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (select 1 ${matching} limit ${COUNT_MAX}) as counted`;
  return row?.count ?? 0;
}
