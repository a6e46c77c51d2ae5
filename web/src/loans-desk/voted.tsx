import type { LoanRecovery } from '@ushirika/contract/loan-recovery';
import { say } from '../words/say.ts';

type Voice = LoanRecovery['voices'][number];

/** Votes for one step that are not enough yet, of which one is by whoever looks: for whom the step waits. */
export function Voted({ voices }: { voices: readonly Voice[] }) {
  return (
    <p role="status" className="mt-2 rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
      {say('You have voted for it. It waits for {who}.', { who: missingOf(voices) })}
    </p>
  );
}

/** Whether one of these votes is somebody's. */
export const hasVoted = (voices: readonly Voice[], me: string): boolean => voices.some(({ by }) => by.id === me);

/** Votes that wait are all of one side. */
function missingOf(voices: readonly Voice[]): string {
  if (voices.some(({ step }) => step === 'default')) return say('one more official who decides about it');
  return voices.some(({ office }) => office === 'supervisory_committee')
    ? say('one of the board')
    : say('one of the supervisory committee');
}
