/** A day in Nairobi (`2026-12-01`) as a moment of it, for the formatters of dates. */
export const dayOf = (day: string): string => `${day}T12:00:00+03:00`;
