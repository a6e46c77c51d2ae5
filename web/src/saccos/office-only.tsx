import { holdsOffice } from '../identity/holds-office.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { paths } from '../paths.ts';
import { useSacco } from '../session/session.ts';
import { LinkButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/card.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
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

/** Stands in the place of a page for members: an official who is no member is led to the pages of officials. */
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

/** Stands in the place of a page for members of the chosen sacco, for a person who is none: an official is not told to join. */
export function NotAMember() {
  const sacco = useSacco();
  const isOfficeOnly = useHoldsOfficeOnly();
  if (!sacco) return null;
  if (isOfficeOnly === undefined) {
    return <Skeletons count={1} label={say('Loading...')} className="h-48 rounded-card" />;
  }
  if (isOfficeOnly) return <ForMembersOnly />;
  return (
    <EmptyState
      title={say('You are not a member of {sacco}', { sacco: sacco.name })}
      next={say('Join it, or choose one of your own saccos.')}
    >
      <LinkButton to={paths.sacco(sacco.id)} look="line">
        {say('Look at it')}
      </LinkButton>
      <LinkButton to={paths.mySaccos()}>{say('My saccos')}</LinkButton>
    </EmptyState>
  );
}
