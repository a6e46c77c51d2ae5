import type { FormerName } from '@ushirika/contract/former-name';
import { longDate } from './dates.ts';
import { say } from './say.ts';

/**
 * A name that somebody trusts, with the one before where it changed in the last 90 days. A vote keeps the names of its draft: where that
 * is the one before, its last day is shown.
 */
export function trustedName(name: string, former: FormerName | null): string {
  if (former?.name === name)
    return say('{name}, under another name since {day}', { name, day: longDate(former.until) });
  return former
    ? say('{name}, until {day} {former}', { name, day: longDate(former.until), former: former.name })
    : name;
}
