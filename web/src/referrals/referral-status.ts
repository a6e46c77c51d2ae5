import type { ReferralStatus } from '@ushirika/contract/referrals';
import type { TagTone } from '../ui/card.tsx';

/** As the contract lists them; its schemas are not loaded here. */
export const REFERRAL_STATUS_WORDS = ['Lead', 'Joined', 'Fully Paid'] as const satisfies readonly ReferralStatus[];

/** 'Fully Paid' is green, 'Lead' red, any other status amber (spec 4). */
export function toneOf(status: string): TagTone {
  if (status === 'Fully Paid') return 'forest';
  return status === 'Lead' ? 'clay' : 'ochre';
}
