import { formatShillings } from '@ushirika/contract/format';
import { useEffect, useState } from 'react';
import { longDate, longDateTime } from '../words/dates.ts';

/** Shillings, `Ksh. 1,234.50`: never wrapped, figures of equal width. `sign`: a plus for money that came in, a minus for money that went out. */
export function Money({
  shillings,
  sign = false,
  className = '',
}: {
  shillings: number;
  sign?: boolean;
  className?: string;
}) {
  const words = sign ? signed(shillings) : formatShillings(shillings);
  return <span className={`num whitespace-nowrap ${className}`}>{words}</span>;
}

/** `+ Ksh. 500.00` of money that came in, `− Ksh. 500.00` of money that went out. */
export function signed(shillings: number): string {
  const before = shillings === 0 ? '' : shillings > 0 ? '+\u00a0' : '−\u00a0';
  return before + formatShillings(Math.abs(shillings));
}

/** A sentence of the server's with the amounts in it held together. */
export function unbroken(sentence: string): string {
  return sentence.replace(/\bKsh\. (?=\d)/g, 'Ksh.\u00a0');
}

/** A date in its long form, in Nairobi; a missing one is `N/A` (spec 9). */
export function LongDate({ iso, time = false }: { iso: string | null | undefined; time?: boolean }) {
  if (!iso) return <span>N/A</span>;
  return <time dateTime={iso}>{time ? longDateTime(iso) : longDate(iso)}</time>;
}

const counting = new Intl.NumberFormat('en-KE');

/** A count with its thousands apart. */
export function formatCount(count: number): string {
  return counting.format(count);
}

/** Minutes and seconds until `until` (milliseconds), once a second; calls `onEnd` when it is reached. */
export function Countdown({ until, now, onEnd }: { until: number; now: () => number; onEnd?: () => void }) {
  const [left, setLeft] = useState(() => Math.max(0, until - now()));
  useEffect(() => {
    const timer = setInterval(() => {
      const rest = Math.max(0, until - now());
      setLeft(rest);
      if (rest > 0) return;
      clearInterval(timer);
      onEnd?.();
    }, 1_000);
    return () => clearInterval(timer);
  }, [until, now, onEnd]);
  const seconds = Math.ceil(left / 1_000);
  return (
    <span role="timer" className="num">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
    </span>
  );
}

/** How far something has come. The label is read out with it. */
export function Progress({ value, max, label }: { value: number; max: number; label: string }) {
  return <progress className="bar" value={value} max={max} aria-label={label} />;
}

/** The steps of something that takes several; `current` counts from 0. */
export function Steps({ steps, current }: { steps: readonly string[]; current: number }) {
  return (
    <ol className="flex flex-wrap gap-x-6 gap-y-2 text-small font-semibold">
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === current ? 'step' : undefined}
          className={`flex items-center gap-2 ${index > current ? 'text-ink-3' : index === current ? 'text-ink' : 'text-up'}`}
        >
          <span
            className={`grid size-6 place-items-center rounded-full text-tiny ${index <= current ? 'bg-forest text-on-forest' : 'bg-sunken text-ink-2'}`}
          >
            {index + 1}
          </span>
          {step}
        </li>
      ))}
    </ol>
  );
}
