import type { standForElection, VotingProposalDetail } from '@ushirika/contract/voting';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { momentWords } from '../saccos/moment-words.ts';
import { Button } from '../ui/button.tsx';
import { Card, Tag } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { explainVote } from './explain-vote.ts';
import { refreshVotes } from './voting.queries.ts';

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
          {say('Members on the roll may stand until {time}.', { time: momentWords(nominations_until) })}
        </p>
      )}
      {candidates.length === 0 && <p className="mt-2 text-ink-2">{say('Nobody stands yet.')}</p>}
      <ul className="mt-1">
        {candidates.map(({ id, name, words, is_me }) => (
          <li key={id} className="rule py-3 last:pb-0">
            <p className="flex flex-wrap items-center gap-2 font-semibold break-words">
              {name}
              {is_me && <Tag tone="plain">{say('You')}</Tag>}
              {id === elected && <Tag tone="forest">{say('Elected')}</Tag>}
            </p>
            <p className="mt-1 max-w-[70ch] text-small break-words whitespace-pre-line text-ink-2">{words}</p>
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

function StandDialog({ id, words, onClose }: { id: string; words: string; onClose: () => void }) {
  const submit = async (values: Record<'words', string>) => {
    const { message } = await call<typeof standForElection>('POST', '/voting/proposals/{id}/nomination', {
      params: { id },
      body: values,
    });
    toast.success(message);
    onClose();
    await refreshVotes();
  };
  return (
    <Dialog title={say('Stand for this office')} onClose={onClose}>
      <ApiForm<'words'>
        label={say('Stand for this office')}
        required={['words']}
        emptyMessage={say('Write why members should elect you.')}
        submit={submit}
        explain={explainVote}
      >
        <p className="text-ink-2">
          {say('If members elect you, you hold the office by itself, for three years. By standing you agree to that.')}
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
        <SubmitButton busyLabel={say('processing...')}>{say('Stand for this office')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
