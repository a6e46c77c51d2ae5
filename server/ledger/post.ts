import { Refusal } from '@ushirika/contract/refusal';
import type { RefusalCode } from '@ushirika/contract/refusals';
import type { Tx } from '../db/tx.ts';
import { applyJournal, type OpenAccount, type Refused, refusalOfShape } from './apply.ts';
import { type JournalContent, readJournals, sameContent } from './journal-content.ts';
import type { AccountKey, JournalInput, PostRefusal, PostResult } from './ledger.types.ts';
import { type LockedAccounts, lockInOrder, openAccounts } from './locked-accounts.ts';
import { assertKnownPostings } from './postings.ts';
import { integers, integersOrNulls, parseArray, texts } from './sql-arrays.ts';

/**
 * Posts journals, as if one after another in the order given: each is posted whole, or is refused and leaves nothing.
 * The number of statements does not grow with the batch. Keys are claimed first, sorted; then accounts are locked,
 * sorted. So transactions wait for each other but do not deadlock, as long as each posts once.
 *
 * Accounts in `locked` (from `lockAccounts`) are used as they are; only the others are locked now. `locked` stays valid
 * for a second `post` of the transaction: its balances are updated. A row that was written has a new ctid, which the
 * next `post` reads under the lock that the transaction still has.
 *
 * Reasons for a refusal are checked in the order of `POST_REFUSALS`. A key that was posted before, by any transaction,
 * gives `exists` when the content is the same. Throws for pairs of accounts that are not in docs/postings.md.
 */
export async function post(
  tx: Tx,
  journals: readonly JournalInput[],
  locked: LockedAccounts | null = null,
): Promise<PostResult[]> {
  const results = new Array<PostResult>(journals.length);
  const batch = await admit(tx, journals, results, locked);
  const { items } = batch;
  if (items.length === 0) return results;
  if (!(await postAtOnce(tx, batch, results))) await postInSteps(tx, batch, results);
  for (const { index, claim } of items) {
    const result = results[index];
    if (result && result.status !== 'refused') results[index] = { status: result.status, journalId: String(claim.id) };
  }
  return results;
}

/**
 * Posts the batch in one statement, when every account is locked, every journal can be posted and every key is new.
 * Otherwise returns false: nothing is posted, but the free keys may have been claimed.
 */
async function postAtOnce(tx: Tx, batch: Batch, results: PostResult[]): Promise<boolean> {
  const { items, claims, accounts } = batch;
  if (claims.length < items.length || accounts.some(({ ctid }) => ctid === '')) return false;
  const balances = accounts.map(({ balance }) => balance);
  const isPosted = (item: Item) => {
    const result = decide(item);
    results[item.index] = result;
    return result.status === 'posted';
  };
  if (items.every(isPosted) && (await claimAndWrite(tx, batch))) return true;
  accounts.forEach((account, index) => {
    account.balance = balances[index] as number;
  });
  for (const claim of claims) claim.poster = null;
  return false;
}

/**
 * Posts any other batch: claims keys and locks accounts first, then decides for each journal whether it can be posted.
 */
async function postInSteps(tx: Tx, { items, claims, accounts }: Batch, results: PostResult[]): Promise<void> {
  const withoutCtid = accounts.filter(({ ctid }) => ctid === '');
  const areClaimed = claims.some(({ id }) => id !== 0);
  await Promise.all([
    !areClaimed && claimJournalKeys(tx, claims),
    withoutCtid.length > 0 && lockInOrder(tx, withoutCtid),
  ]);
  await readTaken(tx, claims);
  for (const item of items) results[item.index] = decide(item);
  await settleClaims(tx, claims);
  const posted = claims.flatMap(({ poster }) => (poster ? [poster] : [])).sort((a, b) => a.index - b.index);
  if (posted.length > 0) await write(tx, posted, accounts);
}

/**
 * Posts one journal and returns its id, whether it was posted now or before with the same content.
 * @throws Refusal `insufficient_funds`, `balance_limit_exceeded` or `account_closed`; a plain error for any other
 * reason, which is a mistake of the program
 */
export async function postOrRefuse(tx: Tx, journal: JournalInput): Promise<string> {
  const [result] = await post(tx, [journal]);
  if (!result) throw new Error('A journal came back without a result.');
  if (result.status === 'refused') throw errorOf(result.reason, journal);
  return result.journalId;
}

/** The error for a refused journal: a `Refusal` where a person can cause it, else a plain error. */
export function errorOf(reason: PostRefusal, journal: JournalInput): Error {
  const codes: Partial<Record<PostRefusal, RefusalCode>> = {
    account_closed: 'account_closed',
    insufficient_funds: 'insufficient_funds',
    balance_limit_exceeded: 'balance_limit_exceeded',
  };
  const code = codes[reason];
  return code ? new Refusal(code) : new Error(`The journal ${journal.idempotencyKey} was refused: ${reason}.`);
}

/** A key of the batch, for which a row of `journals` is written before its transfers are decided. */
interface Claim {
  readonly key: string;
  /** The journal whose kind, subject and causer are in the row: the first of the batch under this key. */
  heading: JournalInput;
  /** The journal's id, new or from before. */
  id: number;
  /** The journal that was written under the key before this batch. */
  taken: JournalContent | null;
  /** The journal of this batch that is posted under the key. */
  poster: Item | null;
}

