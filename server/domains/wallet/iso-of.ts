/**
 * PostgreSQL's JSON spelling of an instant (`2026-12-05T08:30:00.12+00:00`) in ours. Connections are in UTC; any other
 * spelling takes the long way. Ten dates a summary made this worth a function.
 */
export function isoOf(text: string): string {
  if (!text.endsWith('+00:00')) return new Date(text).toISOString();
  const plain = text.slice(0, -6);
  return `${(plain.length > 19 ? plain : `${plain}.`).slice(0, 23).padEnd(23, '0')}Z`;
}
