import { centsOf } from '@ushirika/contract/format';
import type { MarketTerms, PriceMode, Trading } from '@ushirika/contract/market';
import { type ComponentProps, useState } from 'react';
import { useOrderBook } from '../market/market.queries.ts';
import type { Book } from '../market/market-book.ts';
import { formatPrice } from '../market/market-words.ts';
import { closesSome, effectInWords, newRules } from '../market/new-rules.ts';
import { centsTyped, percentTyped } from '../market/ticket.rules.ts';
import { closingOf, useSaccoChanges } from '../saccos/changes.queries.ts';
import { MoneyField, SelectField, TextField } from '../ui/fields.tsx';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { type ChangeBody, type FieldsProps, type FormValues, TermsFrame } from './terms-frame.tsx';

export const MARKET_REQUIRED = ['lot', 'fee', 'fee_min', 'order_days_max'] as const;

/** The change that the fields of the market say. At par there is no band: then its percentages stay as they are. */
export function marketChange(values: FormValues): ChangeBody {
  const of = (name: string) => values[name] ?? '';
  return {
    kind: 'market_terms',
    values: {
      price_mode: of('price_mode') as PriceMode,
      floor_percentage: of('floor_percentage'),
      ceiling_percentage: of('ceiling_percentage'),
      tick: of('tick'),
      lot: of('lot'),
      fee_basis_points: percentTyped(of('fee')) ?? 0,
      fee_min: of('fee_min'),
      order_days_max: of('order_days_max'),
      trading: of('trading') as Trading,
    },
  };
}

export function checkMarket(values: FormValues) {
  if (percentTyped(values.fee ?? '') !== null) return null;
  return { toasts: [], fields: { fee: say('Enter a percentage from 0 to 3, with at most two decimals.') } };
}

/** How a sacco's shares are to be traded, beside how they are; says what it would do to the orders in the book. */
export function MarketTermsFields({ sacco }: FieldsProps) {
  const { data: book } = useOrderBook(sacco);
  const { data: changes } = useSaccoChanges(sacco);
  const closedUntil = closingOf(changes?.results, 'market_terms', null)?.undo_at ?? null;
  return (
    <TermsFrame isLoaded={book !== undefined && changes !== undefined}>
      {book && changes && <Fields book={book} closedUntil={closedUntil} />}
    </TermsFrame>
  );
}

/** `closedUntil`: officials have closed the market until then. The fields begin with what holds without that. */
function Fields({ book, closedUntil }: { book: Book; closedUntil: string | null }) {
  const { terms } = book;
  const [trading, setTrading] = useState<Trading>(closedUntil === null ? terms.trading : 'open');
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
  return (
    <>
      <SelectField
        label={say('The market')}
        name="trading"
        value={trading}
        onChange={({ target }) => setTrading(target.value as Trading)}
        hint={
          closedUntil &&
          say('Two officials have closed it until {time}. Choose “Closed for trading” to vote that it stays closed.', {
            time: longDateTime(closedUntil),
          })
        }
      >
        <option value="open">{say('Open for trading')}</option>
        <option value="closed">{say('Closed for trading')}</option>
      </SelectField>
      <SelectField
        label={say('Prices')}
        name="price_mode"
        value={mode}
        onChange={({ target }) => setMode(target.value as PriceMode)}
      >
        <option value="band">{say('In a band around the share value')}</option>
        <option value="par">{say('At the share value only')}</option>
      </SelectField>
      {mode === 'band' ? <BandFields control={control} /> : <KeptBand terms={terms} />}
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
      <Effect book={book} mode={mode} typed={typed} terms={terms} isClosed={trading === 'closed'} />
    </>
  );
}

function KeptBand({ terms }: { terms: MarketTerms }) {
  return (
    <>
      <input type="hidden" name="floor_percentage" value={terms.floor_percentage} />
      <input type="hidden" name="ceiling_percentage" value={terms.ceiling_percentage} />
      <input type="hidden" name="tick" value={formatPrice(terms.tick)} />
    </>
  );
}

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
function Effect({
  book,
  mode,
  typed,
  terms,
  isClosed,
}: {
  book: Book;
  mode: PriceMode;
  typed: Typed;
  terms: MarketTerms;
  isClosed: boolean;
}) {
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
      <p className="num mt-1 text-ink-2">
        {isClosed && `${say('Open orders wait while the market is closed. Their members can cancel them.')} `}
        {(!isClosed || closesSome(book, rules)) && effectInWords(book, rules)}
      </p>
    </div>
  );
}
