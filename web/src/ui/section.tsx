import { type ReactNode, useId } from 'react';

/** One matter of the settings: what it is on the left, what can be done on the right. */
export function Section({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-4 border-t border-dashed border-line py-7 first:border-t-0 first:pt-0 md:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} className="text-lead">
          {title}
        </h2>
        <p className="mt-1 text-small text-ink-2">{lead}</p>
      </div>
      <div className="min-w-0 max-w-2xl">{children}</div>
    </section>
  );
}
