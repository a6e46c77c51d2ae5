import { CHECK_OFF_DAYS } from '@ushirika/contract/check-offs';

const DAY_MS = 86_400_000;

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS);

export const dayBefore = (now: Date): Date => daysBefore(now, 1);

/** A list whose last step was then, or before, has expired. Limits of 30 days count from then on. */
export const stepsSince = (now: Date): Date => daysBefore(now, CHECK_OFF_DAYS);

interface Steps {
  readonly listed_at: Date;
  readonly checked_at: Date | null;
}

/** When a list expires whose next step nobody does. */
export const expiresAt = ({ listed_at, checked_at }: Steps): Date =>
  new Date((checked_at ?? listed_at).getTime() + CHECK_OFF_DAYS * DAY_MS);

/** `Jane W.`: enough to see that the phone is the right one. */
export const shortName = ({ first_name, last_name }: { readonly first_name: string; readonly last_name: string }) =>
  `${first_name} ${[...last_name][0] ?? ''}.`;
