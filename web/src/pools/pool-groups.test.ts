import type { Pool } from '@ushirika/contract/pools';
import { expect, test } from 'vitest';
import { bySacco } from './pool-groups.ts';

const pool = (id: string, sacco: string | null) =>
  ({ id, sacco: sacco === null ? null : { id: sacco, name: `Sacco ${sacco}` } }) as Pool;

test('pools stand by their sacco: those of the sacco in which one is come first, those of no sacco last', () => {
  const groups = bySacco([pool('1', null), pool('2', 'B'), pool('3', 'C'), pool('4', 'A'), pool('5', 'C')], 'C');
  expect(groups.map(({ sacco, pools }) => [sacco?.id ?? null, pools.map(({ id }) => id)])).toEqual([
    ['C', ['3', '5']],
    ['A', ['4']],
    ['B', ['2']],
    [null, ['1']],
  ]);
});
