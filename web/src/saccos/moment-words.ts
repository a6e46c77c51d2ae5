import { currentLanguage } from '../words/say.ts';

const zone = { timeZone: 'Africa/Nairobi', weekday: 'short', day: 'numeric', month: 'short' } as const;
const clock = { timeZone: 'Africa/Nairobi', hour: '2-digit', minute: '2-digit', hour12: false } as const;

/** `Tue 24 Nov, 10:15` in Nairobi. */
export function momentWords(iso: string): string {
  const locale = currentLanguage() === 'sw' ? 'sw-KE' : 'en-GB';
  const at = Date.parse(iso);
  const day = new Intl.DateTimeFormat(locale, zone).format(at).replace(',', '');
  return `${day}, ${new Intl.DateTimeFormat('en-GB', clock).format(at)}`;
}
