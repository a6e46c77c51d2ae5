import type { Faults } from './faults.ts';

/*
 * How M-Pesa shows a field: the faults `mask`, `reverse`, `omit` and `local` name fields, joined by `+`, or mean the payer
 * without a value.
 */

type How = 'mask' | 'reverse' | 'omit' | 'local';

/** Whether a fault is about a field. */
export function isShown(faults: Faults, how: How, field: string): boolean {
  return faults[how] !== undefined && (faults[how] || 'payer').split('+').includes(field);
}

/** A phone as M-Pesa shows it: `254712***678`, `0712***678`, `0712345678`, or whole. */
export function shownPhone(faults: Faults, field: string, phone: string): string {
  const masked = isShown(faults, 'mask', field) ? `${phone.slice(0, 6)}***${phone.slice(-3)}` : phone;
  return isShown(faults, 'local', field) ? masked.replace(/^254/, '0') : masked;
}

/** A person beside their number, as `254712345678 - NAME` or reversed; '' where M-Pesa omits them. */
export function shownPerson(faults: Faults, field: string, { phone, name }: { phone: string; name: string }): string {
  if (isShown(faults, 'omit', field)) return '';
  const number = shownPhone(faults, field, phone);
  if (isShown(faults, 'omit', 'name')) return number;
  return isShown(faults, 'reverse', field) ? `${name} - ${number}` : `${number} - ${name}`;
}

/** Any other field; nothing where M-Pesa omits it. */
export function shownText<T extends string | number>(faults: Faults, field: string, value: T): T | undefined {
  return isShown(faults, 'omit', field) ? undefined : value;
}
