import { centsOf } from '@ushirika/contract/format';
import type { OrderSide } from '@ushirika/contract/market';
import { feeOf, holdOf } from '@ushirika/contract/market-fees';
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { useIdempotencyKey } from '../api/call.ts';
import { shareCount } from '../shares/shares-amount.ts';
import { Field } from '../ui/fields.tsx';
import { formatCount } from '../ui/figures.tsx';
import { SubmitButton, useFormState } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toast.ts';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { MoneyAtHand, SharesAtHand } from './at-hand.tsx';
import { FeeName } from './fee-name.tsx';
import { refreshMarket, sendOrder, shownOf } from './market.queries.ts';
import type { Book } from './market-book.ts';
import { endOfDayIn, formatPrice } from './market-words.ts';
import type { PlacedOrder } from './order-receipt.tsx';
import { ProceedsNote } from './proceeds-note.tsx';
import {
  centsTyped,
  costOf,
  type Estimate,
  estimate,
  mostToBuy,
  mostToSell,
  priceText,
  proceedsOf,
  stepped,
  type Terms,
  type Trader,
  termsInCents,
} from './ticket.rules.ts';
import { fromCents, refusalBesideField, unfitOrder, unfitShares } from './ticket-checks.ts';

/** What is typed; the price is null until somebody sets it, and then it is nobody else's to change. */
export interface Draft {
  readonly side: OrderSide;
  readonly shares: string;
  readonly price: string | null;
}

interface Props {
  sacco: string;
  book: Book;
  trader: Trader;
  draft: Draft;
  change: (draft: Partial<Draft>) => void;
  onPlaced: (answer: PlacedOrder) => void;
  onTopUp: () => void;
}

/** The one order ticket: what to do, how many, at what price, what it costs, and what will happen as the book stands. */
export function OrderTicket({ sacco, book, trader, draft, change, onPlaced, onTopUp }: Props) {
  const { side } = draft;
  const terms = useMemo(() => termsInCents(book.terms), [book.terms]);
  const { keyFor, settle } = useIdempotencyKey();
  const expiry = useExpiry(book.terms.order_days_max);
  const price = usePrice(draft, book, terms);
  const shares = shareCount(draft.shares);
  const unsellable = side === 'sell' && shares !== null ? unfitShares(side, shares, terms, trader, book) : null;
  // No sum is shown for a sale that is refused.
  const reckoned = unsellable ? null : shares;
  const most = mostOf(side, price.cents, book, trader, terms);
  const submit = async () => {
    const asked = { sacco, side, shares: shares ?? 0, price: priceText(price.cents ?? 0), expires_at: expiry.at };
    const body = { ...asked, terms: shownOf(book.terms) };
    const answer = await sendOrder(body, keyFor(body));
    settle();
    change({ shares: '', price: null });
    onPlaced(answer);
    await refreshMarket(answer.trades.length > 0);
  };
  return (
    <ApiForm<'shares' | 'price'>
      label={say('Order ticket')}
      className="grid gap-3.5"
      required={['shares', 'price']}
      emptyMessage={say('Enter how many shares, and at what price.')}
      check={() => unfitOrder({ side, shares, priceCents: price.cents, terms, trader, book })}
      submit={submit}
      settle={settle}
      explain={refusalBesideField}
    >
      <SideSwitch side={side} trader={trader} onChange={(next) => change({ side: next, price: null })} />
      <div className="grid grid-cols-2 gap-3">
        <SharesField draft={draft} most={most} unfit={unsellable} terms={terms} trader={trader} change={change} />
        <PriceField price={price} terms={terms} change={change} />
      </div>
      {!terms.isPar && <PriceHelpers book={book} terms={terms} change={change} />}
      {side === 'sell' ? (
        <SharesAtHand book={book} most={most} />
      ) : (
        <MoneyAtHand availableCents={trader.availableCents} onTopUp={onTopUp} />
      )}
      <Sums side={side} shares={reckoned} priceCents={price.cents} terms={terms} market={book.terms} />
      {side === 'sell' && <ProceedsNote />}
      <ExpiryField expiry={expiry} />
      <SubmitButton
        busyLabel={say('processing...')}
        disabledReason={whyNot(side, trader) ?? unsellable}
        look={side === 'buy' ? 'main' : 'clay'}
      >
        {submitWords(side, shares)}
      </SubmitButton>
      <p className="min-h-10 text-small text-ink-2">
        <Forecast side={side} shares={reckoned} priceCents={price.cents} book={book} terms={terms} />
      </p>
    </ApiForm>
  );
}

