import type { PoolCall } from '@ushirika/contract/pools';
import { createElement } from 'react';
import { expect, test } from 'vitest';
import { textOf } from '../ui/test-text.ts';
import { PoolCalls } from './pool-calls.tsx';

test('money that came back to a pool is no minus', () => {
  const call = {
    ...{
      contract: 'one',
      at: '2026-11-20T06:00:00Z',
      borrower: null,
      called: 1_000,
      own: 0,
      reserve: 0,
      members: 1_000,
    },
    ...{
      members_count: 2,
      recovered: 300,
      still_out: 700,
      is_given_up: false,
      my_part: 0,
      my_recovered: 0,
      my_still_out: 0,
    },
  } as unknown as PoolCall;
  const shown = textOf(createElement(PoolCalls, { calls: [call] })).replaceAll('\u00a0', ' ');
  expect(shown).toContain('came back since Ksh. 300.00 Still out Ksh. 700.00');
});
