import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { requireProof } from '../identity/prove-password.ts';
import type { RelatedPairs } from '../identity/related-pairs.types.ts';
import { lockLoanOfSacco, officesHeld, refuseInactiveSacco, refuseInterested, refuseOffice } from './loan-officials.ts';
import { addLoanEvents, type LoanRow, type Reader } from './loan-rows.ts';
import { refuseSecondReturn } from './one-no.ts';
import { expiryFrom, refuseState } from './own-loan.ts';
import { endApplications, voidGuarantees } from './pledges.ts';
import { outcomeOf, REVIEW_OFFICES, reviewOffices, type Voices } from './review.rules.ts';
import { refuseSecondAccount } from './second-account.ts';
import { tellOfLoans } from './tell-of-loans.ts';

type Decision = 'approve' | 'reject' | 'return';

type RoundOf = Pick<LoanRow, 'id' | 'round'>;

/** The votes of the rounds that are under way, by the loan's id. */
async function voicesOfEach(reader: Reader, loans: readonly RoundOf[]): Promise<ReadonlyMap<string, Voices>> {
  const rows = await (reader.sql as Tx['sql'])<(Voices & { id: string })[]>`
    select l.id,
      (count(*) filter (where office = 'credit_committee' and decision = 'approve'))::int as "committeeApprovals",
      (count(*) filter (where office = 'credit_committee' and decision = 'reject'))::int as "committeeRejections",
      (count(*) filter (where office in ('treasurer', 'chair') and decision = 'approve'))::int as "secondTierApprovals",
      (count(*) filter (where office in ('treasurer', 'chair') and decision = 'reject'))::int as "secondTierRejections",
      (count(*) filter (where office = 'manager' and decision = 'approve'))::int as "managerApprovals",
      (count(*) filter (where office = 'manager' and decision = 'reject'))::int as "managerRejections"
    from unnest(${texts(loans.map(({ id }) => id))}::uuid[], ${integers(loans.map(({ round }) => round))}::int[]) as l (id, round)
    left join loan_reviews r on r.loan_id = l.id and r.round = l.round
    group by l.id`;
  return new Map(rows.map(({ id, ...voices }) => [id, voices]));
}

/** The votes of one round. */
export async function voicesOf(reader: Reader, loan: RoundOf): Promise<Voices> {
  return (await voicesOfEach(reader, [loan])).get(loan.id) as Voices;
}

/**
 * One official's vote about an application. One is enough to return it, once for each. Two of the credit committee approve it, above its amount
 * together with treasurer or chair; up to the manager's amount the manager alone. Any two reject it.
 * Two accounts of one person approve once and reject once.
 * @throws Refusal `not_allowed`, `proof_required`, `sacco_inactive`, `loan_terms_changed`, `loan_conflict`
 */
export async function reviewLoan(
  tx: Tx,
  actor: { readonly userId: string; readonly sessionId: string },
  input: {
    readonly saccoId: string;
    readonly loanId: string;
    readonly decision: Decision;
    readonly reason: string;
    readonly termsHash: string;
  },
  relatedPairs: RelatedPairs,
): Promise<void> {
  const loan = await lockLoanOfSacco(tx, input.saccoId, input.loanId);
  await refuseOffice(tx, { ...actor, saccoId: loan.sacco_id }, REVIEW_OFFICES);
  await refuseInterested(tx, actor, loan);
  await requireProof(tx, actor);
  await refuseInactiveSacco(tx, loan.sacco_id);
  refuseState(loan, 'submitted');
  const office = await refuseVoice(tx, actor, loan, relatedPairs);
  if (loan.terms_hash !== input.termsHash && isGuarded('loans.signed_terms')) throw new Refusal('loan_terms_changed');
  if (input.decision === 'return') await refuseSecondReturn(tx, loan.id, actor.userId);
  else await refuseSecondAccount(tx, actor.userId, await reviewersOf(tx, loan, input.decision));
  const added = await tx.sql`
    insert into loan_reviews (id, loan_id, round, reviewer_id, office, decision, reason, terms_hash, at)
    values (${tx.newId()}, ${loan.id}, ${loan.round}, ${actor.userId}, ${office}, ${input.decision}, ${input.reason},
      ${input.termsHash}, ${tx.now})
    on conflict do nothing`;
  if (added.count === 0) {
    throw new Refusal('loan_conflict', { message: sentence('You have voted on this application.') });
  }
  await addLoanEvents(tx, [{ loanId: loan.id, kind: 'reviewed', byId: actor.userId }]);
  if (input.decision === 'return') return giveBack(tx, actor, loan, input.reason);
  const outcome = outcomeOf(loan, await voicesOf(tx, loan));
  if (outcome === 'approved') await approve(tx, actor, loan);
  if (outcome === 'rejected') await reject(tx, actor, loan, input.reason);
}

