import { centsOf } from '@ushirika/contract/format';
import type { listMyLoans } from '@ushirika/contract/loans';
import type { listPools } from '@ushirika/contract/pools';
import type { listProofReceipts } from '@ushirika/contract/proofs';
import type { ReplyOf } from '@ushirika/contract/route';
import type { readSummary } from '@ushirika/contract/summary';
import { checkReceipt, isRight } from '@ushirika/verifier/receipt';
import { call } from '../api/call.ts';
import { cursorOf } from '../api/pages.ts';
import { browserCrypto, rememberingCrypto } from '../verify/browser-crypto.ts';
import { rememberedKeys, rememberKeys } from '../verify/known-keys.ts';
import { serverLogs } from '../verify/log-source.ts';
import { receiptIn, type SavedReceipt } from '../verify/saved-receipt.ts';
import { type AddedUp, addUp, type Compared, compare, type Shown } from './balances.ts';
import { asReceipt } from './save-proof.ts';
import { goneFrom, newestOf, remember, type Seen, seenBefore } from './seen-movements.ts';

type Summary = ReplyOf<typeof readSummary>;

/** The result of checking all of one's movements. */
export interface Balances {
  readonly checked: number;
  /** Journals whose receipt is not right. */
  readonly wrong: readonly SavedReceipt[];
  readonly accounts: readonly AddedUp[];
  readonly compared: readonly Compared[];
  readonly saccos: ReadonlyMap<string, string>;
  /** Movements that are in no signed entry yet. */
  readonly beingLogged: number;
  /** Movements that this browser saw here once. */
  readonly gone: readonly Seen[];
  /** Something moved while this was checked, so that the figures are of two moments. */
  readonly hasMoved: boolean;
}

/** Fetches every receipt of one's own, checks each here, adds them up and compares. @throws CallFailure */
export async function checkBalances(
  userId: string,
  signal: AbortSignal,
  onProgress: (checked: number) => void,
): Promise<Balances> {
  const before = await shownNow(signal);
  const crypto = rememberingCrypto(browserCrypto);
  const keysOf = keysOnce();
  const receipts = new Map<string, SavedReceipt>();
  const wrong: SavedReceipt[] = [];
  let beingLogged = 0;
  for (let after: number | null = 0; after !== null; ) {
    const page: ReplyOf<typeof listProofReceipts> = await call<typeof listProofReceipts>('GET', '/log/receipts', {
      query: { after, limit: 50 },
      signal,
    });
    for (const receipt of page.results) {
      const saved = receiptIn(receipt);
      const name = `${receipt.entry.log} ${receipt.entry.i}`;
      if (!saved || receipts.has(name)) continue;
      receipts.set(name, saved);
      const steps = await checkReceipt(crypto, asReceipt(receipt), {
        keys: await keysOf(receipt.entry.log),
        chain: null,
      });
      if (!isRight(steps)) wrong.push(saved);
    }
    beingLogged += page.being_logged;
    onProgress(receipts.size);
    after = page.next;
  }
  const now = await shownNow(signal);
  const all = [...receipts.values()];
  const accounts = addUp(all);
  const member = { sha256: browserCrypto.sha256, userId };
  const gone = goneFrom(member, all, seenBefore(member));
  // While one is gone, it is told each time.
  if (gone.length === 0 && wrong.length === 0) remember(member, newestOf(member, all));
  return {
    checked: receipts.size,
    wrong,
    accounts,
    compared: compare(accounts, now.shown),
    saccos: new Map(now.summary.saccos.map(({ id, name }) => [id, name])),
    beingLogged,
    gone,
    hasMoved: JSON.stringify(before.shown) !== JSON.stringify(now.shown),
  };
}

/** The keys of each log, asked for once. */
function keysOnce(): (origin: string) => Promise<readonly string[]> {
  const found = new Map<string, Promise<readonly string[]>>();
  const read = async (origin: string) => {
    const known = rememberedKeys(browserCrypto.sha256, origin);
    if (known.length > 0) return known;
    const { keys = [] } = (await serverLogs.facts(origin)) ?? {};
    rememberKeys(browserCrypto.sha256, origin, keys);
    return keys;
  };
  return (origin) => {
    const keys = found.get(origin) ?? read(origin);
    found.set(origin, keys);
    return keys;
  };
}

/** The figures that the dashboard and the pages of loans and pools show. */
async function shownNow(signal: AbortSignal): Promise<{ summary: Summary; shown: Shown[] }> {
  const summary = await call<typeof readSummary>('GET', '/client/summary', { signal });
  const shown: Shown[] = [{ what: 'wallet', book: null, value: centsOf(summary.wallet.amount) }];
  for (const { id, savings, shares } of summary.saccos) {
    shown.push(
      { what: 'shares', book: id, value: shares },
      { what: 'savings', book: id, value: centsOf(savings) },
      { what: 'loans', book: id, value: await principalOwed(id, signal) },
    );
  }
  const positions = await everyPage((cursor) =>
    call<typeof listPools>('GET', '/guarantors/pools', { query: { mine: 'yes', limit: 100, cursor }, signal }),
  );
  const inPools = positions.reduce((sum, { my_position }) => sum + centsOf(my_position ?? 0), 0);
  return { summary, shown: [...shown, { what: 'pools', book: null, value: inPools }] };
}

/** Principal of one's loans in a sacco. One that was written off is owed, and is in its books no more. */
async function principalOwed(saccoId: string, signal: AbortSignal): Promise<number> {
  const loans = await everyPage((cursor) =>
    call<typeof listMyLoans>('GET', '/loans', { query: { limit: 100, cursor }, saccoId, signal }),
  );
  return loans
    .filter(({ state }) => state !== 'written_off')
    .reduce((sum, { principal_owed }) => sum + centsOf(principal_owed), 0);
}

/** All results of a list that comes in pages. */
async function everyPage<T>(
  read: (cursor: string | undefined) => Promise<{ readonly results: readonly T[]; readonly next: string | null }>,
): Promise<T[]> {
  const results: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    results.push(...page.results);
    cursor = cursorOf(page.next);
  } while (cursor);
  return results;
}
