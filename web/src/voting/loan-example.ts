import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { centsOf, formatShillings } from '@ushirika/contract/format';
import { monthlyPercentOf } from '@ushirika/contract/loan-rates';
import { percentWords, trueRateOfFlat } from '../loans/true-rate.ts';
import { say } from '../words/say.ts';

const AMOUNT = 10_000;
const MONTHS = 12;

/**
 * What one loan would cost by its terms now and then, in sentences: 10,000 over 12 months, or what is nearest to that by the new terms.
 * Of a new loan there is no now.
 */
export function loanExample(before: ChangedValues, after: ChangedValues): string[] {
  const amount = within(AMOUNT, after.min_amount, after.max_amount);
  const months = within(MONTHS, after.min_months, after.max_months);
  const later = { cost: formatShillings(costOf(after, amount, months)), rate: trueRate(after, months) };
  const example = say('An example: {amount} over {n, plural, one {1 month} other {# months}}.', {
    amount: formatShillings(amount),
    n: months,
  });
  if (Number.isNaN(rateOf(before))) {
    return [
      example,
      say('Interest and fee: {cost}.', { cost: later.cost }),
      say('Truly, on the balance, that is {rate} a month.', { rate: later.rate }),
    ];
  }
  const now = { cost: formatShillings(costOf(before, amount, months)), rate: trueRate(before, months) };
  return [
    example,
    say('Interest and fee now: {now}. Then: {later}.', { now: now.cost, later: later.cost }),
    say('Truly, on the balance, that is {now} a month now, and then {later}.', { now: now.rate, later: later.rate }),
  ];
}

/** Percent a month; NaN where none is said. */
const rateOf = ({ monthly_rate, yearly_rate }: ChangedValues): number =>
  monthlyPercentOf({
    ...(monthly_rate === undefined ? {} : { monthly_rate: Number(monthly_rate) }),
    ...(yearly_rate === undefined ? {} : { yearly_rate: Number(yearly_rate) }),
  });

const within = (wanted: number, least: ChangedValues[string] = wanted, most: ChangedValues[string] = wanted) =>
  Math.max(Number(least), Math.min(Number(most), wanted));

/** Interest and fee, in shillings with cents. Single instalments are rounded: it may differ by some cents. */
function costOf(values: ChangedValues, amount: number, months: number): number {
  const { method, fee_percentage } = values;
  const cents = centsOf(amount);
  const interest = interestOf(method, rateOf(values) / 100, cents, months);
  const feeCents = (cents * Number(fee_percentage)) / 100;
  return Math.round(interest + feeCents) / 100;
}

function interestOf(method: ChangedValues[string] | undefined, rate: number, cents: number, months: number): number {
  if (rate === 0) return 0;
  if (method === 'flat') return cents * rate * months;
  if (method === 'equal_principal') return (cents * rate * (months + 1)) / 2;
  return (months * cents * rate) / (1 - (1 + rate) ** -months) - cents;
}

const trueRate = (values: ChangedValues, months: number): string => {
  const rate = rateOf(values);
  return percentWords(values.method === 'flat' ? Math.round(100 * trueRateOfFlat(rate, months)) / 100 : rate);
};
