import type { LoanProduct } from '@ushirika/contract/loans';
import { Button } from '../ui/button.tsx';
import { Card, Facts } from '../ui/card.tsx';
import { Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { aMonth, daysInWords, methodWords, monthsInWords, percentOf } from './loan-words.ts';

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
export const costInShort = ({ monthly_rate, true_monthly_rate, true_rate_months }: LoanProduct): string =>
  say('{rate}, truly {year} a year for {months}', {
    rate: aMonth(monthly_rate),
    year: percentOf(true_monthly_rate * 12),
    months: monthsInWords(true_rate_months),
  });

/** The terms of a product. */
export function factsOf(product: LoanProduct) {
  const {
    monthly_rate,
    true_monthly_rate,
    true_rate_months,
    min_member_days: days,
    min_guarantors: guarantors,
  } = product;
  return [
    [say('Interest rate'), aMonth(monthly_rate)],
    [say('True rate, fee included'), aMonth(true_monthly_rate)],
    [
      say('True cost a year, for {months}', { months: monthsInWords(true_rate_months) }),
      percentOf(true_monthly_rate * 12),
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
        say('none needed')
      ) : (
        <span key="guarantors" className="block text-left">
          {say('{n}; none where your savings, alone or with a pool, cover the whole loan', { n: guarantors })}
        </span>
      ),
    ],
    [say('Fee'), product.fee_percentage === 0 ? say('none') : percentOf(product.fee_percentage)],
    [say('Penalty, from day 6 on'), aMonth(product.penalty_rate)],
  ] as const;
}
