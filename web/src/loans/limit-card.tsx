import type { LoanLimit } from '@ushirika/contract/loans';
import { Card } from '../ui/card.tsx';
import { Money, unbroken } from '../ui/figures.tsx';
import { FoldedPart } from '../ui/fold.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { decidingPart } from './loan.rules.ts';
import { limitName } from './loan-words.ts';

/** The most that one may borrow now, each sum that limits it, and what stands against any loan; the reasons are folded. */
export function LimitCard({ limit, title = say('What you can borrow') }: { limit: LoanLimit; title?: string }) {
  const deciding = decidingPart(limit.parts);
  return (
    <Card className="p-5">
      <h2 className="text-lead">{title}</h2>
      <p className="mt-1 text-head font-bold tracking-tight">
        <Money shillings={limit.against.length > 0 ? 0 : limit.limit} />
      </p>
      <Against against={limit.against} />
      {limit.parts.length > 0 && (
        <dl className="num mt-2">
          {limit.parts.map((part) => (
            <div key={part.kind} className="rule flex flex-wrap items-baseline justify-between gap-x-4 py-2.5">
              <dt className="font-semibold">
                {limitName(part.kind)}
                {part === deciding && limit.parts.length > 1 && (
                  <span className="font-normal text-ink-2"> · {say('this decides')}</span>
                )}
              </dt>
              <dd className={part === deciding ? 'font-semibold' : 'text-ink-2'}>
                <Money shillings={part.amount} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {limit.parts.length > 0 && (
        <FoldedPart title={<span className="text-small text-forest">{say('How each sum is reckoned')}</span>}>
          <dl className="num grid gap-2 text-small">
            {limit.parts.map((part) => (
              <div key={part.kind}>
                <dt className="font-semibold">{limitName(part.kind)}</dt>
                <dd className="text-ink-2">{unbroken(part.text)}</dd>
              </div>
            ))}
          </dl>
        </FoldedPart>
      )}
    </Card>
  );
}

/** What stands against a loan now, a sentence each. */
export function Against({ against }: { against: readonly string[] }) {
  if (against.length === 0) return null;
  return (
    <ul className="mt-3 grid gap-2 rounded-box bg-clay-tint px-4 py-3 text-clay">
      {against.map((reason) => (
        <li key={reason} className="flex gap-2.5 font-medium">
          <Icon name="alert" className="mt-0.5 size-4.5" />
          <span className="min-w-0">{unbroken(reason)}</span>
        </li>
      ))}
    </ul>
  );
}
