import { DEFAULT_DEPUTIES, DEFAULT_OFFICES } from '@ushirika/contract/loan-recovery';
import { PAYOUT_OFFICES } from '@ushirika/contract/loans';
import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { areTwoPeople } from '../identity/second-account.ts';
import type { MayDecide, MayJoin } from '../pools/request-guarantee.ts';
import { type Authority, authorityOf } from './lending-authority.ts';
import { type Holder, holdersOf, interestedIn } from './loan-officials.ts';
import type { LoanRow } from './loan-rows.ts';
import { isForManager, type Judged, needsSecondTier } from './review.rules.ts';
import { type IsOnePerson, independentOf, samePersonAmong } from './second-account.ts';

/*
 * Nobody decides about a loan that a pool backs in which they have money. Where a pool would leave too few to decide, the borrower is told
 * before anything waits (docs/decisions/187).
 */

/** What officials do with a loan: decide about the application, pay it out by two, decide that it is in default. */
export type Act = 'review' | 'payout' | 'default';

const OF_DEFAULT: readonly Office[] = [...DEFAULT_OFFICES, ...DEFAULT_DEPUTIES];

/**
 * The acts for which enough officials are left without those who have an interest in the loan. A payout takes two, one of them besides those
 * who decide about the application. Two accounts of one person do not decide together
 * (docs/decisions/189).
 */
export function actsLeft(
  loan: Judged,
  officials: readonly Holder[],
  { interested, isOnePerson }: { readonly interested: ReadonlySet<string>; readonly isOnePerson: IsOnePerson },
): ReadonlySet<Act> {
  const free = officials.filter(({ user_id }) => !interested.has(user_id));
  const holders = holdersAmong(free);
  const left = new Set<Act>();
  const isAnother = (one: string) => (other: string) => other !== one && !isOnePerson(one, other);
  if (isReviewed(loan, holders, isOnePerson)) left.add('review');
  const payers = [...holders(PAYOUT_OFFICES)];
  const isPaidWith = (checker: string) =>
    payers.some(isAnother(checker)) &&
    isReviewed(loan, holdersAmong(free.filter(({ user_id }) => isAnother(checker)(user_id))), isOnePerson);
  if (payers.some(isPaidWith)) left.add('payout');
  if (areTwoPeople([...holders(OF_DEFAULT)], isOnePerson)) left.add('default');
  return left;
}

type Holders = (offices: readonly Office[]) => ReadonlySet<string>;

const holdersAmong =
  (officials: readonly Holder[]): Holders =>
  (offices) =>
    new Set(officials.filter(({ office }) => offices.includes(office)).map(({ user_id }) => user_id));

