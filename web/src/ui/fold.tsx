import { type ReactNode, useState } from 'react';
import { Card } from './card.tsx';

interface FoldProps {
  readonly title: string;
  /** What is in it, in a word or a figure. */
  readonly sum?: ReactNode;
  /** Begins open where the page has two columns. */
  readonly openWhenWide?: boolean;
  /** Begins open. */
  readonly startsOpen?: boolean;
  /** Its content is made when it is first opened: what few open costs nobody else time. */
  readonly isLate?: boolean;
  readonly children: ReactNode;
}

/** A card that stays closed until somebody opens it. */
export function Fold({ title, ...rest }: FoldProps) {
  return (
    <Card className="min-w-0 px-5 py-2">
      <FoldedPart {...rest} title={<h2 className="inline text-body">{title}</h2>} />
    </Card>
  );
}

/** A part of a card that stays closed until somebody opens it. */
export function FoldedPart({
  title,
  sum,
  openWhenWide = false,
  startsOpen = false,
  isLate = false,
  children,
}: Omit<FoldProps, 'title'> & { readonly title: ReactNode }) {
  const [isOpen] = useState(() => startsOpen || (openWhenWide && matchMedia('(width >= 80rem)').matches));
  const [isMade, setMade] = useState(isOpen || !isLate);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => currentTarget.open && setMade(true)}>
      <summary className="min-h-11 cursor-pointer content-center font-semibold">
        {title}
        {sum && <span className="num font-normal text-ink-2"> · {sum}</span>}
      </summary>
      {isMade && <div className="pb-3">{children}</div>}
    </details>
  );
}
