import { isDeepStrictEqual } from 'node:util';
import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { type AskedRate, exactRate, monthlyPercentOf } from '@ushirika/contract/loan-rates';
import { changeLoanProduct as route } from '@ushirika/contract/loans';
import { shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import type { About, ChangeExecutor } from '../saccos/changes.types.ts';
import { productsOf } from './loan-terms.ts';

/**
 * How a loan product, or other terms of one, come into force: for loans that are applied for later. Each loan keeps the terms
 * that it was applied for with.
 */
export const loanProductChange: ChangeExecutor = {
  offices: route.offices ?? [],
  isDelayed: true,
  words: sentence('the loans of your sacco'),
  current: (tx, about, { product }) => productNow(tx, saccoOf(about), product),
  async refusalOf(tx, about, payload) {
    const { product, name } = bodyOf(payload);
    const products = await productsOf(tx, saccoOf(about));
    if (product !== undefined && !products.some(({ product_id }) => product_id === product)) {
      return new Refusal('not_found', { message: sentence('There is no such loan product.') });
    }
    const isTaken = products.some(
      (each) => each.name.toLowerCase() === name.toLowerCase() && each.product_id !== product,
    );
    return isTaken
      ? new Refusal('change_conflict', { message: sentence('Another loan product has that name.') })
      : null;
  },
  async closes(tx, about, payload) {
    const now = await productNow(tx, saccoOf(about), payload.product);
    return now.is_offered === 'yes' && isDeepStrictEqual(payload, { ...now, is_offered: 'no' }) ? now : null;
  },
  announce: async () => {},
  recall: async () => {},
  async apply(tx, about, payload) {
    await setLoanProduct(tx, { userId: about.proposedBy }, { saccoId: saccoOf(about), ...bodyOf(payload) });
  },
};

type Body = ReturnType<typeof route.body.parse>;

/** The request as a change keeps it: amounts in shillings, a yes or a no as a word. */
export function productToKeep(asked: Body): ChangedValues {
  const { product, is_offered, whole_shillings, min_amount, max_amount, monthly_rate, yearly_rate, ...terms } = asked;
  return {
    ...terms,
    ...keptRate(monthlyPercentOf({ monthly_rate, yearly_rate })),
    ...(product === undefined ? {} : { product }),
    min_amount: shillingsFromCents(min_amount),
    max_amount: shillingsFromCents(max_amount),
    ...keptRounding(whole_shillings),
    is_offered: is_offered ? 'yes' : 'no',
  };
}

/** The terms that hold of a product, as a change keeps them; of a new one nothing. */
async function productNow(
  tx: Tx,
  saccoId: string,
  productId: ChangedValues[string] | undefined,
): Promise<ChangedValues> {
  if (productId === undefined) return {};
  const [now] = await productsOf(tx, saccoId, String(productId));
  if (!now) return {};
  return {
    product: now.product_id,
    name: now.name,
    method: now.method,
    ...keptRate(now.monthly_rate / 100),
    min_amount: shillingsFromCents(now.min_amount_cents),
    max_amount: shillingsFromCents(now.max_amount_cents),
    min_months: now.min_months,
    max_months: now.max_months,
    multiplier: now.multiplier / 100,
    min_member_days: now.min_member_days,
    min_guarantors: now.min_guarantors,
    fee_percentage: now.fee_rate / 100,
    penalty_rate: now.penalty_rate / 100,
    ...keptRounding(now.whole_shillings),
    is_offered: now.is_offered ? 'yes' : 'no',
  };
}

const bodyOf = ({ whole_shillings, ...kept }: ChangedValues): Body =>
  route.body.parse({
    ...kept,
    is_offered: kept.is_offered === 'yes',
    whole_shillings: whole_shillings === 'yes',
  });

/** Whole shillings as a change keeps them: none where instalments are to the cent, as in a change of the time before them. */
const keptRounding = (isWhole: boolean | undefined): ChangedValues => (isWhole ? { whole_shillings: 'yes' } : {});

/** A rate as a change keeps it: by the month where that says it exactly, else by the year. */
function keptRate(percent: number): ChangedValues {
  const { monthly_rate, yearly_rate } = exactRate(percent);
  return yearly_rate === undefined ? { monthly_rate: monthly_rate ?? 0 } : { yearly_rate };
}

/** Hundredths of a percent a month, a whole number of ten-thousandths of a percent a year. */
const ofMonth = (rate: AskedRate) => Math.round(monthlyPercentOf(rate) * 120_000) / 1_200;

/** Ten-thousandths where the contract has percents with two decimals. */
const hundredths = (value: number) => Math.round(value * 100);

/** Gives a product new terms, or makes a new one. The sacco's lock is held. */
export async function setLoanProduct(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string } & Body,
): Promise<string> {
  const id = input.product ?? tx.newId();
  if (input.product === undefined) {
    await tx.sql`insert into loan_products (id, sacco_id, created_at) values (${id}, ${input.saccoId}, ${tx.now})`;
  }
  await tx.sql`
    insert into loan_product_terms (product_id, valid_from, name, method, monthly_rate, fee_rate, penalty_rate,
      min_amount_cents, max_amount_cents, min_months, max_months, multiplier, min_member_days, min_guarantors, whole_shillings,
      is_offered, changed_by)
    select ${id}, greatest(${tx.now}::timestamptz, max(valid_from) + interval '1 millisecond'), ${input.name},
      ${input.method}, ${ofMonth(input)}, ${hundredths(input.fee_percentage)},
      ${hundredths(input.penalty_rate)}, ${input.min_amount}, ${input.max_amount}, ${input.min_months}, ${input.max_months},
      ${hundredths(input.multiplier)}, ${input.min_member_days}, ${input.min_guarantors},
      ${input.whole_shillings ?? false}, ${input.is_offered}, ${actor.userId}
    from loan_product_terms where product_id = ${id}`;
  return id;
}

function saccoOf({ saccoId }: About): string {
  if (saccoId === null) throw new Error('Loan products are of a sacco.');
  return saccoId;
}
