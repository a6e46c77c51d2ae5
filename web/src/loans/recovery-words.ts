import type { LoanDetail } from '@ushirika/contract/loans';
import type { TagTone } from '../ui/card.tsx';
import { say } from '../words/say.ts';

type StepState = LoanDetail['steps'][number]['state'];

export const stepTones: Readonly<Record<StepState, TagTone>> = {
  done: 'forest',
  now: 'ochre',
  later: 'plain',
  not_needed: 'plain',
};

/** How a step of a recovery stands. */
export function stepStateWords(state: StepState): string {
  const words: Record<StepState, string> = {
    done: say('Complete'),
    now: say('Now'),
    later: say('Later'),
    not_needed: say('Not needed'),
  };
  return words[state];
}
