import type {
  cancelVotingProposal,
  demandSecretBallot,
  holdVoteResult,
  releaseVoteResult,
  signVotingProposal,
  standDown,
  VotingProposalDetail,
  voidVoteResult,
} from '@ushirika/contract/voting';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { Button, type ButtonLook } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { asVoter } from './as-voter.ts';
import { explainVote } from './explain-vote.ts';
import { refreshVotes } from './voting.queries.ts';
import { useWhatWaits } from './what-waits.tsx';

const ACTS = ['sign', 'demand_secret', 'stand_down', 'cancel', 'hold', 'release', 'void'] as const;
type Act = (typeof ACTS)[number];

interface ActWords {
  readonly button: string;
  readonly title: string;
  /** What follows from it. */
  readonly lead: string;
  readonly look: ButtonLook;
  readonly asksReason: boolean;
}

function wordsOf(act: Act, isPublished: boolean): ActWords {
  const words: Record<Act, ActWords> = {
    sign: {
      button: say('Sign the draft'),
      title: say('Sign this draft?'),
      lead: say('You say with it that members shall vote on this. The last signature publishes it as it is.'),
      look: 'main',
      asksReason: false,
    },
    demand_secret: {
      button: say('Ask for a secret ballot'),
      title: say('Ask for a secret ballot?'),
      lead: say('Once one in ten of the roll has asked, the ballot is secret. Nobody is told who asked.'),
      look: 'line',
      asksReason: false,
    },
    stand_down: {
      button: say('Stand down'),
      title: say('Stand down from this election?'),
      lead: say('Then nobody can vote for you. You may stand again as long as members may stand.'),
      look: 'line',
      asksReason: false,
    },
    cancel: {
      button: say('Take it back'),
      title: say('Take this vote back?'),
      lead: isPublished
        ? say(
            'Whoever drafted it and another one who has signed it take it back: one asks, the other agrees. Of the board’s votes two signers do. Then nobody votes on it. Members read your reason.',
          )
        : say('Then nobody votes on it. Members read your reason.'),
      look: 'line',
      asksReason: true,
    },
    hold: {
      button: say('Hold the result'),
      title: say('Hold this result?'),
      lead: say(
        'It is not carried out while you examine whether it is lawful, 14 days at most. Another one of the committee may then void it, you may not. Members read your reason.',
      ),
      look: 'line',
      asksReason: true,
    },
    release: {
      button: say('It is lawful: release it'),
      title: say('Release this result?'),
      lead: say('It is carried out when its time has come. You cannot hold it again.'),
      look: 'main',
      asksReason: false,
    },
    void: {
      button: say('It is unlawful: void it'),
      title: say('Void this result?'),
      lead: say('It is never carried out. Members read your reason.'),
      look: 'clay',
      asksReason: true,
    },
  };
  return words[act];
}

/** The buttons of whoever may sign a draft, take it back, or examine a result. */
export function VoteActs({ vote: { id, may, published_at } }: { vote: VotingProposalDetail }) {
  const [asked, setAsked] = useState<Act | null>(null);
  const acts = ACTS.filter((act) => may.includes(act));
  if (acts.length === 0) return null;
  return (
    <div className="grid gap-2.5">
      {acts.map((act) => {
        const { button, look } = wordsOf(act, published_at !== null);
        return (
          <Button key={act} look={look} onClick={() => setAsked(act)}>
            {button}
          </Button>
        );
      })}
      {asked && <ActDialog id={id} act={asked} isPublished={published_at !== null} onClose={() => setAsked(null)} />}
    </div>
  );
}

function ActDialog({
  id,
  act,
  isPublished,
  onClose,
}: {
  id: string;
  act: Act;
  isPublished: boolean;
  onClose: () => void;
}) {
  const { button, title, lead, asksReason } = wordsOf(act, isPublished);
  const { explain, link } = useWhatWaits(explainVote);
  const submit = async ({ reason = '' }: Partial<Record<'reason', string>>) => {
    toast.success(await asVoter(() => send(id, act, reason)));
    onClose();
    await refreshVotes();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <ApiForm<'reason'>
        keptAs={`${act} of vote ${id}`}
        label={title}
        required={asksReason ? ['reason'] : []}
        emptyMessage={say('Write the reason.')}
        submit={submit}
        explain={explain}
      >
        <p className="text-ink-2">{lead}</p>
        {link}
        {asksReason && (
          <TextArea
            label={say('Reason')}
            name="reason"
            required
            rows={4}
            maxLength={300}
            hint={say('10 to 300 characters.')}
          />
        )}
        <SubmitButton busyLabel={say('processing...')}>{button}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}

/** Does it, and answers with the sentence that says so. */
async function send(id: string, act: Act, reason: string): Promise<string> {
  const params = { id };
  const withReason = { params, body: { reason } };
  const { message } = await {
    sign: () => call<typeof signVotingProposal>('POST', '/voting/proposals/{id}/signature', { params }),
    demand_secret: () => call<typeof demandSecretBallot>('POST', '/voting/proposals/{id}/secret-demand', { params }),
    stand_down: () => call<typeof standDown>('DELETE', '/voting/proposals/{id}/nomination', { params }),
    cancel: () => call<typeof cancelVotingProposal>('POST', '/voting/proposals/{id}/cancellation', withReason),
    hold: () => call<typeof holdVoteResult>('POST', '/voting/proposals/{id}/hold', withReason),
    release: () => call<typeof releaseVoteResult>('POST', '/voting/proposals/{id}/release', { params }),
    void: () => call<typeof voidVoteResult>('POST', '/voting/proposals/{id}/void', withReason),
  }[act]();
  return message;
}
