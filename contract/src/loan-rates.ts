/*
 * Rates of interest on loans. A product has a rate a month or a rate a year, each in percent with at most four decimals; a rate
 * a year is twelve times the rate a month. No I/O.
 */

/** The rate of a product as it is asked for: one of the two. */
export interface AskedRate {
  readonly monthly_rate?: number | undefined;
  readonly yearly_rate?: number | undefined;
}

/** Both rates in percent: the monthly one rounded to four decimals, the yearly one exact. */
export interface ShownRates {
  readonly monthly_rate: number;
  readonly yearly_rate: number;
}

const fourDecimals = (value: number): number => Math.round(value * 10_000) / 10_000;

/** Percent a month, not rounded; NaN where none is given. */
export const monthlyPercentOf = ({ monthly_rate, yearly_rate }: AskedRate): number =>
  yearly_rate === undefined ? (monthly_rate ?? Number.NaN) : yearly_rate / 12;

/** @param percent a month, not rounded */
export const ratesShown = (percent: number): ShownRates => ({
  monthly_rate: fourDecimals(percent),
  yearly_rate: fourDecimals(percent * 12),
});

/** The one of the two that says a rate exactly: that of the month where four decimals suffice. */
export function exactRate(percent: number): AskedRate {
  const { monthly_rate, yearly_rate } = ratesShown(percent);
  return fourDecimals(monthly_rate * 12) === yearly_rate ? { monthly_rate } : { yearly_rate };
}
