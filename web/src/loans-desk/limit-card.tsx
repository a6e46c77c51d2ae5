import { formatShillings } from '@ushirika/contract/format';
import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { Tag } from '../ui/card.tsx';
import { Money } from '../ui/figures.tsx';
import { Fold } from '../ui/fold.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { AbilityBar } from './bars.tsx';
import { limitWords } from './desk-words.ts';

/** How much the borrower can have and what decides that; whether the income carries the instalment. */
export function LimitCard({ loan: { limit, amount, net_income, key_facts } }: { loan: DeskLoanDetail }) {
  // What is far above both is drawn as a full bar.
  const most = Math.min(
    Math.max(1, amount, ...limit.parts.map((part) => part.amount)),
    3 * Math.max(1, amount, limit.limit),
  );
  return (
    <Fold title={say('Limit')} sum={<Money shillings={limit.limit} />} openWhenWide>
      <p className="text-small text-ink-2">{say('The smallest of these decides. The line marks what is asked for.')}</p>
      <ul className="mt-3 grid gap-3">
        {limit.parts.map((part) => (
          <li key={part.kind}>
            <p className="num flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="flex flex-wrap items-center gap-2">
                {limitWords(part.kind)}
                {part.amount === limit.limit && <Tag tone="indigo">{say('decides')}</Tag>}
              </span>
              <Money shillings={part.amount} className="font-semibold" />
            </p>
            <div aria-hidden="true" className="relative my-1 h-2 rounded-full bg-sunken">
              <span
                className={`absolute inset-y-0 left-0 rounded-full ${part.amount < amount ? 'bg-clay' : 'bg-forest'}`}
                style={{ width: `${Math.min(100, (part.amount / most) * 100)}%` }}
              />
              <span
                className="absolute -inset-y-0.5 w-0.5 bg-ink"
                style={{ left: `calc(${(amount / most) * 100}% - 2px)` }}
              />
            </div>
            <p className="text-small text-ink-2">{part.text}</p>
          </li>
        ))}
      </ul>
      {limit.against.length > 0 && (
        <ul className="mt-3 grid gap-1.5 rounded-box bg-clay-tint px-4 py-3 text-small text-clay">
          {limit.against.map((sentence) => (
            <li key={sentence} className="flex gap-2">
              <Icon name="alert" className="mt-0.5 size-4" />
              {sentence}
            </li>
          ))}
        </ul>
      )}
      <h3 className="mt-5 mb-2 text-body">{say('Ability to repay')}</h3>
      <AbilityBar income={net_income} instalment={key_facts.instalment} />
      <p className="num mt-1 text-small text-ink-2">
        {say('{instalment} of the {income} that the borrower declares to have left in a month.', {
          instalment: formatShillings(key_facts.instalment),
          income: formatShillings(net_income),
        })}
      </p>
    </Fold>
  );
}
