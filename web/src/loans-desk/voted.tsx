import type { LoanRecovery, RecoveryStep } from '@ushirika/contract/loan-recovery';
import { say } from '../words/say.ts';

/** Of a step for which whoever looks has voted: for whom it waits. */
export function Voted({ recovery, step }: { recovery: LoanRecovery; step: RecoveryStep }) {
  return (
    <p role="status" className="mt-2 rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
      {say('You have voted for it. It waits for {who}.', { who: missingOf(recovery, step) })}
    </p>
  );
}

/** Whether somebody has voted for a step, and may not say it once more. */
export function hasVoted({ voices, write_off_may }: LoanRecovery, step: RecoveryStep, me: string): boolean {
  const mayAgain = step === 'write_off' && write_off_may.includes('agree');
  return voices.some((voice) => voice.step === step && voice.by.id === me) && !mayAgain;
}

function missingOf({ write_off_waits_for: sides }: LoanRecovery, step: RecoveryStep): string {
  if (step === 'default') return say('one more official who decides about it');
  if (sides.length > 1) return say('another one, of the board or of the supervisory committee');
  return sides[0] === 'board' ? say('one of the board') : say('one of the supervisory committee');
}
