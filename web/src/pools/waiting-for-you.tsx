import { formatShillings } from '@ushirika/contract/format';
import type { UseWaiting, WaitingThing } from '../layouts/waiting-thing.ts';
import { say } from '../words/say.ts';
import { quoteInWords } from './guarantee-words.ts';
import { clientPoolPaths } from './pool-paths.ts';
import { usePoolContracts, usePoolRequests, usePoolReviews } from './pools.queries.ts';

/** Quotes to sign, requests to decide as a steward, and demands on pools with one's money; what cannot be read is left out. */
export const useWaiting: UseWaiting = () => {
  const requests = usePoolRequests('open');
  const reviews = usePoolReviews();
  const backed = usePoolContracts('backer', 'open');
  if ([requests, reviews, backed].some(({ rows, isError }) => !rows && !isError)) return undefined;
  return [
    ...(requests.rows ?? [])
      .filter(({ state }) => state === 'QUOTED')
      .map(
        (request): WaitingThing => ({
          key: request.id,
          icon: 'shield',
          title: say('Sign your guarantee, or let it lapse'),
          words: `${request.pool.name} · ${quoteInWords(request)}`,
          to: clientPoolPaths.request(request.id),
          dueAt: request.expires_at ?? undefined,
        }),
      ),
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
