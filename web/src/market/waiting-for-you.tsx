import type { Order } from '@ushirika/contract/market';
import type { UseWaiting, WaitingThing } from '../layouts/waiting-thing.ts';
import { paths } from '../paths.ts';
import { formatCount, Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { useOpenOrders } from './open-orders.queries.ts';

/** Orders of which a part has traded: what is left still waits, and can be changed. */
export const useWaiting: UseWaiting = ({ sacco, isMember }) => {
  const { data: orders } = useOpenOrders(isMember ? sacco : undefined);
  if (!isMember) return [];
  return orders?.filter(({ filled }) => filled > 0).map(partlyFilled);
};

function partlyFilled(order: Order): WaitingThing {
  const values = { done: formatCount(order.filled), n: formatCount(order.shares) };
  return {
    key: order.id,
    icon: 'swap',
    title:
      order.side === 'sell'
        ? say(
            '{done} of {n} {n, plural, one {share} other {shares}} that you offer {done, plural, one {is} other {are}} sold',
            values,
          )
        : say(
            '{done} of {n} {n, plural, one {share} other {shares}} that you want {done, plural, one {is} other {are}} bought',
            values,
          ),
    words: (
      <>
        {say('{n} still {n, plural, one {waits} other {wait}} at', { n: formatCount(order.remaining) })}{' '}
        <Money shillings={order.price} />
      </>
    ),
    to: paths.clientShareTrading(),
  };
}
