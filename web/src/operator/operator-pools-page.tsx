import type { OperatorPool, reviewPoolRoute } from '@ushirika/contract/operator';
import { POOL_REVIEWS, type PoolReview } from '@ushirika/contract/pools';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { call } from '../api/call.ts';
import { DeskList } from '../layouts/list-states.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Tag } from '../ui/card.tsx';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { Ago, nameOf } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { useOperatorPools } from './operator.queries.ts';
import { ReasonDialog } from './reason-dialog.tsx';

/** /operator/pools: guarantor pools that strangers see once somebody has looked at them. */
export function OperatorPoolsPage() {
  const [parameters] = useSearchParams();
  const review = POOL_REVIEWS.find((one) => one === parameters.get('review')) ?? 'waiting';
  const pools = useOperatorPools(review);
  const choices = POOL_REVIEWS.map((choice) => ({
    to: paths.operatorPools(choice),
    words: reviewWords(choice),
    isChosen: choice === review,
  }));
  return (
    <>
      <Title>{say('Pools to review')}</Title>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-title">{say('Pools to review')}</h2>
        <ChoiceBar label={say('Review')} choices={choices} />
      </div>
      <DeskList pages={pools} empty={emptyWords(review)}>
        {(rows) => (
          <ul className="card px-4 sm:px-5">
            {rows.map((pool) => (
              <ReviewedPool key={pool.id} pool={pool} />
            ))}
          </ul>
        )}
      </DeskList>
    </>
  );
}

function ReviewedPool({ pool }: { pool: OperatorPool }) {
  const [decision, setDecision] = useState<'approve' | 'refuse' | null>(null);
  return (
    <li className="rule grid gap-x-6 gap-y-3 py-4 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Link to={paths.guarantorPool(pool.id)} className="font-semibold break-words hover:underline">
            {pool.name}
          </Link>
          <ReviewTag pool={pool} />
        </p>
        <p className="mt-1 text-small text-ink-2">
          {pool.sacco ? (
            <Link className="link" to={paths.sacco(pool.sacco.id)}>
              {pool.sacco.name}
            </Link>
          ) : (
            say('Open to members of any sacco')
          )}{' '}
          · {say('by {name}', { name: nameOf(pool.created_by) })} · <Ago iso={pool.created_at} />
        </p>
        <p className="num mt-1 text-small text-ink-2">
          {say('Members')} {formatCount(pool.members_count)} · {say('Minimum contribution')}{' '}
          <Money shillings={pool.min_contribution} />
        </p>
        {pool.refused_before > 0 && (
          <p className="mt-1.5 text-small font-semibold text-clay">
            {say('Refused before, of the same person: {n}', { n: pool.refused_before })}
          </p>
        )}
        {pool.review_reason && <p className="mt-1.5 text-small">{pool.review_reason}</p>}
      </div>
      {pool.review !== 'approved' && (
        <div className="flex gap-2 self-start max-md:*:grow">
          <Button look="soft" onClick={() => setDecision('approve')}>
            {say('Approve')}
          </Button>
          {pool.review === 'waiting' && (
            <Button look="line" onClick={() => setDecision('refuse')}>
              {say('Refuse')}
            </Button>
          )}
        </div>
      )}
      {decision && <ReviewDialog pool={pool} decision={decision} onClose={() => setDecision(null)} />}
    </li>
  );
}

function ReviewTag({ pool }: { pool: OperatorPool }) {
  if (pool.review === 'refused') return <Tag tone="clay">{say('Refused')}</Tag>;
  return pool.is_public ? <Tag>{say('Seen by everybody')}</Tag> : <Tag tone="ochre">{say('Waits for a review')}</Tag>;
}

function ReviewDialog({
  pool,
  decision,
  onClose,
}: {
  pool: OperatorPool;
  decision: 'approve' | 'refuse';
  onClose: () => void;
}) {
  const isApproval = decision === 'approve';
  return (
    <ReasonDialog
      about={pool.id}
      title={isApproval ? say('Approve the pool') : say('Refuse the pool')}
      lead={
        isApproval
          ? say('Everybody then sees {pool} on the list of pools.', { pool: pool.name })
          : say('Strangers do not see {pool}. Its creator reads the reason and may use the name no longer.', {
              pool: pool.name,
            })
      }
      submitLabel={isApproval ? say('Approve') : say('Refuse')}
      look={isApproval ? 'main' : 'clay'}
      send={({ reason }, idempotencyKey) =>
        call<typeof reviewPoolRoute>('POST', '/operator/pools/{id}/review', {
          params: { id: pool.id },
          body: { decision, reason },
          idempotencyKey,
        })
      }
      onClose={onClose}
    />
  );
}

function reviewWords(review: PoolReview): string {
  if (review === 'waiting') return say('Waiting');
  return review === 'approved' ? say('Approved') : say('Refused');
}

function emptyWords(review: PoolReview) {
  return review === 'waiting'
    ? { title: say('No pool waits for a review'), next: say('New pools appear here as soon as they are made.') }
    : { title: say('No pool is in this state'), next: say('Choose another state above.') };
}
