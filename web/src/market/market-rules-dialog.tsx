import { centsOf } from '@ushirika/contract/format';
import type { MarketTerms, PriceMode } from '@ushirika/contract/market';
import { type ComponentProps, useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MoneyField, SelectField, TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { refreshMarketTerms, sendTerms } from './market.queries.ts';
import type { Book } from './market-book.ts';
import { formatPrice } from './market-words.ts';
import { effectInWords, newRules } from './new-rules.ts';
import { centsTyped, percentTyped } from './ticket.rules.ts';

type Field = 'floor_percentage' | 'ceiling_percentage' | 'tick' | 'lot' | 'fee' | 'fee_min' | 'order_days_max';

/** How a sacco's shares are to be traded: one official proposes; says what it would do to the orders in the book. */
export function MarketRulesDialog({
  sacco,
  book,
  reason,
  onClose,
}: {
  sacco: string;
  book: Book;
  /** Why the rules cannot be changed now, or null. */
  reason: string | null;
  onClose: () => void;
}) {
  const { terms } = book;
  const [mode, setMode] = useState<PriceMode>(terms.price_mode);
  const [typed, setTyped] = useState({
    floor: String(terms.floor_percentage),
    ceiling: String(terms.ceiling_percentage),
    tick: formatPrice(terms.tick),
    lot: String(terms.lot),
    days: String(terms.order_days_max),
  });
  const control: Control = (part) => ({
    value: typed[part],
    onChange: ({ target }) => setTyped((old) => ({ ...old, [part]: target.value })),
  });
  const submit = async (values: Record<Field, string>) => {
    const isPar = mode === 'par';
    const answer = await sendTerms(sacco, {
      price_mode: mode,
      floor_percentage: isPar ? terms.floor_percentage : values.floor_percentage,
      ceiling_percentage: isPar ? terms.ceiling_percentage : values.ceiling_percentage,
      tick: isPar ? terms.tick : values.tick,
      lot: values.lot,
      fee_basis_points: percentTyped(values.fee) ?? 0,
      fee_min: values.fee_min,
      order_days_max: values.order_days_max,
    });
    toast.success(answer.message);
    onClose();
    await refreshMarketTerms();
  };
  return (
    <Dialog title={say('Market rules')} onClose={onClose} wide>
      <p className="mb-4 text-small text-ink-2">
        {say(
          'You propose, another official confirms, and they take effect 24 hours later. Orders in the book keep their fee.',
        )}
      </p>
      <ApiForm<Field>
        label={say('Market rules')}
        className="grid gap-4"
        required={['lot', 'fee', 'fee_min', 'order_days_max', ...(mode === 'band' ? bandFields : [])]}
        emptyMessage={say('All Fields are required')}
        check={({ fee }) => {
          if (percentTyped(fee) !== null) return null;
          return { toasts: [], fields: { fee: say('Enter a percentage from 0 to 3, with at most two decimals.') } };
        }}
        submit={submit}
      >
        <SelectField
          label={say('Prices')}
          name="price_mode"
          value={mode}
          onChange={({ target }) => setMode(target.value as PriceMode)}
        >
          <option value="band">{say('In a band around the share value')}</option>
          <option value="par">{say('At the share value only')}</option>
        </SelectField>
        {mode === 'band' && <BandFields control={control} />}
        <div className="grid gap-4 sm:grid-cols-2">
          <NumberField
            label={say('Lot (shares)')}
            name="lot"
            hint={say('Orders are multiples of it.')}
            {...control('lot')}
          />
          <NumberField
            label={say('An order waits at most (days)')}
            name="order_days_max"
            hint={say('From 7 to 90.')}
            {...control('days')}
          />
          <NumberField
            label={say('Transfer fee (%)')}
            name="fee"
            inputMode="decimal"
            defaultValue={terms.fee_percentage}
            hint={say('Of the value, from each side.')}
          />
          <MoneyField
            label={say('Least fee of an order')}
            name="fee_min"
            hint={say('Of a small order it is 3% at most.')}
            defaultValue={formatPrice(terms.fee_min)}
          />
        </div>
        <Effect book={book} mode={mode} typed={typed} terms={terms} />
        <SubmitButton busyLabel={say('processing...')} disabledReason={reason}>
          {say('Propose the rules')}
        </SubmitButton>
      </ApiForm>
      {reason && <p className="mt-3 text-small font-medium text-ochre-ink">{reason}</p>}
    </Dialog>
  );
}

const bandFields = ['floor_percentage', 'ceiling_percentage', 'tick'] as const;

type Typed = { floor: string; ceiling: string; tick: string; lot: string; days: string };

type Control = (part: keyof Typed) => {
  value: string;
  onChange: (event: { target: { value: string } }) => void;
};

function NumberField(field: ComponentProps<typeof TextField>) {
  return <TextField inputMode="numeric" className="num" {...field} />;
}

function BandFields({ control }: { control: Control }) {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <NumberField label={say('Lowest price (% of value)')} name="floor_percentage" {...control('floor')} />
      <NumberField label={say('Highest price (% of value)')} name="ceiling_percentage" {...control('ceiling')} />
      <MoneyField label={say('Step of prices')} name="tick" {...control('tick')} />
    </div>
  );
}

/** What the typed rules would do to the orders in the book, as it stands. */
function Effect({ book, mode, typed, terms }: { book: Book; mode: PriceMode; typed: Typed; terms: MarketTerms }) {
  const rules = newRules(
    {
      isPar: mode === 'par',
      floor: Number(typed.floor),
      ceiling: Number(typed.ceiling),
      tickCents: centsTyped(typed.tick) ?? 1,
      lot: Number(typed.lot),
      days: Number(typed.days),
    },
    centsOf(terms.share_value),
  );
  return (
    <div role="status" className="rounded-box bg-sunken px-4 py-3 text-small">
      <p className="font-semibold">{say('What it does to open orders')}</p>
      <p className="num mt-1 text-ink-2">{effectInWords(book, rules)}</p>
    </div>
  );
}
