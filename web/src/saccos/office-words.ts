import type { Office } from '@ushirika/contract/route';
import type { FirstNo } from '@ushirika/contract/saccos';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';

/** An office in words. */
export function officeWords(office: Office): string {
  const words: Record<Office, string> = {
    chair: say('Chair'),
    vice_chair: say('Vice chair'),
    secretary: say('Secretary'),
    treasurer: say('Treasurer'),
    credit_committee: say('Credit committee'),
    supervisory_committee: say('Supervisory committee'),
    manager: say('Manager'),
  };
  return words[office];
}

/** The first no to whom somebody names, where it takes two: who said it and why. `isOpen`: a second one would still end it. */
export function firstNoWords(no: NonNullable<FirstNo>, isOpen = true): string {
  const said = say('{name} said no on {day}: “{reason}”', {
    name: no.by.name,
    day: longDate(no.at),
    reason: no.reason,
  });
  return isOpen ? `${said} ${say('Another official must say no too.')}` : said;
}
