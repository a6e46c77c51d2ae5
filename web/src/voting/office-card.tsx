import { isHeldByOne } from '@ushirika/contract/elections';
import type { PublicVote } from '@ushirika/contract/voting';
import { officeWords } from '../saccos/office-words.ts';
import { useSaccoDetail } from '../saccos/saccos.queries.ts';
import { Card } from '../ui/card.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { AHEAD } from './means-for-me.tsx';

/** Of an election: the office that it fills, who holds that now, and what becomes of them. */
export function OfficeCard({
  vote: { office, sacco, state },
}: {
  vote: Pick<PublicVote, 'office' | 'sacco' | 'state'>;
}) {
  const isAhead = AHEAD.has(state);
  const { data } = useSaccoDetail(office && isAhead ? sacco.id : undefined);
  if (!office) return null;
  const holders = data?.officials.filter((one) => one.office === office) ?? [];
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('The office: {office}', { office: officeWords(office) })}</h2>
      {isAhead && data && (
        <ul className="num mt-2 grid max-w-[70ch] list-disc gap-1.5 pl-4.5">
          {holders.length === 0 && <li>{say('Nobody holds it now.')}</li>}
          {holders.map(({ name, until }) => (
            <li key={`${name} ${until}`}>{say('{name} holds it now, until {day}.', { name, day: longDate(until) })}</li>
          ))}
          <li>{afterwards(isHeldByOne(office), holders.length > 0)}</li>
          <li>{say('Whoever is elected holds it for three years.')}</li>
        </ul>
      )}
    </Card>
  );
}

function afterwards(isOfOne: boolean, isHeld: boolean): string {
  if (!isOfOne) return say('A committee has several members. Whoever is elected joins them, and nobody has to go.');
  return isHeld
    ? say('One person holds it. It ends for them as soon as somebody else takes it up. They may stand again.')
    : say('One person holds it.');
}
