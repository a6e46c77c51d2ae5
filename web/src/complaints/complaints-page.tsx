import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { holdsOffice } from '../identity/holds-office.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { DeskList } from '../layouts/list-states.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { useSacco } from '../session/session.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { PageHead } from '../ui/card.tsx';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { ComplaintDialog } from './complaint-dialog.tsx';
import { ComplaintList } from './complaint-list.tsx';
import { complaintPaths } from './complaint-paths.ts';
import { ComplaintTerms } from './complaint-terms.tsx';
import { type OfficialsList, useMyComplaints, useSaccoComplaints } from './complaints.queries.ts';

/** /client/complaints: one's own about the chosen sacco; for officials what they are to answer, too. */
export function ClientComplaintsPage() {
  const sacco = useSacco();
  const { data: profile, isPending } = useProfile();
  const [query] = useSearchParams();
  const isOfficial = holdsOffice(profile, sacco?.id);
  const view = query.get('view') ?? (isOfficial ? 'waiting' : 'mine');
  if (!sacco) return null;
  return (
    <>
      <Title>{say('Complaints')}</Title>
      <PageHead
        title={say('Complaints')}
        lead={
          isOfficial
            ? say('Answer in time: what is left unanswered goes to Ushirika by itself.')
            : say('Something went wrong here? Say so. The officials have to answer, and a clock runs.')
        }
      >
        <NewComplaint sacco={sacco} />
      </PageHead>
      {isPending ? (
        <Skeletons count={3} label={say('Loading...')} className="mt-5 h-20 rounded-card" />
      ) : isOfficial && profile ? (
        <div className="mt-5 grid gap-5">
          <ChoiceBar label={say('Which complaints')} choices={choices(view)} />
          {view === 'mine' ? <Mine sacco={sacco.id} /> : <ToAnswer sacco={sacco.id} status={listOf(view)} />}
          <ComplaintTerms profile={profile} sacco={sacco.id} />
        </div>
      ) : (
        <div className="mt-5">
          <Mine sacco={sacco.id} />
        </div>
      )}
    </>
  );
}

/** /profile/complaints: one's own about all saccos, also about those that one has left. */
export function MyComplaintsPage() {
  return (
    <>
      <Title>{say('My complaints')}</Title>
      <PageHead
        title={say('My complaints')}
        lead={say('About all your saccos. A new one starts on the page of the sacco that it is about.')}
      >
        <LinkButton look="line" to={paths.mySaccos()}>
          {say('My saccos')}
        </LinkButton>
      </PageHead>
      <div className="mt-5">
        <Mine sacco={undefined} />
      </div>
    </>
  );
}

function NewComplaint({ sacco }: { sacco: { id: string; name: string } }) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <Button onClick={() => setOpen(true)}>{say('New complaint')}</Button>
      {isOpen && (
        <ComplaintDialog
          sacco={sacco}
          onSent={(id) => void navigate(complaintPaths.clientComplaint(id))}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function Mine({ sacco }: { sacco: string | undefined }) {
  const list = useMyComplaints(sacco);
  const empty = {
    title: say('You have not complained'),
    next: sacco
      ? say('If something goes wrong here, New complaint brings it to the officials.')
      : say('If something goes wrong in a sacco, complain on its page.'),
  };
  return (
    <DeskList pages={list} empty={empty}>
      {(rows) => (
        <ComplaintList
          rows={rows}
          side="member"
          toOne={sacco ? complaintPaths.clientComplaint : complaintPaths.complaint}
        />
      )}
    </DeskList>
  );
}

function ToAnswer({ sacco, status }: { sacco: string; status: OfficialsList }) {
  const list = useSaccoComplaints(sacco, status);
  const empty =
    status === 'waiting'
      ? { title: say('Nothing waits for an answer'), next: say('Complaints of members appear here, the oldest first.') }
      : status === 'overdue'
        ? { title: say('Nothing is overdue'), next: say('Complaints that were not answered in time appear here.') }
        : { title: say('No complaints yet'), next: say('Complaints of members appear here, the newest first.') };
  return (
    <DeskList pages={list} empty={empty}>
      {(rows) => <ComplaintList rows={rows} side="sacco" toOne={complaintPaths.clientComplaintToAnswer} />}
    </DeskList>
  );
}

const listOf = (view: string): OfficialsList => (view === 'overdue' || view === 'all' ? view : 'waiting');

function choices(view: string) {
  const words = { waiting: say('To answer'), overdue: say('Overdue'), all: say('All'), mine: say('My own') };
  return (['waiting', 'overdue', 'all', 'mine'] as const).map((each) => ({
    to: complaintPaths.clientComplaints(each),
    words: words[each],
    isChosen: each === view,
  }));
}
