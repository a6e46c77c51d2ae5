import type { LoanLimit } from '@ushirika/contract/loans';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { RefusalCode } from '@ushirika/contract/refusals';
import type { SaccoState } from '@ushirika/contract/saccos';
import type { Unsaid } from '@ushirika/contract/said';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { type Authority, authorityOf } from './lending-authority.ts';
import { barText, type LimitReader, type LoanBar, limitTexts } from './limit-words.ts';
import { coreCapitalOf, recentSavings, type Savings, type Standing, savingsOf, standingOf } from './loan-facts.ts';
import { type Holder, holdersOf } from './loan-officials.ts';
import type { Reader } from './loan-rows.ts';
import { type Offer, type ProductTerms, productsOf } from './loan-terms.ts';
import { type LimitPart, limitOf, limitParts } from './loans.rules.ts';
import { type KeptTerms, termsOf } from './schedule.rules.ts';
import { type IsOnePerson, samePersonAmong } from './second-account.ts';
import { actsLeft } from './who-is-left.ts';

/** What decides about a loan of somebody, read once. */
export interface BorrowerFacts {
  readonly saccoName: string;
  readonly saccoState: SaccoState;
  readonly userId: string;
  /** Who holds which office of the sacco. */
  readonly officials: readonly Holder[];
  readonly isOnePerson: IsOnePerson;
  readonly authority: Authority;
  readonly standing: Standing;
  readonly savings: Savings;
  readonly recent: readonly Cents[];
  readonly coreCapital: Cents;
  readonly now: Date;
}

type Member = { readonly saccoId: string; readonly userId: string };

/** @param without loans that are left out of what is owed: the loan itself, and one that it refinances */
export async function borrowerFacts(
  reader: Reader,
  member: Member,
  without: readonly string[] = [],
): Promise<BorrowerFacts> {
  const { saccoId, userId } = member;
  const heldOffices = holdersOf(reader, saccoId);
  const [[sacco], officials, isOnePerson, authority, standing, savings, recent, coreCapital] = await Promise.all([
    (reader.sql as Tx['sql'])<{ name: string; state: SaccoState }[]>`
      select name, state from saccos where id = ${saccoId}`,
    heldOffices,
    heldOffices.then((held) => samePersonAmong(reader, [...new Set([userId, ...held.map(({ user_id }) => user_id)])])),
    authorityOf(reader, saccoId),
    standingOf(reader, member, without),
    savingsOf(reader, saccoId, userId),
    recentSavings(reader, saccoId, userId),
    coreCapitalOf(reader, saccoId),
  ]);
  if (!sacco) throw new Refusal('not_found', { message: sentence('There is no such sacco.') });
  const { name: saccoName, state: saccoState } = sacco;
  const about = { saccoName, saccoState, userId, officials, isOnePerson, authority };
  return { ...about, standing, savings, recent, coreCapital, now: reader.now };
}

/** What is asked for: an offer of a product, and what the borrower has a month. */
export interface Wanted {
  readonly terms: Pick<
    ProductTerms,
    'name' | 'multiplier' | 'min_amount_cents' | 'max_amount_cents' | 'min_member_days'
  >;
  readonly offer: Pick<Offer, keyof KeptTerms | 'months'>;
  readonly netIncome?: Cents | undefined;
  /** Null where others have decided about the loan already; else it is the least that is lent. */
  readonly amount?: Cents | null;
}

/** The terms that say whether somebody may borrow, and how much is asked for. */
type Fitting = { readonly terms: Pick<ProductTerms, 'min_member_days'>; readonly amount: Cents | null };

export function partsFor(facts: BorrowerFacts, { terms, offer, netIncome }: Wanted): LimitPart[] {
  return limitParts({
    savings: facts.savings.free + facts.savings.pledged,
    recent: facts.recent,
    otherPrincipal: facts.standing.otherPrincipal,
    multiplier: terms.multiplier,
    productMost: terms.max_amount_cents,
    coreCapital: facts.coreCapital,
    terms: termsOf(offer),
    months: offer.months,
    netIncome,
  });
}

/** What limits a loan of somebody, in words for who reads it. */
export function shownLimit(facts: BorrowerFacts, wanted: Wanted, reader: LimitReader = 'borrower'): Unsaid<LoanLimit> {
  const { terms, amount = terms.min_amount_cents } = wanted;
  const bars = barsOf(facts, { terms, amount });
  const parts = partsFor(facts, wanted);
  const texts = limitTexts(facts, wanted, reader);
  return {
    limit: bars.length > 0 ? 0 : shillingsFromCents(limitOf(parts)),
    parts: parts.map(({ kind, amount }) => ({ kind, amount: shillingsFromCents(amount), text: texts[kind] })),
    against: bars.map((bar) => barText(bar, facts, terms, reader)),
  };
}

