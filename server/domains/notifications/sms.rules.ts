const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * What an SMS is for: it decides where it may go and how often.
 * - `claim_code`: a code to a phone that the account which asks has not confirmed
 * - `reset_code`: a code for a new password; whose it may be, and how many strangers may ask for, identity decides
 * - `office_code`: a code to somebody whom an official named for an office
 * - `payer_code`: a code to a phone whose holder is asked to pay for somebody else
 * - `invitation`: a member's invitation, to a phone that need not be anybody's
 * - `payer`: to the phone that paid, about that payment, with a code to object by
 * - `security`, `news`: to a person's confirmed phone alone
 * - `request`: the same, of what another member asks of somebody; counted apart, so that asking stops no other message
 */
export type SmsKind =
  | 'claim_code'
  | 'reset_code'
  | 'office_code'
  | 'payer_code'
  | 'invitation'
  | 'payer'
  | 'security'
  | 'request'
  | 'news';

/** At most so many messages of one kind within a time that slides along. */
export interface Bound {
  readonly countedBy: 'phone' | 'phone_and_person' | 'cause';
  readonly withinMs: number;
  readonly max: number;
}

/**
 * The bounds of every SMS (decision 157). `cause` is the account whose act it was. A stranger's account has three codes
 * an hour for a phone, so that it alone does not use up the ten of the phone's owner.
 */
export const BOUNDS: Readonly<Record<SmsKind, readonly Bound[]>> = {
  claim_code: [
    { countedBy: 'phone_and_person', withinMs: HOUR_MS, max: 3 },
    // Of several accounts: not all of a day at once, so that the phone's owner waits an hour and not a day.
    { countedBy: 'phone', withinMs: HOUR_MS, max: 4 },
    { countedBy: 'phone', withinMs: DAY_MS, max: 10 },
    { countedBy: 'cause', withinMs: DAY_MS, max: 10 },
  ],
  reset_code: [{ countedBy: 'phone', withinMs: DAY_MS, max: 10 }],
  office_code: [
    { countedBy: 'phone', withinMs: DAY_MS, max: 5 },
    { countedBy: 'cause', withinMs: DAY_MS, max: 20 },
  ],
  payer_code: [
    { countedBy: 'phone', withinMs: DAY_MS, max: 5 },
    { countedBy: 'cause', withinMs: DAY_MS, max: 10 },
  ],
  invitation: [
    { countedBy: 'phone', withinMs: DAY_MS, max: 3 },
    // Five a day of Nairobi (referrals), and such days meet in any 24 hours.
    { countedBy: 'cause', withinMs: DAY_MS, max: 10 },
  ],
  payer: [{ countedBy: 'phone', withinMs: DAY_MS, max: 20 }],
  security: [{ countedBy: 'phone', withinMs: DAY_MS, max: 20 }],
  request: [
    { countedBy: 'phone', withinMs: DAY_MS, max: 3 },
    { countedBy: 'cause', withinMs: DAY_MS, max: 10 },
  ],
  news: [
    { countedBy: 'phone', withinMs: DAY_MS, max: 20 },
    { countedBy: 'cause', withinMs: DAY_MS, max: 30 },
  ],
};

/** No bound looks further back. */
export const BOUNDS_REACH_MS = DAY_MS;

/** Whoever asked for these is told when one was not sent; the others stand in the app. */
export const isAsked = (kind: SmsKind): boolean => kind !== 'security' && kind !== 'news' && kind !== 'request';

/** Their texts hold a code: wiped once sent. */
export const isSecret = (kind: SmsKind): boolean => isAsked(kind) && kind !== 'invitation';

export interface SentLately {
  readonly countedBy: Bound['countedBy'];
  readonly at: Date;
}

/** When one more message of that kind may go, or null where it may go now. */
export function boundUntil(kind: SmsKind, sent: readonly SentLately[], now: Date): Date | null {
  let until: Date | null = null;
  for (const { countedBy, withinMs, max } of BOUNDS[kind]) {
    const times = sent
      .filter((one) => one.countedBy === countedBy && now.getTime() - one.at.getTime() < withinMs)
      .map(({ at }) => at.getTime())
      .sort((one, other) => other - one);
    const leaving = times[max - 1];
    if (leaving === undefined) continue;
    const free = new Date(leaving + withinMs);
    if (until === null || free > until) until = free;
  }
  return until;
}
