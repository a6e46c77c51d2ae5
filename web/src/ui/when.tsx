import { now } from '../clock.ts';
import { longDateTime } from '../words/dates.ts';
import { currentLanguage } from '../words/say.ts';
import { ago } from './ago.ts';

/** How long ago something was; the exact time on pointing at it. */
export function Ago({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={longDateTime(iso)}>
      {ago(iso, now(), currentLanguage())}
    </time>
  );
}

/** First and last name. */
export function nameOf(person: { first_name: string; last_name: string }): string {
  return `${person.first_name} ${person.last_name}`;
}
