import type { NaiveBooks, Person, Pool, Sacco } from './naive-books.ts';

/*
 * The money of guarantor pools as a clerk would keep it (pools-voting-anchoring.md, A2 and A8): what each member has in a pool, and
 * notices that are paid after thirty days. Nothing is guaranteed here, so all of it is free.
 */

const NOTICE_MS = 30 * 86_400_000;
/** So many members make a pool public, and with so many times the least between them it is open. */
const MEMBERS = 5;
const LEASTS = 10;

export interface Notice {
  id: string;
  readonly cents: number;
  readonly dueAt: number;
}

/** What somebody has in a pool. */
export interface Place {
  readonly person: Person;
  position: number;
  notices: Notice[];
}

export const placeOf = ({ places }: Pool, person: Person): Place | null =>
  places.find((place) => place.person === person && place.position > 0) ?? null;

/** Not under notice. */
export const freeOf = ({ position, notices }: Place): number =>
  position - notices.reduce((sum, { cents }) => sum + cents, 0);

const membersIn = ({ places }: Pool): number => places.filter(({ position }) => position > 0).length;

/** Strangers see what an operator has approved, or what five members stand behind while nobody has refused it. */
export const isPublic = (pool: Pool): boolean =>
  pool.review === 'approved' || (pool.review === 'waiting' && membersIn(pool) >= MEMBERS);

/** Why somebody may not put money into a pool of a sacco, or null: of one that they do not see they are told nothing. */
export function barred(books: NaiveBooks, pool: Pool, person: Person, isInside: boolean): string | null {
  const { sacco } = pool;
  const state = sacco?.state === 'active' ? books.memberOf(person, sacco)?.state : null;
  if (state === 'provisional' || state === 'active') return null;
  return isPublic(pool) || isInside ? 'not_a_member' : 'not_found';
}

export function putIn(pool: Pool, person: Person, cents: number): void {
  const place = pool.places.find((each) => each.person === person);
  if (place) place.position += cents;
  else pool.places.push({ person, position: cents, notices: [] });
  person.wallet -= cents;
  const free = pool.places.reduce((sum, each) => sum + freeOf(each), 0);
  if (membersIn(pool) >= MEMBERS && free >= LEASTS * pool.min) pool.isForming = false;
}

/** All of it, or so that the smallest contribution stays. */
export function mayWithdraw({ min }: Pool, place: Place, cents: number): boolean {
  const left = freeOf(place) - cents;
  return left === 0 || left >= min;
}

export const noticeOf = (cents: number, now: number): Notice => ({ id: '', cents, dueAt: now + NOTICE_MS });

export function payNotices(books: NaiveBooks, now: number): void {
  for (const place of books.pools.flatMap(({ places }) => places)) {
    const due = place.notices.filter(({ dueAt }) => dueAt <= now);
    place.notices = place.notices.filter((notice) => !due.includes(notice));
    for (const { cents } of due) {
      place.position -= cents;
      place.person.wallet += cents;
      books.note('pool paid out');
    }
  }
}

/** Money in a pool of a sacco's members keeps them there. */
export const hasPoolMoney = (books: NaiveBooks, person: Person, sacco: Sacco): boolean =>
  books.pools.some((pool) => pool.sacco === sacco && placeOf(pool, person) !== null);
