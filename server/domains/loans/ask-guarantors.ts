import {
  ASKS_A_DAY,
  ASKS_PER_APPLICATION,
  GUARANTEE_ANSWER_DAYS,
  GUARANTEES_LIVE_MAX,
  GUARANTOR_MEMBER_DAYS,
  GUARANTORS_PER_LOAN_MAX,
} from '@ushirika/contract/loans';
import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import type { RelatedPairs } from '../identity/related-pairs.types.ts';
import { guarantorFacts } from './loan-facts.ts';
import { borrowerFacts, refuseUnfit } from './loan-limits.ts';
import { addLoanEvents, type GuaranteeRow, type LoanRow, lockGuarantees } from './loan-rows.ts';
import { guaranteeTerms, termsOfLoan } from './loan-terms.ts';
import { reasonAgainstGuarantor } from './loans.rules.ts';
import { expiryFrom, lockOwnLoan, refuseState } from './own-loan.ts';
import { voidGuarantees } from './pledges.ts';
import { tellOfLoans } from './tell-of-loans.ts';

const DAY_MS = 86_400_000;

/** A member by their id in the list of members, or a person whom an earlier guarantee names. */
export type Guarantor = { readonly amount: Cents } & ({ readonly member: string } | { readonly userId: string });

export const answerBy = (now: Date): Date => new Date(now.getTime() + GUARANTEE_ANSWER_DAYS * DAY_MS);

/** The person whom the list of members names. @throws Refusal `guarantor_not_accepted` */
export async function personOfMember(tx: Tx, saccoId: string, guarantor: Guarantor): Promise<string> {
  if ('userId' in guarantor) return guarantor.userId;
  const [member] = await tx.sql<{ user_id: string }[]>`
    select user_id from memberships where id = ${guarantor.member} and sacco_id = ${saccoId} and state <> 'exited'`;
  if (!member) throw new Refusal('guarantor_not_accepted');
  return member.user_id;
}

/**
 * Whether somebody may be asked at all. Their savings are not looked at: the borrower could find out by asking for one amount
 * after the other. The borrower reads the same sentence whatever stands against it, with the name: several are asked at once.
 * @throws Refusal `guarantor_not_accepted`
 */
export async function refuseGuarantor(
  tx: Tx,
  loan: Pick<LoanRow, 'sacco_id' | 'borrower_id' | 'refinances_id'>,
  guarantorId: string,
  relatedPairs: RelatedPairs,
): Promise<void> {
  const about = { saccoId: loan.sacco_id, borrowerId: loan.borrower_id, guarantorId, refinancesId: loan.refinances_id };
  const facts = await guarantorFacts(tx, about, relatedPairs);
  const reason = reasonAgainstGuarantor(facts, 0, tx.now);
  if (reason === null || !isGuarded('loans.guarantors')) return;
  throw new Refusal('guarantor_not_accepted', {
    message: sentence(
      '{name} cannot guarantee this loan. A guarantor has been a member in full rights for {days} days, holds no office, is not late with a loan, guarantees fewer than {most} others, has confirmed the phone, shares no phone or device with you, and has no loan that you guarantee.',
      { name: await nameOf(tx, guarantorId), days: GUARANTOR_MEMBER_DAYS, most: GUARANTEES_LIVE_MAX },
    ),
  });
}

export async function nameOf(tx: Tx, userId: string): Promise<string> {
  const [person] = await tx.sql<{ name: string }[]>`
    select first_name || ' ' || last_name as name from users where id = ${userId}`;
  return person?.name ?? '';
}

/** A member who is named, and the request that waits for their answer already. */
interface Named {
  readonly guarantorId: string;
  readonly amount: Cents;
  readonly before: GuaranteeRow | undefined;
}

/**
 * Asks members to guarantee parts of a loan, in the order given; the sacco and the loan are locked. For one who has not answered yet
 * the request changes, and no SMS goes out; one who has signed stays as they signed. Whoever is named twice is asked for the last amount.
 * What is refused whoever the members are is refused first: else one refusal instead of another would tell who is fit.
 * @throws Refusal `guarantor_not_accepted`, `loan_conflict` for too many, or for more than the loan
 */
export async function askGuarantors(
  tx: Tx,
  loan: LoanRow,
  guarantors: readonly Guarantor[],
  relatedPairs: RelatedPairs,
): Promise<void> {
  const named = await namedIn(tx, loan, guarantors);
  const asked = named.filter(({ before, amount }) => before?.amount_cents !== amount);
  await refuseManyAsks(
    tx,
    loan,
    asked.map(({ guarantorId }) => guarantorId),
  );
  for (const { guarantorId } of named) await refuseGuarantor(tx, loan, guarantorId, relatedPairs);
  for (const { guarantorId, amount, before } of asked) {
    if (before) {
      await changeAsked(tx, loan, before, amount);
      await addAsked(tx, loan, { id: before.id, amount });
    } else await insertAsked(tx, loan, { guarantorId, amount, replacesId: null });
  }
}

