import type { changeLoanProduct, LoanMethod, LoanProduct } from '@ushirika/contract/loans';
import { type ComponentProps, useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { Dialog } from '../ui/dialog.tsx';
import { MoneyField, SelectField, TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { percentWords } from './desk-words.ts';
import { refreshDesk } from './loans-desk.queries.ts';
import { trueRateOfFlat } from './true-rate.ts';

type Field =
  | 'name'
  | 'method'
  | 'monthly_rate'
  | 'min_amount'
  | 'max_amount'
  | 'min_months'
  | 'max_months'
  | 'multiplier'
  | 'min_member_days'
  | 'min_guarantors'
  | 'fee_percentage'
  | 'penalty_rate'
  | 'is_offered';

const REQUIRED: readonly Field[] = [
  'name',
  'monthly_rate',
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
/** Numbers with a point, and the least and most that the contract takes. */
const DECIMALS: readonly (readonly [Field, number, number])[] = [
  ['monthly_rate', 0, 5],
  ['multiplier', 0.5, 6],
  ['fee_percentage', 0, 5],
  ['penalty_rate', 0, 5],
];

/** A new product, or other terms of one: one official proposes, a second one confirms. */
export function ProductDialog({ product, onClose }: { product: LoanProduct | null; onClose: () => void }) {
  const submit = async (values: Record<Field, string>) => {
    const answer = await call<typeof changeLoanProduct>('PUT', '/sacco/loan-products', {
      body: {
        ...(product ? { product: product.id } : {}),
        name: values.name,
        method: values.method as LoanMethod,
        monthly_rate: Number(values.monthly_rate),
        min_amount: values.min_amount,
        max_amount: values.max_amount,
        min_months: values.min_months,
        max_months: values.max_months,
        multiplier: Number(values.multiplier),
        min_member_days: values.min_member_days,
        min_guarantors: values.min_guarantors,
        fee_percentage: Number(values.fee_percentage),
        penalty_rate: Number(values.penalty_rate),
        is_offered: values.is_offered === 'yes',
      },
    });
    toast.success(answer.message);
    onClose();
    await refreshDesk();
  };
  const title = product ? say('Other terms: {name}', { name: product.name }) : say('A new loan product');
  return (
    <Dialog title={title} onClose={onClose} wide>
      <p className="mb-4 text-small text-ink-2">
        {say(
          'You propose, another official confirms, and the terms hold 24 hours later. Loans that are applied for or paid out keep theirs.',
        )}
      </p>
      <ApiForm<Field>
        label={title}
        className="grid gap-4"
        required={REQUIRED}
        emptyMessage={say('All Fields are required')}
        check={checkDecimals}
        submit={submit}
      >
        <ProductFields product={product} />
        <SubmitButton busyLabel={say('processing...')}>{say('Propose the terms')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}

function ProductFields({ product }: { product: LoanProduct | null }) {
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
          label={say('Open for applications')}
          name="is_offered"
          defaultValue={product?.is_offered === false ? 'no' : 'yes'}
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
  const [rate, setRate] = useState(String(product?.monthly_rate ?? 1));
  const [months, setMonths] = useState(String(product?.max_months ?? 12));
  const isFlat = method === 'flat' && Number(rate) > 0 && Number(months) >= 1;
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
        label={say('Interest a month (%)')}
        name="monthly_rate"
        inputMode="decimal"
        hint={
          isFlat
            ? say('On the balance that is {rate} a month. Members see both.', {
                rate: percentWords(trueRateOfFlat(Number(rate), Number(months))),
              })
            : say('0 to 5, with at most two decimals.')
        }
        value={rate}
        onChange={({ target }) => setRate(target.value)}
      />
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

function NumberField(field: ComponentProps<typeof TextField>) {
  return <TextField inputMode="numeric" required {...field} className="num" />;
}

function checkDecimals(values: Record<Field, string>) {
  const unfit = DECIMALS.filter(([name, least, most]) => {
    const text = values[name].trim();
    return !/^\d(\.\d{1,2})?$/.test(text) || Number(text) < least || Number(text) > most;
  });
  if (unfit.length === 0) return null;
  const fields = Object.fromEntries(
    unfit.map(([name, least, most]) => [
      name,
      say('Enter a number from {least} to {most}, with at most two decimals.', { least, most }),
    ]),
  );
  return { toasts: [], fields };
}
