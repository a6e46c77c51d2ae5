import type { GuaranteeQuote } from '@ushirika/contract/pools';
import { Facts } from '../ui/card.tsx';
import { Money } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { percent } from './pool-card.tsx';

/** What a guarantee costs and binds: the fee first, as the largest figure. */
export function QuoteFacts({
  quote,
  isOwn = true,
  isKept = false,
}: {
  quote: GuaranteeQuote;
  isOwn?: boolean;
  /** The quote of a request: its score is that of its own day. */
  isKept?: boolean;
}) {
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span>
          <span className="block text-small text-ink-2">{say('Fee, once')}</span>
          <Money shillings={quote.fee} className="text-head font-bold tracking-tight" />
        </span>
        <span className="num text-right">
          <span className="block text-small text-ink-2">{say('Price a year')}</span>
          <span className="text-title font-bold">{quote.risk_percentage.toFixed(2)}%</span>
        </span>
      </p>
      <p className="num mt-1 text-small text-ink-2">
        {say(
          'The price counts on what is still guaranteed, which falls with each repayment. So the fee is {part}% of the whole amount.',
          { part: ((100 * quote.fee) / quote.amount).toFixed(2) },
        )}
      </p>
      <Facts
        facts={[
          [scoreName(isOwn, isKept), <Score key="score" quote={quote} isKept={isKept} />],
          [say('The pool would be'), <Fullness key="full" quote={quote} />],
          [
            isOwn ? say('Locked of your own money') : say('Locked of the borrower’s own money'),
            <Money key="own" shillings={quote.own_lock} />,
          ],
          [say('Locked of other members’ money'), <Money key="others" shillings={quote.others_lock} />],
          ...(isOwn && quote.reasons.length > 0
            ? []
            : [
                [
                  say('When it is decided'),
                  quote.is_automatic && isOwn ? say('at once, when you sign') : say('by the stewards, within 72 hours'),
                ] as const,
              ]),
        ]}
      />
    </>
  );
}

function scoreName(isOwn: boolean, isKept: boolean): string {
  if (!isOwn) return say('Trust score of the borrower');
  return isKept ? say('Your trust score in this quote') : say('Your trust score');
}

/** A score that was kept with a quote has its day beside it: the score goes on changing. */
function Score({ quote: { trust }, isKept }: { quote: GuaranteeQuote; isKept: boolean }) {
  if (!isKept) return trust.score;
  return (
    <span>
      {trust.score}
      <span className="block text-small font-normal text-ink-2">{say('As of {day}', { day: longDate(trust.at) })}</span>
    </span>
  );
}

/** How full the pool would be, and what that means. */
function Fullness({ quote: { utilisation_after, crowding } }: { quote: GuaranteeQuote }) {
  const part = percent(utilisation_after);
  return (
    <span>
      {crowding === 0
        ? say('{part} full', { part })
        : say('{part} full: the price is {factor} times as high', { part, factor: (1 + crowding).toFixed(2) })}
      <span className="block text-small font-normal text-ink-2">
        {say('That much of all that it can guarantee would be taken.')}
      </span>
    </span>
  );
}

/** What stands against a guarantee, a sentence each; nothing where it can be had. */
export function WhatStandsAgainst({ reasons }: { reasons: GuaranteeQuote['reasons'] }) {
  if (reasons.length === 0)
    return (
      <p className="mt-2 flex items-center gap-2 font-medium text-up">
        <Icon name="check" className="size-4.5" />
        {say('Nothing stands against it.')}
      </p>
    );
  return (
    <div className="mt-2 rounded-box bg-clay-tint px-4 py-3 text-clay">
      <p className="font-semibold">{say('What stands against it')}</p>
      <ul className="mt-1 list-disc pl-4.5 text-small">
        {reasons.map(({ reason, text }) => (
          <li key={reason}>{text}</li>
        ))}
      </ul>
    </div>
  );
}
