import type { Database } from '../../db/tx.ts';
import { advanceReferrals } from './advance-referrals.ts';

export function referralsTasks({ database }: { readonly database: Database }) {
  return { advance_referrals: async () => advanceReferrals(database) };
}

/** Once a day: 60 days are counted, not 60 times 24 hours and a minute. */
export const referralsSchedules = [{ task: 'advance_referrals', everySeconds: 86_400 }];
