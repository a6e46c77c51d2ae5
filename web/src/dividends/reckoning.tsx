import {
  daysOfYear,
  type SavingsMethod,
  savingsInterest,
  savingsPoints,
  shareDaysOf,
  shareDividend,
  shareLines,
  twelfthsOf,
} from '@ushirika/contract/dividend-rules';
import type { MyDividend } from '@ushirika/contract/dividends';
import { centsOf } from '@ushirika/contract/format';
import { Card } from '../ui/card.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { Table } from '../ui/table.tsx';
import { currentLanguage, say } from '../words/say.ts';
import { dayWords, methodWords, percent } from './dividend-words.ts';

const points = (percentage: number) => Math.round(percentage * 100);
const monthWords = (year: number, month: number) =>
  new Intl.DateTimeFormat(currentLanguage() === 'sw' ? 'sw-KE' : 'en-GB', { month: 'long', timeZone: 'UTC' }).format(
    Date.UTC(year, month - 1, 1),
  );

/** Each number of shares with the days on which it was held. */
export function ShareReckoning({ dividend }: { dividend: MyDividend }) {
  const { year, moves, share_value: shareValue, declared } = dividend;
  const lines = shareLines(year, moves).filter(({ shares }) => shares > 0);
  const days = shareDaysOf(lines);
  const cents =
    declared && shareDividend(days, { year, rate: points(declared.share_rate), shareValueCents: centsOf(shareValue) });
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Shares')}</h2>
      <p className="mt-1 mb-3 text-small text-ink-2">
        {say('Each share counts for each day on which you held it. Of a trade the buyer has the day itself.')}
      </p>
      {lines.length === 0 ? (
        <p>{say('You held no shares in that year.')}</p>
      ) : (
        <Table
          caption={say('Days on which shares were held')}
          columns={[
            { head: say('From'), cell: ({ from }) => dayWords(from), title: true },
            { head: say('Shares'), cell: ({ shares }) => formatCount(shares), end: true },
            { head: say('Days'), cell: (line) => formatCount(line.days), end: true },
            { head: say('Shares × days'), cell: ({ shareDays }) => formatCount(shareDays), end: true },
          ]}
          rows={lines}
          keyOf={({ from }) => from}
        />
      )}
      <p className="mt-3">
        {say('Together: {days}', { days: formatCount(days) })}
        {cents !== null && (
          <>
            {' × '}
            <Money shillings={shareValue} /> × {percent(declared?.share_rate ?? 0)} ÷ {daysOfYear(year)} ={' '}
            <strong>
              <Money shillings={cents / 100} />
            </strong>
          </>
        )}
      </p>
    </Card>
  );
}

interface MonthLine {
  readonly month: number;
  readonly counted: number;
  readonly twelfths: number;
}

/** Each month with what came into the savings and how much of the year it counts. */
export function SavingsReckoning({ dividend }: { dividend: MyDividend }) {
  const { year, savings, declared } = dividend;
  const method: SavingsMethod = declared?.savings_method ?? 'month_after';
  const months = savings.months.map(({ net, lowest }) => ({ net: centsOf(net), lowest: centsOf(lowest) }));
  const sum = savingsPoints(centsOf(savings.opening), months, method);
  const isLowest = method === 'lowest_balance';
  const lines: MonthLine[] = [
    ...(isLowest ? [] : [{ month: 0, counted: savings.opening, twelfths: 12 }]),
    ...savings.months.map(({ net, lowest }, index) => ({
      month: index + 1,
      counted: isLowest ? lowest : net,
      twelfths: isLowest ? 1 : twelfthsOf(index + 1, method),
    })),
  ].filter(({ counted }) => counted !== 0);
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Savings')}</h2>
      <p className="mt-1 mb-3 text-small text-ink-2">
        {methodWords(method)}. {say('Months that add nothing are left out.')}
      </p>
      <Table
        caption={say('Savings by month')}
        columns={[
          {
            head: say('Month'),
            cell: ({ month }) => (month === 0 ? say('At the start of the year') : monthWords(year, month)),
            title: true,
          },
          {
            head: isLowest ? say('Lowest balance') : say('In less out'),
            cell: ({ counted }) => <Money shillings={counted} />,
            end: true,
          },
          { head: say('Counts for'), cell: ({ twelfths }) => `${twelfths}/12`, end: true },
        ]}
        rows={lines}
        keyOf={({ month }) => String(month)}
      />
      <p className="mt-3">
        {say('Average of the year:')} <Money shillings={Math.round(sum / 12) / 100} />
        {declared && (
          <>
            {' × '}
            {percent(declared.savings_rate)} ={' '}
            <strong>
              <Money shillings={savingsInterest(sum, points(declared.savings_rate)) / 100} />
            </strong>
          </>
        )}
      </p>
    </Card>
  );
}
