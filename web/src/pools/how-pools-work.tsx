import { formatShillings } from '@ushirika/contract/format';
import type { PoolDetails } from '@ushirika/contract/pools';
import { Fold } from '../ui/fold.tsx';
import { say } from '../words/say.ts';
import { percent } from './pool-card.tsx';

/** The rules of a pool, which one need not read before its figures: how guarantees count, and how their price comes about. */
export function HowPoolsWork({ pool }: { pool: PoolDetails }) {
  const [example] = pool.price_examples;
  return (
    <div className="mt-4">
      <Fold title={say('How this works')}>
        <ul className="num grid max-w-[70ch] list-disc gap-1.5 pl-4.5 text-ink-2">
          <li>{say('A guarantee counts for more, the lower the trust score of its borrower.')}</li>
          <li>{say('A full pool gives no new guarantee.')}</li>
          <li>
            {say(
              'More trust makes a guarantee cheaper. Above {part} of the capacity it grows dearer, up to twice the price.',
              { part: percent(pool.settings.kink) },
            )}
          </li>
          {example && <li>{howTheFeeComes(example)}</li>}
          <li>
            {say('Whoever joins accepts these terms by their hash:')}{' '}
            <code className="break-all">{pool.terms_hash}</code>
          </li>
        </ul>
      </Fold>
    </div>
  );
}

/** By the formula of A5 for a loan of equal principals; the request dialog says the same of its own quote. */
const howTheFeeComes = ({ amount, period_months: n }: PoolDetails['price_examples'][number]): string =>
  say(
    'The price a year counts on what is still guaranteed, which falls with each repayment. So the fee is {amount} × price a year × {months} ÷ 24.',
    { amount: formatShillings(amount), months: n + 1 },
  );
