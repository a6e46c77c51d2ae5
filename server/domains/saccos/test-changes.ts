import type { ChangeKind } from '@ushirika/contract/change-kinds';
import { fromStored } from '@ushirika/contract/sentence';
import { CHANGE_KINDS } from '@ushirika/contract/vote-kinds';
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
    words: fromStored('something'),
    ...{ current: none, refusalOf: none, announce: none, recall: none, apply: none },
  };
  const others = Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, missing])) as Record<ChangeKind, ChangeExecutor>;
  return { ...others, official_name: officialNameChange({ renaming: async () => async () => {} }), ...own };
}
