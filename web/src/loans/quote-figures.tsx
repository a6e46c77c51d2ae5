import { centsOf } from '@ushirika/contract/format';
import type { LoanQuote } from '@ushirika/contract/loans';
import { Facts } from '../ui/card.tsx';
import { Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { centsForGuarantors } from './loan.rules.ts';
import { aMonth, aYear, bothRates, methodMeaning, methodWords, monthsInWords, wholeShillings } from './loan-words.ts';

/** What a loan would cost, the instalment first. */
export function QuoteFigures({ quote }: { quote: LoanQuote }) {
  const { product } = quote;
  const isFlat = product.method === 'flat';
  return (
    <>
      <p className="text-small text-ink-2">
        {product.method === 'equal_principal' ? say('The first instalment, the largest') : say('Each month, at most')}
      </p>
      <p className="text-head font-bold tracking-tight">
        <Money shillings={quote.instalment} />
      </p>
      <Facts
        facts={[
          [say('For'), monthsInWords(quote.months)],
          [say('Arrives in your wallet'), <Money key="paid" shillings={quote.paid_out} />],
          [say('Fee, taken out of it'), <Money key="fee" shillings={quote.fee} />],
          ...poolFeeFacts(quote),
          ...wholeShillings(product),
          [say('Interest in all'), <Money key="interest" shillings={quote.total_interest} />],
          [say('What the loan costs in all'), <Money key="cost" shillings={quote.total_cost} />],
          [isFlat ? say('Rate, on the whole amount') : say('Interest rate'), bothRates(product)],
          [
            say('True rate, fee included'),
            <span key="true">
              {aMonth(quote.true_monthly_rate)} · {aYear(quote.annual_percentage_rate)}
            </span>,
          ],
        ]}
      />
      <p className="mt-2 text-small text-ink-2">
        <b>{methodWords(product.method)}.</b> {methodMeaning(product.method)}
      </p>
    </>
  );
}

/** What a pool takes for its guarantee in the moment of the payout, and what is left then; nothing without a pool. */
export function poolFeeFacts({ pool_fee: fee, paid_out }: Pick<LoanQuote, 'pool_fee' | 'paid_out'>) {
  if (fee === 0) return [];
  return [
    [say('Fee of the guarantor pool'), <Money key="pool" shillings={fee} />],
    [
      say('Left for you after the pool’s fee'),
      <Money key="left" shillings={(centsOf(paid_out) - centsOf(fee)) / 100} />,
    ],
  ] as const;
}

/** What must stand behind the loan before the committee gets it; a pool that was chosen takes its part of it. */
export function QuoteCover({ quote, poolCents = 0 }: { quote: LoanQuote; poolCents?: number }) {
  const neededCents = centsForGuarantors(quote, poolCents);
  const guarantors = neededCents === 0 ? 0 : quote.guarantors_needed;
  return (
    <>
      <Facts
        facts={[
          [say('Your own free savings stand for'), <Money key="own" shillings={quote.own_cover} />],
          ...(poolCents > 0
            ? [[say('A guarantor pool stands for'), <Money key="pool" shillings={poolCents / 100} />] as const]
            : []),
          [say('Guarantors must cover'), <Money key="cover" shillings={neededCents / 100} />],
          ...(guarantors > 0
            ? [
                [
                  say('At least'),
                  say('{n, plural, one {1 guarantor} other {# guarantors}}', { n: guarantors }),
                ] as const,
              ]
            : []),
        ]}
      />
      {neededCents === 0 && <p className="mt-2 text-small text-ink-2">{needsNoGuarantor(poolCents)}</p>}
    </>
  );
}

/** Why no guarantor has to cover anything. */
export const needsNoGuarantor = (poolCents: number): string =>
  poolCents > 0
    ? say('The pool and your own savings cover it: you need no guarantor.')
    : say('Your own savings cover it: you need no guarantor.');
