import type { ChangeKind } from '@ushirika/contract/sacco-changes';
import type { ChangeExecutor, ChangeExecutors } from './changes.types.ts';
import { officialNameChange } from './name-changes.ts';

/** For tests of a domain: its own kinds of change; those of domains below are not asked for. */
export function testChanges(own: Partial<Record<ChangeKind, ChangeExecutor>> = {}): ChangeExecutors {
  const none = (): never => {
    throw new Error('This test has no such change.');
  };
  const missing: ChangeExecutor = {
    offices: ['chair', 'treasurer'],
    isDelayed: true,
    words: { en: 'something', sw: 'kitu' },
    ...{ current: none, refusalOf: none, announce: none, recall: none, apply: none },
  };
  return { market_terms: missing, referral_terms: missing, official_name: officialNameChange, ...own };
}
