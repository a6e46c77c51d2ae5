/** How money and dates are written for a person. No schema is loaded with them, so that the web's first view may use them. */

const twoDecimals = new Intl.NumberFormat('en-KE', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Shillings for a person: `Ksh. 1,234.50`, with a no-break space so that an amount never wraps. */
export function formatShillings(value: number): string {
  const sign = value < 0 ? '−' : '';
  return `${sign}Ksh.\u00a0${twoDecimals.format(Math.abs(value))}`;
}

/** The cents of an amount in shillings that the server sent. */
export const centsOf = (shillings: number): number => Math.round(shillings * 100);

const LONG = {
  weekday: 'long',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  timeZone: 'Africa/Nairobi',
} as const;
const longDates = {
  en: new Intl.DateTimeFormat('en-US', LONG),
  sw: new Intl.DateTimeFormat('sw-KE', LONG),
} as const;
const clockTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Africa/Nairobi' });

/** The long form of a date in Nairobi: `Friday, November 20, 2026`, in Swahili `Ijumaa, 20 Novemba 2026`. */
export function formatLongDate(iso: string | Date, language: 'en' | 'sw' = 'en'): string {
  return longDates[language].format(typeof iso === 'string' ? new Date(iso) : iso);
}

/** The long date with the time in Nairobi: `Friday, November 20, 2026, 14:05`. */
export function formatLongDateTime(iso: string | Date, language: 'en' | 'sw' = 'en'): string {
  const at = typeof iso === 'string' ? new Date(iso) : iso;
  return `${formatLongDate(at, language)}, ${clockTime.format(at)}`;
}
