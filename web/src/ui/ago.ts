const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago that was, in the largest unit that fits: '3 hours ago'. Less than a minute is 'now'. */
export function ago(iso: string, now: number, language: string): string {
  const passed = Date.parse(iso) - now;
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  for (const [unit, length] of UNITS) {
    if (Math.abs(passed) >= length) return words.format(Math.trunc(passed / length), unit);
  }
  return words.format(0, 'second');
}