/** A well-formed journal of the batch. */
interface Item {
  readonly journal: JournalInput;
  readonly index: number;
  readonly claim: Claim;
  /** Two for each transfer: the debited account, then the credited one. */
  readonly accounts: readonly OpenAccount[];
  /** The balances of those accounts after each transfer, once it is applied. */
  balancesAfter: readonly number[];
}

interface Batch {
  readonly items: readonly Item[];
  /** One for each key, sorted by key. */
  readonly claims: readonly Claim[];
  /** Every account of the batch, sorted by id. */
  readonly accounts: readonly OpenAccount[];
}

/** Refuses malformed journals, and finds the accounts and keys of the others. */
async function admit(
  tx: Tx,
  journals: readonly JournalInput[],
  results: PostResult[],
  locked: LockedAccounts | null,
): Promise<Batch> {
  // Two accounts for each transfer of every well-formed journal. Those that are not locked yet are filled in below.
  const all: (OpenAccount | undefined)[] = [];
  const withoutCtid: AccountKey[] = [];
  const take = (key: AccountKey) => {
    const account = locked?.find(tx, key);
    if (!account) withoutCtid.push(key);
    all.push(account);
  };
  journals.forEach((journal, index) => {
    const refusal = refusalOfShape(journal);
    if (refusal) results[index] = { status: 'refused', ...refusal };
    else {
      assertKnownPostings(journal);
      for (const { debit, credit } of journal.transfers) {
        take(debit);
        take(credit);
      }
    }
  });
  const opened = await openAccounts(tx, withoutCtid);
  let next = 0;
  for (let index = 0; index < all.length; index += 1) all[index] ??= opened[next++] as OpenAccount;
  const claims = new Map<string, Claim>();
  const items: Item[] = [];
  let offset = 0;
  journals.forEach((journal, index) => {
    if (results[index]) return;
    const key = journal.idempotencyKey;
    const claim = claims.get(key) ?? newClaim(key, journal);
    claims.set(key, claim);
    const own = all.slice(offset, offset + 2 * journal.transfers.length) as OpenAccount[];
    offset += own.length;
    items.push({ journal, index, claim, accounts: own, balancesAfter: [] });
  });
  return {
    items,
    claims: [...claims.values()].sort((a, b) => (a.key < b.key ? -1 : 1)),
    accounts: [...new Set(all as OpenAccount[])].sort((a, b) => a.id - b.id),
  };
}

function newClaim(key: string, heading: JournalInput): Claim {
  return { key, heading, id: 0, taken: null, poster: null };
}

interface Claimed {
  readonly claimed_ids: string;
  readonly claimed_keys: string[] | null;
}

/** Inserts the rows of journals whose keys are free. A claim that gets no id has a key that was used before. */
async function claimJournalKeys(tx: Tx, claims: readonly Claim[]): Promise<void> {
  const [keys, kinds, causers, types, abouts, reversed] = columnsOfHeadings(claims);
  const [row] = await tx.sql<Claimed[]>`
    select claimed_ids::text, claimed_keys
    from ledger_claim(${keys}, ${kinds}, ${causers}, ${types}, ${abouts}, ${reversed}, ${tx.now})`;
  takeIds(claims, row);
}

function columnsOfHeadings(claims: readonly Claim[]) {
  const headings = claims.map(({ heading }) => heading);
  return [
    texts(claims.map(({ key }) => key)),
    texts(headings.map(({ kind }) => kind)),
    texts(headings.map(({ causedBy }) => causedBy)),
    texts(headings.map(({ about }) => about.type)),
    texts(headings.map(({ about }) => about.id)),
    integersOrNulls(headings.map(({ reverses }) => (reverses === undefined ? null : Number(reverses)))),
  ] as const;
}

function takeIds(claims: readonly Claim[], row: Claimed | undefined): void {
  const ids = parseArray(row?.claimed_ids ?? null);
  // When all keys were free, the ids come without keys, in the order of the keys given.
  const idOf = row?.claimed_keys ? new Map(row.claimed_keys.map((key, index) => [key, ids[index]])) : null;
  claims.forEach((claim, index) => {
    claim.id = Number((idOf ? idOf.get(claim.key) : ids[index]) ?? 0);
  });
}

async function readTaken(tx: Tx, claims: readonly Claim[]): Promise<void> {
  const others = claims.filter(({ id }) => id === 0);
  if (others.length === 0) return;
  const written = await readJournals(
    tx.sql,
    others.map(({ key }) => key),
  );
  for (const claim of others) {
    claim.taken = written.get(claim.key) ?? null;
    if (!claim.taken) throw new Error(`The key ${claim.key} is taken, but nothing is written under it.`);
    claim.id = claim.taken.id;
  }
}

