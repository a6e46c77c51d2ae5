import { centsOf } from '@ushirika/contract/format';
import type { Instalment } from '@ushirika/contract/loans';
import { type PointerEvent, useState } from 'react';
import { Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { barsOf } from './loan.rules.ts';
import { monthOf, monthsInWords } from './loan-words.ts';

const HEIGHT = 100;
/** The space between two bars, as a part of a bar. */
const GAP = 0.22;

type Drawn = Pick<Instalment, 'number' | 'due_on' | 'principal' | 'interest' | 'total'> & { state?: string };

/** A schedule as bars, a month each: principal below, interest above. What is paid is pale. The month pointed at is told. */
export function ScheduleChart({ schedule }: { schedule: readonly Drawn[] }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const [first, last] = [schedule[0], schedule.at(-1)];
  if (!first || !last) return null;
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = Math.floor(((event.clientX - left) / width) * schedule.length);
    setPointed(Math.min(schedule.length - 1, Math.max(0, at)));
  };
  const shown = schedule[pointed ?? 0] ?? first;
  return (
    <figure className="min-w-0">
      <figcaption className="num mb-2 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-small text-ink-2">
        <Key className="bg-forest" words={say('Principal')} shillings={shown.principal} />
        <Key className="bg-ochre" words={say('Interest')} shillings={shown.interest} />
        <span className="whitespace-nowrap">
          {say('Month {n}', { n: shown.number })} · {monthOf(shown.due_on)}
        </span>
      </figcaption>
      <div
        role="img"
        aria-label={labelOf(schedule)}
        className="h-36 touch-pan-y sm:h-44"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPointed(null)}
      >
        <Bars schedule={schedule} pointed={pointed} />
      </div>
      <p aria-hidden="true" className="num mt-1 flex justify-between gap-4 text-tiny text-ink-2">
        <span>{monthOf(first.due_on)}</span>
        {schedule.length > 1 && <span>{monthOf(last.due_on)}</span>}
      </p>
    </figure>
  );
}

function Bars({ schedule, pointed }: { schedule: readonly Drawn[]; pointed: number | null }) {
  const bars = barsOf(schedule);
  return (
    <svg
      viewBox={`0 0 ${bars.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="block size-full overflow-visible border-b border-line-strong"
    >
      {bars.map(({ number, principal, interest }, index) => {
        const isPaid = schedule[index]?.state === 'paid';
        const faded = (pointed !== null && pointed !== index) || isPaid ? 0.45 : 1;
        const [low, high] = [principal * HEIGHT, interest * HEIGHT];
        const box = { x: index + GAP / 2, width: 1 - GAP };
        return (
          <g key={number} opacity={faded}>
            <rect {...box} y={HEIGHT - low} height={low} fill="var(--forest)" />
            <rect {...box} y={HEIGHT - low - high} height={high} fill="var(--ochre)" />
          </g>
        );
      })}
    </svg>
  );
}

function Key({ className, words, shillings }: { className: string; words: string; shillings: number }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span aria-hidden="true" className={`size-2.5 rounded-[3px] ${className}`} />
      {words} <Money shillings={shillings} className="font-semibold text-ink" />
    </span>
  );
}

function labelOf(schedule: readonly Drawn[]): string {
  const interest = schedule.reduce((sum, each) => sum + centsOf(each.interest), 0);
  const principal = schedule.reduce((sum, each) => sum + centsOf(each.principal), 0);
  const part = principal + interest === 0 ? 0 : Math.round((interest * 100) / (principal + interest));
  return say('Principal and interest of each month, for {months}. Of all that is paid, {part}% is interest.', {
    months: monthsInWords(schedule.length),
    part,
  });
}
