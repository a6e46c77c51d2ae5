import type { FirstNo } from '@ushirika/contract/saccos';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';

/** The first no to whom somebody names, where it takes two: who said it and why. `isOpen`: a second one would still end it. */
export function FirstNoWords({ no, isOpen = true }: { no: FirstNo; isOpen?: boolean }) {
  if (!no) return null;
  return (
    <p className="text-small break-words">
      {say('{name} said no on {day}: “{reason}”', { name: no.by.name, day: longDate(no.at), reason: no.reason })}{' '}
      {isOpen && say('Another official must say no too.')}
    </p>
  );
}
