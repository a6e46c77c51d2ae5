import { expect, test } from 'vitest';
import { isDemonstrationChain } from './demonstration-chain.ts';
import { reasonOf } from './step-words.ts';

test('the chain of the demonstration is said to prove nothing, though the step passed, and a public chain is not', () => {
  expect(isDemonstrationChain(31_337)).toBe(true);
  for (const publicChain of [1, 42_220, 8_453]) expect(isDemonstrationChain(publicChain)).toBe(false);
  expect(reasonOf({ name: 'on_chain', state: 'passed', why: 'demonstration' })).toContain('proves nothing to others');
  expect(reasonOf({ name: 'on_chain', state: 'passed' })).toBeNull();
});
