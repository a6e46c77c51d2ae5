import type { ReactNode } from 'react';

export interface Part {
  readonly name: string;
  /** What is drawn: any unit, the same for all parts. */
  readonly size: number;
  readonly shown: ReactNode;
  readonly look: 'full' | 'light' | 'ochre' | 'clay' | 'none';
}

const FILLS = {
  full: 'bg-forest',
  light: 'bg-forest/30',
  ochre: 'bg-ochre',
  clay: 'bg-clay',
  none: 'bg-line',
} as const;

/** The parts of a whole as one bar, and below it what each is: nothing is told by colour alone. */
export function PartsBar({ parts }: { parts: readonly Part[] }) {
  const whole = parts.reduce((sum, { size }) => sum + Math.max(0, size), 0);
  return (
    <div>
      <div aria-hidden="true" className="flex h-3 gap-px overflow-hidden rounded-full bg-sunken">
        {parts.map(({ name, size, look }) =>
          size > 0 && whole > 0 ? (
            <span key={name} className={FILLS[look]} style={{ width: `${(size / whole) * 100}%` }} />
          ) : null,
        )}
      </div>
      <dl className="num mt-2.5 grid gap-x-6 sm:grid-cols-2">
        {parts.map(({ name, shown, look }) => (
          <div key={name} className="flex items-baseline justify-between gap-3 border-t border-dashed border-line py-2">
            <dt className="flex items-baseline gap-2 text-ink-2">
              <span aria-hidden="true" className={`size-2.5 shrink-0 rounded-full ${FILLS[look]}`} />
              {name}
            </dt>
            <dd className="text-right font-semibold">{shown}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
