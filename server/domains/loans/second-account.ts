import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import type { Reader } from './loan-rows.ts';

/*
 * Where two officials must agree, two accounts of one person have one vote (docs/decisions/189). `share_identity` of the database says
 * which accounts look like one person's: by a phone or an ID number, and not by a referral or an address.
 */

/** Whether two accounts look like one person's. */
export type IsOnePerson = (one: string, other: string) => boolean;

/** Says of any two of some accounts whether they look like one person's. Asked of the platform. */
export async function samePersonAmong(reader: Reader, accounts: readonly string[]): Promise<IsOnePerson> {
  if (accounts.length < 2) return () => false;
  const ids = texts(accounts);
  const rows = await (reader.sql as Tx['sql'])<{ one: string; other: string }[]>`
    select a.id as one, b.id as other from unnest(${ids}::uuid[]) a (id) join unnest(${ids}::uuid[]) b (id) on a.id < b.id
    where share_identity(a.id, b.id)`;
  const pairs = new Set(rows.flatMap(({ one, other }) => [`${one} ${other}`, `${other} ${one}`]));
  return (one, other) => pairs.has(`${one} ${other}`);
}

/** Whether two of these accounts can agree: whoever of them votes first, one that is somebody else's can follow. */
export const areTwoPeople = (accounts: readonly string[], isOnePerson: IsOnePerson): boolean =>
  accounts.length > 0 && accounts.every((one) => accounts.some((other) => other !== one && !isOnePerson(one, other)));

/** The other accounts that look like an official's and hold or held an office in the same sacco. Asked of the platform. */
export async function otherAccountsOf(
  reader: Reader,
  { userId, saccoId }: { readonly userId: string; readonly saccoId: string },
): Promise<ReadonlySet<string>> {
  const rows = await (reader.sql as Tx['sql'])<{ id: string }[]>`
    select o.user_id as id from (select distinct user_id from offices where sacco_id = ${saccoId}) o
    where share_identity(o.user_id, ${userId})`;
  return new Set(rows.map(({ id }) => id));
}

/** Those of some accounts that look like none of the others. */
export async function independentOf(
  reader: Reader,
  accounts: readonly string[],
  others: readonly string[],
): Promise<string[]> {
  const isOnePerson = await samePersonAmong(reader, [...new Set([...accounts, ...others])]);
  return accounts.filter((one) => !others.some((other) => isOnePerson(one, other)));
}

export const SECOND_ACCOUNT = sentence(
  'Your account and that of an official who has voted look like one person’s. They count as one vote, so another official must vote.',
);

/** Nobody votes twice with two accounts. @throws Refusal `not_allowed` */
export async function refuseSecondAccount(
  tx: Tx,
  userId: string,
  voters: readonly string[],
  message: Sentence = SECOND_ACCOUNT,
): Promise<void> {
  const others = voters.filter((each) => each !== userId);
  if ((await independentOf(tx, [userId], others)).length === 0) throw new Refusal('not_allowed', { message });
}
