import { fromBase64 } from '@ushirika/verifier/bytes';
import type { Crypto } from '@ushirika/verifier/crypto';
import { isInSum, type SumStep, sumLeaf } from '@ushirika/verifier/sum-tree';

/** The amount of one's own account, or a part of it, as it is in a total, with the way up to the total's root. */
export interface OwnLeaf {
  readonly account: number;
  readonly kind: string;
  /** Cents, or shares. */
  readonly amount: number;
  readonly salt: string;
  readonly steps: readonly SumStep[];
}

/** Whether each of these leaves is in a total, and each once. No leaves at all are in every total. */
export function areInTotal(
  { sha256 }: Pick<Crypto, 'sha256'>,
  leaves: readonly OwnLeaf[],
  { total, root }: { readonly total: number; readonly root: string },
): boolean {
  const top = { sum: total, hash: fromBase64(root) };
  const isOnce = new Set(leaves.map(({ salt }) => salt)).size === leaves.length;
  return (
    isOnce &&
    leaves.every(({ account, salt, amount, steps }) =>
      isInSum(sha256, sumLeaf(sha256, { account, salt: fromBase64(salt), amount }), steps, top),
    )
  );
}

/** The same of a receipt, whose head is the total's. False, too, for what is no total. */
export function isOwnPart(crypto: Pick<Crypto, 'sha256'>, leaves: readonly OwnLeaf[], head: unknown): boolean {
  const { event, total, root } = (head ?? {}) as { event?: unknown; total?: unknown; root?: unknown };
  if (event !== 'totals' || typeof total !== 'number' || typeof root !== 'string') return false;
  try {
    return areInTotal(crypto, leaves, { total, root });
  } catch {
    return false;
  }
}

/** One's own part by the kinds of accounts, which pages show apart; those with nothing are left out. */
export function byKind(leaves: readonly Pick<OwnLeaf, 'kind' | 'amount'>[]): ReadonlyMap<string, number> {
  const kinds = new Map<string, number>();
  for (const { kind, amount: units } of leaves) if (units !== 0) kinds.set(kind, (kinds.get(kind) ?? 0) + units);
  return kinds;
}
