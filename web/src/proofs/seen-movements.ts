import { toBase64, utf8 } from '@ushirika/verifier/bytes';
import type { Sha256 } from '@ushirika/verifier/crypto';
import { readPreference, writePreference } from '../preferences.ts';
import { factsIn } from '../verify/facts-of.ts';
import type { SavedReceipt } from '../verify/saved-receipt.ts';

/*
 * How far a member's accounts were seen in this browser. A server that leaves the last movements out, and shows the balance before them, is
 * found out by what it showed here once. Nothing but dates and hashes is kept, since it outlives a sign-out.
 */

/** The last movement of an account: a hash over member, account, transfer and balance after it, and its date. */
export interface Seen {
  readonly mark: string;
  readonly at: string;
}

type Movement = Seen & { readonly account: number; readonly transfer: number };
type Member = { readonly sha256: Sha256; readonly userId: string };

const hashed = (sha256: Sha256, words: readonly (string | number)[]): string => toBase64(sha256(utf8(words.join(' '))));

const movementsIn = ({ sha256, userId }: Member, receipts: readonly SavedReceipt[]): Movement[] =>
  receipts.flatMap(({ opening }) => {
    const { at, movements } = factsIn(opening);
    return movements.map(({ account, transfer, after }) => ({
      account,
      transfer,
      mark: hashed(sha256, [userId, account, transfer, after]),
      at: at ?? '',
    }));
  });

/** The last movement of each account in these receipts. */
export function newestOf(member: Member, receipts: readonly SavedReceipt[]): Seen[] {
  const newest = new Map<number, Movement>();
  for (const movement of movementsIn(member, receipts)) {
    if (movement.transfer > (newest.get(movement.account)?.transfer ?? -1)) newest.set(movement.account, movement);
  }
  return [...newest.values()].map(({ mark, at }) => ({ mark, at }));
}

/** The movements seen before that are in no receipt any more, or with another balance after them. */
export function goneFrom(member: Member, receipts: readonly SavedReceipt[], before: readonly Seen[]): Seen[] {
  const here = new Set(movementsIn(member, receipts).map(({ mark }) => mark));
  return before.filter(({ mark }) => !here.has(mark));
}

function kept(): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(readPreference('seen_movements') ?? '{}');
    return typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

const nameOf = ({ sha256, userId }: Member): string => hashed(sha256, ['member', userId]);
const isSeen = (value: unknown): value is Seen => {
  const { mark, at } = (value ?? {}) as Partial<Record<keyof Seen, unknown>>;
  return typeof mark === 'string' && typeof at === 'string';
};

/** The last movements that this browser kept of a member; none before the first time. */
export function seenBefore(member: Member): Seen[] {
  const seen = kept()[nameOf(member)];
  return Array.isArray(seen) ? seen.filter(isSeen) : [];
}

/** Keeps them instead of those before. */
export function remember(member: Member, seen: readonly Seen[]): void {
  writePreference('seen_movements', JSON.stringify({ ...kept(), [nameOf(member)]: seen }));
}
