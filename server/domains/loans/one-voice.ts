import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import {
  type IsOnePerson,
  independentOf as independent,
  refuseSecondAccount,
  samePersonAmong,
} from '../identity/second-account.ts';
import type { Reader } from './loan-rows.ts';

/* Where two officials must agree about a loan, two accounts of one person are one voice (`identity/second-account.ts`, docs/decisions/189). */

export type AreRelated = IsOnePerson;

/** Of some people, which two look like one. Asked of the platform. */
export const relatedAmong = (reader: Reader, people: readonly string[]): Promise<AreRelated> =>
  samePersonAmong(reader as Pick<Tx, 'sql'>, people);

/** Those of some people who look like none of the others. */
export const independentOf = (
  reader: Reader,
  people: readonly string[],
  others: readonly string[],
): Promise<string[]> => independent(reader as Pick<Tx, 'sql'>, people, others);

export const ONE_VOICE = sentence(
  'Your account and that of an official who has spoken look like one person’s. They count as one vote, so another official must speak.',
);

/** Nobody speaks twice with two accounts. @throws Refusal `not_allowed` */
export const refuseSecondVoice = (
  tx: Tx,
  userId: string,
  spoken: readonly string[],
  message: Sentence = ONE_VOICE,
): Promise<void> => refuseSecondAccount(tx, userId, spoken, message);
