import type { MembershipState } from '@ushirika/contract/saccos';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';

/**
 * Why a member may not rate their sacco now, said before they write; null where they may. The server refuses the same.
 * @param ratesFrom when they will have been members for 90 days; null for an official
 * @param at now, in milliseconds
 */
export function whyNotRated(
  membership: MembershipState | undefined,
  ratesFrom: string | null,
  at: number,
): string | null {
  if (membership === 'provisional') {
    return say('Buy the minimum shares first: only members in full rights rate their sacco.');
  }
  if (membership === 'leaving') return say('You have given notice: only members in full rights rate their sacco.');
  if (ratesFrom === null) return say('Officials do not rate their own sacco.');
  if (Date.parse(ratesFrom) > at) {
    return say('Members rate their sacco after 90 days. You can from {date} on.', { date: longDate(ratesFrom) });
  }
  return null;
}
