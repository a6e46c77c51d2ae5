import { useQuery } from '@tanstack/react-query';
import type { listVotingProposals, VotingProposal } from '@ushirika/contract/voting';
import { call } from '../api/call.ts';
import { say } from '../words/say.ts';

/** The vote of a pool that one helps: until it is counted, or voting on it begins, one drafts and signs no other of that pool. */
export function useBusyWith(sacco: string | undefined, pool: string | null): VotingProposal | undefined {
  const { data } = useQuery({
    queryKey: ['Voting', 'busy', sacco],
    queryFn: ({ signal }) => Promise.all((['coming', 'open'] as const).map((view) => newest(view, signal))),
    enabled: sacco !== undefined && pool !== null,
  });
  const votes = pool === null ? [] : (data ?? []).flatMap(({ results }) => results);
  return votes.find((vote) => vote.pool?.id === pool && vote.my.keeps_from_others);
}

const newest = (view: 'coming' | 'open', signal: AbortSignal) =>
  call<typeof listVotingProposals>('GET', '/voting/proposals', { query: { view, limit: 50 }, signal });

export function BusyNote({ vote }: { vote: VotingProposal }) {
  return (
    <p className="rounded-box bg-ochre-tint px-4 py-3 text-small">
      {say(
        'You help another vote of this pool, “{title}”. Draft or sign the next one once voting on it begins, or, if you drafted it, once it is counted.',
        {
          title: vote.title,
        },
      )}
    </p>
  );
}
