import type { BallotReceipt, castBallot, VotingProposalDetail } from '@ushirika/contract/voting';
import type { Choice as BallotChoice } from '@ushirika/contract/voting-rules';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { Choice } from '../complaints/choice.tsx';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LongDate } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { ToCopy } from '../ui/to-copy.tsx';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { asVoter } from './as-voter.ts';
import { explainVote } from './explain-vote.ts';
import { refreshVotes } from './voting.queries.ts';
import { ballotWays, choiceWords, rollNumberSentence } from './voting-words.ts';

/** One chooses, confirms, and gets a receipt. */
export function BallotDialog({ vote, onClose }: { vote: VotingProposalDetail; onClose: () => void }) {
  const [receipt, setReceipt] = useState<BallotReceipt | null>(null);
  return (
    <Dialog title={receipt ? say('Your vote is in') : say('Your vote')} onClose={onClose}>
      {receipt ? (
        <Receipt receipt={receipt} closesAt={vote.closes_at} onClose={onClose} />
      ) : (
        <BallotForm vote={vote} onVoted={setReceipt} />
      )}
    </Dialog>
  );
}

function BallotForm({ vote, onVoted }: { vote: VotingProposalDetail; onVoted: (receipt: BallotReceipt) => void }) {
  const { id, title, my } = vote;
  const submit = async ({ choice }: Record<'choice', string>) => {
    const answer = await asVoter(() =>
      call<typeof castBallot>('POST', '/voting/proposals/{id}/vote', {
        params: { id },
        body: { choice: choice as BallotChoice },
      }),
    );
    onVoted(answer.receipt);
    await refreshVotes();
  };
  return (
    <ApiForm<'choice'>
      label={say('Your vote')}
      required={['choice']}
      emptyMessage={say('Choose how you vote.')}
      submit={submit}
      explain={explainVote}
    >
      <p className="text-lead font-semibold break-words">{title}</p>
      {my.choice && (
        <p className="text-ink-2">
          {say('So far your vote is: {choice}. The last one counts.', { choice: choiceWords(my.choice) })}
        </p>
      )}
      <Choice legend={say('How do you vote?')} name="choice" ways={ballotWays()} />
      <SubmitButton busyLabel={say('processing...')}>{say('Confirm my vote')}</SubmitButton>
    </ApiForm>
  );
}

function Receipt({
  receipt,
  closesAt,
  onClose,
}: {
  receipt: BallotReceipt;
  closesAt: string | null;
  onClose: () => void;
}) {
  return (
    <div className="grid gap-4">
      <p className="flex items-center gap-3 text-lead font-semibold">
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-forest-tint text-up">
          <Icon name="check" />
        </span>
        {choiceWords(receipt.choice)}
      </p>
      <Facts
        facts={[
          [say('Voted at'), <LongDate key="at" iso={receipt.at} time />],
          ...(receipt.round > 1 ? [[say('Round'), receipt.round] as const] : []),
          ...(receipt.revision > 1 ? [[say('Times that you have voted'), receipt.revision] as const] : []),
        ]}
      />
      <div className="rounded-box bg-sunken px-4 py-3">
        <ToCopy name={say('Your roll number')} text={receipt.handle} what={say('Copy your roll number')} />
        <p className="mt-2 text-small text-ink-2">{rollNumberSentence(false)}</p>
      </div>
      {closesAt && (
        <p className="num text-ink-2">{say('You may change it until {time}.', { time: longDateTime(closesAt) })}</p>
      )}
      <Button onClick={onClose}>{say('Done')}</Button>
    </div>
  );
}
