import { z } from 'zod';
import { check } from './checks.ts';
import { foldTyped } from './typed.ts';

/**
 * A whole number from `least` to `most`: a JSON number, or its digits as text, as forms and addresses send them, also
 * with commas or blanks between groups of three. Nothing else stands for a number: not true, not `[5]`, not `0x10`.
 */
export function wholeNumber(least: number, most: number) {
  const wrong = check('Enter a whole number from {least} to {most}.', { least, most });
  return z.union([z.number(), z.string().max(20)], { error: wrong }).transform((value, context): number => {
    const parsed = typeof value === 'number' ? value : wholeIn(value);
    if (Number.isInteger(parsed) && parsed >= least && parsed <= most) return parsed;
    context.addIssue({ code: 'custom', message: wrong });
    return z.NEVER;
  });
}

function wholeIn(text: string): number {
  const typed = foldTyped(text);
  return /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?: \d{3})+)$/.test(typed)
    ? Number(typed.replace(/[ ,]/g, ''))
    : Number.NaN;
}
