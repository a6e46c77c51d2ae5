import { centsOf, formatShillings } from '@ushirika/contract/format';
import type { PoolCall } from '@ushirika/contract/pools';
import { Card, Tag } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';

/** Each guarantee that was called: who bore it, what came back since, and what is still out. It adds up to the cent. */
export function PoolCalls({ calls }: { calls: readonly PoolCall[] }) {
  if (calls.length === 0) return null;
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('What the pool has paid')}</h2>
      <ol className="mt-2">
        {calls.map((call) => (
          <li key={call.contract} className="rule py-3">
            <OneCall call={call} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function OneCall({ call }: { call: PoolCall }) {
  return (
    <>
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-semibold">
          {call.borrower === null
            ? say('For a loan of a member')
            : say('For the loan of {name}', { name: call.borrower })}
        </span>
        <EndTag call={call} />
      </p>
      <p className="text-small text-ink-2">
        <LongDate iso={call.at} />
      </p>
      <dl className="num mt-1.5 grid gap-1">
        <Line name={say('The pool paid')} amount={call.called} isSum />
        <Line name={say('of the borrower’s own money in the pool')} amount={call.own} />
        <Line name={say('from the reserve')} amount={call.reserve} />
        <Line
          name={say('{n, plural, one {from one other member} other {from # other members}}', { n: call.members_count })}
          amount={call.members}
        />
        <div className="mt-1 grid gap-1 border-t border-line-strong pt-1.5">
          <Line
            name={say('The borrower owes the pool')}
            amount={(centsOf(call.reserve) + centsOf(call.members)) / 100}
          />
          <Line name={say('came back since')} amount={call.recovered} />
          <Line name={say('Still out')} amount={call.still_out} isSum />
        </div>
      </dl>
      <p className="num mt-2 rounded-box bg-sunken px-4 py-2.5 text-small">{ownPart(call)}</p>
    </>
  );
}

function Line({ name, amount, isSum = false }: { name: string; amount: number; isSum?: boolean }) {
  if (amount === 0 && !isSum) return null;
  return (
    <div className={`flex flex-wrap justify-between gap-x-4 ${isSum ? 'font-semibold' : 'pl-3 text-ink-2'}`}>
      <dt className="min-w-0">{name}</dt>
      <dd className="ml-auto">
        <Money shillings={amount} />
      </dd>
    </div>
  );
}

function EndTag({ call: { still_out, is_given_up } }: { call: PoolCall }) {
  if (still_out === 0) return <Tag tone="forest">{say('Paid back')}</Tag>;
  return is_given_up ? <Tag>{say('Given up')}</Tag> : <Tag tone="ochre">{say('Still out')}</Tag>;
}

function ownPart({ my_part, my_recovered, my_still_out }: PoolCall): string {
  if (my_part === 0) return say('None of your money was taken for it.');
  return say('Your part was {part}. {back} came back to you, and {out} is still out.', {
    part: formatShillings(my_part),
    back: formatShillings(my_recovered),
    out: formatShillings(my_still_out),
  });
}
