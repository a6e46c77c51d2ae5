import { tidyName } from '@ushirika/contract/names';
import type { SaccoState, SaccoType } from '@ushirika/contract/saccos';
import type { Text } from '@ushirika/contract/texts';

/** What one cannot tell from ratings that are few: everybody starts with ten ratings of 3.0 (domain.md 4.6). */
const PRIOR_STARS = 3;
const PRIOR_WEIGHT = 10;

/** The members' mean of stars, drawn toward 3.0; two decimals. */
export function ratingScore(stars: number, ratings: number): number {
  return Math.round(((stars + PRIOR_STARS * PRIOR_WEIGHT) / (ratings + PRIOR_WEIGHT)) * 100) / 100;
}

/** From which states a sacco may pass into each. */
export const STATES_BEFORE = {
  active: ['pending', 'suspended'],
  rejected: ['pending'],
  suspended: ['active'],
  pending: ['rejected'],
} as const satisfies Record<SaccoState, readonly SaccoState[]>;

const WORDS_MAX = 6;
/** From three letters on, three letters in a row can be looked up anywhere in a name. */
const ANYWHERE_MIN = 3;

/**
 * What a name must look like to be found by a search: for each word of the search, patterns of LIKE of which one must
 * hold. A word of one or two letters is looked for at the beginning of words only.
 */
export function namePatterns(search: string): string[][] {
  const words = tidyName(search).toLowerCase().split(' ').filter(Boolean).slice(0, WORDS_MAX);
  return words.map((word) => {
    const literal = word.replace(/[\\%_]/g, '\\$&');
    return word.length >= ANYWHERE_MIN ? [`%${literal}%`] : [`${literal}%`, `% ${literal}%`];
  });
}

/** The points of the activation that the platform sees by itself (domain.md 4.9). */
export const POINTS_SEEN = {
  registration_number: 'A registration number that no other sacco has',
  officials: 'At least 3 officials, a chair, a secretary and a treasurer among them',
  officials_confirmed: 'Every official has confirmed a phone number by SMS code',
} as const satisfies Readonly<Record<string, Text>>;

/** The points of the activation that a person must look at. */
export const POINTS_BY_HAND = {
  certificate: 'The certificate of registration has been seen',
  by_laws: 'The by-laws have been seen',
  kra_pin: 'The KRA PIN has been seen',
  authorisation: 'SASRA authorisation, or a declared exemption',
  bank_proof: 'Proof of the bank account or paybill has been seen',
  register_check: 'The registration number was found in the public register',
  founder_members: 'At least 10 founder members',
  test_deposit: 'A test deposit of Ksh. 1 arrived',
} as const satisfies Readonly<Record<string, Text>>;
export type PointByHand = keyof typeof POINTS_BY_HAND;

/** Chamas and investment clubs need neither an authorisation nor ten founders. */
export function isWaivedFor(point: PointByHand, type: SaccoType): boolean {
  return type !== 'sacco' && (point === 'authorisation' || point === 'founder_members');
}
