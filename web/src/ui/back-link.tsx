import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Icon } from './icon.tsx';

/** The way back to the list that a page is from, above its head. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="mb-2 inline-flex min-h-11 items-center gap-2 font-semibold text-ink-2 hover:text-ink print:hidden"
    >
      <Icon name="back" className="size-4.5" />
      {children}
    </Link>
  );
}
