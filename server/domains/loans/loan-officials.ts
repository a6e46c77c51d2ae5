import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { lockPoolsOf } from '../pools/guarantee-life.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { type LoanRow, lockLoan, noSuchLoan, type Reader } from './loan-rows.ts';

type Official = { readonly userId: string; readonly saccoId: string };

/** The offices that somebody holds in a sacco at this moment. */
export async function officesHeld(reader: Reader, { userId, saccoId }: Official): Promise<Office[]> {
  const rows = await (reader.sql as Tx['sql'])<{ office: Office }[]>`
    select office from offices
    where sacco_id = ${saccoId} and user_id = ${userId} and ended_at is null and until > ${reader.now} order by office`;
  return rows.map(({ office }) => office);
}

/**
 * The platform writes, so PostgreSQL does not ask whose office it is at that moment: we do. Returns the one of them that is held
 * and stands first in the list.
 * @throws Refusal `not_allowed`
 */
export async function refuseOffice(tx: Tx, official: Official, allowed: readonly Office[]): Promise<Office> {
  const held = await officesHeld(tx, official);
  const office = allowed.find((each) => held.includes(each));
  if (!office) throw new Refusal('not_allowed');
  return office;
}

/** Whether somebody has an interest in a loan: it is theirs, or they guarantee it or were asked to. */
export async function isInterested(
  reader: Reader,
  userId: string,
  loan: Pick<LoanRow, 'id' | 'borrower_id'>,
): Promise<boolean> {
  if (loan.borrower_id === userId) return true;
  const [guarantee] = await (reader.sql as Tx['sql'])`
    select from loan_guarantees
    where loan_id = ${loan.id} and guarantor_id = ${userId} and state in ('asked', 'accepted', 'live', 'called')`;
  return guarantee !== undefined;
}

/** Nobody decides about their own loan or one that they guarantee. @throws Refusal `not_allowed` */
export async function refuseInterested(
  tx: Tx,
  { userId }: { readonly userId: string },
  loan: Pick<LoanRow, 'id' | 'borrower_id'>,
): Promise<void> {
  if (!(await isInterested(tx, userId, loan)) || !isGuarded('loans.own_loan')) return;
  throw new Refusal('not_allowed', {
    message: sentence('Others must decide about this loan: it is yours, or you guarantee it.'),
  });
}

/** Locks a loan of the official's sacco, after the sacco and the pools that stand for it or for the loan that it pays off. @throws Refusal `not_found` */
export async function lockLoanOfSacco(tx: Tx, saccoId: string, loanId: string): Promise<LoanRow> {
  const [found] = await tx.sql<Pick<LoanRow, 'refinances_id'>[]>`
    select refinances_id from loans where id = ${loanId} and sacco_id = ${saccoId}`;
  if (!found) throw noSuchLoan();
  await lockSacco(tx, saccoId);
  await lockPoolsOf(tx, { loanIds: [loanId, ...(found.refinances_id === null ? [] : [found.refinances_id])] });
  return lockLoan(tx, loanId);
}

/** Officials of a sacco who hold one of these offices, but for some people. */
export async function officialsWith(
  reader: Reader,
  saccoId: string,
  offices: readonly Office[],
  without: readonly string[] = [],
): Promise<string[]> {
  const rows = await (reader.sql as Tx['sql'])<{ user_id: string }[]>`
    select distinct user_id from offices
    where sacco_id = ${saccoId} and ended_at is null and until > ${reader.now} and office = any (${texts(offices)}::text[])
      and user_id <> all (${texts(without)}::uuid[])
    order by user_id`;
  return rows.map(({ user_id }) => user_id);
}

/** The borrower and those who guarantee a loan: none of them decides about it. */
export async function interestedIn(reader: Reader, loan: Pick<LoanRow, 'id' | 'borrower_id'>): Promise<string[]> {
  const rows = await (reader.sql as Tx['sql'])<{ guarantor_id: string }[]>`
    select guarantor_id from loan_guarantees
    where loan_id = ${loan.id} and state in ('asked', 'accepted', 'live', 'called')`;
  return [loan.borrower_id, ...rows.map(({ guarantor_id }) => guarantor_id)];
}

/** Who orders that a loan be paid out in the place of a treasurer. */
export const TREASURERS_DEPUTIES = ['chair', 'vice_chair', 'manager'] as const satisfies Office[];

/**
 * The offices that order a loan to be paid out: the treasurer, and deputies where every treasurer of the sacco has an interest in the loan,
 * as nobody else could pay it out. Whoever orders never checks.
 */
export async function orderingOffices(
  reader: Reader,
  loan: Pick<LoanRow, 'id' | 'borrower_id' | 'sacco_id'>,
): Promise<readonly Office[]> {
  const treasurers = await officialsWith(reader, loan.sacco_id, ['treasurer']);
  const interested = await interestedIn(reader, loan);
  const isBarred = treasurers.length > 0 && treasurers.every((each) => interested.includes(each));
  return isBarred ? ['treasurer', ...TREASURERS_DEPUTIES] : ['treasurer'];
}
