import type { LoanLimit } from '@ushirika/contract/loans';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { SaccoState } from '@ushirika/contract/saccos';
import type { Unsaid } from '@ushirika/contract/said';
import { daysSaid, type Sentence, sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { coreCapitalOf, recentSavings, type Savings, type Standing, savingsOf, standingOf } from './loan-facts.ts';
import type { Reader } from './loan-rows.ts';
import { type Offer, type ProductTerms, productsOf } from './loan-terms.ts';
import { type LimitPart, limitOf, limitParts, qualifyingSavings } from './loans.rules.ts';

/** What decides about a loan of somebody, read once. */
export interface BorrowerFacts {
  readonly saccoName: string;
  readonly saccoState: SaccoState;
  readonly standing: Standing;
  readonly savings: Savings;
  readonly recent: readonly Cents[];
  readonly coreCapital: Cents;
}

type Member = { readonly saccoId: string; readonly userId: string };

/** @param without loans that are left out of what is owed: the loan itself, and one that it refinances */
export async function borrowerFacts(
  reader: Reader,
  member: Member,
  without: readonly string[] = [],
): Promise<BorrowerFacts> {
  const { saccoId, userId } = member;
  const [[sacco], standing, savings, recent, coreCapital] = await Promise.all([
    (reader.sql as Tx['sql'])<
      { name: string; state: SaccoState }[]
    >`select name, state from saccos where id = ${saccoId}`,
    standingOf(reader, member, without),
    savingsOf(reader, saccoId, userId),
    recentSavings(reader, saccoId, userId),
    coreCapitalOf(reader, saccoId),
  ]);
  if (!sacco) throw new Refusal('not_found', { message: sentence('There is no such sacco.') });
  return { saccoName: sacco.name, saccoState: sacco.state, standing, savings, recent, coreCapital };
}

/** What is asked for: an offer of a product, and what the borrower has a month. */
export interface Wanted {
  readonly terms: Pick<ProductTerms, 'multiplier' | 'max_amount_cents' | 'min_member_days'>;
  readonly offer: Pick<Offer, 'method' | 'monthly_rate' | 'months'>;
  readonly netIncome?: Cents | undefined;
}

export function partsFor(facts: BorrowerFacts, { terms, offer, netIncome }: Wanted): LimitPart[] {
  return limitParts({
    savings: facts.savings.free + facts.savings.pledged,
    recent: facts.recent,
    otherPrincipal: facts.standing.otherPrincipal,
    multiplier: terms.multiplier,
    productMost: terms.max_amount_cents,
    coreCapital: facts.coreCapital,
    terms: { method: offer.method, rate: offer.monthly_rate },
    months: offer.months,
    netIncome,
  });
}

/** What limits a loan of somebody, in words. */
export function shownLimit(facts: BorrowerFacts, wanted: Wanted): Unsaid<LoanLimit> {
  const against = reasonsAgainst(facts, wanted.terms);
  const parts = partsFor(facts, wanted);
  const shown = (cents: Cents) => formatShillings(shillingsFromCents(cents));
  const texts: Record<LimitPart['kind'], Sentence> = {
    savings: sentence(
      '{times} times your savings of {savings} that count, less the {owed} that you owe or have asked for.',
      {
        times: wanted.terms.multiplier / 100,
        savings: shown(qualifyingSavings(facts.savings.free + facts.savings.pledged, facts.recent)),
        owed: shown(facts.standing.otherPrincipal),
      },
    ),
    product: sentence('The most that this loan is given for.'),
    core_capital: sentence('All loans of one member are at most a tenth of the sacco’s own capital.'),
    ability: sentence('The instalment takes two thirds of what you have left a month at most.'),
  };
  return {
    limit: against.length > 0 ? 0 : shillingsFromCents(limitOf(parts)),
    parts: parts.map(({ kind, amount }) => ({ kind, amount: shillingsFromCents(amount), text: texts[kind] })),
    against,
  };
}

/** Why somebody gets no loan at all now. */
export function reasonsAgainst(facts: BorrowerFacts, terms: Pick<ProductTerms, 'min_member_days'>): Sentence[] {
  const { standing, saccoState, saccoName } = facts;
  const reasons: [boolean, Sentence][] = [
    [saccoState !== 'active', sentence('{name} is not active: it gives no loans now.', { name: saccoName })],
    [standing.membership === 'provisional', sentence('Pay the minimum shares first: then you may borrow.')],
    [
      standing.membership === 'leaving',
      sentence('You have given notice to {name}. Cancel the exit to borrow there.', { name: saccoName }),
    ],
    [
      standing.days < terms.min_member_days,
      sentence('You can borrow once you have been a member for {days}.', { days: daysSaid(terms.min_member_days) }),
    ],
    [standing.isInArrears, sentence('An instalment or a called guarantee of yours is overdue. Pay it first.')],
  ];
  return reasons.filter(([holds]) => holds).map(([, text]) => text);
}

/**
 * Whether somebody may have a loan at all.
 * @throws Refusal `sacco_inactive`, `full_rights_required`, `exit_conflict`, `loan_terms_not_met`
 */
export function refuseUnfit(facts: BorrowerFacts, terms: Pick<ProductTerms, 'min_member_days'>): void {
  const [message] = reasonsAgainst(facts, terms);
  if (!message) return;
  const { membership } = facts.standing;
  if (facts.saccoState !== 'active') throw new Refusal('sacco_inactive', { message });
  if (membership === 'provisional') throw new Refusal('full_rights_required', { message });
  if (membership === 'leaving') throw new Refusal('exit_conflict', { message });
  throw new Refusal('loan_terms_not_met', { message });
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