/**
 * In which of their offices somebody speaks about a loan.
 * @throws Refusal `loan_conflict` where it needs no vote of theirs, `not_allowed` for a manager whose account looks like the borrower's
 */
async function refuseVoice(
  tx: Tx,
  { userId }: { readonly userId: string },
  loan: LoanRow,
  relatedPairs: RelatedPairs,
): Promise<Office> {
  const held = await officesHeld(tx, { userId, saccoId: loan.sacco_id });
  const speaking = (await officesToSpeakIn(tx, { userId, held }, [loan], relatedPairs)).get(loan.id);
  if (speaking?.office) return speaking.office;
  if (speaking?.refusal) throw new Refusal('not_allowed', { message: speaking.refusal });
  throw new Refusal('loan_conflict', { message: sentence('This loan needs no vote from your office.') });
}

/** Who has voted in the round that is under way; with a decision, only those who voted so. */
export async function reviewersOf(
  reader: Reader,
  { id, round }: RoundOf,
  decision: Decision | null = null,
): Promise<string[]> {
  const rows = await (reader.sql as Tx['sql'])<{ reviewer_id: string }[]>`
    select reviewer_id from loan_reviews
    where loan_id = ${id} and round = ${round} and decision = coalesce(${decision}::text, decision)`;
  return rows.map(({ reviewer_id }) => reviewer_id);
}

export interface Speaking {
  readonly office: Office | null;
  /** Why in none, where that is not their office. */
  readonly refusal: Sentence | null;
}

/** The office in which somebody may speak about submitted loans now, by the loan's id. A constant number of statements. */
export async function officesToSpeakIn(
  reader: Reader,
  { userId, held }: { readonly userId: string; readonly held: readonly Office[] },
  loans: readonly LoanRow[],
  relatedPairs: RelatedPairs,
): Promise<ReadonlyMap<string, Speaking>> {
  const voices = loans.length === 0 ? new Map<string, Voices>() : await voicesOfEach(reader, loans);
  const mine = loans.map((loan) => ({
    loan,
    offices: reviewOffices(loan, voices.get(loan.id) as Voices).filter((each) => held.includes(each)),
  }));
  // Nobody decides alone about an account that looks like another one of their own.
  const alone = mine.filter(({ offices }) => offices[0] === 'manager');
  const pairs = alone.map(({ loan }) => ({ one: userId, other: loan.borrower_id }));
  const places = pairs.length === 0 ? new Set<number>() : await relatedPairs({ sql: reader.sql as Tx['sql'] }, pairs);
  const related = new Set(alone.filter((_, place) => places.has(place)).map(({ loan }) => loan.id));
  return new Map(
    mine.map(({ loan, offices: [first = null, second = null] }) => {
      if (!related.has(loan.id)) return [loan.id, { office: first, refusal: null }];
      return [loan.id, { office: second, refusal: second ? null : sentence(RELATED) }];
    }),
  );
}
const RELATED = 'Your account looks related to the borrower’s, so the credit committee decides about this loan.';

/** The borrower changes it and submits it again. Their own savings are free meanwhile; guarantors stay bound as they signed. */
async function giveBack(tx: Tx, actor: { readonly userId: string }, loan: LoanRow, reason: string): Promise<void> {
  await voidGuarantees(tx, [loan], ({ kind }) => kind === 'self');
  await tx.sql`
    update loans set state = 'returned', state_at = ${tx.now}, state_reason = ${reason}, expires_at = ${expiryFrom(tx.now)}
    where id = ${loan.id}`;
  await addLoanEvents(tx, [{ loanId: loan.id, kind: 'returned', byId: actor.userId, text: reason }]);
  await tellOfLoans(tx, actor.userId, [{ loan, event: 'returned' }]);
}

async function approve(tx: Tx, actor: { readonly userId: string }, loan: LoanRow): Promise<void> {
  await tx.sql`
    update loans set state = 'approved', state_at = ${tx.now}, decided_at = ${tx.now}, expires_at = ${expiryFrom(tx.now)}
    where id = ${loan.id}`;
  await addLoanEvents(tx, [{ loanId: loan.id, kind: 'approved', byId: actor.userId }]);
  await tellOfLoans(tx, actor.userId, [{ loan, event: 'approved' }]);
}

async function reject(tx: Tx, actor: { readonly userId: string }, loan: LoanRow, reason: string): Promise<void> {
  const ended = await endApplications(tx, [loan], { state: 'rejected', byId: actor.userId, reason });
  await tellOfLoans(tx, actor.userId, [
    { loan, event: 'rejected' },
    ...ended
      .filter(({ kind }) => kind === 'member')
      .map((guarantee) => ({ loan, event: 'pledge_free' as const, guarantee })),
  ]);
}
