import { isDeepStrictEqual } from 'node:util';
import { by } from './in-order.ts';
import type { Change, NaiveBooks, Sacco } from './naive-books.ts';
import { closeYear, nextYear } from './naive-dividends.ts';
import type { LoanTerms } from './naive-loans.ts';
import { Clerk, type Terms } from './naive-market.ts';
import { isByVote } from './naive-votes.ts';

const WEEK_MS = 7 * 86_400_000;

/** What holds now of what can be changed. */
export function valuesNow(sacco: Sacco, kind: Change['kind'], now: number): Change['before'] {
  if (kind === 'market') return { ...sacco.market.terms };
  if (kind === 'year') return { last: sacco.surplus.closed.at(-1)?.year ?? 0 };
  if (kind === 'loans') return Object.fromEntries(sacco.lending.products.map(({ name, from }) => [name, from]));
  const terms = sacco.terms.findLast(({ at }) => at <= now);
  return { reward: terms?.reward ?? 500_00, monthlyMax: terms?.monthlyMax ?? 10 };
}

/** What two officials agreed on a day ago holds from now on; what nobody confirmed in a week comes to nothing. */
export function applyChanges(books: NaiveBooks, now: number): void {
  const due = books.changes.filter(({ state, from }) => state === 'confirmed' && from !== null && from <= now);
  const inOrder = due.sort(
    (one, other) => (one.from ?? 0) - (other.from ?? 0) || by<Change>(({ id }) => id)(one, other),
  );
  for (const change of inOrder) {
    const { sacco, kind, before } = change;
    change.state = 'ended';
    const isOutdated = !isDeepStrictEqual(valuesNow(sacco, kind, now), before) || isRefused(books, change, now);
    if (isOutdated || (kind === 'market' && sacco.state !== 'active')) {
      books.note('change outdated');
      continue;
    }
    books.note('change in force');
    if (kind === 'market') setTerms(books, sacco, change.after as unknown as Terms, now);
    else if (kind === 'loans') setProduct(sacco, change.after, now);
    else if (kind === 'year') closeYear(sacco, change.after, now);
    else {
      const { reward = 0, monthlyMax = 0 } = change.after as { reward?: number; monthlyMax?: number };
      sacco.terms.push({ at: Math.max(now, (sacco.terms.at(-1)?.at ?? 0) + 1), reward, monthlyMax });
    }
  }
  for (const change of books.changes) {
    if (change.state !== 'proposed' || change.at + WEEK_MS > now) continue;
    books.note('change lapsed');
    change.state = 'ended';
  }
}

/** Members vote on all but the closing of a year, which has its turn and its figures. */
export function isRefused(
  books: NaiveBooks,
  { kind, sacco, after }: Pick<Change, 'kind' | 'sacco' | 'after'>,
  now: number,
): boolean {
  if (kind !== 'year') return isByVote(books, sacco, now);
  const { earned: _, ...closing } = nextYear(sacco, now) ?? { earned: 0 };
  return !isDeepStrictEqual(closing, after);
}

/** A product with other terms from now on, or a new one. */
function setProduct({ lending }: Sacco, { name, ...terms }: Change['after'], now: number): void {
  const product = lending.products.find((each) => each.name === name);
  if (product) Object.assign(product, { terms, from: Math.max(now, product.from + 1) });
  else lending.products.push({ id: '', name: String(name), terms: terms as unknown as LoanTerms, from: now });
}

function setTerms(books: NaiveBooks, sacco: Sacco, terms: Terms, now: number): void {
  const before = sacco.market.terms;
  sacco.market.terms = terms;
  const clerk = new Clerk(books, sacco, now);
  const unfit = sacco.market.open.filter((order) => clerk.isOutdated(order, before));
  for (const order of unfit) clerk.close(order, 'terms_changed');
}
