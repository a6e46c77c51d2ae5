import { useQuery } from '@tanstack/react-query';
import type { SecretReceipt, VotingProposalDetail } from '@ushirika/contract/voting';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { CallFailure } from '../api/failure.ts';
import { Choice } from '../complaints/choice.tsx';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Progress } from '../ui/figures.tsx';
import { type Explanation, SubmitButton } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import type { CastStep } from './cast-secretly.ts';
import { explainVote } from './explain-vote.ts';
import { forgetPaper, keptPaper, type Paper, paperKey, UnfitSignature } from './kept-papers.ts';
import { receiptFile } from './receipt-file.ts';
import { refreshVotes, votingKey } from './voting.queries.ts';
import { ballotWays, candidateWays, choiceWordsIn, secretLimits } from './voting-words.ts';

/** The ballot paper of a vote's round that this device keeps for who is signed in. */
export function useKeptPaper({ id, round, ballot }: Pick<VotingProposalDetail, 'id' | 'round' | 'ballot'>) {
  const userId = useSession()?.user.id ?? '';
  const key = paperKey(userId, id, round);
  const { data } = useQuery({
    queryKey: votingKey('paper', key),
    queryFn: () => keptPaper(key),
    enabled: ballot === 'secret',
    networkMode: 'always',
  });
  return { key, paper: data };
}

/** What one has done in a secret vote, as this device knows it, and the way to vote. */
export function SecretVote({ vote }: { vote: VotingProposalDetail }) {
  const [isOpen, setOpen] = useState(false);
  const { key, paper } = useKeptPaper(vote);
  if (paper === undefined) return null;
  const isElsewhere = vote.my.has_token && !paper;
  const mayVote = vote.may.includes('vote') && !paper?.receipt && !isElsewhere;
  return (
    <div className="mt-2 grid gap-3 empty:hidden">
      {paper?.receipt && <KeptReceipt vote={vote} receipt={paper.receipt} keptAs={key} />}
      {isElsewhere && (
        <p className="text-ink-2">
          {say(
            'Your ballot paper was given to another device, or this one has forgotten it. What was done with it is secret, also from us.',
          )}
        </p>
      )}
      {mayVote && (
        <>
          {paper && <p className="font-semibold">{say('Your ballot paper is here. Your vote is not in yet.')}</p>}
          <Button onClick={() => setOpen(true)}>{say('Vote')}</Button>
        </>
      )}
      {isOpen && <SecretDialog vote={vote} paper={paper} keptAs={key} onClose={() => setOpen(false)} />}
    </div>
  );
}

interface DialogProps {
  readonly vote: VotingProposalDetail;
  readonly paper: Paper | null;
  readonly keptAs: string;
  readonly onClose: () => void;
}

function SecretDialog({ vote, paper, keptAs, onClose }: DialogProps) {
  const [receipt, setReceipt] = useState<SecretReceipt | null>(null);
  return (
    <Dialog title={receipt ? say('Your vote is in') : say('Your secret vote')} onClose={onClose}>
      {receipt ? (
        <div className="grid gap-4">
          <p className="text-lead font-semibold">{choiceWordsIn(vote, receipt.choice)}</p>
          <ReceiptWords />
          <Button look="line" onClick={() => download(vote, receipt)}>
            {say('Download my receipt')}
          </Button>
          <Button onClick={onClose}>{say('Done')}</Button>
        </div>
      ) : (
        <SecretForm vote={vote} paper={paper} keptAs={keptAs} onVoted={setReceipt} />
      )}
    </Dialog>
  );
}

