import type { LoanProduct } from '@ushirika/contract/loans';
import { Button } from '../ui/button.tsx';
import { Card, Facts } from '../ui/card.tsx';
import { Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { aMonth, bothRates, daysInWords, methodWords, percentOf, wholeShillings } from './loan-words.ts';

/** What the sacco lends, a card each, with the terms that hold now. */
export function ProductCards({
  products,
  onChoose,
}: {
  products: readonly LoanProduct[];
  onChoose: (product: LoanProduct) => void;
}) {
  return (
    <section aria-labelledby="loan-products">
      <h2 id="loan-products" className="mt-2 mb-3 text-lead">
        {say('What this sacco lends')}
      </h2>
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {products.map((product) => (
          <li key={product.id} className="grid">
            <Card className="flex flex-col p-5">
              <h3 className="text-lead">{product.name}</h3>
              <p className="mt-0.5 text-small text-ink-2">{methodWords(product.method)}</p>
              <Facts facts={factsOf(product)} />
              <Button
                look="soft"
                className="mt-auto"
                aria-label={`${say('Work it out')}: ${product.name}`}
                onClick={() => onChoose(product)}
              >
                {say('Work it out')}
              </Button>
            </Card>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a product costs, in the line that stands for it while it is folded. */
export const costInShort = ({ monthly_rate, true_monthly_rate: rates }: LoanProduct): string =>
  say('{rate}, truly {year} a year', { rate: aMonth(monthly_rate), year: rangeOf(rates, 12) });

/** What a product truly costs, from the least to the most over its months. */
const rangeOf = ({ least, most }: LoanProduct['true_monthly_rate'], times = 1): string =>
  percentOf(least * times) === percentOf(most * times)
    ? percentOf(least * times)
    : say('{from} to {until}', { from: percentOf(least * times), until: percentOf(most * times) });

/** The terms of a product. */
export function factsOf(product: LoanProduct) {
  const { true_monthly_rate: rates, min_member_days: days, min_guarantors: guarantors } = product;
  return [
    [say('Interest rate'), bothRates(product)],
    [say('True rate, fee included'), say('{rate} a month', { rate: rangeOf(rates) })],
    [
      rates.least === rates.most ? say('True cost a year') : say('True cost a year, least and most over its months'),
      rangeOf(rates, 12),
    ],
    [
      say('Amount'),
      <span key="amount">
        <Money shillings={product.min_amount} /> {say('to')} <Money shillings={product.max_amount} />
      </span>,
    ],
    [
      say('Time'),
      say('{least} to {most, plural, one {# month} other {# months}}', {
        least: product.min_months,
        most: product.max_months,
      }),
    ],
    [say('Up to'), say('{times} times your savings', { times: product.multiplier })],
    ...(days > 0 ? [[say('Member for'), daysInWords(days)] as const] : []),
    [
      say('Guarantors'),
      guarantors === 0 ? (
        <span key="guarantors" className="block text-left">
          {say('none where your savings, alone or with a pool, cover the whole loan')}
        </span>
      ) : (
        <span key="guarantors" className="block text-left">
          {say('{n}; none where your savings, alone or with a pool, cover the whole loan', { n: guarantors })}
        </span>
      ),
    ],
    ...wholeShillings(product),
    [say('Fee'), product.fee_percentage === 0 ? say('none') : percentOf(product.fee_percentage)],
    [say('Penalty, from day 6 on'), aMonth(product.penalty_rate)],
  ] as const;
}
