import type { ComplaintFigures } from '@ushirika/contract/complaints';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { wordsFor } from '../api/failure.ts';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Card, Facts, FailureState } from '../ui/card.tsx';
import { formatCount } from '../ui/figures.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { ComplaintDialog } from './complaint-dialog.tsx';
import { complaintPaths } from './complaint-paths.ts';
import { useComplaintFigures } from './complaints.queries.ts';

/** On a sacco's public page: how it deals with complaints, and the way to complain. */
export function ComplaintsCard({ sacco }: { sacco: { id: string; name: string } }) {
  const { data, error, refetch } = useComplaintFigures(sacco.id);
  const [isOpen, setOpen] = useState(false);
  const session = useSession();
  const navigate = useNavigate();
  return (
    <Card className="p-5">
      <h2 className="mb-2 text-lead">{say('Complaints')}</h2>
      {data && <Shown shown={data} />}
      {!data && error && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {!data && !error && <Skeletons count={1} label={say('Loading...')} className="h-40 rounded-box" />}
      {session && (
        <div className="mt-4 grid gap-2.5 sm:flex">
          <Button look="line" onClick={() => setOpen(true)}>
            {say('Complain about this sacco')}
          </Button>
          <Button look="quiet" onClick={() => void navigate(complaintPaths.complaints())}>
            {say('My complaints')}
          </Button>
        </div>
      )}
      {isOpen && (
        <ComplaintDialog
          sacco={sacco}
          onSent={(id) => void navigate(complaintPaths.complaint(id))}
          onClose={() => setOpen(false)}
        />
      )}
    </Card>
  );
}

function Shown({ shown: { figures, answer_days, resolve_days } }: { shown: ComplaintFigures }) {
  const days = (n: number | null) =>
    n === null ? <span className="font-normal text-ink-2">{say('none yet')}</span> : inDays(n);
  return (
    <>
      {figures ? (
        <div className="grid gap-x-10 sm:grid-cols-2">
          <Facts
            facts={[
              [say('In twelve months'), formatCount(figures.received)],
              [say('First answer in time'), formatCount(figures.answered_in_time)],
              [say('Went to Ushirika'), formatCount(figures.escalated)],
            ]}
          />
          <Facts
            facts={[
              [say('Usual time to a first answer'), days(figures.median_answer_days)],
              [say('Usual time to the end'), days(figures.median_resolve_days)],
            ]}
          />
        </div>
      ) : (
        <p className="text-ink-2">{say('Fewer than 5 complaints in the last year.')}</p>
      )}
      <p className="num mt-2 text-small text-ink-2">
        {say(
          'Its officials answer within {answer, plural, one {1 day} other {# days}} and settle within {resolve, plural, one {1 day} other {# days}}. What they miss goes to Ushirika.',
          {
            answer: answer_days,
            resolve: resolve_days,
          },
        )}
      </p>
    </>
  );
}

/** The median: half of them took no longer. */
function inDays(n: number): string {
  if (n < 1) return say('less than a day');
  return say('{n, plural, one {1 day} other {# days}}', { n });
}
