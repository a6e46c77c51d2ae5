import { type AskedRate, exactRate } from '@ushirika/contract/loan-rates';
import type { LoanMethod, LoanProduct } from '@ushirika/contract/loans';
import { percentHundredths, plainPercent } from '@ushirika/contract/typed';
import { type ComponentProps, useState } from 'react';
import { percentWords, trueRateOfFlat } from '../loans/true-rate.ts';
import { closingOf, useSaccoChanges } from '../saccos/changes.queries.ts';
import { MoneyField, SelectField, TextField } from '../ui/fields.tsx';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { type ChangeBody, type FieldsProps, type FormValues, TermsFrame } from './terms-frame.tsx';
import { useAllProducts } from './voting.queries.ts';

type Field =
  | 'name'
  | 'method'
  | 'rate'
  | 'rate_of'
  | 'min_amount'
  | 'max_amount'
  | 'min_months'
  | 'max_months'
  | 'multiplier'
  | 'min_member_days'
  | 'min_guarantors'
  | 'fee_percentage'
  | 'penalty_rate'
  | 'whole_shillings'
  | 'is_offered';

export const PRODUCT_REQUIRED: readonly string[] = [
  'name',
  'rate',
  'min_amount',
  'max_amount',
  'min_months',
  'max_months',
  'multiplier',
  'min_member_days',
  'min_guarantors',
  'fee_percentage',
  'penalty_rate',
];
/** The most that the contract takes, in percent. */
const MOST_RATE = { month: 5, year: 60 } as const;
type RateOf = keyof typeof MOST_RATE;
const rateOf = (period: unknown): RateOf => (period === 'year' ? 'year' : 'month');
const percentOf = (typed: unknown): number => Number(plainPercent(String(typed ?? '')) ?? Number.NaN);
/** The rate that the fields say. */
export const typedRate = ({ rate, rate_of }: Readonly<Record<string, unknown>>): AskedRate =>
  rateOf(rate_of) === 'year' ? { yearly_rate: percentOf(rate) } : { monthly_rate: percentOf(rate) };

/** Percentages, and the most that the contract takes. */
const PERCENTS: readonly (readonly [Field, number])[] = [
  ['fee_percentage', 5],
  ['penalty_rate', 5],
];
const MULTIPLIER = { least: 0.5, most: 6 } as const;

/** The change that the fields of a loan say; of a new one without a product. */
export function productChange(values: FormValues, product: string | null): ChangeBody {
  const of = (name: Field) => values[name] ?? '';
  return {
    kind: 'loan_product',
    values: {
      ...(product ? { product } : {}),
      name: of('name'),
      method: of('method') as LoanMethod,
      ...typedRate({ rate: of('rate'), rate_of: of('rate_of') }),
      min_amount: of('min_amount'),
      max_amount: of('max_amount'),
      min_months: of('min_months'),
      max_months: of('max_months'),
      multiplier: Number(of('multiplier')),
      min_member_days: of('min_member_days'),
      min_guarantors: of('min_guarantors'),
      fee_percentage: percentOf(of('fee_percentage')),
      penalty_rate: percentOf(of('penalty_rate')),
      whole_shillings: of('whole_shillings') === 'yes',
      is_offered: of('is_offered') === 'yes',
    },
  };
}

/** Which loan, or a new one; and its terms, beside those that hold. */
export function LoanProductFields({ sacco, product, isOfficial, choose }: FieldsProps) {
  const { data: products } = useAllProducts(sacco, isOfficial);
  const { data: changes } = useSaccoChanges(sacco);
  const chosen = products?.find(({ id }) => id === product) ?? null;
  const closedUntil = closingOf(changes?.results, 'loan_product', product)?.undo_at ?? null;
  return (
    <TermsFrame isLoaded={products !== undefined && changes !== undefined}>
      <SelectField
        label={say('Which loan?')}
        name="product"
        value={chosen?.id ?? ''}
        onChange={({ target }) => choose(target.value || null)}
      >
        <option value="">{say('A new loan product')}</option>
        {products?.map(({ id, name, is_offered }) => (
          <option key={id} value={id}>
            {is_offered ? name : `${name} (${say('Not offered')})`}
          </option>
        ))}
      </SelectField>
      <ProductFields key={chosen?.id ?? 'new'} product={chosen} closedUntil={closedUntil} />
    </TermsFrame>
  );
}

