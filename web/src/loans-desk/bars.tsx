import { formatShillings } from '@ushirika/contract/format';
import { say } from '../words/say.ts';

/** As the contract has it: ABILITY_PARTS. */
const PARTS = { of: 3, most: 2 } as const;

/** A month's income as a bar: what the instalment takes of it, and the mark of two thirds that it may not pass. */
export function AbilityBar({ income, instalment }: { income: number; instalment: number }) {
  const most = (income * PARTS.most) / PARTS.of;
  const isWithin = instalment <= most;
  const percent = income > 0 ? Math.min(100, (instalment / income) * 100) : 100;
  const label = say('The instalment of {instalment} takes {percent}% of an income of {income}; at most 66.7%.', {
    instalment: formatShillings(instalment),
    percent: percent.toFixed(1),
    income: formatShillings(income),
  });
  return (
    <div>
      <div role="img" aria-label={label} className="relative h-6 rounded-small bg-sunken">
        <span
          className={`absolute inset-y-0 left-0 rounded-small ${isWithin ? 'bg-forest' : 'bg-clay'}`}
          style={{ width: `${percent}%` }}
        />
        <span className="absolute -inset-y-1 w-0.5 bg-ink" style={{ left: `${(PARTS.most / PARTS.of) * 100}%` }} />
      </div>
      <div aria-hidden="true" className="relative mt-1.5 h-5 text-small text-ink-2">
        <span className="absolute left-0">0</span>
        <span
          className="num absolute -translate-x-1/2 whitespace-nowrap"
          style={{ left: `${(PARTS.most / PARTS.of) * 100}%` }}
        >
          {say('two thirds')}
        </span>
      </div>
      <p className={`num mt-1 font-semibold ${isWithin ? 'text-up' : 'text-clay'}`}>
        {isWithin
          ? say('The instalment takes {percent}% of the declared income.', { percent: percent.toFixed(1) })
          : say('The instalment takes more than two thirds of the declared income.')}
      </p>
    </div>
  );
}

/** What covers the loan, part by part, against what must be covered. */
export function CoverBar({
  needed,
  parts,
}: {
  needed: number;
  parts: readonly { readonly name: string; readonly amount: number; readonly fill: string }[];
}) {
  const whole = Math.max(
    needed,
    ...[parts.map(({ amount }) => Math.round(amount * 100)).reduce((a, b) => a + b, 0) / 100],
    1,
  );
  return (
    <div aria-hidden="true" className="relative h-5 overflow-hidden rounded-small bg-sunken">
      <div className="flex h-full gap-0.5">
        {parts
          .filter(({ amount }) => amount > 0)
          .map(({ name, amount, fill }) => (
            <span key={name} className={fill} style={{ width: `${(amount / whole) * 100}%` }} />
          ))}
      </div>
    </div>
  );
}
