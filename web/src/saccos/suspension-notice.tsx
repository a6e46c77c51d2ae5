import type { SaccoDetail } from '@ushirika/contract/saccos';
import { Card } from '../ui/card.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';

/** That an operator has suspended the sacco: what stops and what goes on, until when, and for members why. */
export function SuspensionNotice({
  sacco,
  className = 'mb-4',
}: {
  sacco: SaccoDetail | undefined;
  className?: string;
}) {
  if (!sacco?.suspension) return null;
  const { since, until, reason } = sacco.suspension;
  return (
    <Card className={`${className} border-clay bg-clay-tint p-4`}>
      <div role="status" className="grid max-w-[75ch] gap-1.5">
        <p>
          <b>{say('Sacco Inactive')}.</b> {say('Ushirika suspended it on {day}.', { day: longDate(since) })}{' '}
          {until
            ? say('This ends on {day}, unless a second operator of Ushirika upholds it.', { day: longDate(until) })
            : say('It stands until two operators of Ushirika end it.')}
        </p>
        {reason && <p>{say('Their reason: “{reason}”', { reason })}</p>}
        <p>
          {say(
            'Joining, buying, selling, saving and new loans have stopped. You can still repay loans, withdraw money, cancel orders, give notice and vote. What you own here stays yours.',
          )}
        </p>
      </div>
    </Card>
  );
}
