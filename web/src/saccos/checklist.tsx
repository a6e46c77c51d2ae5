import type { ChecklistPoint, POINTS_BY_HAND } from '@ushirika/contract/saccos';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';

/** The points that the platform sees by itself; a person looks at all others. */
const SEEN_BY_THE_PLATFORM = ['registration_number', 'officials', 'officials_confirmed'];

export type PointByHand = (typeof POINTS_BY_HAND)[number];

/** The activation checklist. With `onRecord`, what a person looks at can be recorded. */
export function Checklist({
  points,
  onRecord,
  className,
}: {
  points: readonly ChecklistPoint[];
  onRecord?: (point: string) => void;
  className?: string;
}) {
  return (
    <ul className={className}>
      {points.map(({ point, label, met, detail }) => (
        <li key={point} className="rule flex items-start gap-3 py-2.5">
          <span
            className={`mt-0.5 grid size-5.5 shrink-0 place-items-center rounded-full ${met ? 'bg-forest-tint text-up' : 'border border-dashed border-edge'}`}
          >
            {met && <Icon name="check" className="size-3.5" />}
          </span>
          <span className="min-w-0 grow">
            <span className="block font-medium">
              {label}
              <span className="sr-only"> {met ? say('(met)') : say('(open)')}</span>
            </span>
            {detail && <span className="block text-small text-ink-2">{detail}</span>}
          </span>
          {onRecord && !SEEN_BY_THE_PLATFORM.includes(point) && (
            <button
              type="button"
              className="link -my-2.5 min-h-11 shrink-0 cursor-pointer px-1 text-small"
              onClick={() => onRecord(point)}
              aria-label={`${met ? say('Change') : say('Record')}: ${label}`}
            >
              {met ? say('Change') : say('Record')}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
