import { factsIn, type Movement, titleOf } from '../verify/facts-of.ts';
import type { SavedReceipt } from '../verify/saved-receipt.ts';

/** One account, added up from receipts. */
export interface AddedUp {
  readonly account: number;
  readonly book: string;
  readonly kind: string;
  readonly isShares: boolean;
  /** The sum of all movements: cents, or whole shares where it is an account of shares. */
  readonly cents: number;
  readonly movements: number;
  /** The first movement whose balance before is not the balance after the one before it; null where none is missing. */
  readonly broken: { readonly what: string; readonly at: string | null; readonly journal: number | null } | null;
}

interface Moved extends Movement {
  readonly what: string;
  readonly at: string | null;
  readonly journal: number | null;
}

/** Adds receipts up, account by account, from nothing. A receipt that is on two pages counts once. */
export function addUp(receipts: readonly SavedReceipt[]): AddedUp[] {
  const byEntry = new Map(receipts.map((receipt) => [`${receipt.entry.log} ${receipt.entry.i}`, receipt]));
  const moved = [...byEntry.values()].flatMap(({ opening }): Moved[] => {
    const facts = factsIn(opening);
    const { at, journal } = facts;
    return facts.movements.map((movement) => ({ ...movement, what: titleOf(facts), at, journal }));
  });
  return [...Map.groupBy(moved, ({ account }) => account).values()].map(addUpAccount);
}

function addUpAccount(movements: readonly Moved[]): AddedUp {
  const inOrder = movements.toSorted((a, b) => a.transfer - b.transfer);
  let cents = 0;
  let broken: AddedUp['broken'] = null;
  for (const { change, after, what, at, journal } of inOrder) {
    if (!broken && cents + change !== after) broken = { what, at, journal };
    cents += change;
  }
  const [{ account, book, kind, isShares } = { account: 0, book: '', kind: '', isShares: false }] = inOrder;
  return { account, book, kind, isShares, cents, movements: inOrder.length, broken };
}

/** A figure that a page of ours shows, in cents or whole shares. */
export interface Shown {
  readonly what: 'wallet' | 'savings' | 'shares' | 'loans' | 'pools';
  /** The sacco's id; null for the wallet and for guarantor pools. */
  readonly book: string | null;
  readonly value: number;
}

export interface Compared extends Shown {
  readonly added: number;
}

/** - `waiting`: some movements are in no signed entry yet. `moved`: the figures are of two moments. */
export type Outcome = 'right' | 'waiting' | 'moved' | 'wrong';

interface Checked {
  readonly wrong: readonly unknown[];
  readonly gone: readonly unknown[];
  readonly accounts: readonly Pick<AddedUp, 'broken'>[];
  readonly compared: readonly Pick<Compared, 'added' | 'value'>[];
  readonly beingLogged: number;
  readonly hasMoved: boolean;
}

/** Whether a sum is not what the pages show, or a movement is missing. The server has no say in it. */
export const differs = ({ accounts, compared }: Pick<Checked, 'accounts' | 'compared'>): boolean =>
  compared.some(({ added, value }) => added !== value) || accounts.some(({ broken }) => broken);

export function outcomeOf(checked: Checked): Outcome {
  const { wrong, gone, beingLogged, hasMoved } = checked;
  if (wrong.length > 0 || gone.length > 0) return 'wrong';
  if (differs(checked) && hasMoved) return 'moved';
  if (beingLogged > 0) return 'waiting';
  return differs(checked) ? 'wrong' : 'right';
}

const KINDS: Readonly<Record<Shown['what'], readonly string[]>> = {
  wallet: ['wallet', 'wallet_hold'],
  savings: ['deposits', 'deposits_hold'],
  shares: ['holding', 'holding_hold'],
  loans: ['loan_principal'],
  pools: ['pool_position'],
};

/** Each figure that the pages show beside what the receipts add up to; what no page shows should have come to nothing. */
export function compare(accounts: readonly AddedUp[], shown: readonly Shown[]): Compared[] {
  const sumOf = ({ what, book }: Pick<Shown, 'what' | 'book'>) =>
    accounts
      .filter((each) => KINDS[what].includes(each.kind) && (book === null || each.book === book))
      .reduce((sum, { cents }) => sum + cents, 0);
  const whats = Object.keys(KINDS) as Shown['what'][];
  const left = accounts.flatMap(({ kind, book, cents }): Shown[] => {
    const what = whats.find((each) => KINDS[each].includes(kind));
    if (!what || cents === 0) return [];
    const isShown = shown.some((each) => each.what === what && (each.book === null || each.book === book));
    return isShown ? [] : [{ what, book, value: 0 }];
  });
  const unlisted = [...new Map(left.map((each) => [`${each.what} ${each.book}`, each])).values()];
  return [...shown, ...unlisted].map((each) => ({ ...each, added: sumOf(each) }));
}
