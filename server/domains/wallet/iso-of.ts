/**
 * Converts a timestamp of PostgreSQL's JSON (`2026-12-05T08:30:00.12+00:00`) to ISO 8601 with milliseconds and Z. It
 * avoids `Date` for UTC, which our connections use: a summary has ten timestamps.
 */
export function isoOf(text: string): string {
  if (!text.endsWith('+00:00')) return new Date(text).toISOString();
  const plain = text.slice(0, -6);
  return `${(plain.length > 19 ? plain : `${plain}.`).slice(0, 23).padEnd(23, '0')}Z`;
}
