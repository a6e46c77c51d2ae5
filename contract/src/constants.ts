/** Numbers and names that the spec fixes, and those that both sides must agree on. */

export const API_BASE = '/api/v1';

/** Idle logout: 60 minutes without mouse move, key, click or scroll (spec 9). */
export const IDLE_LOGOUT_MS = 3_600_000;

/** Fetched data is kept 60 seconds after last use (spec 9). */
export const QUERY_KEEP_MS = 60_000;

/** Toasts (spec 9). */
export const TOAST_MS = 4_000;
export const SUCCESS_TOAST_MS = 2_000;

export const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_LENGTH_MAX = 128;

/** M-Pesa: whole shillings, per transaction (payments.md 4). */
export const MPESA_SHILLINGS_MIN = 1;
export const MPESA_SHILLINGS_MAX = 250_000;

/** M-Pesa closes a prompt on a phone after about a minute without a PIN (payments.md 4). */
export const PROMPT_SHOWN_MS = 60_000;

/**
 * The small sum, in shillings. So much a day moves between people without fresh proof, and leaves by M-Pesa of what sales of
 * the last 24 hours brought: a market trader's day, and the most that a thief gets by either (docs/decisions/151, 152).
 */
export const SMALL_SUM_A_DAY = 1_000;

/** How long the rest of what shares were sold for stays on the platform. */
export const PROCEEDS_HELD_HOURS = 24;

/** Open orders that one member may have in one market. */
export const OPEN_ORDERS_MAX = 50;

/** Days for which members keep their full rights with the shares that were enough before a higher minimum. */
export const KEPT_RIGHTS_DAYS = 90;

export const LOGO_BYTES_MAX = 2 * 1024 * 1024;

/** The displayed active-member count is the true one plus this (spec 9; domain.md 4.12). 0 turns it off. */
export const DISPLAYED_MEMBER_OFFSET_DEFAULT = 178;

/** The count of active members as a screen shows it. The wire always carries the true count. */
export function displayedMemberCount(members: number, offset = DISPLAYED_MEMBER_OFFSET_DEFAULT): number {
  return members + offset;
}

/** The spec's password rule; an uppercase letter is listed but not enforced (spec 5). */
export function passwordSatisfies(password: string): boolean {
  return (
    password.length >= PASSWORD_LENGTH_MIN &&
    password.length <= PASSWORD_LENGTH_MAX &&
    /\p{L}/u.test(password) &&
    /\d/.test(password) &&
    /[^\p{L}\p{N}]/u.test(password)
  );
}

/** ID cards that wait to be seen by the officials of a sacco: more are not counted. */
export const CARDS_COUNTED = 100;