function submitWords(side: OrderSide, shares: number | null): string {
  const n = shares === null ? '' : formatCount(shares);
  if (side === 'buy') return n ? say('Buy {n} {n, plural, one {Share} other {Shares}}', { n }) : say('Buy Shares');
  return n ? say('Sell {n} {n, plural, one {Share} other {Shares}}', { n }) : say('Sell Shares');
}

function whyNot(side: OrderSide, trader: Trader): string | null {
  if (trader.closed) return trader.closed;
  if (side === 'buy' && trader.isLeaving) return say('You have given notice: you may sell your shares, and buy none.');
  return null;
}

/** The price in the field: what somebody set, or what the book offered when the ticket was opened. */
function usePrice(draft: Draft, book: Book, terms: Terms) {
  // Kept from the first look on: a price never changes under the finger.
  // biome-ignore lint/correctness/useExhaustiveDependencies: anew for the other side only, and after an order
  const first = useMemo(() => {
    if (terms.isPar) return book.terms.share_value;
    return (draft.side === 'buy' ? book.best_ask : book.best_bid) ?? book.terms.share_value;
  }, [draft.side, draft.price === null, terms.isPar]);
  const text = draft.price ?? priceText(centsOf(first));
  return { text, cents: centsTyped(text) };
}

/** How long an order waits: the longest unless another day is chosen, which then stays the same for every try. */
function useExpiry(longest: number) {
  const [days, setDays] = useState(longest);
  const at = useMemo(() => (days >= longest ? undefined : endOfDayIn(days)), [days, longest]);
  const choices = [1, 7, 30].filter((choice) => choice < longest).concat(longest);
  return {
    days,
    at,
    choices,
    choose: ({ target }: { target: { value: string } }) => setDays(Number(target.value)),
  };
}

function ExpiryField({ expiry }: { expiry: ReturnType<typeof useExpiry> }) {
  const { errors } = useFormState();
  return (
    <div>
      <label className="grid gap-1.5 text-small font-semibold">
        {say('Waits at most until')}
        <select
          name="expiry"
          className="field-box min-h-11 py-1.5 text-small"
          value={expiry.days}
          onChange={expiry.choose}
        >
          {expiry.choices.map((days) => (
            <option key={days} value={days}>
              {untilWords(days)}
            </option>
          ))}
        </select>
      </label>
      {errors.expiry && <p className="mt-1.5 text-small font-medium text-clay">{errors.expiry}</p>}
    </div>
  );
}

function untilWords(days: number): string {
  const date = longDate(endOfDayIn(days));
  return days === 1
    ? say('{date} (tomorrow)', { date })
    : say('{date} ({n} {n, plural, one {day} other {days}})', { date, n: days });
}

function mostOf(side: OrderSide, cents: number | null, book: Book, trader: Trader, terms: Terms): number {
  if (side === 'sell') return mostToSell(book.free_shares, trader.minShares, trader.isLeaving, terms.lot);
  return cents === null ? 0 : mostToBuy(cents, trader.availableCents, trader.room, terms);
}

function SideSwitch({
  side,
  trader,
  onChange,
}: {
  side: OrderSide;
  trader: Trader;
  onChange: (side: OrderSide) => void;
}) {
  const choices = [
    ['buy', say('Buy'), 'has-checked:bg-forest-tint has-checked:text-up'],
    ['sell', say('Sell'), 'has-checked:bg-clay-tint has-checked:text-clay'],
  ] as const;
  return (
    <div>
      <fieldset className="grid grid-cols-2 rounded-box bg-sunken p-1">
        <legend className="sr-only">{say('Buy or sell')}</legend>
        {choices.map(([value, words, colour]) => (
          <label
            key={value}
            className={`relative grid min-h-10 cursor-pointer place-items-center rounded-[9px] font-semibold text-ink-2 has-checked:shadow-card has-focus-visible:outline-3 has-focus-visible:outline-(--focus) ${colour}`}
          >
            <input
              type="radio"
              name="side"
              value={value}
              className="absolute inset-0 cursor-pointer opacity-0"
              checked={side === value}
              onChange={() => onChange(value)}
            />
            {words}
          </label>
        ))}
      </fieldset>
      {trader.isLeaving && (
        <p className="mt-2 text-small font-medium text-ochre-ink">
          {say('You have given notice: you may sell all your shares, and buy none.')}
        </p>
      )}
      {trader.isProvisional && side === 'buy' && (
        <p className="mt-2 text-small font-medium text-ochre-ink">
          {say(
            'Your first order must be for at least {n} {n, plural, one {share} other {shares}}, the sacco’s minimum.',
            {
              n: formatCount(trader.minShares),
            },
          )}
        </p>
      )}
    </div>
  );
}

