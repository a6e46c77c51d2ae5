import type { LogFacts, LogTotal, readOwnTotals } from '@ushirika/contract/proofs';
import type { ReplyOf } from '@ushirika/contract/route';
import { fromBase64 } from '@ushirika/verifier/bytes';
import type { Crypto } from '@ushirika/verifier/crypto';
import { isOpenedBy } from '@ushirika/verifier/entry';
import { isSignedBy, parseCheckpoint, parseKey } from '@ushirika/verifier/note';
import { checkReceipt, isRight } from '@ushirika/verifier/receipt';
import { isConsistent } from '@ushirika/verifier/tree';
import { browserCrypto } from '../verify/browser-crypto.ts';
import { followedKeys } from '../verify/known-keys.ts';
import { type LogSource, serverLogs } from '../verify/log-source.ts';
import { areInTotal, byKind } from '../verify/own-part.ts';
import { asReceipt } from './save-proof.ts';

/*
 * The checks of the page of a log's books, all in the browser. It is loaded when somebody asks for one.
 */

/** The functions and the server that this browser checks with. */
export const means = { crypto: browserCrypto, logs: serverLogs };

/** The keys of a log that this browser knows, those that it follows too. */
export const trustedKeys = async (facts: LogFacts): Promise<readonly string[]> =>
  (await followedKeys(browserCrypto, facts)).keys;

export type OwnTotals = ReplyOf<typeof readOwnTotals>['results'];

/** Whether the newest head is signed by a key of the log, and continues the oldest of the heads that the page shows. */
export async function isOneHistory(crypto: Crypto, logs: LogSource, facts: LogFacts): Promise<boolean> {
  const { origin, keys, checkpoints } = facts;
  const note = await logs.checkpoint(origin);
  const first = checkpoints.at(-1);
  if (note === null || !first) return false;
  const newest = parseCheckpoint(note);
  const signed = await Promise.all(keys.map((key) => isSignedBy(crypto, newest, parseKey(crypto.sha256, key))));
  if (newest.origin !== origin || !signed.includes(true)) return false;
  const proof = (await logs.consistency(origin, first.size, newest.size)) ?? [];
  const trees = { from: first.size, fromRoot: fromBase64(first.root), to: newest.size, toRoot: newest.root };
  return isConsistent(crypto.sha256, trees, proof.map(fromBase64));
}

/** Whether the first entry of a log, which its key signed, names the last head of the log before it. */
export async function isBeginningLogged(
  crypto: Crypto,
  { beginning, origin }: Pick<LogFacts, 'beginning' | 'origin'>,
  head: { readonly log: string; readonly size: number; readonly root: string },
  keys: readonly string[],
): Promise<boolean> {
  if (!beginning) return false;
  const saved = asReceipt(beginning);
  const { follows } = (saved.opening.head ?? {}) as { follows?: Readonly<Record<string, unknown>> };
  const isNamed = follows?.log === head.log && follows.size === head.size && follows.root === head.root;
  if (!isNamed || saved.entry.log !== origin || saved.entry.i !== 0) return false;
  return isRight(await checkReceipt(crypto, saved, { keys, chain: null }));
}

/** Whether a total is what was logged, in a log that its key signed. */
export async function isTotalLogged(crypto: Crypto, total: LogTotal, keys: readonly string[]): Promise<boolean> {
  const { receipt } = total;
  if (!receipt) return false;
  const saved = asReceipt(receipt);
  if (!saysTotal(saved.opening.head, total) || !isOpenedBy(crypto.sha256, saved.entry, saved.opening)) return false;
  return isRight(await checkReceipt(crypto, saved, { keys, chain: null }));
}

/** Whether the head of an entry has each figure and date that the page shows of a total. */
function saysTotal(head: unknown, { what, day, at, total, root, leaves, shares_issued, reserves }: LogTotal): boolean {
  const said = (head ?? {}) as Readonly<Record<string, unknown>>;
  const shown: Record<string, unknown> = { what, day, at, total, root, leaves };
  if (shares_issued !== null) shown.shares_issued = shares_issued;
  if (reserves) {
    const { compared, ...books } = reserves;
    const { at: compared_at = null, mpesa_cents = null, expected_cents = null } = compared ?? {};
    Object.assign(shown, books, { compared_at, mpesa_cents, expected_cents });
  }
  return Object.entries(shown).every(([name, value]) => said[name] === value);
}

interface OwnPart {
  readonly amount: number;
  /** The same by the kinds of the accounts; those with nothing are left out. */
  readonly kinds: ReadonlyMap<string, number>;
  /** Whether the total itself is in the signed log: one that is not proves nothing of anybody's part. */
  readonly isLogged: boolean;
  readonly isProven: boolean;
}

/**
 * One's own part of a total, in cents or shares: two leaves for each account, added up; and whether each is proven to be in the total that everybody
 * reads. Null where the server no longer keeps what proofs of this total are made of.
 */
export async function ownPart(
  crypto: Crypto,
  total: LogTotal,
  own: OwnTotals,
  keys: readonly string[],
): Promise<OwnPart | null> {
  const mine = own.find((each) => each.total.what === total.what);
  if (mine?.leaves === null) return null;
  const leaves = mine?.leaves ?? [];
  const kinds = byKind(leaves);
  return {
    amount: [...kinds.values()].reduce((units, part) => units + part, 0),
    kinds,
    isLogged: await isTotalLogged(crypto, total, keys),
    isProven: areInTotal(crypto, leaves, total),
  };
}