async function namedIn(tx: Tx, loan: LoanRow, guarantors: readonly Guarantor[]): Promise<Named[]> {
  const open = (await lockGuarantees(tx, [loan.id])).filter(({ state }) => state === 'asked' || state === 'accepted');
  const named = new Map<string, Named>();
  for (const guarantor of guarantors) {
    const { amount } = guarantor;
    if (amount > loan.amount_cents) throw conflict(sentence('No guarantor is asked for more than the loan.'));
    const guarantorId = await personOfMember(tx, loan.sacco_id, guarantor);
    const before = open.find((row) => row.guarantor_id === guarantorId && row.kind === 'member');
    if (before?.state === 'accepted') throw conflict(sentence('That member has signed already.'));
    named.set(guarantorId, { guarantorId, amount, before });
  }
  const all = [...named.values()];
  if (open.length + all.filter(({ before }) => !before).length > GUARANTORS_PER_LOAN_MAX) {
    throw conflict(sentence('A loan has {n} guarantors at most.', { n: GUARANTORS_PER_LOAN_MAX }));
  }
  return all;
}

const conflict = (message: Sentence) => new Refusal('loan_conflict', { message });

/**
 * A borrower asks so often in a day and for one application, and nobody who said no within the last day: each request is an SMS to
 * somebody who did not want it. A request that is changed counts as well.
 * @throws Refusal `loan_conflict`
 */
export async function refuseManyAsks(tx: Tx, loan: LoanRow, guarantorIds: readonly string[]): Promise<void> {
  if (guarantorIds.length === 0 || !isGuarded('loans.asks')) return;
  const dayAgo = new Date(tx.now.getTime() - DAY_MS);
  const [asks] = await tx.sql<{ today: number; of_loan: number; said_no: boolean }[]>`
    select (count(*) filter (where e.at > ${dayAgo}))::int as today, (count(*) filter (where l.id = ${loan.id}))::int as of_loan,
      exists (select from loan_guarantees g join loans o on o.id = g.loan_id
              where o.borrower_id = ${loan.borrower_id} and o.sacco_id = ${loan.sacco_id}
                and g.guarantor_id = any (${texts(guarantorIds)}::uuid[]) and g.state = 'refused' and g.state_at > ${dayAgo}) as said_no
    from loans l join loan_events e on e.loan_id = l.id and e.kind = 'guarantor_asked'
    where l.borrower_id = ${loan.borrower_id} and l.sacco_id = ${loan.sacco_id}`;
  if (asks?.said_no) {
    throw conflict(sentence('That member has said no. Ask somebody else, or ask again after 24 hours.'));
  }
  if ((asks?.today ?? 0) + guarantorIds.length > ASKS_A_DAY) {
    throw conflict(
      sentence('You ask guarantors {n} times in 24 hours at most. Ask again tomorrow, or fewer of them.', {
        n: ASKS_A_DAY,
      }),
    );
  }
  if (loan.disbursed_at !== null || (asks?.of_loan ?? 0) + guarantorIds.length <= ASKS_PER_APPLICATION) return;
  throw conflict(
    sentence('For one application you ask {n} times at most, and cannot ask more often.', { n: ASKS_PER_APPLICATION }),
  );
}

/** An unanswered request for other terms: the same row, and a code that is out signs nothing any more. */
async function changeAsked(tx: Tx, loan: LoanRow, row: GuaranteeRow, amount: Cents): Promise<void> {
  const terms = guaranteeTerms(loan, { ...row, amount_cents: amount });
  await tx.sql`
    update loan_guarantees set amount_cents = ${amount}, terms = ${JSON.stringify(terms)}::text::jsonb where id = ${row.id}`;
  await tx.sql`
    update loan_guarantee_codes set used_at = ${tx.now}
    where guarantee_id = ${row.id} and used_at is null and expires_at > ${tx.now}`;
}

/**
 * The terms of a loan are others. Who has not answered reads them in the same request; who has signed is asked anew. None is asked
 * for more than the loan.
 * @param loan with its new terms
 * @throws Refusal `guarantor_not_accepted`, with the name of whom the borrower has to leave out
 */