/** `closedUntil`: officials have stopped it until then. The fields begin with what holds without that. */
function ProductFields({ product, closedUntil }: { product: LoanProduct | null; closedUntil: string | null }) {
  return (
    <>
      <TextField label={say('Name')} name="name" required maxLength={60} defaultValue={product?.name} />
      <InterestFields product={product} />
      <div className="grid gap-4 sm:grid-cols-2">
        <MoneyField label={say('Smallest amount')} name="min_amount" required defaultValue={product?.min_amount} />
        <MoneyField label={say('Largest amount')} name="max_amount" required defaultValue={product?.max_amount} />
        <NumberField
          label={say('Multiple of savings')}
          name="multiplier"
          inputMode="decimal"
          hint={say('The limit is so many times the savings: 0.5 to 6.')}
          defaultValue={product?.multiplier ?? 3}
        />
        <NumberField
          label={say('Member for at least (days)')}
          name="min_member_days"
          defaultValue={product?.min_member_days ?? 180}
        />
        <NumberField
          label={say('Guarantors at least')}
          name="min_guarantors"
          hint={say('None is asked for where own savings or a pool cover it all.')}
          defaultValue={product?.min_guarantors ?? 3}
        />
        <NumberField
          label={say('Fee (%)')}
          name="fee_percentage"
          inputMode="decimal"
          hint={say('Of the amount, taken out of the payout: 0 to 5.')}
          defaultValue={product?.fee_percentage ?? 1}
        />
        <NumberField
          label={say('Penalty a month (%)')}
          name="penalty_rate"
          inputMode="decimal"
          hint={say('Of a late instalment, from the sixth day on: 0 to 5.')}
          defaultValue={product?.penalty_rate ?? 1}
        />
        <SelectField
          label={say('Instalments in whole shillings')}
          name="whole_shillings"
          defaultValue={product?.whole_shillings ? 'yes' : 'no'}
          hint={say('M-Pesa moves whole shillings. The last instalment takes the rest.')}
        >
          <option value="no">{say('To the cent')}</option>
          <option value="yes">{say('Rounded up')}</option>
        </SelectField>
        <SelectField
          label={say('Open for applications')}
          name="is_offered"
          defaultValue={product?.is_offered === false && closedUntil === null ? 'no' : 'yes'}
          hint={
            closedUntil &&
            say('Two officials have closed it until {time}. Choose “Nobody can apply” to vote that it stays closed.', {
              time: longDateTime(closedUntil),
            })
          }
        >
          <option value="yes">{say('Members can apply')}</option>
          <option value="no">{say('Nobody can apply')}</option>
        </SelectField>
      </div>
    </>
  );
}

/** Method, rate and times; of a flat rate what it truly comes to. */
function InterestFields({ product }: { product: LoanProduct | null }) {
  const [method, setMethod] = useState<LoanMethod>(product?.method ?? 'annuity');
  const [period, setPeriod] = useState<RateOf>(byTheYear(product) ? 'year' : 'month');
  const [rate, setRate] = useState(String((byTheYear(product) ? product?.yearly_rate : product?.monthly_rate) ?? 1));
  const monthly = period === 'year' ? percentOf(rate) / 12 : percentOf(rate);
  const [months, setMonths] = useState(String(product?.max_months ?? 12));
  const isFlat = method === 'flat' && monthly > 0 && Number(months) >= 1;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={say('Interest is reckoned')}
        name="method"
        value={method}
        onChange={({ target }) => setMethod(target.value as LoanMethod)}
      >
        <option value="annuity">{say('on the balance, equal instalments')}</option>
        <option value="equal_principal">{say('on the balance, equal principal')}</option>
        <option value="flat">{say('on the whole amount (flat)')}</option>
      </SelectField>
      <NumberField
        label={say('Interest (%)')}
        name="rate"
        inputMode="decimal"
        hint={
          isFlat
            ? say('On the balance that is {rate} a month. Members see both.', {
                rate: percentWords(trueRateOfFlat(monthly, Number(months))),
              })
            : say('0 to {most}, with at most four decimals.', { most: MOST_RATE[period] })
        }
        value={rate}
        onChange={({ target }) => setRate(target.value)}
      />
      <SelectField
        label={say('That interest is')}
        name="rate_of"
        value={period}
        onChange={({ target }) => setPeriod(rateOf(target.value))}
      >
        <option value="month">{say('a month')}</option>
        <option value="year">{say('a year')}</option>
      </SelectField>
      <NumberField label={say('Shortest time (months)')} name="min_months" defaultValue={product?.min_months ?? 1} />
      <NumberField
        label={say('Longest time (months)')}
        name="max_months"
        hint={say('120 at most.')}
        value={months}
        onChange={({ target }) => setMonths(target.value)}
      />
    </div>
  );
}

/** Whether a rate a month with four decimals would not be exact. */
const byTheYear = (product: LoanProduct | null): boolean =>
  product !== null && exactRate(product.yearly_rate / 12).yearly_rate !== undefined;

function NumberField(field: ComponentProps<typeof TextField>) {
  return <TextField inputMode="numeric" required {...field} className="num" />;
}

/** Numbers that the contract would refuse, with what it takes beside each. */
export function checkProduct(values: FormValues) {
  const fields: Record<string, string> = {};
  const mostRate = MOST_RATE[rateOf(values.rate_of)];
  if (!(percentOf(values.rate) <= mostRate)) {
    fields.rate = say('Enter a number from 0 to {most}, with at most four decimals.', { most: mostRate });
  }
  const refuse = (name: Field, least: number, most: number) => {
    fields[name] = say('Enter a number from {least} to {most}, with at most two decimals.', { least, most });
  };
  const multiplier = (values.multiplier ?? '').trim();
  const { least, most } = MULTIPLIER;
  if (!/^\d(\.\d{1,2})?$/.test(multiplier) || Number(multiplier) < least || Number(multiplier) > most) {
    refuse('multiplier', least, most);
  }
  for (const [name, most] of PERCENTS) {
    if ((percentHundredths(values[name] ?? '') ?? Number.NaN) <= most * 100) continue;
    refuse(name, 0, most);
  }
  return Object.keys(fields).length === 0 ? null : { toasts: [], fields };
}