function SharesField({
  draft,
  most,
  unfit,
  terms,
  trader,
  change,
}: Pick<Props, 'draft' | 'change' | 'trader'> & { most: number; unfit: string | null; terms: Terms }) {
  const why = most > 0 ? null : noneWords(draft.side, trader);
  const fill = () => (why ? toast(why) : change({ shares: String(most) }));
  return (
    <Field
      label={say('Shares')}
      name="shares"
      hint={
        unfit ? (
          <span className="font-medium text-clay">{unfit}</span>
        ) : terms.lot > 1 ? (
          say('In lots of {n}', { n: formatCount(terms.lot) })
        ) : undefined
      }
    >
      {(control) => (
        <div className="relative">
          <input
            {...control}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            className="field-box num min-h-12.5 pr-16"
            value={draft.shares}
            onChange={(event) => change({ shares: event.target.value })}
          />
          <button
            type="button"
            className="absolute inset-y-px right-px min-w-11 cursor-pointer rounded-box px-3 text-small font-semibold text-forest aria-disabled:text-ink-3"
            aria-disabled={why ? true : undefined}
            aria-label={say('Max: {n} {n, plural, one {share} other {shares}}', { n: formatCount(most) })}
            title={why ?? say('Max: {n} {n, plural, one {share} other {shares}}', { n: formatCount(most) })}
            onClick={fill}
          >
            {say('Max')}
          </button>
        </div>
      )}
    </Field>
  );
}

/** Why not even one share can be traded. */
function noneWords(side: OrderSide, { room, isLeaving, minShares }: Trader): string {
  if (side === 'buy') {
    if (room <= 0) return say('You hold one fifth of the shares, the most that one member may hold.');
    return say('Your wallet cannot pay for one share and its fee. Top up first.');
  }
  if (isLeaving) return say('You have no free shares to sell.');
  return say('You have no shares to sell beyond the minimum of {n}.', { n: formatCount(minShares) });
}

