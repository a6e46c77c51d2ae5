import type { ClientProfile } from '@ushirika/contract/identity';
import type { Office } from '@ushirika/contract/route';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { wordsFor } from '../api/failure.ts';
import { holdsOffice } from '../identity/holds-office.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { type StoredSacco, useSacco } from '../session/session.ts';
import { LinkButton } from '../ui/button.tsx';
import { FailureState, PageHead } from '../ui/card.tsx';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { deskPaths } from './desk-paths.ts';

/** Who sits at the desk: an official of the chosen sacco. */
export interface AtDesk {
  readonly sacco: StoredSacco;
  readonly me: string;
  readonly offices: readonly Office[];
}

/** Lets officials of the chosen sacco past; everybody else is told whose desk this is. The server refuses them all the same. */
export function OfficialsOnly({ children }: { children: (at: AtDesk) => ReactNode }) {
  const sacco = useSacco();
  const { data: profile, error, isPending, refetch } = useProfile();
  if (!sacco) return null;
  if (profile && holdsOffice(profile, sacco.id)) {
    return children({ sacco, me: profile.user.id, offices: officesIn(profile, sacco.id) });
  }
  return (
    <>
      <Title>{say('Credit desk')}</Title>
      <PageHead title={say('Credit desk')} />
      <div className="mt-5">
        {profile ? (
          <NotYours sacco={sacco.name} />
        ) : error && !isPending ? (
          <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
        ) : (
          <Skeletons count={2} label={say('Loading...')} className="mb-4 h-32 rounded-card" />
        )}
      </div>
    </>
  );
}

function NotYours({ sacco }: { sacco: string }) {
  return (
    <div className="card grid justify-items-start gap-3 p-5">
      <span className="grid size-10 place-items-center rounded-full bg-ochre-tint text-ochre-ink">
        <Icon name="shield" />
      </span>
      <p className="text-lead font-semibold">{say('Only the officials of {sacco} open this desk', { sacco })}</p>
      <p className="max-w-[60ch] text-ink-2">
        {say('It shows what members earn, save and owe. Your own loans and guarantees are under Loans.')}
      </p>
      <LinkButton look="line" to={paths.client()}>
        {say('Back to the dashboard')}
      </LinkButton>
    </div>
  );
}

function officesIn(profile: ClientProfile, sacco: string): Office[] {
  return profile.roles.flatMap((role) => (role.sacco === sacco && role.office ? [role.office] : []));
}

/** The head of the desk's rooms, with the way from one to another. */
export function DeskHead({ lead, children }: { lead: string; children?: ReactNode }) {
  const { pathname } = useLocation();
  const rooms = [
    { to: deskPaths.desk(), words: say('Overview') },
    { to: deskPaths.loans(), words: say('Loans') },
    { to: deskPaths.checkOffs(), words: say('Check-offs') },
    { to: deskPaths.products(), words: say('Products') },
  ];
  return (
    <>
      <Title>{say('Credit desk')}</Title>
      <PageHead title={say('Credit desk')} lead={lead}>
        {children}
      </PageHead>
      <div className="mt-4 md:w-fit">
        <ChoiceBar
          label={say('Rooms of the desk')}
          choices={rooms.map((room) => ({ ...room, isChosen: pathname === room.to }))}
        />
      </div>
    </>
  );
}