/** The manager alone, or two of the committee with a second tier where it is needed. */
function isReviewed(loan: Judged, holders: Holders, isOnePerson: IsOnePerson): boolean {
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

/** Says of any two of some officials whether their accounts look like one person's. */
const onePersonAmong = (tx: Pick<Tx, 'sql' | 'now'>, officials: readonly Holder[]): Promise<IsOnePerson> =>
  samePersonAmong(tx, [...new Set(officials.map(({ user_id }) => user_id))]);

/** Whether the pool alone takes an act from a loan: a sacco that has too few officials anyhow is another matter. */
function isUndecidable(
  loan: Judged,
  officials: readonly Holder[],
  {
    anyhow,
    withPool,
    isOnePerson,
  }: { readonly anyhow: readonly string[]; readonly withPool: readonly string[]; readonly isOnePerson: IsOnePerson },
): boolean {
  const left = actsLeft(loan, officials, { interested: new Set([...anyhow, ...withPool]), isOnePerson });
  const before = actsLeft(loan, officials, { interested: new Set(anyhow), isOnePerson });
  return [...before].some((act) => !left.has(act));
}

/** The borrower, and officials whose account looks like theirs: none of them decides about the loan, with or without a pool. */
async function accountsOf(
  tx: Pick<Tx, 'sql' | 'now'>,
  borrower: string,
  officials: readonly Holder[],
): Promise<string[]> {
  const others = [...new Set(officials.map(({ user_id }) => user_id))].filter((each) => each !== borrower);
  const free = await independentOf(tx, others, [borrower]);
  return [borrower, ...others.filter((each) => !free.includes(each))];
}

/** @throws Refusal `loan_conflict` where the pool behind an application would leave too few to decide about it */
export async function refuseUndecidable(
  tx: Tx,
  loan: Pick<LoanRow, 'id' | 'sacco_id' | 'borrower_id'> & Judged,
): Promise<void> {
  const officials = await holdersOf(tx, loan.sacco_id);
  const guarantors = await tx.sql<{ guarantor_id: string }[]>`
    select guarantor_id from loan_guarantees where loan_id = ${loan.id} and kind = 'member'`;
  const anyhow = [
    ...(await accountsOf(tx, loan.borrower_id, officials)),
    ...guarantors.map(({ guarantor_id }) => guarantor_id),
  ];
  const [withPool, isOnePerson] = [await interestedIn(tx, loan), await onePersonAmong(tx, officials)];
  if (!isUndecidable(loan, officials, { anyhow, withPool, isOnePerson })) return;
  throw new Refusal('loan_conflict', {
    message: sentence(
      'Nobody could decide about this loan: too many of those who decide have money in the pool that backs it. Ask another pool, or members.',
    ),
  });
}

/** For pools, before they take on a loan of a sacco: whether enough officials without money in the pool could decide about it. */
export const mayBeDecided: MayDecide = async (tx, { saccoId, poolId, userId, principal, askedAt = tx.now }) => {
  const [officials, members, authority] = await Promise.all([
    holdersOf(tx, saccoId),
    officialsIn(tx, { saccoId, poolId, by: askedAt }),
    authorityOf(tx, saccoId),
  ]);
  const anyhow = await accountsOf(tx, userId, officials);
  const isOnePerson = await onePersonAmong(tx, officials);
  return !isUndecidable(loanUnder(principal, authority), officials, { anyhow, withPool: members, isOnePerson });
};

/**
 * For pools, before somebody joins one of a sacco: whether enough officials without money in it would be left to decide about the
 * smallest loan, and about the largest that the committee decides alone. Whoever is no official takes nothing from them.
 */
export const mayJoin: MayJoin = async (tx, { saccoId, poolId, userId }) => {
  const officials = await holdersOf(tx, saccoId);
  if (!officials.some(({ user_id }) => user_id === userId)) return true;
  const [members, authority, isOnePerson] = await Promise.all([
    officialsIn(tx, { saccoId, poolId, by: tx.now }),
    authorityOf(tx, saccoId),
    onePersonAmong(tx, officials),
  ]);
  return [1, authority.committeeCents].every(
    (principal) =>
      !isUndecidable(loanUnder(principal, authority), officials, { anyhow: members, withPool: [userId], isOnePerson }),
  );
};

const loanUnder = (principal: Cents, { committeeCents, managerCents }: Authority): Judged => ({
  amount_cents: principal,
  judged_cents: principal,
  committee_alone_cents: committeeCents,
  manager_alone_cents: managerCents,
});

/** Officials of a sacco with money in a pool, who joined it by some moment. Whoever takes all out and comes back joins anew. */
async function officialsIn(
  tx: Pick<Tx, 'sql'>,
  { saccoId, poolId, by }: { readonly saccoId: string; readonly poolId: string; readonly by: Date },
): Promise<string[]> {
  const rows = await tx.sql<{ user_id: string }[]>`
    select distinct m.user_id from pool_members m join offices o on o.user_id = m.user_id and o.sacco_id = ${saccoId}
    where m.pool_id = ${poolId} and m.position_cents > 0 and m.joined_at <= ${by}`;
  return rows.map(({ user_id }) => user_id);
}
