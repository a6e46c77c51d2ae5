import { ratesShown } from '@ushirika/contract/loan-rates';
import type { KeyFacts, LoanMethod, LoanProduct } from '@ushirika/contract/loans';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { hashOfTerms } from '../pools/signed-terms.ts';
import type { GuaranteeRow, LoanRow, Reader } from './loan-rows.ts';
import {
  type KeptTerms,
  monthsAfter,
  percentOf,
  type Schedule,
  scheduleOf,
  termsOf,
  trueMonthlyRate,
  trueRatesOfTerms,
} from './schedule.rules.ts';

/** The terms of a product that hold at a moment. */
export interface ProductTerms {
  readonly product_id: string;
  readonly sacco_id: string;
  readonly valid_from: Date;
  readonly name: string;
  readonly method: LoanMethod;
  readonly monthly_rate: number;
  readonly fee_rate: number;
  readonly penalty_rate: number;
  readonly min_amount_cents: Cents;
  readonly max_amount_cents: Cents;
  readonly min_months: number;
  readonly max_months: number;
  readonly multiplier: number;
  readonly min_member_days: number;
  readonly min_guarantors: number;
  readonly whole_shillings: boolean;
  readonly is_offered: boolean;
}

/** A sacco's products with the terms that hold now, by name; or one of them. */
export async function productsOf(
  reader: Reader,
  saccoId: string,
  productId: string | null = null,
): Promise<ProductTerms[]> {
  return (reader.sql as Tx['sql'])<ProductTerms[]>`
    select t.*, p.sacco_id from loan_products p
    join lateral (select * from loan_product_terms where product_id = p.id and valid_from <= ${reader.now}
                  order by valid_from desc limit 1) t on true
    where p.sacco_id = ${saccoId} and (${productId}::uuid is null or p.id = ${productId}::uuid)
    order by t.name, p.id`;
}

/**
 * What anybody may know of a sacco's loans: the products that it offers, while it is active. For everybody, and so asked as the platform.
 * @throws Refusal `not_found`
 */
export async function offeredProducts(reader: Reader, saccoId: string): Promise<{ products: LoanProduct[] }> {
  const [active] = await (reader.sql as Tx['sql'])`select from saccos where id = ${saccoId} and state = 'active'`;
  if (!active) throw new Refusal('not_found', { message: sentence('There is no such sacco.') });
  const products = await productsOf(reader, saccoId);
  return { products: products.filter(({ is_offered }) => is_offered).map(shownProduct) };
}

export function shownProduct(terms: ProductTerms): LoanProduct {
  return {
    id: terms.product_id,
    name: terms.name,
    method: terms.method,
    ...ratesShown(terms.monthly_rate / 100),
    true_monthly_rate: trueRatesOfTerms(
      { method: terms.method, rate: terms.monthly_rate, feeRate: terms.fee_rate },
      { from: terms.min_months, to: terms.max_months },
    ),
    min_amount: shillingsFromCents(terms.min_amount_cents),
    max_amount: shillingsFromCents(terms.max_amount_cents),
    min_months: terms.min_months,
    max_months: terms.max_months,
    multiplier: terms.multiplier / 100,
    min_member_days: terms.min_member_days,
    min_guarantors: terms.min_guarantors,
    fee_percentage: terms.fee_rate / 100,
    penalty_rate: terms.penalty_rate / 100,
    whole_shillings: terms.whole_shillings,
    is_offered: terms.is_offered,
    valid_from: terms.valid_from.toISOString(),
  };
}

/** What a loan is and costs. */
export interface Offer extends KeptTerms {
  readonly fee_rate: number;
  readonly penalty_rate: number;
  readonly amount_cents: Cents;
  readonly months: number;
}

export interface Cost {
  readonly schedule: Schedule;
  readonly fee: Cents;
  readonly paidOut: Cents;
  readonly totalCost: Cents;
  readonly trueMonthlyRate: number;
}

/** Whole months, from a day that every month has: what is signed does not depend on the day of the payment. */
const SIGNED_FROM = '2026-01-01';

interface Beside {
  readonly from?: string;
  /** What a pool takes for its guarantee when the loan is paid out. */
  readonly poolFee?: Cents;
}

/** The cost of a loan in whole months, the fee of a pool included. Where the first period is shorter it costs a little less. */
export function costOf(offer: Offer, { from = SIGNED_FROM, poolFee = 0 }: Beside = {}): Cost {
  const { amount_cents: amount, months } = offer;
  const schedule = scheduleOf({ ...termsOf(offer), amount, months, from });
  const fee = percentOf(amount, offer.fee_rate);
  const payments = schedule.instalments.map(({ principal, interest }) => principal + interest);
  return {
    schedule,
    fee,
    paidOut: amount - fee,
    totalCost: schedule.totalInterest + fee + poolFee,
    trueMonthlyRate: trueMonthlyRate(amount - fee - poolFee, payments),
  };
}

