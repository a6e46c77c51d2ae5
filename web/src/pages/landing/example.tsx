import type { ReactNode } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { say } from '../../words/say.ts';

/*
 * Pictures of the modules, drawn from the same parts as the product. They say that they are examples, to the eye and to a screen reader:
 * each is one image with a name.
 */

export function Picture({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="img" aria-label={label} className="card num relative p-5">
      <ExampleTag />
      {children}
    </div>
  );
}

/** On the card's upper edge: nobody shall take its figures for real ones. */
export function ExampleTag() {
  return <span className="tag tag-ochre absolute -top-3.5 left-4.5">{say('Example')}</span>;
}

const row = 'flex items-center justify-between gap-3 rule py-2.5';

/** The hero's card: an account with what happened to it. */
export function AccountPicture() {
  return (
    <div
      role="img"
      aria-label={say('An example of an account, as a member sees it')}
      className="card num relative p-5.5"
    >
      <ExampleTag />
      <div className="flex items-start justify-between gap-3">
        <div>
          <p className="text-small text-ink-2">{say('Your sacco')}</p>
          <p className="text-[1.75rem] font-bold tracking-tight whitespace-nowrap sm:text-[2rem]">
            Ksh.&nbsp;84,250.00
          </p>
        </div>
        <span className="tag mt-1">+4.2%</span>
      </div>
      <svg viewBox="0 0 408 112" className="my-2 block w-full" aria-hidden="true">
        <path d="M4 90 44 82l40 4 40-18 40 4 40-18 40 4 40-18 40 4 40-18 40-6v92H4Z" fill="var(--forest-tint)" />
        <path
          d="M4 90 44 82l40 4 40-18 40 4 40-18 40 4 40-18 40 4 40-18 40-6"
          fill="none"
          stroke="var(--forest)"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
        <circle cx="404" cy="20" r="4" fill="var(--ochre)" />
      </svg>
      <div className={row}>
        <span>{say('120 shares bought')}</span>
        <b className="whitespace-nowrap">−&nbsp;Ksh.&nbsp;12,480.00</b>
      </div>
      <div className={row}>
        <span>{say('M-Pesa top up')}</span>
        <b className="whitespace-nowrap text-up">+&nbsp;Ksh.&nbsp;15,000.00</b>
      </div>
      <div className={row}>
        <span>{say('Voted: minimum shares to 20')}</span>
        <span className="tag">{say('Passed')}</span>
      </div>
      <p className="mt-3 flex items-center gap-2.5 rounded-box bg-forest-tint px-3.5 py-3 font-semibold text-forest">
        <Icon name="shield" />
        {say('In the books at 14:05, with its receipt')}
      </p>
    </div>
  );
}
