import type { PublicVote, VotingProposalDetail } from '@ushirika/contract/voting';
import { usePoolDetails } from '../pools/pools.queries.ts';
import { Card } from '../ui/card.tsx';
import { say } from '../words/say.ts';
import { AHEAD } from './means-for-me.tsx';
import { poolLimitsMean, poolTermsMean } from './pool-means.ts';

/** Who votes, where a vote is of a guarantor pool. */
export const votersWords = ({ name }: NonNullable<PublicVote['pool']>): string =>
  say('Members of the pool {pool} vote on this.', { pool: name });

/** Of other terms or settings of a pool: what they would come to, as the pool stands. */
export function PoolMeans({ vote }: { vote: VotingProposalDetail }) {
  const { change, pool, state } = vote;
  const isAsked = (change?.kind === 'pool_terms' || change?.kind === 'pool_limits') && AHEAD.has(state);
  const { data } = usePoolDetails((isAsked && pool?.id) || '');
  if (!isAsked || !data) return null;
  const sentences = change.kind === 'pool_terms' ? poolTermsMean(change, data) : poolLimitsMean(change, data);
  if (sentences.length === 0) return null;
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('What it would come to')}</h2>
      <ul className="num mt-2 grid max-w-[70ch] list-disc gap-1.5 pl-4.5">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Card>
  );
}
