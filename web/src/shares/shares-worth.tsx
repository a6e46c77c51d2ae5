import { Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { sharesAmount } from './shares-amount.ts';

/**
 * What shares come to, in shillings: at the sacco's own share value and, where members have traded, at their last price. The
 * two differ, and a member sells at the second.
 */
export function SharesWorth({ shares, value, lastPrice }: { shares: number; value: number; lastPrice: number | null }) {
  return (
    <>
      <p className="flex min-h-6 flex-wrap items-center gap-x-1">
        {say('at share value')} <Money shillings={value} />
      </p>
      {lastPrice !== null && (
        <p className="flex min-h-6 flex-wrap items-center gap-x-1">
          {say('at last price')} <Money shillings={sharesAmount(shares, lastPrice)} />
        </p>
      )}
    </>
  );
}
