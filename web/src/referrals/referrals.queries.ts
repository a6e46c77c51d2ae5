import { useQuery } from '@tanstack/react-query';
import type { listReferrals, ReferralStatus, readReferralTerms, referralSummary } from '@ushirika/contract/referrals';
import { call } from '../api/call.ts';
import { usePages } from '../api/pages.ts';
import { useSacco } from '../session/session.ts';

/** The people who registered with this person's code, page after page. */
export function useReferrals(search: string, status: ReferralStatus | undefined) {
  return usePages(['Client', 'referrals', { search, status }], async (cursor, signal) => {
    const { data } = await call<typeof listReferrals>('GET', '/client/referals', {
      query: { search: search || undefined, status, cursor },
      signal,
    });
    return { count: data.count, next: data.next, results: data.referals };
  });
}

/** Code, link, points, amount, and the invitations that are left today. */
export function useReferralSummary() {
  return useQuery({
    queryKey: ['Client', 'referral-summary'],
    queryFn: ({ signal }) => call<typeof referralSummary>('GET', '/client/referals/summary', { signal }),
  });
}

/** What the chosen sacco pays for a referral. */
export function useReferralTerms() {
  const sacco = useSacco();
  return useQuery({
    queryKey: ['Sacco', 'referral-terms', sacco?.id],
    queryFn: ({ signal }) => call<typeof readReferralTerms>('GET', '/sacco/referral-terms', { signal }),
    enabled: sacco !== null,
  });
}
