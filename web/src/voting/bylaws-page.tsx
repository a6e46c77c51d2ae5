import type { Bylaws, recordBylaws } from '@ushirika/contract/voting';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { Title } from '../layouts/title.tsx';
import { useSacco } from '../session/session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card, FailureState, PageHead, Tag } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { asVoter } from './as-voter.ts';
import { explainVote } from './explain-vote.ts';
import { refreshVotes, useBylaws } from './voting.queries.ts';
import { votingPaths } from './voting-paths.ts';

/** /client/voting-proposals/by-laws: those that hold, or held on the day that the address names, and all versions. */
export function BylawsPage() {
  const [search, setSearch] = useSearchParams();
  const [on, version] = [search.get('on') ?? '', Number(search.get('version') ?? 0)];
  const { data, error, refetch } = useBylaws(useSacco()?.id, version ? { version } : on ? { on } : {});
  return (
    <div className="max-w-[860px]">
      <Title>{say('By-laws')}</Title>
      <BackLink to={votingPaths.votes()}>{say('Voting Proposals')}</BackLink>
      <PageHead
        title={say('By-laws')}
        lead={say('Members change them by a vote of two thirds. They hold once they are registered.')}
      >
        <LinkButton look="line" to={votingPaths.newVote('bylaws')}>
          {say('Draft a vote')}
        </LinkButton>
      </PageHead>
      {error && !data && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {!data && !error && <Skeletons count={2} label={say('Loading...')} className="mt-4 h-32 rounded-card" />}
      {data && (
        <div className="mt-5 grid gap-4">
          <Card className="p-5">
            <TextField
              label={say('By-laws of the day')}
              name="on"
              type="date"
              value={on}
              onChange={({ currentTarget }) => setSearch(currentTarget.value ? { on: currentTarget.value } : {})}
            />
          </Card>
          <Card className="p-5">
            {data.bylaws ? (
              <>
                <h2 className="text-lead">{say('Version {n}', { n: data.bylaws.number })}</h2>
                <p className="mt-2 max-w-[75ch] break-words whitespace-pre-line">{data.bylaws.text}</p>
              </>
            ) : (
              <p className="text-ink-2">{say('No by-laws were in force here then.')}</p>
            )}
          </Card>
          <Versions versions={data.versions} />
        </div>
      )}
    </div>
  );
}

function Versions({ versions }: { versions: readonly Bylaws[] }) {
  const [asked, setAsked] = useState<Bylaws | null>(null);
  if (versions.length === 0) return null;
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('All versions')}</h2>
      <ul className="num mt-1">
        {versions.map((each) => (
          <li key={each.number} className="rule grid gap-1 py-3 last:pb-0">
            <p className="flex flex-wrap items-center gap-2 font-semibold">
              <Link className="link" to={votingPaths.bylaws(each.number)}>
                {say('Version {n}', { n: each.number })}
              </Link>
              <Tag tone={each.in_force_at ? 'forest' : 'ochre'}>
                {each.in_force_at
                  ? say('Holds from {day}', { day: longDate(each.in_force_at) })
                  : say('Waits for its registration')}
              </Tag>
            </p>
            <p className="text-small text-ink-2">
              {say('Members voted for it; carried out on {day}.', { day: longDate(each.voted_at) })}{' '}
              {each.registration &&
                say('Registration {no} of {day}, recorded by {name}.', {
                  no: each.registration.no,
                  day: longDate(each.registration.on),
                  name: each.registration.recorded_by,
                })}
            </p>
            {each.may_record && (
              <Button look={each.registration?.is_by_me ? 'line' : 'main'} onClick={() => setAsked(each)}>
                {each.registration?.is_by_me ? say('Mend what I recorded') : say('Record the registration')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {asked && <RecordDialog version={asked} onClose={() => setAsked(null)} />}
    </Card>
  );
}

function RecordDialog({ version, onClose }: { version: Bylaws; onClose: () => void }) {
  const submit = async (values: Record<'no' | 'on', string>) => {
    const { message } = await asVoter(() =>
      call<typeof recordBylaws>('POST', '/voting/proposals/{id}/registration', {
        params: { id: version.proposal },
        body: values,
      }),
    );
    toast.success(message);
    onClose();
    await refreshVotes();
  };
  return (
    <Dialog title={say('Record the registration')} onClose={onClose}>
      <ApiForm<'no' | 'on'>
        label={say('Record the registration')}
        required={['no', 'on']}
        emptyMessage={say('All Fields are required')}
        submit={submit}
        explain={explainVote}
      >
        <p className="text-ink-2">
          {say('Two officials record it, each from the certificate of the Commissioner. Then the by-laws hold.')}
        </p>
        <TextField label={say('Number on the certificate')} name="no" required maxLength={60} autoComplete="off" />
        <TextField label={say('Day on the certificate')} name="on" type="date" required />
        <SubmitButton busyLabel={say('processing...')}>{say('Record the registration')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
