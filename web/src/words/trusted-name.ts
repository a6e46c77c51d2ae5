import type { FormerName } from '@ushirika/contract/former-name';
import { longDate } from './dates.ts';
import { say } from './say.ts';

/** A name that somebody trusts, with the one before where it changed in the last 90 days. */
export function trustedName(name: string, former: FormerName | null): string {
  return former
    ? say('{name}, until {day} {former}', { name, day: longDate(former.until), former: former.name })
    : name;
}