export async function askAnew(tx: Tx, loan: LoanRow, relatedPairs: RelatedPairs): Promise<void> {
  const signed = (await voidGuarantees(tx, [loan], ({ state }) => state === 'accepted')).filter(
    ({ kind }) => kind === 'member',
  );
  const waiting = (await lockGuarantees(tx, [loan.id])).filter(({ state }) => state === 'asked');
  for (const row of [...signed, ...waiting]) await refuseNamed(tx, loan, row.guarantor_id, relatedPairs);
  const amountOf = (row: GuaranteeRow) => Math.min(row.amount_cents, loan.amount_cents);
  for (const row of waiting) await changeAsked(tx, loan, row, amountOf(row));
  for (const row of signed) {
    await insertAsked(tx, loan, { guarantorId: row.guarantor_id, amount: amountOf(row), replacesId: null });
  }
}

async function refuseNamed(tx: Tx, loan: LoanRow, guarantorId: string, relatedPairs: RelatedPairs): Promise<void> {
  try {
    await refuseGuarantor(tx, loan, guarantorId, relatedPairs);
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.code !== 'guarantor_not_accepted') throw refusal;
    throw new Refusal('guarantor_not_accepted', {
      message: sentence('{name} cannot guarantee this loan any more. Take that request back first.', {
        name: await nameOf(tx, guarantorId),
      }),
    });
  }
}

/** A request to a guarantor, of which they are told. */
export async function insertAsked(
  tx: Tx,
  loan: LoanRow,
  asked: { readonly guarantorId: string; readonly amount: Cents; readonly replacesId: string | null },
): Promise<void> {
  const guarantee = { id: tx.newId(), guarantor_id: asked.guarantorId, amount_cents: asked.amount };
  await tx.sql`
    insert into loan_guarantees (id, loan_id, kind, guarantor_id, amount_cents, state, state_at, asked_at, answer_by, terms,
      replaces_id)
    values (${guarantee.id}, ${loan.id}, 'member', ${asked.guarantorId}, ${asked.amount}, 'asked', ${tx.now}, ${tx.now},
      ${answerBy(tx.now)}, ${JSON.stringify(guaranteeTerms(loan, guarantee))}::text::jsonb, ${asked.replacesId})`;
  await addAsked(tx, loan, { id: guarantee.id, amount: asked.amount });
  await tellOfLoans(tx, loan.borrower_id, [{ loan, event: 'guarantor_asked', guarantee }]);
}

async function addAsked(tx: Tx, loan: LoanRow, { id, amount }: { id: string; amount: Cents }): Promise<void> {
  await addLoanEvents(tx, [
    { loanId: loan.id, kind: 'guarantor_asked', byId: loan.borrower_id, guaranteeId: id, amountCents: amount },
  ]);
}

/**
 * The borrower asks a member, before the loan is submitted.
 * @throws Refusal `guarantor_not_accepted`, `loan_conflict`, and as `applyForLoan` for who may not borrow any more
 */
export async function askGuarantor(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly loanId: string; readonly member: string; readonly amount: Cents },
  relatedPairs: RelatedPairs,
): Promise<void> {
  const loan = await lockOwnLoan(tx, actor, input.loanId);
  refuseState(loan, 'guarantors_pending', 'returned');
  const without = loan.refinances_id === null ? [loan.id] : [loan.id, loan.refinances_id];
  const facts = await borrowerFacts(tx, { saccoId: loan.sacco_id, userId: actor.userId }, without);
  refuseUnfit(facts, { terms: await termsOfLoan(tx, loan), amount: loan.amount_cents });
  await askGuarantors(tx, loan, [{ member: input.member, amount: input.amount }], relatedPairs);
  await tx.sql`update loans set expires_at = ${expiryFrom(tx.now)} where id = ${loan.id}`;
}

/**
 * The borrower takes a request back, or a signature that they do not need any more.
 * @throws Refusal `loan_conflict`
 */
export async function dropGuarantor(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly loanId: string; readonly guaranteeId: string },
): Promise<void> {
  const loan = await lockOwnLoan(tx, actor, input.loanId);
  const isReplacing = (row: GuaranteeRow) => row.replaces_id !== null;
  const isApplied = loan.state === 'guarantors_pending' || loan.state === 'returned';
  const ended = await voidGuarantees(
    tx,
    [loan],
    (row) => row.id === input.guaranteeId && row.kind === 'member' && (isApplied || isReplacing(row)),
  );
  if (ended.length === 0) throw new Refusal('loan_conflict');
  await tellOfLoans(
    tx,
    actor.userId,
    ended.map((guarantee) => ({ loan, event: 'pledge_free' as const, guarantee })),
  );
}
