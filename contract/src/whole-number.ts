import { z } from 'zod';
import { check } from './checks.ts';

/**
 * A whole number from `least` to `most`: a JSON number, or its digits as text, as forms and addresses send them. Nothing
 * else stands for a number: not true, not `[5]`, not `0x10`.
 */
export function wholeNumber(least: number, most: number) {
  const wrong = check('Enter a whole number from {least} to {most}.', { least, most });
  return z.union([z.number(), z.string().max(20)], { error: wrong }).transform((value, context): number => {
    const parsed = typeof value === 'number' || /^\s*\d+\s*$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isInteger(parsed) && parsed >= least && parsed <= most) return parsed;
    context.addIssue({ code: 'custom', message: wrong });
    return z.NEVER;
  });
}
