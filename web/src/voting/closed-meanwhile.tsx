import type { VotingProposalDetail } from '@ushirika/contract/voting';
import { closingOf, useSaccoChanges } from '../saccos/changes.queries.ts';
import { Card } from '../ui/card.tsx';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { AHEAD } from './means-for-me.tsx';

/** Of a vote on a market or a loan that two officials have closed for a while: what the vote says about that. */
export function ClosedMeanwhile({ vote: { sacco, change, state } }: { vote: VotingProposalDetail }) {
  const { data } = useSaccoChanges(change && AHEAD.has(state) ? sacco.id : undefined);
  if (!change) return null;
  const closing = closingOf(data?.results, change.kind, change.after.product ? String(change.after.product) : null);
  if (!closing?.undo_at) return null;
  const isKept = change.after.trading === 'closed' || change.after.is_offered === 'no';
  const time = longDateTime(closing.undo_at);
  return (
    <Card className="border-ochre p-5">
      <h2 className="text-lead">{say('Two officials have closed it for now')}</h2>
      <p className="num mt-2 max-w-[70ch]">
        {isKept
          ? say(
              'If members say yes, it stays closed. If they say no, it opens again: on {time}, or when the vote is over, if that is later.',
              { time },
            )
          : say(
              'This vote does not keep it closed. It opens again on {time}, unless another vote says that it stays closed. If this vote passes, it is open with what is voted on here.',
              { time },
            )}
      </p>
    </Card>
  );
}
