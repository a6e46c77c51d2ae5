import type { ComponentProps, ReactNode } from 'react';

/** A surface with one thing on it. */
export function Card({ className = '', ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={`card ${className}`} />;
}

export type TagTone = 'forest' | 'ochre' | 'clay' | 'indigo' | 'plain';

/** A word or two about the state of something. */
export function Tag({ tone = 'forest', children }: { tone?: TagTone; children: ReactNode }) {
  return <span className={tone === 'forest' ? 'tag' : `tag tag-${tone}`}>{children}</span>;
}

/** A page's heading with the sentence under it and what can be done from here. */
export function PageHead({ title, lead, children }: { title: ReactNode; lead?: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-4">
      <div className="max-w-[62ch]">
        <h1 className="text-head">{title}</h1>
        {lead && <p className="mt-1.5 text-ink-2">{lead}</p>}
      </div>
      {children && <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:flex-1">{children}</div>}
    </div>
  );
}

/** What an empty list says: what it is, and what to do next. */
export function EmptyState({ title, next, children }: { title: string; next: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-2 rounded-card border border-dashed border-line-strong px-6 py-12 text-center">
      <p className="text-lead font-semibold">{title}</p>
      <p className="max-w-[46ch] text-ink-2">{next}</p>
      {children && <div className="mt-3 flex flex-wrap justify-center gap-3">{children}</div>}
    </div>
  );
}

/** What stands where fetched data could not be had, with a way to try again. */
export function FailureState({ words, again, onAgain }: { words: string; again: string; onAgain: () => void }) {
  return (
    <div
      role="alert"
      className="grid justify-items-center gap-3 rounded-card border border-dashed border-clay px-6 py-10 text-center"
    >
      <p className="max-w-[46ch]">{words}</p>
      <button type="button" className="btn btn-line" onClick={onAgain}>
        {again}
      </button>
    </div>
  );
}

/** Pairs of a name and its value, each on a line with a dashed rule, as in a ledger. */
export function Facts({ facts }: { facts: readonly (readonly [name: ReactNode, value: ReactNode])[] }) {
  return (
    <dl className="num">
      {facts.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed
        <div key={index} className="rule flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-2.5">
          <dt className="text-ink-2">{name}</dt>
          <dd className="text-right font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
