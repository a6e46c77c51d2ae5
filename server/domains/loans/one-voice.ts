import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import type { Reader } from './loan-rows.ts';

/*
 * Where two officials must agree, two accounts of one person are one voice (docs/decisions/189). `share_identity` of the database says
 * which accounts look like one person's: by a phone or an ID number, and not by a referral or an address.
 */

/** Whether two accounts look like one person's. */
export type AreRelated = (one: string, other: string) => boolean;

/** Of some people, which two look like one. Asked of the platform. */
export async function relatedAmong(reader: Reader, people: readonly string[]): Promise<AreRelated> {
  if (people.length < 2) return () => false;
  const ids = texts(people);
  const rows = await (reader.sql as Tx['sql'])<{ one: string; other: string }[]>`
    select a.id as one, b.id as other from unnest(${ids}::uuid[]) a (id) join unnest(${ids}::uuid[]) b (id) on a.id < b.id
    where share_identity(a.id, b.id)`;
  const pairs = new Set(rows.flatMap(({ one, other }) => [`${one} ${other}`, `${other} ${one}`]));
  return (one, other) => pairs.has(`${one} ${other}`);
}

/** Those of some people who look like none of the others. */
export async function independentOf(
  reader: Reader,
  people: readonly string[],
  others: readonly string[],
): Promise<string[]> {
  const areRelated = await relatedAmong(reader, [...new Set([...people, ...others])]);
  return people.filter((one) => !others.some((other) => areRelated(one, other)));
}

export const ONE_VOICE = sentence(
  'Your account and that of an official who has spoken look like one person’s. They count as one vote, so another official must speak.',
);

/** Nobody speaks twice with two accounts. @throws Refusal `not_allowed` */
export async function refuseSecondVoice(
  tx: Tx,
  userId: string,
  spoken: readonly string[],
  message: Sentence = ONE_VOICE,
): Promise<void> {
  const others = spoken.filter((each) => each !== userId);
  if ((await independentOf(tx, [userId], others)).length === 0) throw new Refusal('not_allowed', { message });
}
