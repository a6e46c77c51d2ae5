import type { ClientProfile } from '@ushirika/contract/identity';
import { Link } from 'react-router';
import { complaintPaths } from '../../complaints/complaint-paths.ts';
import { documentWords, mpesaNameWords } from '../../identity/identity-words.ts';
import { paths } from '../../paths.ts';
import { officeWords } from '../../saccos/office-words.ts';
import { useSacco } from '../../session/session.ts';
import { Card, Facts, Tag } from '../../ui/card.tsx';
import { LongDate } from '../../ui/figures.tsx';
import { say } from '../../words/say.ts';

/** Who has seen the person's ID card, or how it comes to be seen; and what M-Pesa says of the name. */
export function IdentityCard({ profile }: { profile: ClientProfile }) {
  const { card, mpesa_name } = profile.verified;
  return (
    <Card className="px-5 py-4">
      <h2 className="mb-1 text-lead">{say('Who you are')}</h2>
      <Facts
        facts={[
          [
            say('ID card'),
            card ? (
              <Tag key="card">{say('Seen')}</Tag>
            ) : (
              <Tag key="card" tone="ochre">
                {say('Not seen yet')}
              </Tag>
            ),
          ],
          ...(card
            ? ([
                [say('By whom'), byWords(card)],
                [say('Card'), documentWords(card.document)],
                [say('Seen on'), <LongDate key="at" iso={card.seen_at} />],
              ] as const)
            : []),
          [say('Name at M-Pesa'), mpesaNameWords(mpesa_name)],
        ]}
      />
      {card ? <NotTrue card={card} /> : <HowTo memberships={profile.registered_saccos} />}
    </Card>
  );
}

type SeenCard = NonNullable<ClientProfile['verified']['card']>;

function byWords({ by, office, sacco }: SeenCard): string {
  if (!sacco || !office) return say('Ushirika');
  const values = { name: by ?? say('An official'), office: officeWords(office), sacco: sacco.name };
  return say('{name}, {office} of {sacco}', values);
}

/** Whoever never showed a card to anybody complains of the official who says so. */
function NotTrue({ card }: { card: SeenCard }) {
  const chosen = useSacco();
  if (!card.sacco) return <p className="mt-2 text-small text-ink-2">{say('If that is not true, call Ushirika.')}</p>;
  const to = chosen?.id === card.sacco.id ? complaintPaths.clientComplaints() : paths.sacco(card.sacco.id);
  return (
    <p className="mt-2 text-small text-ink-2">
      {say('You showed your card to nobody?')}{' '}
      <Link className="link" to={to}>
        {say('Complain')}
      </Link>
    </p>
  );
}

function HowTo({ memberships }: { memberships: number }) {
  return (
    <p className="mt-2 text-small text-ink-2">
      {memberships > 0
        ? say(
            'Show your ID card to an official of your sacco, in person. Guarantor pools and votes ask for it. Never send anybody a photo of it.',
          )
        : say(
            'Once you belong to a sacco, show your ID card to one of its officials, in person. Guarantor pools and votes ask for it.',
          )}
    </p>
  );
}
