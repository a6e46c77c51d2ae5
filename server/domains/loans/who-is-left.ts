import { DEFAULT_DEPUTIES, DEFAULT_OFFICES } from '@ushirika/contract/loan-recovery';
import { checkDisbursement } from '@ushirika/contract/loans';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import type { MayDecide } from '../pools/request-guarantee.ts';
import { authorityOf } from './lending-authority.ts';
import { interestedIn, TREASURERS_DEPUTIES } from './loan-officials.ts';
import type { LoanRow } from './loan-rows.ts';
import { isForManager, type Judged, needsSecondTier } from './review.rules.ts';
import { areTwoPeople, type IsOnePerson, samePersonAmong } from './second-account.ts';

/*
 * Nobody decides about a loan that a pool backs in which they have money. Where a pool would leave too few to decide, the borrower is told
 * before anything waits (docs/decisions/187).
 */

export interface Official {
  readonly user_id: string;
  readonly office: Office;
}

/** What officials do with a loan: decide about the application, pay it out by two, decide that it is in default. */
export type Act = 'review' | 'payout' | 'default';

const ORDERING: readonly Office[] = ['treasurer', ...TREASURERS_DEPUTIES];
const OF_PAYOUT: readonly Office[] = [...ORDERING, ...(checkDisbursement.offices ?? [])];
const OF_DEFAULT: readonly Office[] = [...DEFAULT_OFFICES, ...DEFAULT_DEPUTIES];

/**
 * The acts for which enough officials are left without those who have an interest in the loan. Two accounts of one person do not decide
 * together (docs/decisions/189).
 */
export function actsLeft(
  loan: Judged,
  officials: readonly Official[],
  { interested, isOnePerson }: { readonly interested: ReadonlySet<string>; readonly isOnePerson: IsOnePerson },
): ReadonlySet<Act> {
  const free = officials.filter(({ user_id }) => !interested.has(user_id));
  const holders = (offices: readonly Office[]) =>
    new Set(free.filter(({ office }) => offices.includes(office)).map(({ user_id }) => user_id));
  const left = new Set<Act>();
  const isAnother = (one: string) => (other: string) => other !== one && !isOnePerson(one, other);
  if (isReviewed(loan, holders, isOnePerson)) left.add('review');
  const checking = [...holders(OF_PAYOUT)];
  if ([...holders(ORDERING)].some((one) => checking.some(isAnother(one)))) left.add('payout');
  if (areTwoPeople([...holders(OF_DEFAULT)], isOnePerson)) left.add('default');
  return left;
}

/** The manager alone, or two of the committee with a second tier where it is needed. */
function isReviewed(
  loan: Judged,
  holders: (offices: readonly Office[]) => ReadonlySet<string>,
  isOnePerson: IsOnePerson,
): boolean {
  if (isForManager(loan, { committeeRejections: 0 }) && holders(['manager']).size > 0) return true;
  const committee = holders(['credit_committee']);
  if (!areTwoPeople([...committee], isOnePerson)) return false;
  if (!needsSecondTier(loan)) return true;
  // A member of the committee votes there, also one who is treasurer or chair.
  const areLeftBeside = (one: string) =>
    areTwoPeople(
      [...committee].filter((each) => !isOnePerson(one, each)),
      isOnePerson,
    );
  return [...holders(['treasurer', 'chair'])].some((each) => !committee.has(each) && areLeftBeside(each));
}

/** Whether the pool alone takes an act from a loan: a sacco that has too few officials anyhow is another matter. */
async function isUndecidable(
  tx: Pick<Tx, 'sql' | 'now'>,
  loan: Judged,
  officials: readonly Official[],
  { anyhow, withPool }: { readonly anyhow: readonly string[]; readonly withPool: readonly string[] },
): Promise<boolean> {
  const isOnePerson = await samePersonAmong(tx, [...new Set(officials.map(({ user_id }) => user_id))]);
  const left = actsLeft(loan, officials, { interested: new Set([...anyhow, ...withPool]), isOnePerson });
  const before = actsLeft(loan, officials, { interested: new Set(anyhow), isOnePerson });
  return [...before].some((act) => !left.has(act));
}

async function officialsOf(tx: Pick<Tx, 'sql' | 'now'>, saccoId: string): Promise<Official[]> {
  return tx.sql<Official[]>`
    select user_id, office from offices where sacco_id = ${saccoId} and ended_at is null and until > ${tx.now}`;
}

/** @throws Refusal `loan_conflict` where the pool behind an application would leave too few to decide about it */
export async function refuseUndecidable(
  tx: Tx,
  loan: Pick<LoanRow, 'id' | 'sacco_id' | 'borrower_id'> & Judged,
): Promise<void> {
  const officials = await officialsOf(tx, loan.sacco_id);
  const guarantors = await tx.sql<{ guarantor_id: string }[]>`
    select guarantor_id from loan_guarantees where loan_id = ${loan.id} and kind = 'member'`;
  const anyhow = [loan.borrower_id, ...guarantors.map(({ guarantor_id }) => guarantor_id)];
  if (!(await isUndecidable(tx, loan, officials, { anyhow, withPool: await interestedIn(tx, loan) }))) return;
  throw new Refusal('loan_conflict', {
    message: sentence(
      'Nobody could decide about this loan: too many of those who decide have money in the pool that backs it. Ask another pool, or members.',
    ),
  });
}

/** For pools, before they take on a loan of a sacco: whether enough officials without money in the pool could decide about it. */
export const mayBeDecided: MayDecide = async (tx, { saccoId, poolId, userId, principal }) => {
  const [officials, members, authority] = await Promise.all([
    officialsOf(tx, saccoId),
    tx.sql<{ user_id: string }[]>`
      select distinct m.user_id from pool_members m join offices o on o.user_id = m.user_id and o.sacco_id = ${saccoId}
      where m.pool_id = ${poolId} and m.position_cents > 0`,
    authorityOf(tx, saccoId),
  ]);
  const loan = {
    amount_cents: principal,
    judged_cents: principal,
    committee_alone_cents: authority.committeeCents,
    manager_alone_cents: authority.managerCents,
  };
  const withPool = members.map(({ user_id }) => user_id);
  return !(await isUndecidable(tx, loan, officials, { anyhow: [userId], withPool }));
};
