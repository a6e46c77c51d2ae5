import { OPEN_APPLICATIONS_MAX } from '@ushirika/contract/loans';
import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { requireProof } from '../identity/prove-password.ts';
import type { RelatedPairs } from '../identity/related-pairs.types.ts';
import { attachGuarantee } from '../pools/guarantee-cover.ts';
import { closeGuarantee, lockPoolsOf } from '../pools/guarantee-life.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { askAnew, askGuarantors, type Guarantor } from './ask-guarantors.ts';
import { authorityOf } from './lending-authority.ts';
import { coverFor, refuseClosedPool, refuseFeeOfAll } from './loan-cover.ts';
import { borrowerFacts, offeredTerms, refuseAboveLimit, refuseOutside, refuseUnfit } from './loan-limits.ts';
import { addLoanEvents, type LoanRow, lockGuarantees, lockLoan } from './loan-rows.ts';
import {
  costOf,
  guaranteeTerms,
  guaranteeTermsHash,
  loanTermsHash,
  type ProductTerms,
  termsOfLoan,
} from './loan-terms.ts';
import { endSignaturesOf } from './old-signatures.ts';
import { expiryFrom, lockOwnLoan, refuseState } from './own-loan.ts';
import {
  endApplications,
  heldForRefinanced,
  pledgeJournal,
  postAll,
  refuseHeldPerson,
  voidGuarantees,
} from './pledges.ts';
import { refinancedBy, refuseRefinancing, refuseUnrefinanced } from './refinance-loan.ts';
import { reviewOffices } from './review.rules.ts';
import { tellOfLoans } from './tell-of-loans.ts';
import { refuseUndecidable } from './who-is-left.ts';

type Actor = { readonly userId: string; readonly sessionId: string };

interface Asked {
  readonly amount: Cents;
  readonly months: number;
  readonly purpose: string;
  readonly netIncome: Cents;
}

export interface Application extends Asked {
  readonly saccoId: string;
  readonly productId: string;
  readonly guarantors: readonly Guarantor[];
  readonly refinances: string | null;
  /** A pool's guarantee that was quoted or approved for it. */
  readonly poolRequest: string | null;
}

/**
 * A member applies for a loan: the application is kept with the terms that hold now, and its guarantors are asked. Nothing is held
 * before each of them signs.
 * @throws Refusal `sacco_inactive`, `full_rights_required`, `exit_conflict`, `loan_terms_not_met`, `loan_limit_exceeded`,
 *   `guarantor_not_accepted`, `pool_request_conflict`, `loan_conflict` for a third open application, or a loan that cannot be refinanced
 */
export async function applyForLoan(
  tx: Tx,
  actor: { readonly userId: string },
  input: Application,
  relatedPairs: RelatedPairs,
): Promise<string> {
  const { saccoId, productId, amount, months, refinances } = input;
  await lockSacco(tx, saccoId);
  await lockPoolsOf(tx, {
    loanIds: refinances === null ? [] : [refinances],
    requestIds: input.poolRequest === null ? [] : [input.poolRequest],
  });
  const member = { saccoId, userId: actor.userId };
  const facts = await borrowerFacts(tx, member, refinances === null ? [] : [refinances]);
  const terms = await offeredTerms(tx, saccoId, productId);
  refuseUnfit(facts, { terms, amount });
  refuseOutside(terms, input);
  refuseAboveLimit(facts, { terms, offer: { ...terms, months }, netIncome: input.netIncome }, amount);
  if (facts.standing.openApplications >= OPEN_APPLICATIONS_MAX) {
    throw new Refusal('loan_conflict', {
      message: sentence('You have two open applications here. End one of them first.'),
    });
  }
  await refuseUnrefinanced(tx, refinances, member);
  const id = tx.newId();
  const loan = {
    ...terms,
    id,
    sacco_id: saccoId,
    borrower_id: actor.userId,
    amount_cents: amount,
    months,
    refinances_id: refinances,
  };
  await keepApplication(tx, loan, input);
  await refuseRefinancing(tx, loan);
  await askGuarantors(tx, await lockLoan(tx, id), input.guarantors, relatedPairs);
  return id;
}

type NewLoan = ProductTerms &
  Pick<LoanRow, 'id' | 'sacco_id' | 'borrower_id' | 'amount_cents' | 'months' | 'refinances_id'>;

