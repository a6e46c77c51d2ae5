import type { PublicVote, showVoteTitle } from '@ushirika/contract/voting';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import { useIsOperator } from '../operator/operator.queries.ts';
import { ReasonDialog } from '../operator/reason-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { say } from '../words/say.ts';

/** Operators hide the title of a vote from strangers here, or show it again, where strangers read it. The public page loads it for whoever is signed in. */
export function OperatorTitle({ vote }: { vote: PublicVote }) {
  const [isAsked, setAsked] = useState(false);
  const isOperator = useIsOperator();
  if (!isOperator || vote.is_about_person || vote.pool) return null;
  const { title_hidden: isHidden } = vote;
  const label = isHidden ? say('Show the title again') : say('Hide the title from strangers');
  const send = async (reason: string) => {
    const body = { is_shown: isHidden, reason };
    const answer = await call<typeof showVoteTitle>('POST', '/operator/votes/{id}/title', {
      params: { id: vote.id },
      body,
    });
    await refresh(['Voting']);
    return answer;
  };
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5 lg:col-span-2">
      <p className="max-w-[60ch] text-ink-2">
        {isHidden
          ? say('Strangers do not read this title: “{title}”. Members read it, with the reason.', { title: vote.title })
          : say('You are an operator: a title that insults or accuses somebody does not belong on a public page.')}
      </p>
      <Button look="line" onClick={() => setAsked(true)}>
        {label}
      </Button>
      {isAsked && (
        <ReasonDialog
          about={vote.id}
          title={label}
          lead={
            isHidden
              ? say(
                  'Everybody reads it again: “{title}”. Members read your reason in what has happened, and whoever drafted the vote is told.',
                  { title: vote.title },
                )
              : say(
                  'Members of the sacco still read the title, and your reason in what has happened. Whoever drafted the vote is told.',
                )
          }
          submitLabel={label}
          look={isHidden ? 'main' : 'clay'}
          reasonHint={say('Kept in the log with your name. Members read it without your name.')}
          send={({ reason }) => send(reason)}
          onClose={() => setAsked(false)}
        />
      )}
    </Card>
  );
}
