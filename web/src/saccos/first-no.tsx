import type { FirstNo } from '@ushirika/contract/saccos';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';

/** The first no to whom somebody names, where it takes two: who said it and why. */
export function FirstNoWords({ no }: { no: FirstNo }) {
  if (!no) return null;
  return (
    <p className="text-small break-words">
      {say('{name} said no on {day}: “{reason}” Another official must say no too.', {
        name: no.by.name,
        day: longDate(no.at),
        reason: no.reason,
      })}
    </p>
  );
}
