import { Refusal } from '@ushirika/contract/refusal';
import type { Sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';

/*
 * Where two people must agree, two accounts of one person have one vote (docs/decisions/189). `share_identity` of the database says
 * which accounts look like one person's: by a phone that both have confirmed or by an ID number, and not by a referral or an address.
 */

/** Whether two accounts look like one person's. */
export type IsOnePerson = (one: string, other: string) => boolean;

/** Whether two of these accounts can agree: whoever of them votes first, one that is somebody else's can follow. */
export const areTwoPeople = (accounts: readonly string[], isOnePerson: IsOnePerson): boolean =>
  accounts.length > 0 && accounts.every((one) => accounts.some((other) => other !== one && !isOnePerson(one, other)));

/**
 * Says of any two of some accounts whether they look like one person's, in one statement. Those that have a phone or an ID number in common
 * are few: `share_identity` is asked about them alone. Asked of the platform.
 */
export async function samePersonAmong(reader: Pick<Tx, 'sql'>, accounts: readonly string[]): Promise<IsOnePerson> {
  if (accounts.length < 2) return () => false;
  const ids = texts(accounts);
  const rows = await reader.sql<{ one: string; other: string }[]>`
    with marks as materialized (
      select u.id, 'phone' as kind, p.phone collate "C" as value
      from users u cross join lateral (values (u.phone), (u.recovery_phone)) p (phone) where u.id = any (${ids}::uuid[])
      union
      select user_id, case kind when 'id' then 'id' else 'phone' end, value from referral_traces
      where user_id = any (${ids}::uuid[]) and kind in ('id', 'confirmed_phone')
    ), candidates as materialized (
      select distinct a.id as one, b.id as other from marks a join marks b using (kind, value) where a.id < b.id)
    select one, other from candidates where share_identity(one, other)`;
  const pairs = new Set(rows.flatMap(({ one, other }) => [`${one} ${other}`, `${other} ${one}`]));
  return (one, other) => pairs.has(`${one} ${other}`);
}

/** Those of some accounts that look like none of the others. Asked of the platform. */
export async function independentOf(
  reader: Pick<Tx, 'sql'>,
  accounts: readonly string[],
  others: readonly string[],
): Promise<string[]> {
  const isOnePerson = await samePersonAmong(reader, [...new Set([...accounts, ...others])]);
  return accounts.filter((one) => !others.some((other) => isOnePerson(one, other)));
}

/** Those of some accounts that look like the other account of one person. Asked of the platform. */
export async function otherAccountsAmong(
  reader: Pick<Tx, 'sql'> | Pick<Database, 'sql'>,
  userId: string,
  accounts: readonly string[],
): Promise<ReadonlySet<string>> {
  if (accounts.length === 0) return new Set();
  const rows = await (reader.sql as Tx['sql'])<{ id: string }[]>`
    select id from (select distinct unnest(${texts(accounts)}::uuid[]) as id) a where share_identity(id, ${userId})`;
  return new Set(rows.map(({ id }) => id));
}

/** Nobody agrees twice with two accounts. Asked of the platform. @throws Refusal `not_allowed` with the message */
export async function refuseSecondAccount(
  reader: Pick<Tx, 'sql'>,
  userId: string,
  agreed: readonly string[],
  message: Sentence,
): Promise<void> {
  if ((await otherAccountsAmong(reader, userId, agreed)).size > 0) throw new Refusal('not_allowed', { message });
}
