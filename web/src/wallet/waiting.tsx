import type { ReactNode } from 'react';
import { now } from '../clock.ts';
import { Countdown } from '../ui/figures.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { say } from '../words/say.ts';

/** A phone that shows what M-Pesa asks, with the time that is left. */
export function WaitingPhone({
  until,
  onEnd,
  children,
}: {
  /** When the prompt closes, in milliseconds. */
  until: number;
  onEnd?: () => void;
  children: ReactNode;
}) {
  return (
    <div className="relative mx-auto w-44">
      <svg viewBox="0 0 176 210" aria-hidden="true" className="block w-full">
        <rect x="6" y="4" width="164" height="222" rx="22" fill="var(--ink)" />
        <rect x="13" y="12" width="150" height="214" rx="15" fill="var(--forest-tint)" />
        <rect x="66" y="17" width="44" height="6" rx="3" fill="var(--ink)" />
        <rect x="24" y="40" width="128" height="112" rx="10" fill="var(--surface)" />
        <path d="M24 122h128M88 122v30" stroke="var(--line-strong)" />
        <g fill="var(--forest)">
          {[58, 78, 98, 118].map((x) => (
            <circle key={x} cx={x} cy="111" r="4.5" />
          ))}
        </g>
        <path d="M0 190h176v20H0z" fill="var(--surface)" opacity="0" />
      </svg>
      <div className="absolute inset-x-8 top-11 text-center text-tiny leading-snug font-semibold">{children}</div>
      <p className="absolute inset-x-0 bottom-3 text-center text-title font-bold text-forest">
        <Countdown until={until} now={now} {...(onEnd ? { onEnd } : {})} />
      </p>
    </div>
  );
}

const TONES = {
  good: ['check', 'bg-forest-tint text-up'],
  bad: ['alert', 'bg-clay-tint text-clay'],
  open: ['clock', 'bg-ochre-tint text-ochre-ink'],
} as const satisfies Record<string, readonly [IconName, string]>;

/** How a money act stands: a sign, a line and a sentence, read out as they change. */
export function Outcome({ tone, title, children }: { tone: keyof typeof TONES; title: string; children?: ReactNode }) {
  const [icon, colours] = TONES[tone];
  return (
    <div role="status" className="grid justify-items-center gap-2 text-center">
      <span className={`grid size-14 place-items-center rounded-full ${colours}`}>
        <Icon name={icon} className="size-7" />
      </span>
      <p className="text-title font-bold tracking-tight">{title}</p>
      {children && <div className="max-w-[44ch] text-ink-2">{children}</div>}
    </div>
  );
}

/** What to do if nothing comes. */
export function IfNothingComes({ steps }: { steps: readonly string[] }) {
  return (
    <details className="rounded-box border border-line px-4">
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
        {say('What to do if nothing comes')}
      </summary>
      <ol className="mb-4 grid list-decimal gap-2 pl-5 text-small text-ink-2">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </details>
  );
}
