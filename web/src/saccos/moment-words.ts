import { now } from '../clock.ts';
import { currentLanguage } from '../words/say.ts';

const zone = { timeZone: 'Africa/Nairobi', weekday: 'short', day: 'numeric', month: 'short' } as const;
const clock = { timeZone: 'Africa/Nairobi', hour: '2-digit', minute: '2-digit', hour12: false } as const;
/** In Nairobi, three hours ahead. */
const yearOf = (at: number) => new Date(at + 10_800_000).getUTCFullYear();

/** `Tue 24 Nov, 10:15` in Nairobi; of another year `Mon 13 Jan 2025, 11:00`. */
export function momentWords(iso: string): string {
  const locale = currentLanguage() === 'sw' ? 'sw-KE' : 'en-GB';
  const at = Date.parse(iso);
  const year = yearOf(at) === yearOf(now()) ? undefined : 'numeric';
  const day = new Intl.DateTimeFormat(locale, { ...zone, year }).format(at).replace(',', '');
  return `${day}, ${new Intl.DateTimeFormat('en-GB', clock).format(at)}`;
}