/** Why somebody gets no loan at all now. */
export function barsOf(facts: BorrowerFacts, { terms, amount }: Fitting): LoanBar[] {
  const { standing, saccoState } = facts;
  const holds: Record<LoanBar, boolean> = {
    sacco_inactive: saccoState !== 'active',
    too_few_officials: amount !== null && !isDecidable(facts, amount),
    provisional: standing.membership === 'provisional',
    leaving: standing.membership === 'leaving',
    too_new: standing.days < terms.min_member_days,
    in_arrears: standing.isInArrears,
    // Others have decided about a loan without an amount: a card that is taken back then stops no payout.
    unseen: amount !== null && !standing.isIdentitySeen && isGuarded('loans.seen_cards'),
  };
  return (Object.keys(holds) as LoanBar[]).filter((bar) => holds[bar]);
}

/** Whether enough officials besides the borrower are left to decide about so much, and to pay it out. */
function isDecidable(facts: BorrowerFacts, amount: Cents): boolean {
  const { standing, userId, officials, isOnePerson, authority } = facts;
  const asked = {
    amount_cents: amount,
    judged_cents: amount + standing.otherPrincipal,
    committee_alone_cents: authority.committeeCents,
    manager_alone_cents: authority.managerCents,
  };
  const accounts = officials.filter((each) => each.user_id === userId || isOnePerson(each.user_id, userId));
  const interested = new Set(accounts.map(({ user_id }) => user_id));
  const left = actsLeft(asked, officials, { interested, isOnePerson });
  return left.has('review') && left.has('payout');
}

/**
 * Whether somebody may have a loan at all.
 * @throws Refusal `sacco_inactive`, `loan_conflict` where too few officials are left, `full_rights_required`, `exit_conflict`,
 * `loan_terms_not_met`
 */
export function refuseUnfit(facts: BorrowerFacts, fitting: Fitting): void {
  const [bar] = barsOf(facts, fitting);
  if (!bar) return;
  const codes = {
    sacco_inactive: 'sacco_inactive',
    too_few_officials: 'loan_conflict',
    provisional: 'full_rights_required',
    leaving: 'exit_conflict',
    unseen: 'loan_terms_not_met',
    too_new: 'loan_terms_not_met',
    in_arrears: 'loan_terms_not_met',
  } as const satisfies Record<LoanBar, RefusalCode>;
  throw new Refusal(codes[bar], { message: barText(bar, facts, fitting.terms, 'borrower') });
}

/** The terms of a product that is offered. @throws Refusal `loan_terms_not_met` */
export async function offeredTerms(reader: Reader, saccoId: string, productId: string): Promise<ProductTerms> {
  const [terms] = await productsOf(reader, saccoId, productId);
  if (terms?.is_offered) return terms;
  throw new Refusal('loan_terms_not_met', { message: sentence('The sacco does not offer that loan now.') });
}

/** @throws Refusal `loan_terms_not_met` */
export function refuseOutside(
  terms: ProductTerms,
  { amount, months }: { readonly amount: Cents; readonly months: number },
): void {
  const money = (cents: Cents) => formatShillings(shillingsFromCents(cents));
  if (amount < terms.min_amount_cents || amount > terms.max_amount_cents) {
    throw new Refusal('loan_terms_not_met', {
      message: sentence('This loan is given for {least} to {most}.', {
        least: money(terms.min_amount_cents),
        most: money(terms.max_amount_cents),
      }),
    });
  }
  if (months >= terms.min_months && months <= terms.max_months) return;
  throw new Refusal('loan_terms_not_met', {
    message: sentence('This loan is given for {least} to {most} months.', {
      least: terms.min_months,
      most: terms.max_months,
    }),
  });
}

/** @throws Refusal `loan_limit_exceeded`, with the limit */
export function refuseAboveLimit(facts: BorrowerFacts, wanted: Wanted, amount: Cents): void {
  const limit = limitOf(partsFor(facts, wanted));
  if (amount <= limit || !isGuarded('loans.limits')) return;
  throw new Refusal('loan_limit_exceeded', {
    message: sentence('You can borrow {limit} at most now.', { limit: formatShillings(shillingsFromCents(limit)) }),
    extra: { limit: shillingsFromCents(limit) },
  });
}
