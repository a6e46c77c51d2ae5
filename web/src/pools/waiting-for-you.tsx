import { formatShillings } from '@ushirika/contract/format';
import type { PoolContract, PoolRequest } from '@ushirika/contract/pools';
import { now } from '../clock.ts';
import type { UseWaiting, WaitingThing } from '../layouts/waiting-thing.ts';
import { LongDate } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { quoteInWords } from './guarantee-words.ts';
import { clientPoolPaths } from './pool-paths.ts';
import { usePoolContracts, usePoolRequests, usePoolReviews } from './pools.queries.ts';

/**
 * One's own quotes, requests and guarantees that lapse unless something is done, requests to decide as a steward, and demands on pools with
 * one's money; what cannot be read is left out.
 */
export const useWaiting: UseWaiting = () => {
  const requests = usePoolRequests('open');
  const reviews = usePoolReviews();
  const backed = usePoolContracts('backer', 'open');
  const mine = usePoolContracts('borrower', 'open');
  if ([requests, reviews, backed, mine].some(({ rows, isError }) => !rows && !isError)) return undefined;
  return [
    ...(requests.rows ?? []).flatMap(requestThings),
    ...(mine.rows ?? []).flatMap(unusedThings),
    ...(reviews.rows ?? [])
      .filter(({ my_voice }) => my_voice === null)
      .map(
        (review): WaitingThing => ({
          key: review.id,
          icon: 'shield',
          title: say('{name} asks your pool for a guarantee', { name: review.borrower.name }),
          words: `${review.pool.name} · ${quoteInWords(review)}`,
          to: clientPoolPaths.list,
          dueAt: review.expires_at ?? undefined,
          act: say('Decide'),
        }),
      ),
    ...(backed.rows ?? [])
      .filter(({ state, my_lock }) => my_lock > 0 && (state === 'DEMAND' || state === 'CALLED'))
      .map(
        (contract): WaitingThing => ({
          key: contract.id,
          icon: 'alert',
          title: say('A loan that your pool guarantees is late'),
          words: say('You could lose at most {amount}.', { amount: formatShillings(contract.my_lock) }),
          to: clientPoolPaths.contract(contract.id),
          dueAt: contract.callable_from ?? undefined,
        }),
      ),
  ];
};

/** The stewards have this much longer: the borrower can still ask them. */
const SOON_MS = 24 * 3_600_000;

/** A quote to sign, and a request that the stewards have not decided and that lapses soon. */
function requestThings(request: PoolRequest): WaitingThing[] {
  const { state, expires_at: by, pool } = request;
  const isLate = state === 'IN_REVIEW' && by !== null && Date.parse(by) - now() < SOON_MS;
  if (by === null || (state !== 'QUOTED' && !isLate)) return [];
  return [
    {
      key: request.id,
      icon: 'shield',
      title: isLate ? say('The stewards have not decided yet') : say('Sign your guarantee, or let it lapse'),
      words: (
        <Lapses
          words={`${pool.name} · ${quoteInWords(request)}`}
          lapses={isLate ? say('Without a decision it lapses on') : null}
          by={by}
        />
      ),
      to: clientPoolPaths.request(request.id),
      dueAt: by,
    },
  ];
}

/** An approved guarantee that no application names yet. */
function unusedThings(contract: PoolContract): WaitingThing[] {
  const { state, loan, use_by: by, pool } = contract;
  if (state !== 'PENDING_LOAN' || loan !== null || by === null) return [];
  return [
    {
      key: contract.id,
      icon: 'shield',
      title: say('Use your guarantee for a loan, or let it lapse'),
      words: <Lapses words={`${pool.name} · ${quoteInWords(contract)}`} lapses={null} by={by} />,
      to: clientPoolPaths.contract(contract.id),
      dueAt: by,
    },
  ];
}

function Lapses({ words, lapses, by }: { words: string; lapses: string | null; by: string }) {
  return (
    <>
      {words} · {lapses ?? say('Lapses on')} <LongDate iso={by} time />
    </>
  );
}
