import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Icon } from './icon.tsx';

/** The last row of a card: where there is more of what it shows. */
export function CardLink({ to, className = '', children }: { to: string; className?: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className={`flex min-h-11 items-center justify-between border-t border-dashed border-line pt-1 text-small font-semibold text-forest ${className}`}
    >
      {children}
      <Icon name="arrow" className="size-4.5" />
    </Link>
  );
}
