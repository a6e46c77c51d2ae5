import { Link } from 'react-router';

/** Links that narrow a list; the one that holds is marked. Each choice has an address of its own. */
export function ChoiceBar({
  label,
  choices,
}: {
  label: string;
  choices: readonly { to: string; words: string; isChosen: boolean }[];
}) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1 rounded-box bg-sunken p-1">
      {choices.map(({ to, words, isChosen }) => (
        <Link
          key={to}
          to={to}
          replace
          aria-current={isChosen ? 'true' : undefined}
          className="inline-flex min-h-11 grow items-center justify-center rounded-small px-2.5 font-semibold sm:px-3.5 text-ink-2 hover:text-ink aria-[current]:bg-surface aria-[current]:text-ink aria-[current]:shadow-card aria-[current]:ring-1 aria-[current]:ring-line-strong aria-[current]:ring-inset sm:min-h-10"
        >
          {words}
        </Link>
      ))}
    </nav>
  );
}
