import type { ClientProfile } from '@ushirika/contract/identity';
import { paths } from '../paths.ts';
import { ChangeCard } from '../saccos/change-card.tsx';
import { openOf, useSaccoChanges } from '../saccos/changes.queries.ts';
import { LinkButton } from '../ui/button.tsx';
import { Card, Facts } from '../ui/card.tsx';
import { say } from '../words/say.ts';
import { useComplaintTerms } from './complaints.queries.ts';

/** How long the officials may take, for them to read; members vote on it. */
export function ComplaintTerms({ profile, sacco }: { profile: ClientProfile; sacco: string }) {
  const { data: terms } = useComplaintTerms(sacco);
  const { data: changes } = useSaccoChanges(sacco);
  const waiting = openOf(changes?.results, 'complaint_terms');
  const isOfficial = profile.roles.some((role) => role.sacco === sacco && role.office);
  const days = (n: number) => say('{n, plural, one {1 day} other {# days}}', { n });
  return (
    <>
      {waiting && <ChangeCard change={waiting} sacco={sacco} />}
      {isOfficial && terms && (
        <Card className="p-5">
          <h2 className="text-lead">{say('Time limits')}</h2>
          <p className="mt-1 mb-2 max-w-[70ch] text-small text-ink-2">
            {say(
              'A first answer within 14 days at most, the final one within 30. Shorter limits stand on your public page. Members vote on them, for complaints that come later.',
            )}
          </p>
          <Facts
            facts={[
              [say('Days to a first answer'), days(terms.answer_days)],
              [say('Days to the final answer'), days(terms.resolve_days)],
            ]}
          />
          <LinkButton look="line" className="mt-4" to={paths.clientDraftTerms('complaint_terms')}>
            {say('Change them')}
          </LinkButton>
        </Card>
      )}
    </>
  );
}