/** The row of a new application, and a pool's guarantee that it names. */
async function keepApplication(tx: Tx, loan: NewLoan, input: Application): Promise<void> {
  await tx.sql`
    insert into loans (id, sacco_id, borrower_id, product_id, terms_from, method, monthly_rate, fee_rate, penalty_rate,
      min_guarantors, whole_shillings, amount_cents, months, purpose, net_income_cents, refinances_id, state, state_at, applied_at, expires_at,
      terms_hash)
    values (${loan.id}, ${loan.sacco_id}, ${loan.borrower_id}, ${input.productId}, ${loan.valid_from}, ${loan.method}, ${loan.monthly_rate},
      ${loan.fee_rate}, ${loan.penalty_rate}, ${loan.min_guarantors}, ${loan.whole_shillings}, ${loan.amount_cents}, ${loan.months}, ${input.purpose},
      ${input.netIncome}, ${loan.refinances_id}, 'guarantors_pending', ${tx.now}, ${tx.now}, ${expiryFrom(tx.now)},
      ${loanTermsHash(loan)})`;
  await addLoanEvents(tx, [
    { loanId: loan.id, kind: 'applied', byId: loan.borrower_id, amountCents: loan.amount_cents },
  ]);
  if (input.poolRequest !== null) {
    const attached = {
      requestId: input.poolRequest,
      userId: loan.borrower_id,
      loanId: loan.id,
      saccoId: loan.sacco_id,
      principal: loan.amount_cents,
      months: loan.months,
    };
    const { fee } = await attachGuarantee(tx, attached);
    refuseFeeOfAll(costOf(loan).paidOut, fee);
  }
}

const inProgress = ['guarantors_pending', 'returned'] as const;

/**
 * Changes an application that is not with the committee. Where amount, time or purpose become others, all signatures are void, and
 * who had signed is asked anew.
 * @throws Refusal `loan_terms_not_met`, `loan_limit_exceeded`, `loan_conflict`, `guarantor_not_accepted` with a name, and as
 *   `applyForLoan` for who may not borrow any more
 */
export async function changeLoan(
  tx: Tx,
  actor: { readonly userId: string },
  input: Asked & { readonly loanId: string },
  relatedPairs: RelatedPairs,
): Promise<void> {
  const loan = await lockOwnLoan(tx, actor, input.loanId);
  refuseState(loan, ...inProgress);
  const { amount, months, purpose, netIncome } = input;
  const terms = await termsOfLoan(tx, loan);
  refuseOutside(terms, input);
  const facts = await borrowerFacts(tx, { saccoId: loan.sacco_id, userId: actor.userId }, ownLoans(loan));
  refuseUnfit(facts, { terms, amount });
  refuseAboveLimit(facts, { terms, offer: { ...loan, months }, netIncome }, amount);
  const changed = { ...loan, amount_cents: amount, months, purpose, net_income_cents: netIncome };
  await tx.sql`
    update loans set amount_cents = ${amount}, months = ${months}, purpose = ${purpose}, net_income_cents = ${netIncome},
      terms_hash = ${loanTermsHash(changed)}, expires_at = ${expiryFrom(tx.now)}
    where id = ${loan.id}`;
  const isSame = amount === loan.amount_cents && months === loan.months && purpose === loan.purpose;
  if (isSame) return;
  // A pool guarantees a loan of these months and at most a part of this amount: it is asked anew.
  await postAll(tx, await closeGuarantee(tx, { loanId: loan.id }));
  await refinancedBy(tx, changed);
  await askAnew(tx, changed, relatedPairs);
}

/** A loan and the one that it refinances are left out of what the borrower owes besides. */
export const ownLoans = ({ id, refinances_id }: Pick<LoanRow, 'id' | 'refinances_id'>): string[] =>
  refinances_id === null ? [id] : [id, refinances_id];

/**
 * Hands a covered application to those who decide about its amount by what is in force now. One's own savings that cover a part are held from then on; who has not
 * answered is not asked any more.
 * @throws Refusal `proof_required`, `payout_held`, `phone_unconfirmed`, `loan_limit_exceeded`, `loan_not_covered`, `loan_terms_not_met` where a
 *   pool’s fee takes all, `loan_conflict` also where nobody could decide
 */
