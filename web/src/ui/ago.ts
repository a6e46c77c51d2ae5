const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago that was, or is to come, in the largest unit that fits: '3 hours ago'. Less than a minute is 'now'. */
export function ago(iso: string, now: number, language: string): string {
  const passed = Date.parse(iso) - now;
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  for (const [unit, length] of UNITS) {
    // Of a time to come the nearest number: what ends in 14 days less a second does not end in 13.
    if (Math.abs(passed) >= length) {
      return words.format(passed > 0 ? Math.round(passed / length) : Math.trunc(passed / length), unit);
    }
  }
  return words.format(0, 'second');
}
