import { API_BASE } from '@ushirika/contract/constants';
import type { setCandidatePicture, standForElection, VotingProposalDetail } from '@ushirika/contract/voting';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { usePrivatePicture } from '../session/private-picture.ts';
import { useSacco } from '../session/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Card, Tag } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FileField, TextArea } from '../ui/fields.tsx';
import { fileOf, SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { trustedName } from '../words/trusted-name.ts';
import { asVoter } from './as-voter.ts';
import { explainVote } from './explain-vote.ts';
import { refreshVotes } from './voting.queries.ts';
import { candidateNamed } from './voting-words.ts';

/** Who stands for an election, each with their words, and the way to stand. */
export function CandidatesCard({ vote }: { vote: VotingProposalDetail }) {
  const [isOpen, setOpen] = useState(false);
  if (!vote.election) return null;
  const { candidates, nominations_until, elected } = vote.election;
  const own = candidates.find(({ is_me }) => is_me);
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Who stands')}</h2>
      {nominations_until && vote.may.includes('stand') && (
        <p className="num mt-1 text-small text-ink-2">
          {say('Members on the roll may stand until {time}.', { time: longDateTime(nominations_until) })}
        </p>
      )}
      {candidates.length === 0 && <p className="mt-2 text-ink-2">{say('Nobody stands yet.')}</p>}
      <ul className="mt-1">
        {candidates.map(({ id, name, number, former_name, words, has_picture, is_me }) => (
          <li key={id} className="rule flex gap-3 py-3 last:pb-0">
            {has_picture ? <CandidatePicture id={id} /> : <Avatar name={name} />}
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-semibold break-words">
                <span>{candidateNamed({ name: trustedName(name, former_name), number })}</span>
                {is_me && <Tag tone="plain">{say('You')}</Tag>}
                {id === elected && <Tag tone="forest">{say('Elected')}</Tag>}
              </p>
              <p className="mt-1 max-w-[70ch] text-small break-words whitespace-pre-line text-ink-2">{words}</p>
            </div>
          </li>
        ))}
      </ul>
      {vote.may.includes('stand') && (
        <Button look={own ? 'line' : 'main'} className="mt-4 w-full" onClick={() => setOpen(true)}>
          {own ? say('Change my words') : say('Stand for this office')}
        </Button>
      )}
      {isOpen && <StandDialog id={vote.id} words={own?.words ?? ''} onClose={() => setOpen(false)} />}
    </Card>
  );
}

/** The picture that a candidate sent; for members of the sacco. */
function CandidatePicture({ id }: { id: string }) {
  const sacco = useSacco();
  const shown = usePrivatePicture(`${API_BASE}/voting/candidates/${encodeURIComponent(id)}/picture`, sacco?.id);
  if (!shown) return <span className="skeleton size-20 shrink-0 rounded-box" />;
  // The name stands beside it.
  return <img src={shown} alt="" className="size-20 shrink-0 rounded-box object-cover" />;
}

function StandDialog({ id, words, onClose }: { id: string; words: string; onClose: () => void }) {
  const submit = async (values: Record<'words', string>, form: HTMLFormElement) => {
    const picture = fileOf(form, 'picture');
    const { message } = await asVoter(() =>
      call<typeof standForElection>('POST', '/voting/proposals/{id}/nomination', {
        params: { id },
        body: values,
      }),
    );
    if (picture) {
      await asVoter(() =>
        call<typeof setCandidatePicture>('POST', '/voting/proposals/{id}/nomination/picture', {
          params: { id },
          body: {},
          file: { field: 'picture', file: picture },
        }),
      );
    }
    toast.success(message);
    onClose();
    await refreshVotes();
  };
  return (
    <Dialog title={say('Stand for this office')} onClose={onClose}>
      <ApiForm<'words'>
        keptAs={`candidature ${id}`}
        label={say('Stand for this office')}
        required={['words']}
        emptyMessage={say('Write why members should elect you.')}
        submit={submit}
        explain={explainVote}
      >
        <p className="text-ink-2">
          {say(
            'If members elect you, you hold the office for three years, without another step. By standing you agree to that.',
          )}
        </p>
        <TextArea
          label={say('Why should members elect you?')}
          name="words"
          required
          rows={6}
          maxLength={600}
          defaultValue={words}
          hint={say('20 to 600 characters. All members read it beside your name.')}
        />
        <FileField
          label={say('Your picture (optional)')}
          name="picture"
          accept="image/png,image/jpeg,image/webp"
          hint={say('PNG, JPEG or WebP, at most 2 MB. Only members of this sacco see it.')}
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Stand for this office')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
