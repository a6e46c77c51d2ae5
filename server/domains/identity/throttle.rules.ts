/** How many attempts a key has, and how long it rests after them. */
export interface ThrottleRule {
  readonly attemptsMax: number;
  /** From the first attempt on, or from the latest: then attempts a little apart are never forgotten. */
  readonly countsFrom: 'first' | 'latest';
  /** So long after it they are forgotten. */
  readonly windowSeconds: number;
  /** The first lock; each one after it, without success between, lasts twice as long. */
  readonly lockSeconds: number;
  readonly lockSecondsMax: number;
}

const MINUTE = 60;
const DAY = 86_400;

/**
 * Ten for an ID number, then 15 minutes, 30, … a day: never for good (reliability.md P13). Only success or a day of quiet
 * forgets: so there are never more than ten in any 15 minutes, and whoever is patient has ten a day.
 */
export const LOGIN_RULE: ThrottleRule = {
  attemptsMax: 10,
  countsFrom: 'latest',
  windowSeconds: DAY,
  lockSeconds: 15 * MINUTE,
  lockSecondsMax: DAY,
};

/** Wrong codes of an app at sign-in, for whoever has the password already: as patient, and no more than it. */
export const OTP_RULE: ThrottleRule = LOGIN_RULE;

/** Five wrong reset codes on a device where the owner has signed in, then 15 minutes, however often. */
export const RESET_CODE_RULE: ThrottleRule = {
  attemptsMax: 5,
  countsFrom: 'first',
  windowSeconds: 15 * MINUTE,
  lockSeconds: 15 * MINUTE,
  lockSecondsMax: 15 * MINUTE,
};

/**
 * Wrong reset codes of one network, which a general meeting or a mobile operator's thousands share. Guessing is stopped by
 * `RESET_CODE_EVERYWHERE_RULE`; this keeps one network from spending it for all others.
 */
export const RESET_CODE_OF_NETWORK_RULE: ThrottleRule = { ...RESET_CODE_RULE, attemptsMax: 100 };

/** What a signed-in person must prove again: the current password, a code of the app, a code of an SMS. */
export const PROOF_RULE: ThrottleRule = {
  attemptsMax: 5,
  countsFrom: 'latest',
  windowSeconds: DAY,
  lockSeconds: 15 * MINUTE,
  lockSecondsMax: DAY,
};

/**
 * Wrong reset codes from everywhere: at most 25,000 in ten minutes, so no more than 50,000 while one code lives. With ten
 * codes a day and 32^8 of them that leaves at most 5 in 10,000,000 for an account and day, however many addresses guess.
 */
export const RESET_CODE_EVERYWHERE_RULE: ThrottleRule = {
  attemptsMax: 25_000,
  countsFrom: 'first',
  windowSeconds: 10 * MINUTE,
  lockSeconds: 10 * MINUTE,
  lockSecondsMax: 10 * MINUTE,
};

/** An official names a payer by a phone and reads whose it is: of 30 different phones in a day. */
export const CHECK_OFF_PAYERS_RULE: ThrottleRule = {
  attemptsMax: 30,
  countsFrom: 'first',
  windowSeconds: DAY,
  lockSeconds: DAY,
  lockSecondsMax: DAY,
};

/** 60 a day for all officials of a sacco together, twice what one of them may ask. Whoever holds an office at that moment is one of them. */
export const CHECK_OFF_PAYERS_OF_SACCO_RULE: ThrottleRule = { ...CHECK_OFF_PAYERS_RULE, attemptsMax: 60 };

/**
 * Long lists of a check-off that an official sends, the same ones too: 30 in an hour. An hour that meets two of these hours has 59 at
 * most. Each list takes a second to read.
 */
export const CHECK_OFF_LONG_LISTS_RULE: ThrottleRule = {
  attemptsMax: 30,
  countsFrom: 'first',
  windowSeconds: 60 * MINUTE,
  lockSeconds: 60 * MINUTE,
  lockSecondsMax: 60 * MINUTE,
};

/** Searches for a person at the operator's desk, found or not: after 60 within an hour a rest of 15 minutes, then 60 more. */
export const PEOPLE_SEARCH_RULE: ThrottleRule = {
  attemptsMax: 60,
  countsFrom: 'first',
  windowSeconds: 60 * MINUTE,
  lockSeconds: 15 * MINUTE,
  lockSecondsMax: 15 * MINUTE,
};

/**
 * Limits how often a person learns that an ID number, phone or e-mail belongs to another account: 20 times in 15 minutes,
 * and no more than 39 in 15 minutes that overlap two windows.
 */
export const TAKEN_RULE: ThrottleRule = {
  attemptsMax: 20,
  countsFrom: 'first',
  windowSeconds: 15 * MINUTE,
  lockSeconds: 15 * MINUTE,
  lockSecondsMax: 15 * MINUTE,
};

/**
 * The same at sign-up, for a network: 100 times, since a meeting of 300 people behind one address signs up together, and
 * many of them have an account already. The lock does not grow.
 */
export const TAKEN_IN_NETWORK_RULE: ThrottleRule = { ...TAKEN_RULE, attemptsMax: 100 };

export interface ThrottleState {
  readonly attempts: number;
  /** The first attempt or the latest, as the rule counts. */
  readonly windowStartedAt: Date;
  readonly locks: number;
  readonly lockedUntil: Date | null;
}

export type Counted =
  | { readonly admitted: true; readonly state: ThrottleState }
  | { readonly admitted: false; readonly retryAfterSeconds: number };

/**
 * Counts one attempt before it is judged. The last one of a window sets the lock, which success lifts again; so any
 * number of attempts at once never get more than `attemptsMax`.
 */
export function countAttempt(before: ThrottleState | null, now: Date, rule: ThrottleRule): Counted {
  if (before?.lockedUntil && before.lockedUntil > now) {
    const seconds = (before.lockedUntil.getTime() - now.getTime()) / 1000;
    return { admitted: false, retryAfterSeconds: Math.ceil(seconds) };
  }
  const quietSeconds = before ? (now.getTime() - lastMoment(before).getTime()) / 1000 : 0;
  const locks = before && quietSeconds < DAY ? before.locks : 0;
  const startsAnew = !before || before.lockedUntil !== null || quietSeconds >= rule.windowSeconds;
  const attempts = startsAnew ? 1 : before.attempts + 1;
  const windowStartedAt = startsAnew || rule.countsFrom === 'latest' ? now : before.windowStartedAt;
  if (attempts < rule.attemptsMax)
    return { admitted: true, state: { attempts, windowStartedAt, locks, lockedUntil: null } };
  const lockSeconds = Math.min(rule.lockSeconds * 2 ** locks, rule.lockSecondsMax);
  const lockedUntil = new Date(now.getTime() + lockSeconds * 1000);
  return { admitted: true, state: { attempts, windowStartedAt, locks: locks + 1, lockedUntil } };
}

function lastMoment(state: ThrottleState): Date {
  return state.lockedUntil ?? state.windowStartedAt;
}
