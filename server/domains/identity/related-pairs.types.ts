import type { Tx } from '../../db/tx.ts';

/**
 * Which pairs of accounts may be one person, or act as one, by their places in the list. Referrals know it and stand later:
 * `server/domains.ts` hands it in.
 */
export type RelatedPairs = (
  reader: Pick<Tx, 'sql'>,
  pairs: readonly { readonly one: string; readonly other: string }[],
) => Promise<ReadonlySet<number>>;

export interface Relative {
  readonly id: string;
  /** Nothing else makes them related than that they registered with the asked person's referral code: they can do that alone. */
  readonly isOnlyBrought: boolean;
}

/** All accounts that may be the same person as this one, or act as one with it. */
export type RelativesOf = (reader: Pick<Tx, 'sql'>, userId: string) => Promise<readonly Relative[]>;
