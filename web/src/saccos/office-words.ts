import type { Office } from '@ushirika/contract/route';
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