function SecretForm({
  vote,
  paper,
  keptAs,
  onVoted,
}: Omit<DialogProps, 'onClose'> & { onVoted: (receipt: SecretReceipt) => void }) {
  const [step, setStep] = useState<CastStep | null>(null);
  const sent = paper?.choice ?? null;
  const submit = async ({ choice = '' }: Partial<Record<'choice', string>>) => {
    try {
      const { castSecretly } = await import('./cast-secretly.ts');
      onVoted(await castSecretly({ id: vote.id, round: vote.round, keptAs }, sent ?? choice, setStep));
    } finally {
      setStep(null);
      await refreshVotes();
    }
  };
  return (
    <ApiForm<'choice'>
      label={say('Your secret vote')}
      required={sent ? [] : ['choice']}
      emptyMessage={say('Choose how you vote.')}
      submit={submit}
      explain={explainSecret}
    >
      <p className="text-lead font-semibold break-words">{vote.title}</p>
      {sent ? (
        <p className="text-ink-2">
          {say('You chose: {choice}. No answer came. The same vote is sent again, and counts once.', {
            choice: choiceWordsIn(vote, sent),
          })}
        </p>
      ) : (
        <Choice
          legend={say('How do you vote?')}
          name="choice"
          ways={vote.election ? candidateWays(vote.election.candidates) : ballotWays()}
        />
      )}
      <ul className="grid list-disc gap-1.5 pl-4.5 text-small text-ink-2">
        <li>{say('Your device sends it without your name.')}</li>
        <li>{secretLimits()}</li>
        <li>{say('You cannot change it once it is in.')}</li>
      </ul>
      {step && <OnTheWay step={step} />}
      <SubmitButton busyLabel={say('processing...')}>{say('Confirm my vote')}</SubmitButton>
    </ApiForm>
  );
}

function OnTheWay({ step }: { step: CastStep }) {
  const words: Record<CastStep, string> = {
    paper: say('Your device makes a ballot paper...'),
    signature: say('It is signed, without being read...'),
    vote: say('Your vote is on its way. Keep this page open...'),
  };
  return (
    <div aria-live="polite">
      <p className="mb-1.5 text-small">{words[step]}</p>
      <Progress value={['paper', 'signature', 'vote'].indexOf(step) + 1} max={4} label={words[step]} />
    </div>
  );
}

/** What went wrong while a secret ballot was cast. */
export function explainSecret(error: unknown): Explanation {
  if (error instanceof CallFailure) return explainVote(error);
  if (error instanceof UnfitSignature) {
    return {
      toasts: [
        say(
          'The signature on your ballot paper does not fit this vote. You have not voted. Tell the supervisory committee.',
        ),
      ],
    };
  }
  return { toasts: [say('This browser cannot keep a ballot paper. Leave private browsing, or use another browser.')] };
}

function ReceiptWords() {
  return (
    <div className="grid gap-2 rounded-box bg-sunken px-4 py-3 text-small">
      <p className="font-semibold">{say('Your receipt proves how you voted, to whoever sees it.')}</p>
      <p className="text-ink-2">
        {say(
          'Show it to nobody who could reward or punish you for your vote. With it you find your ballot among all others after the count.',
        )}
      </p>
    </div>
  );
}

function KeptReceipt({
  vote,
  receipt,
  keptAs,
}: {
  vote: VotingProposalDetail;
  receipt: SecretReceipt;
  keptAs: string;
}) {
  const forget = async () => {
    await forgetPaper(keptAs);
    toast.success(say('This device has forgotten it.'));
    await refreshVotes();
  };
  return (
    <div className="grid gap-3">
      <Facts
        facts={[
          [say('Your vote'), choiceWordsIn(vote, receipt.choice)],
          ...(vote.election && receipt.choice !== 'abstain'
            ? [
                [
                  say('Their code in the file of ballots'),
                  <span key="code" className="break-all">
                    {receipt.choice}
                  </span>,
                ] as const,
              ]
            : []),
          [
            say('Number of your ballot'),
            <span key="serial" className="break-all">
              {receipt.serial}
            </span>,
          ],
        ]}
      />
      <p className="flex gap-2 text-small text-ink-2">
        <Icon name="info" className="mt-0.5 size-4 shrink-0" />
        {say('Only this device knows this. Whoever uses it can read it here.')}
      </p>
      <Button look="line" onClick={() => download(vote, receipt)}>
        {say('Download my receipt')}
      </Button>
      <Button look="quiet" onClick={() => void forget()}>
        {say('Forget it on this device')}
      </Button>
    </div>
  );
}

function download(vote: VotingProposalDetail, receipt: SecretReceipt): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([receiptFile(vote, receipt)], { type: 'application/json' }));
  link.download = `ballot-${receipt.serial.slice(0, 8)}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
