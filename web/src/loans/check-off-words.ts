import type { CheckOffState } from '@ushirika/contract/check-offs';
import type { TagTone } from '../ui/card.tsx';
import { formatCount } from '../ui/figures.tsx';
import { say } from '../words/say.ts';

export function checkOffStateWords(state: CheckOffState): string {
  const words: Record<CheckOffState, string> = {
    listed: say('Waits for the second official'),
    checked: say('Waits for the payer'),
    refused: say('Refused by the second official'),
    withdrawn: say('Taken back by the sacco'),
    declined: say('Declined by the payer'),
    expired: say('Expired'),
    running: say('Paid, being shared out'),
    done: say('Shared out'),
  };
  return words[state];
}

export const checkOffTones: Readonly<Record<CheckOffState, TagTone>> = {
  listed: 'ochre',
  checked: 'ochre',
  refused: 'clay',
  withdrawn: 'plain',
  declined: 'clay',
  expired: 'plain',
  running: 'indigo',
  done: 'forest',
};

export const membersInWords = (count: number): string =>
  say('{n} {n, plural, one {member} other {members}}', { n: formatCount(count) });