/** The result for one journal, after all before it were applied. Its id is filled in by `post` at the end. */
function decide(item: Item): PostResult {
  const { journal, claim } = item;
  const earlier = claim.taken ?? (claim.poster && contentOf(claim.poster));
  if (earlier) {
    return sameContent(earlier, contentOf(item))
      ? { status: 'exists', journalId: '' }
      : { status: 'refused', reason: 'exists_with_different_content', transferIndex: 0 };
  }
  const outcome = applyJournal(journal, item.accounts);
  if (!Array.isArray(outcome)) return { status: 'refused', ...(outcome as Refused) };
  item.balancesAfter = outcome;
  claim.poster = item;
  return { status: 'posted', journalId: '' };
}

function contentOf({ journal, accounts }: Item): JournalContent {
  const { kind, causedBy, about, reverses, transfers } = journal;
  return {
    id: 0,
    kind,
    causedBy,
    aboutType: about.type,
    aboutId: about.id,
    reverses: reverses === undefined ? null : Number(reverses),
    transfers: transfers.map(({ amount }, index) => [
      (accounts[2 * index] as OpenAccount).id,
      (accounts[2 * index + 1] as OpenAccount).id,
      amount,
    ]),
  };
}

/**
 * Deletes the rows of claims whose journals were refused. Where the first journal of a key was refused and a later one
 * is posted, the row is inserted again with the heading of the later one.
 */
async function settleClaims(tx: Tx, claims: readonly Claim[]): Promise<void> {
  const unused = claims.filter(({ taken, poster, heading }) => !taken && poster?.journal !== heading);
  if (unused.length === 0) return;
  await tx.sql`select ledger_unclaim(${integers(unused.map(({ id }) => id))})`;
  const again = unused.filter(({ poster }) => poster);
  for (const claim of again) claim.heading = (claim.poster as Item).journal;
  if (again.length > 0) await claimJournalKeys(tx, again);
}

async function write(tx: Tx, posted: readonly Item[], accounts: readonly OpenAccount[]): Promise<void> {
  const journalIds = posted.flatMap(({ claim, journal }) => journal.transfers.map(() => claim.id));
  const moved = accounts.filter(({ before, balance }) => before !== balance);
  const [positions, debits, credits, amounts, debitAfters, creditAfters] = columnsOfTransfers(posted);
  const [ctids, befores, afters] = columnsOfMoves(moved);
  await tx.sql`
    select ledger_write(${integers(journalIds)}, ${positions}, ${debits}, ${credits}, ${amounts}, ${debitAfters},
      ${creditAfters}, ${ctids}, ${befores}, ${afters})`;
  forgetCtids(moved);
}

/**
 * Claims the keys and writes everything. False where a key was used before: then nothing is written, and the free keys
 * are claimed.
 */
async function claimAndWrite(tx: Tx, { items, claims, accounts }: Batch): Promise<boolean> {
  const positionOf = new Map(claims.map((claim, index) => [claim, index + 1]));
  const claimPositions = items.flatMap(({ claim, journal }) =>
    journal.transfers.map(() => positionOf.get(claim) as number),
  );
  const moved = accounts.filter(({ before, balance }) => before !== balance);
  const [keys, kinds, causers, types, abouts, reversed] = columnsOfHeadings(claims);
  const [positions, debits, credits, amounts, debitAfters, creditAfters] = columnsOfTransfers(items);
  const [ctids, befores, afters] = columnsOfMoves(moved);
  const [row] = await tx.sql<Claimed[]>`
    select claimed_ids::text, claimed_keys
    from ledger_post(${keys}, ${kinds}, ${causers}, ${types}, ${abouts}, ${reversed}, ${tx.now}, ${integers(claimPositions)},
      ${positions}, ${debits}, ${credits}, ${amounts}, ${debitAfters}, ${creditAfters}, ${ctids}, ${befores}, ${afters})`;
  takeIds(claims, row);
  if (row?.claimed_keys) return false;
  forgetCtids(moved);
  return true;
}

function columnsOfTransfers(posted: readonly Item[]) {
  const positions: number[] = [];
  const debits: number[] = [];
  const credits: number[] = [];
  const amounts: number[] = [];
  const debitAfters: number[] = [];
  const creditAfters: number[] = [];
  for (const { journal, accounts: own, balancesAfter } of posted) {
    journal.transfers.forEach(({ amount }, position) => {
      positions.push(position);
      debits.push((own[2 * position] as OpenAccount).id);
      credits.push((own[2 * position + 1] as OpenAccount).id);
      amounts.push(amount);
      debitAfters.push(balancesAfter[2 * position] as number);
      creditAfters.push(balancesAfter[2 * position + 1] as number);
    });
  }
  return [
    integers(positions),
    integers(debits),
    integers(credits),
    integers(amounts),
    integers(debitAfters),
    integers(creditAfters),
  ] as const;
}

function columnsOfMoves(moved: readonly OpenAccount[]) {
  return [
    texts(moved.map(({ ctid }) => ctid)),
    integers(moved.map(({ before }) => before)),
    integers(moved.map(({ balance }) => balance)),
  ] as const;
}

/** An update gives a row a new ctid, so the known one is dropped. */
function forgetCtids(moved: readonly OpenAccount[]): void {
  for (const account of moved) {
    account.before = account.balance;
    account.ctid = '';
  }
}
