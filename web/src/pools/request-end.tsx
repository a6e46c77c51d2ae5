import type { PoolRequestEnd } from '@ushirika/contract/pools';
import { Link } from 'react-router';
import { LongDate } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { usePoolPaths } from './pool-paths.ts';

/** Who declined a request, as their role. */
export function endWords({ by }: PoolRequestEnd): string {
  if (by === 'stewards') return say('The stewards of the pool declined it');
  if (by === 'nobody') return say('The stewards of the pool did not decide in 72 hours');
  return say('The rules of the pool decline it');
}

/** What the stewards wrote, and what stood against it by the rules. */
export const endReasons = ({ words, reasons }: PoolRequestEnd): readonly string[] => [
  ...words.map((each) => `“${each}”`),
  ...reasons,
];

/** In a line of a list: who decided, when, and why. */
export function RequestEndWords({ end }: { end: PoolRequestEnd }) {
  return (
    <span className="mt-0.5 block">
      {endWords(end)}, <LongDate iso={end.at} />.{' '}
      {endReasons(end).map((reason) => (
        <span key={reason} className="block font-medium text-clay">
          {reason}
        </span>
      ))}
    </span>
  );
}

/** How a request came to nothing: who decided, when, why, and what one can do next. */
export function RequestEnd({ end }: { end: PoolRequestEnd }) {
  const to = usePoolPaths();
  const reasons = endReasons(end);
  return (
    <section
      aria-label={say('Why it was declined')}
      className="flex gap-3.5 rounded-card bg-clay-tint px-4.5 py-4 text-clay"
    >
      <Icon name="alert" className="mt-0.5 size-5" />
      <div className="min-w-0">
        <p className="num font-semibold">
          {endWords(end)}, <LongDate iso={end.at} time />
        </p>
        {reasons.length > 0 && (
          <ul className="mt-1 list-disc pl-4.5 text-small">
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
        <p className="mt-2 text-small text-ink-2">
          {say(
            'Nothing is locked, and no fee is taken. You can ask another pool, or ask members to guarantee your loan.',
          )}
        </p>
        <Link to={to.list} className="link flex min-h-11 items-center">
          {say('Look at other pools')}
        </Link>
      </div>
    </section>
  );
}
