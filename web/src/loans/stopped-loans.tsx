import { useSaccoChanges } from '../saccos/changes.queries.ts';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { type StoppedLoan, stoppedLoans } from './loan.rules.ts';

/** Members read what officials have stopped; to others `sacco` is undefined, and nothing is asked. */
export function useStoppedLoans(sacco: string | undefined, offered: readonly { readonly id: string }[]): StoppedLoan[] {
  const { data } = useSaccoChanges(sacco);
  return stoppedLoans(data?.results, offered);
}

/** The loans that a sacco does not offer for a time, a sentence each; nothing where it has stopped none. */
export function StoppedLoans({
  sacco,
  offered,
}: {
  sacco: string | undefined;
  offered: readonly { readonly id: string }[];
}) {
  const stopped = useStoppedLoans(sacco, offered);
  if (stopped.length === 0) return null;
  return (
    <ul className="num mt-3 grid gap-1.5 rounded-box bg-ochre-tint px-4 py-3 text-small font-medium text-ochre-ink">
      {stopped.map((loan) => (
        <li key={loan.id} className="break-words">
          {stoppedWords(loan)}
        </li>
      ))}
    </ul>
  );
}

export const stoppedWords = ({ name, until }: Omit<StoppedLoan, 'id'>): string =>
  until === null
    ? say('{name} is not offered now.', { name })
    : say('{name} is not offered until {time}, unless members decide otherwise.', { name, time: longDateTime(until) });
