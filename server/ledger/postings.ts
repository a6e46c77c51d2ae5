import { type AccountKind, type JournalKind, journals, type Side } from '@ushirika/contract/journals';
import { type AccountKey, type JournalInput, PLATFORM_BOOK } from './ledger.types.ts';

/** The book (`P` the platform's, `S` a sacco's), the debited account, the credited account, and when it happens. */
export type Pair = readonly [book: 'P' | 'S', debit: Side, credit: Side, when?: string];

/** Every transfer that may be posted: `post` throws for any other. */
export const postings: Readonly<Record<string, { readonly transfers: readonly Pair[] }>> = journals;

/**
 * Allowed transfers, by debited and credited kind. The number has one bit for each combination of book and owners
 * (`caseOf`). It is looked up for every transfer of every batch, so no text is built.
 */
type Pairs = Map<AccountKind, Map<AccountKind, number>>;

const allowed = new Map<string, Pairs>();
const mirrored: Pairs = new Map();
allowed.set('reversal', mirrored);
for (const [kind, { transfers }] of Object.entries(postings)) allow(kind, transfers);

/** Adds a kind at run time. Only for the ledger's own tests and benches: the product's kinds are in the contract. */
export function allow(kind: string, pairs: readonly Pair[]): JournalKind {
  const own: Pairs = new Map();
  allowed.set(kind, own);
  for (const [book, debit, credit] of pairs) {
    permit(own, book, debit, credit);
    permit(mirrored, book, credit, debit);
  }
  return kind as JournalKind;
}

export function knownJournalKinds(): string[] {
  return [...allowed.keys()];
}

/** Throws for a journal that docs/postings.md does not have: a mistake of the program, not of a person. */
export function assertKnownPostings(journal: JournalInput): void {
  const pairs = allowed.get(journal.kind);
  if (!pairs) throw new Error(`No journal is of the kind ${journal.kind}: add it to contract/src/journals.ts.`);
  if ((journal.reverses !== undefined) !== (journal.kind === 'reversal')) {
    throw new Error('A reversal, and nothing else, names the journal that it reverses.');
  }
  for (const { debit, credit } of journal.transfers) {
    const cases = pairs.get(debit.kind)?.get(credit.kind) ?? 0;
    const own = caseOf(debit.book === PLATFORM_BOOK, debit.owner !== null, credit.owner !== null);
    if ((cases & own) !== 0) continue;
    const book = debit.book === PLATFORM_BOOK ? 'P' : 'S';
    const pair = `${book} ${sideOf(debit)} ${sideOf(credit)}`;
    throw new Error(`${journal.kind} may not post ${pair}: see contract/src/journals.ts.`);
  }
}

function permit(pairs: Pairs, book: Pair[0], debit: Side, credit: Side): void {
  const [debitKind, debitMark] = debit.split(':') as [AccountKind, string?];
  const [creditKind, creditMark] = credit.split(':') as [AccountKind, string?];
  const credits = pairs.get(debitKind) ?? new Map<AccountKind, number>();
  const own = caseOf(book === 'P', debitMark !== undefined, creditMark !== undefined);
  pairs.set(debitKind, credits.set(creditKind, (credits.get(creditKind) ?? 0) | own));
}

/** The bit of one combination: the platform's book or a sacco's, and which of the two accounts have an owner. */
function caseOf(isPlatform: boolean, isDebitOwned: boolean, isCreditOwned: boolean): number {
  return 1 << ((isPlatform ? 4 : 0) + (isDebitOwned ? 2 : 0) + (isCreditOwned ? 1 : 0));
}

function sideOf(key: AccountKey): string {
  return key.owner === null ? key.kind : `${key.kind}:`;
}
