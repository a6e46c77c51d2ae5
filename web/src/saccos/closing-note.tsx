import type { SaccoChange } from '@ushirika/contract/sacco-changes';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';

/** Of what two officials closed at once: until when it stays closed, and the way to a vote on it. */
export function ClosingNote({ change }: { change: SaccoChange | undefined }) {
  if (change?.vote) return <VoteOnIt change={change} vote={change.vote} />;
  if (!change?.undo_at) return null;
  const { product } = change.after;
  return (
    <p role="status" className="num rounded-box bg-ochre-tint px-4 py-3 text-small font-medium text-ochre-ink">
      {say(
        'Two officials closed this. It opens again on {time}, unless a vote that is published by then decides otherwise.',
        {
          time: longDateTime(change.undo_at),
        },
      )}{' '}
      <Link
        className="link"
        to={paths.clientDraftTerms(change.kind, product === undefined ? undefined : String(product))}
      >
        {say('Draft a vote')}
      </Link>
    </p>
  );
}

function VoteOnIt({ change, vote }: { change: SaccoChange; vote: NonNullable<SaccoChange['vote']> }) {
  return (
    <p
      role="status"
      className="num rounded-box bg-ochre-tint px-4 py-3 text-small font-medium break-words text-ochre-ink"
    >
      {change.undo_at
        ? say('Two officials closed this. It stays closed while members vote on that:')
        : say('Two officials closed this. Members have voted that it stays closed:')}{' '}
      <Link className="link" to={paths.votingProposal(vote.id)}>
        {vote.title}
      </Link>
    </p>
  );
}
