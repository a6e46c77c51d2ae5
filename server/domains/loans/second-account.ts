import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import * as identity from '../identity/second-account.ts';
import type { Reader } from './loan-rows.ts';

/* Where two officials must agree about a loan, two accounts of one person have one vote (`identity/second-account.ts`). */

export type IsOnePerson = identity.IsOnePerson;

/** Says of any two of some accounts whether they look like one person's. Asked of the platform. */
export const samePersonAmong = (reader: Reader, accounts: readonly string[]): Promise<IsOnePerson> =>
  identity.samePersonAmong(reader as Pick<Tx, 'sql'>, accounts);

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
export const independentOf = (
  reader: Reader,
  accounts: readonly string[],
  others: readonly string[],
): Promise<string[]> => identity.independentOf(reader as Pick<Tx, 'sql'>, accounts, others);

export const SECOND_ACCOUNT = sentence(
  'Your account and that of an official who has voted look like one person’s. They count as one vote, so another official must vote.',
);

/** Nobody votes twice with two accounts. @throws Refusal `not_allowed` */
export const refuseSecondAccount = (
  tx: Tx,
  userId: string,
  voters: readonly string[],
  message: Sentence = SECOND_ACCOUNT,
): Promise<void> => identity.refuseSecondAccount(tx, userId, voters, message);
