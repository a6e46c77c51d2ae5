import type { answerVote, VotingProposalDetail } from '@ushirika/contract/voting';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { trustedName } from '../words/trusted-name.ts';
import { asVoter } from './as-voter.ts';
import { explainVote } from './explain-vote.ts';
import { refreshVotes } from './voting.queries.ts';

const NOT_OVER: readonly VotingProposalDetail['state'][] = ['published', 'open', 'closed', 'queued', 'held'];

/** What the person whom a vote is about answers, and the way to answer. */
export function AnswerCard({ vote }: { vote: VotingProposalDetail }) {
  const [isOpen, setOpen] = useState(false);
  // Whoever offers to be a steward has said why in the vote itself; whom others are not told of, they read no answer of.
  if (!vote.about?.name || vote.change?.kind === 'pool_steward') return null;
  const { is_me, answer } = vote.about;
  const name = trustedName(vote.about.name, vote.about.former_name);
  const mayAnswer = vote.may.includes('answer');
  return (
    <Card className={`p-5 ${mayAnswer && !answer ? 'border-ochre' : ''}`}>
      <h2 className="text-lead break-words">{is_me ? say('Your answer') : say('What {name} answers', { name })}</h2>
      {answer ? (
        <>
          <p className="mt-1.5 max-w-[70ch] break-words whitespace-pre-line">{answer.words}</p>
          <p className="num mt-2 text-small text-ink-2">{longDateTime(answer.at)}</p>
        </>
      ) : (
        <p className="mt-1.5 text-ink-2">{say('No answer yet.')}</p>
      )}
      {is_me && vote.change?.kind === 'expulsion' && NOT_OVER.includes(vote.state) && (
        <p className="mt-3 text-small text-ink-2">
          {say('If it passes you take no new loan here, guarantee none, and put nothing into a pool.')}
        </p>
      )}
      {mayAnswer && vote.opens_at && (
        <>
          <p className="num mt-3 text-small text-ink-2">
            {say('This vote is about you. You may answer until {time}. Then your words stay as they are.', {
              time: longDateTime(vote.opens_at),
            })}
          </p>
          <Button look={answer ? 'line' : 'main'} className="mt-3 w-full" onClick={() => setOpen(true)}>
            {answer ? say('Change my answer') : say('Answer')}
          </Button>
        </>
      )}
      {isOpen && <AnswerDialog id={vote.id} words={answer?.words ?? ''} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function AnswerDialog({ id, words, onClose }: { id: string; words: string; onClose: () => void }) {
  const submit = async (values: Record<'words', string>) => {
    const { message } = await asVoter(() =>
      call<typeof answerVote>('POST', '/voting/proposals/{id}/answer', {
        params: { id },
        body: values,
      }),
    );
    toast.success(message);
    onClose();
    await refreshVotes();
  };
  return (
    <Dialog title={say('Your answer')} onClose={onClose}>
      <ApiForm<'words'>
        keptAs={`answer to vote ${id}`}
        label={say('Your answer')}
        required={['words']}
        emptyMessage={say('Write your answer.')}
        submit={submit}
        explain={explainVote}
      >
        <TextArea
          label={say('What do you say to it?')}
          name="words"
          required
          rows={8}
          maxLength={2_000}
          defaultValue={words}
          hint={say('20 to 2,000 characters. All members read it beside the vote.')}
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Answer')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
