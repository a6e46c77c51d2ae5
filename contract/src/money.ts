import { z } from 'zod';
import { check } from './checks.ts';
import { plainAmount } from './typed.ts';

/** Money in integer cents. A plain number, always a safe integer (docs/decisions/002-cents-are-numbers.md). */
export type Cents = number;

const MOST_SHILLINGS = 1_000_000_000_000;

/**
 * Parses shillings to cents, exactly. Takes a JSON number, or an amount as people write it (`plainAmount`) with at most two decimals.
 * Returns null for anything else: NaN, exponents, a third decimal, more than a million millions.
 */
export function centsFromShillings(shillings: number | string): Cents | null {
  const text = typeof shillings === 'number' ? plainDecimal(shillings) : plainAmount(shillings);
  const parts = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text ?? '');
  if (!parts) return null;
  const whole = Number(parts[2]);
  if (whole > MOST_SHILLINGS) return null;
  const cents = whole * 100 + Number((parts[3] ?? '').padEnd(2, '0'));
  return parts[1] === '-' && cents !== 0 ? -cents : cents;
}

function plainDecimal(value: number): string | null {
  if (!Number.isFinite(value)) return null;
  const text = String(value);
  return text.includes('e') ? null : text;
}

/** Cents as the JSON number of shillings that goes over the wire: 123450 is 1234.5. */
export function shillingsFromCents(cents: Cents): number {
  return cents / 100;
}

/** An amount on the wire: shillings with at most two decimals, ≥ 0; parsed to cents. */
export const amount = z.union([z.number(), z.string().max(60)]).transform((value, context): Cents => {
  const cents = centsFromShillings(value);
  if (cents === null || cents < 0) {
    context.addIssue({ code: 'custom', message: check('Enter an amount in shillings with at most two decimals.') });
    return z.NEVER;
  }
  return cents;
});

/** An amount above zero; parsed to cents. */
export const positiveAmount = amount.refine((cents) => cents > 0, check('Enter an amount above zero.'));

/** Shillings in a reply. */
export const shillings = z.number();

export { formatShillings } from './format.ts';
