import { useProfile } from '../identity/profile.queries.ts';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';
import { Card, PageHead } from '../ui/card.tsx';
import { say } from '../words/say.ts';

/** /credit-desk: what the credit desk is and where to go, for whoever opened it without a sacco that is chosen. */
export function AboutDeskPage() {
  const profile = useProfile().data;
  const isMember = (profile?.registered_saccos ?? 0) > 0;
  const isOfficial = profile?.roles.some(({ office }) => office !== null) ?? false;
  return (
    <>
      <Title>{say('Credit desk')}</Title>
      <PageHead
        title={say('Credit desk')}
        lead={say('Where a sacco’s officials decide about loans: each sacco has its own desk.')}
      />
      <Card className="mt-5 max-w-[68ch] p-5">
        <h2 className="text-lead">{say('What is done there')}</h2>
        <ul className="mt-2 list-disc pl-4.5">
          <li>{say('Applications for loans are judged, and loans are paid out by two officials.')}</li>
          <li>{say('Loans that are late are followed step by step, up to the guarantors.')}</li>
          <li>{say('Loan products and check-offs of employers are kept.')}</li>
        </ul>
        <h2 className="mt-4 text-lead">{say('Where to go')}</h2>
        <p className="mt-1">{whereTo(isMember, isOfficial)}</p>
        <div className="mt-4 flex flex-wrap gap-2.5">
          {isMember && <LinkButton to={paths.mySaccos()}>{say('My saccos')}</LinkButton>}
          <LinkButton to={paths.saccos()} look={isMember ? 'line' : 'main'}>
            {say('Find a sacco')}
          </LinkButton>
        </div>
      </Card>
    </>
  );
}

function whereTo(isMember: boolean, isOfficial: boolean): string {
  if (isOfficial)
    return say('Choose the sacco in which you hold an office under My saccos. Its desk is in its menu then.');
  if (isMember) return say('You hold no office. To borrow, choose your sacco under My saccos and open Loans.');
  return say(
    'You are not a member of a sacco yet. Join one to save and to borrow. Its members elect who sits at the desk.',
  );
}
