import type { Sacco, SaccoState } from '@ushirika/contract/saccos';
import type { TagTone } from '../ui/card.tsx';
import { say } from '../words/say.ts';

/** In the order in which an operator asks for them. */
export const SACCO_STATE_LIST = ['pending', 'active', 'suspended', 'rejected'] as const satisfies SaccoState[];

export function stateWords(state: SaccoState): string {
  switch (state) {
    case 'pending':
      return say('Pending');
    case 'active':
      return say('Active');
    case 'suspended':
      return say('Suspended');
    case 'rejected':
      return say('Rejected');
  }
}

export const STATE_TONES: Readonly<Record<SaccoState, TagTone>> = {
  pending: 'ochre',
  active: 'forest',
  suspended: 'clay',
  rejected: 'plain',
};

export function kindWords(type: Sacco['type']): string {
  if (type === 'chama') return say('Chama');
  return type === 'sacco' ? say('Sacco') : say('Investment club');
}