function PriceField({
  price,
  terms,
  change,
}: Pick<Props, 'change'> & { price: { text: string; cents: number | null }; terms: Terms }) {
  const step = (direction: 1 | -1) => change({ price: priceText(stepped(price.cents, direction, terms)) });
  const onKeyDown = (event: KeyboardEvent) => {
    if (terms.isPar || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    step(event.key === 'ArrowUp' ? 1 : -1);
  };
  return (
    <Field
      label={say('Price each (Ksh.)')}
      name="price"
      hint={terms.isPar ? say('Shares trade at their value here') : undefined}
    >
      {(control) => (
        <div className="relative">
          <input
            {...control}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            readOnly={terms.isPar}
            className={`field-box num min-h-12.5 ${terms.isPar ? '' : 'pr-10'}`}
            value={price.text}
            onChange={(event) => change({ price: event.target.value })}
            onKeyDown={onKeyDown}
          />
          {!terms.isPar && (
            <div className="absolute inset-y-px right-px grid w-9 grid-rows-2 border-l border-line">
              {([1, -1] as const).map((direction) => (
                <button
                  key={direction}
                  type="button"
                  className="grid cursor-pointer place-items-center text-ink-2 first:rounded-tr-box last:rounded-br-box hover:bg-sunken hover:text-ink"
                  aria-label={direction === 1 ? say('One step up') : say('One step down')}
                  onClick={() => step(direction)}
                >
                  <Icon name="down" className={`size-4 ${direction === 1 ? 'rotate-180' : ''}`} />
                </button>
              ))}
            </div>
          )}
        </div>
      )}
    </Field>
  );
}

/** Prices at hand: one press puts one into the field. */
function PriceHelpers({ book, terms, change }: Pick<Props, 'book' | 'change'> & { terms: Terms }) {
  const helpers = [
    [say('Best bid'), book.best_bid],
    [say('Best ask'), book.best_ask],
    [say('Share value'), book.terms.share_value],
  ] as const;
  return (
    <div>
      <div className="grid grid-cols-3 gap-2">
        {helpers.map(([words, shillings]) => (
          <button
            key={words}
            type="button"
            className="min-h-11 min-w-0 cursor-pointer rounded-small border border-line px-1 text-tiny leading-tight text-ink-2 hover:bg-sunken aria-disabled:cursor-not-allowed aria-disabled:text-ink-3"
            aria-disabled={shillings === null ? true : undefined}
            title={shillings === null ? say('Nobody is there at the moment') : undefined}
            onClick={() =>
              shillings === null
                ? toast(say('Nobody is there at the moment'))
                : change({ price: priceText(centsOf(shillings)) })
            }
          >
            {words}
            <span className="num block text-small font-semibold text-ink">
              {shillings === null ? '–' : formatPrice(shillings)}
            </span>
          </button>
        ))}
      </div>
      <p className="num mt-1.5 text-tiny text-ink-2">
        {say('From {floor} to {ceiling}, in steps of {tick}', {
          floor: formatPrice(book.terms.floor),
          ceiling: formatPrice(book.terms.ceiling),
          tick: formatPrice(terms.tickCents / 100),
        })}
      </p>
    </div>
  );
}

/** Shares times price, the fee, and what is taken or received: exact, before anything is sent. */
function Sums({
  side,
  shares,
  priceCents,
  terms,
  market,
}: {
  side: OrderSide;
  shares: number | null;
  priceCents: number | null;
  terms: Terms;
  market: Book['terms'];
}) {
  const isKnown = shares !== null && priceCents !== null;
  const value = isKnown ? shares * priceCents : 0;
  const fee = feeOf(value, terms);
  const plain = (cents: number) => (isKnown ? formatPrice(cents / 100) : '–');
  return (
    <dl className="num grid gap-1.5 border-t border-dashed border-line pt-3 text-small" aria-live="off">
      <SumRow name={isKnown ? `${formatCount(shares)} × ${formatPrice(priceCents / 100)}` : say('Shares × price')}>
        {plain(value)}
      </SumRow>
      <SumRow name={<FeeName feeCents={fee} terms={market} />}>
        {side === 'sell' && isKnown && fee > 0 ? `−${plain(fee)}` : plain(fee)}
      </SumRow>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-base font-bold">
        <dt>{side === 'buy' ? say('Held from your wallet') : say('You receive')}</dt>
        <dd className="ml-auto whitespace-nowrap">
          {!isKnown
            ? '–'
            : fromCents(side === 'buy' ? costOf(shares, priceCents, terms) : proceedsOf(shares, priceCents, terms))}
        </dd>
      </div>
    </dl>
  );
}

function SumRow({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-ink-2">{name}</dt>
      <dd className="whitespace-nowrap">{children}</dd>
    </div>
  );
}

/** What would fill now and what would wait: an estimate, because the book moves. */
function Forecast({
  side,
  shares,
  priceCents,
  book,
  terms,
}: {
  side: OrderSide;
  shares: number | null;
  priceCents: number | null;
  book: Book;
  terms: Terms;
}) {
  if (shares === null || priceCents === null) {
    return side === 'buy'
      ? say(
          'Shares you do not get at once wait in the book. The money for them is on hold, and yours again if you cancel.',
        )
      : say('Shares you do not sell at once wait in the book. They are on hold, and free again if you cancel.');
  }
  const against = (side === 'buy' ? book.asks : book.bids).map(({ price, shares: offered }) => ({
    priceCents: centsOf(price),
    shares: offered,
    own: book.mine.some((order) => order.side !== side && order.price === price),
  }));
  const expected = estimate(side, shares, priceCents, against);
  return (
    <>
      {expected.reachesOwn && (
        <b className="block text-ochre-ink">
          {say('This would trade with your own order. Cancel that one first, or choose another price.')}
        </b>
      )}
      {forecastWords(side, shares, priceCents, expected)}
      {side === 'buy' && expected.now > 0 && expected.waits > 0 && (
        <span className="num block">
          {say('About {paid} is paid now, and about {held} is held.', {
            paid: fromCents(expected.valueCents + feeOf(expected.valueCents, terms)),
            held: fromCents(holdOf(priceCents, expected.waits, expected.valueCents, terms)),
          })}
        </span>
      )}
    </>
  );
}

function forecastWords(
  side: OrderSide,
  shares: number,
  priceCents: number,
  { now, valueCents, waits }: Estimate,
): string {
  const n = formatCount(shares);
  const price = formatPrice(priceCents / 100);
  if (now === 0) {
    return side === 'buy'
      ? say(
          'As the book stands, {n, plural, one {your share waits} other {all {n} wait}} until a member sells at {price} or less.',
          {
            n,
            price,
          },
        )
      : say(
          'As the book stands, {n, plural, one {your share waits} other {all {n} wait}} until a member buys at {price} or more.',
          {
            n,
            price,
          },
        );
  }
  const average = formatPrice(Math.round(valueCents / now) / 100);
  if (waits === 0)
    return say(
      'As the book stands, {n, plural, one {your share fills} other {all {n} fill}} now, at {price} on average.',
      {
        n,
        price: average,
      },
    );
  return say(
    'As the book stands, {now} {now, plural, one {fills} other {fill}} now, at {price} on average. The other {rest, plural, one {one waits} other {{rest} wait}} in the book.',
    {
      now: formatCount(now),
      price: average,
      rest: formatCount(waits),
    },
  );
}
