import type { Pool } from '@ushirika/contract/pools';

export interface PoolGroup {
  /** Null: pools for members of any sacco. */
  readonly sacco: Pool['sacco'];
  readonly pools: readonly Pool[];
}

/** Pools by the sacco that they belong to: first those of `here`, then those of the others by name, then those of no sacco. */
export function bySacco(pools: readonly Pool[], here: string | undefined): PoolGroup[] {
  const groups = Map.groupBy(pools, ({ sacco }) => sacco?.id ?? null);
  const rank = ({ sacco }: PoolGroup) => (sacco === null ? 2 : sacco.id === here ? 0 : 1);
  return [...groups.values()]
    .map((each): PoolGroup => ({ sacco: each[0]?.sacco ?? null, pools: each }))
    .sort((one, other) => rank(one) - rank(other) || (one.sacco?.name ?? '').localeCompare(other.sacco?.name ?? ''));
}
