import { holdsOffice } from '../identity/holds-office.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { paths } from '../paths.ts';
import { useSacco } from '../session/session.ts';
import { LinkButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/card.tsx';
import { useSummary } from '../wallet/summary.queries.ts';
import { say } from '../words/say.ts';

/** Whether the person is an official of the chosen sacco and no member of it; undefined while that is not known. */
export function useHoldsOfficeOnly(): boolean | undefined {
  const sacco = useSacco();
  const { data: profile, isError: isProfileMissing } = useProfile();
  const { data: summary, isError: isSummaryMissing } = useSummary();
  if (summary?.saccos.some(({ id }) => id === sacco?.id)) return false;
  if (profile && !holdsOffice(profile, sacco?.id)) return false;
  if (profile && summary) return true;
  return isProfileMissing || isSummaryMissing ? false : undefined;
}

/** In the place of what only members have: an official who is no member is led to what an official has. */
export function ForMembersOnly() {
  const sacco = useSacco();
  return (
    <EmptyState
      title={say('This is for members')}
      next={say(
        'You hold an office in {sacco} and are no member of it. Here are its members, its credit desk and its complaints.',
        {
          sacco: sacco?.name ?? '',
        },
      )}
    >
      <LinkButton to={paths.clientMembers()}>{say('Members')}</LinkButton>
      <LinkButton to={`${paths.client()}/desk`} look="line">
        {say('Credit desk')}
      </LinkButton>
      <LinkButton to={`${paths.client()}/complaints`} look="line">
        {say('Complaints')}
      </LinkButton>
    </EmptyState>
  );
}