type Signed = Offer & Pick<LoanRow, 'id' | 'borrower_id' | 'sacco_id' | 'refinances_id'>;

/** The hash of the key facts: what the borrower accepts, reviewers decide about and officials pay out. */
export function loanTermsHash(loan: Signed): string {
  const { schedule, fee, paidOut } = costOf(loan);
  return hashOfTerms({
    kind: 'loan',
    loan: loan.id,
    sacco: loan.sacco_id,
    borrower: loan.borrower_id,
    amount_cents: loan.amount_cents,
    months: loan.months,
    method: loan.method,
    monthly_rate: loan.monthly_rate,
    penalty_rate: loan.penalty_rate,
    fee_cents: fee,
    paid_out_cents: paidOut,
    instalment_cents: schedule.instalment,
    total_interest_cents: schedule.totalInterest,
    refinances: loan.refinances_id,
    ...signedRounding(loan),
  });
}

/** Whole shillings as they are signed: where a loan has none, a signature of the time before them stays as it was. */
export const signedRounding = ({
  whole_shillings,
}: KeptTerms): { readonly instalments: 'whole_shillings' } | Record<never, never> =>
  whole_shillings ? { instalments: 'whole_shillings' } : {};

/** The key facts as they are shown; the first due date is that of a payment today. */
export function keyFactsOf(
  loan: Signed & Pick<LoanRow, 'terms_hash' | 'disbursed_on'>,
  now: Date,
  poolFee: Cents,
): KeyFacts {
  const { schedule, fee, paidOut, totalCost, trueMonthlyRate: rate } = costOf(loan, { poolFee });
  return {
    hash: loan.terms_hash,
    amount: shillingsFromCents(loan.amount_cents),
    paid_out: shillingsFromCents(paidOut),
    fee: shillingsFromCents(fee),
    months: loan.months,
    instalment: shillingsFromCents(schedule.instalment),
    first_due_on: monthsAfter(loan.disbursed_on ?? nairobiDay(now), 1),
    total_interest: shillingsFromCents(schedule.totalInterest),
    total_cost: shillingsFromCents(totalCost),
    ...ratesShown(loan.monthly_rate / 100),
    true_monthly_rate: rate,
    annual_percentage_rate: Math.round(rate * 12 * 100) / 100,
    penalty_rate: loan.penalty_rate / 100,
    method: loan.method,
    whole_shillings: loan.whole_shillings,
    pool_fee: shillingsFromCents(poolFee),
  };
}

type Rescheduled = Pick<LoanRow, 'restructured_cents' | 'restructured_months'>;

/** What a loan costs by the schedule that is in force: the first one, or the last that all have agreed to. */
export function offerInForce<Of extends Offer & Rescheduled>(loan: Of): Offer {
  const { restructured_cents: cents, restructured_months: months } = loan;
  return cents === null || months === null ? loan : { ...loan, amount_cents: cents, months };
}

/** What a guarantor signs. A change of any of it voids the signature. */
export function guaranteeTerms(
  loan: Signed & Rescheduled & Pick<LoanRow, 'purpose' | 'borrower_name' | 'borrower_number'>,
  guarantee: Pick<GuaranteeRow, 'id' | 'guarantor_id' | 'amount_cents'>,
) {
  return {
    kind: 'guarantee',
    guarantee: guarantee.id,
    guarantor: guarantee.guarantor_id,
    pledge_cents: guarantee.amount_cents,
    most_to_lose_cents: guarantee.amount_cents,
    liability: 'several_capped',
    loan: loan.id,
    sacco: loan.sacco_id,
    borrower: loan.borrower_id,
    ...(loan.borrower_name === null || loan.borrower_number === null
      ? {}
      : { borrower_name: loan.borrower_name, borrower_number: loan.borrower_number }),
    amount_cents: loan.amount_cents,
    ...(loan.restructured_cents === null ? {} : { scheduled_cents: loan.restructured_cents }),
    months: offerInForce(loan).months,
    method: loan.method,
    monthly_rate: loan.monthly_rate,
    penalty_rate: loan.penalty_rate,
    instalment_cents: costOf(offerInForce(loan)).schedule.instalment,
    purpose: loan.purpose,
    ...signedRounding(loan),
  };
}

export type GuaranteeTerms = ReturnType<typeof guaranteeTerms>;

export const guaranteeTermsHash = (...given: Parameters<typeof guaranteeTerms>): string =>
  hashOfTerms(guaranteeTerms(...given));

/** The terms of its product that a loan was applied for with. */
export async function termsOfLoan(
  reader: Reader,
  loan: Pick<LoanRow, 'product_id' | 'terms_from'>,
): Promise<ProductTerms> {
  const [terms] = await (reader.sql as Tx['sql'])<ProductTerms[]>`
    select t.*, p.sacco_id from loan_product_terms t join loan_products p on p.id = t.product_id
    where t.product_id = ${loan.product_id} and t.valid_from = ${loan.terms_from}`;
  if (!terms) throw new Error('A loan has terms.');
  return terms;
}