export async function submitLoan(tx: Tx, actor: Actor, { loanId }: { readonly loanId: string }): Promise<void> {
  const loan = await lockOwnLoan(tx, actor, loanId);
  refuseState(loan, ...inProgress);
  await requireProof(tx, actor);
  await refuseHeldPerson(tx, actor.userId);
  // A confirmed phone is one account's: no second account of an official with the same SIM borrows (docs/decisions/189).
  const [confirmed] = await tx.sql`select from users where id = ${actor.userId} and phone_confirmed_at is not null`;
  if (!confirmed) throw new Refusal('phone_unconfirmed');
  const terms = await termsOfLoan(tx, loan);
  const facts = await borrowerFacts(tx, { saccoId: loan.sacco_id, userId: actor.userId }, ownLoans(loan));
  refuseUnfit(facts, { terms, amount: loan.amount_cents });
  refuseAboveLimit(facts, { terms, offer: loan, netIncome: loan.net_income_cents }, loan.amount_cents);
  await endSignaturesOf(tx, actor.userId, [loan]);
  const ownHeld = await heldForRefinanced(tx, loan, actor.userId);
  const cover = await coverFor(tx, loan, await lockGuarantees(tx, [loan.id]), facts.savings.free + ownHeld);
  if (!cover.isCovered) throw new Refusal('loan_not_covered');
  await refuseClosedPool(tx, loan);
  refuseFeeOfAll(costOf(loan).paidOut, cover.poolFee);
  await refinancedBy(tx, loan);
  await voidGuarantees(tx, [loan], ({ state }) => state === 'asked');
  if (cover.ownUsed > 0)
    await pledgeOwn(tx, loan, { cents: cover.ownUsed, held: Math.max(0, cover.ownUsed - ownHeld) });
  const authority = await authorityOf(tx, loan.sacco_id);
  const judged = {
    committee_alone_cents: authority.committeeCents,
    manager_alone_cents: authority.managerCents,
    judged_cents: loan.amount_cents + facts.standing.otherPrincipal,
  };
  await refuseUndecidable(tx, { ...loan, ...judged });
  await tx.sql`
    update loans set state = 'submitted', state_at = ${tx.now}, submitted_at = ${tx.now}, expires_at = ${expiryFrom(tx.now)},
      round = round + 1, state_reason = null, committee_alone_cents = ${judged.committee_alone_cents},
      manager_alone_cents = ${judged.manager_alone_cents}, judged_cents = ${judged.judged_cents}
    where id = ${loan.id}`;
  await addLoanEvents(tx, [{ loanId: loan.id, kind: 'submitted', byId: actor.userId }]);
  const deciders = reviewOffices({ ...loan, ...judged }, { committeeRejections: 0 });
  await tellOfLoans(tx, actor.userId, [{ loan, event: 'submitted', deciders }]);
}

/** The borrower's own savings stand for what the guarantors leave. */
async function pledgeOwn(
  tx: Tx,
  loan: LoanRow,
  { cents, held }: { readonly cents: Cents; readonly held: Cents },
): Promise<void> {
  const own = { id: tx.newId(), guarantor_id: loan.borrower_id, amount_cents: cents };
  await tx.sql`
    insert into loan_guarantees (id, loan_id, kind, guarantor_id, amount_cents, state, state_at, pledged_cents, asked_at,
      terms, terms_hash, signed_at)
    values (${own.id}, ${loan.id}, 'self', ${own.guarantor_id}, ${cents}, 'accepted', ${tx.now}, ${held}, ${tx.now},
      ${JSON.stringify(guaranteeTerms(loan, own))}::text::jsonb, ${guaranteeTermsHash(loan, own)}, ${tx.now})`;
  if (held > 0) await postAll(tx, [pledgeJournal(loan, own, { cents: held, moment: 'signed' })]);
}

/**
 * Takes an application back, any time before it is paid out.
 * @throws Refusal `loan_conflict`
 */
export async function withdrawLoan(
  tx: Tx,
  actor: { readonly userId: string },
  { loanId }: { readonly loanId: string },
) {
  const loan = await lockOwnLoan(tx, actor, loanId);
  refuseState(loan, ...inProgress, 'submitted', 'approved', 'accepted', 'disbursing');
  const ended = await endApplications(tx, [loan], { state: 'withdrawn', byId: actor.userId });
  await tellOfLoans(
    tx,
    actor.userId,
    ended.map((guarantee) => ({ loan, event: 'pledge_free' as const, guarantee })),
  );
}
