import { formatShillings } from '@ushirika/contract/format';
import type { Sacco } from '@ushirika/contract/saccos';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { useIdempotencyKey } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import type { StoredSacco } from '../session/session.ts';
import { shareCount } from '../shares/shares-amount.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, Facts, FailureState } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MoneyField, TextField } from '../ui/fields.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { FeeName } from './fee-name.tsx';
import { refreshMarket, sendOrder, shownOf, useOrderBook } from './market.queries.ts';
import { type Book, saleSums, sellableShares, sellingPrices } from './market-sums.ts';
import { OrderDone } from './order-done.tsx';
import type { PlacedOrder } from './order-receipt.tsx';
import { ProceedsNote } from './proceeds-note.tsx';
import { besideTheirFields, priceOf, unfitToSell } from './sell-refusals.ts';

type SoldIn = StoredSacco & Pick<Sacco, 'min_shares' | 'membership'>;
type OwnBook = Book & { free_shares: number; held_shares: number };

/** Sell Shares: an order to sell to other members, at a price of one's own. Ends in a receipt. */
export function SellSharesDialog({ sacco, onClose }: { sacco: SoldIn; onClose: () => void }) {
  const { data: book, error, refetch } = useOrderBook(sacco.id);
  const [placed, setPlaced] = useState<PlacedOrder | null>(null);
  // Who has given notice may sell all.
  const mustStay = sacco.membership === 'leaving' ? 0 : sacco.min_shares;
  return (
    <Dialog title={say('Sell Shares')} onClose={onClose}>
      {placed ? (
        <OrderDone placed={placed} sacco={sacco} onClose={onClose} />
      ) : (
        <>
          <p className="mb-1 text-lead font-semibold">{sacco.name}</p>
          {book && <SellShares sacco={sacco} book={book} mustStay={mustStay} onPlaced={setPlaced} />}
          {!book && error && (
            <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
          )}
          {!book && !error && <Skeletons count={3} label={say('Loading...')} className="mt-3 h-16 rounded-box" />}
        </>
      )}
    </Dialog>
  );
}

function SellShares({
  sacco,
  book,
  mustStay,
  onPlaced,
}: {
  sacco: SoldIn;
  book: OwnBook;
  mustStay: number;
  onPlaced: (placed: PlacedOrder) => void;
}) {
  const { free_shares: free, held_shares: held, terms } = book;
  const most = sellableShares({ free, mustStay, lot: terms.lot });
  return (
    <>
      <Facts
        facts={[
          [say('Your shares'), formatCount(free + held)],
          ...(held > 0 ? [[say('In open orders'), formatCount(held)] as const] : []),
          ...(mustStay > 0 ? [[say('Minimum you must keep'), formatCount(mustStay)] as const] : []),
          [<b key="most">{say('You can sell')}</b>, formatCount(most)],
        ]}
      />
      {most > 0 ? (
        <SaleForm sacco={sacco} book={book} most={most} mustStay={mustStay} onPlaced={onPlaced} />
      ) : (
        <div className="mt-4">
          <EmptyState title={say('There is nothing to sell now')} next={whyNothing(book, mustStay)} />
        </div>
      )}
    </>
  );
}

function whyNothing({ free_shares: free, held_shares: held }: OwnBook, mustStay: number): string {
  if (free + held === 0) return say('You own no shares of this sacco yet.');
  if (held > 0) return say('Cancel an open order in Share Trading to free its shares.');
  return say(
    'Every member keeps {n} {n, plural, one {share} other {shares}}. Give notice to leave, and you may sell them all.',
    {
      n: formatCount(mustStay),
    },
  );
}

function SaleForm({
  sacco,
  book,
  most,
  mustStay,
  onPlaced,
}: {
  sacco: SoldIn;
  book: OwnBook;
  most: number;
  mustStay: number;
  onPlaced: (placed: PlacedOrder) => void;
}) {
  const { keyFor, settle } = useIdempotencyKey();
  const prices = sellingPrices(book);
  const [typed, setTyped] = useState('');
  const [typedPrice, setTypedPrice] = useState(() => (prices[0]?.price ?? book.terms.share_value).toFixed(2));
  const shares = shareCount(typed);
  const price = priceOf(typedPrice);
  const limits = { free: book.free_shares, most, mustStay, terms: book.terms };

  const unfit = unfitToSell({ shares: typed, price: typedPrice }, limits)?.toasts[0];
  const sums = !unfit && shares && price ? saleSums(shares, price, book) : null;

  const submit = async () => {
    if (!shares || !price) return;
    const body = { sacco: sacco.id, side: 'sell' as const, shares, price, terms: shownOf(book.terms) };
    const placed = await sendOrder(body, keyFor(body));
    settle();
    onPlaced(placed);
    await refreshMarket(placed.trades.length > 0);
  };
  return (
    <ApiForm<'shares' | 'price'>
      className="mt-4 grid gap-4"
      required={['shares', 'price']}
      emptyMessage={say('Fill in the number of shares and the price.')}
      check={(values) => unfitToSell(values, limits)}
      submit={submit}
      settle={settle}
      explain={besideTheirFields}
    >
      <div className="grid grid-cols-2 gap-x-3">
        <TextField
          label={say('Shares')}
          name="shares"
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="num"
        />
        <MoneyField
          label={say('Price each')}
          name="price"
          value={typedPrice}
          readOnly={book.terms.price_mode === 'par'}
          onChange={(event) => setTypedPrice(event.target.value)}
        />
      </div>
      <Helpers
        prices={prices}
        most={most}
        onShares={(n) => setTyped(String(n))}
        onPrice={(one) => setTypedPrice(one.toFixed(2))}
      />
      <p className="text-small text-ink-2">{bandInWords(book.terms)}</p>
      <div role="status">
        {typed && unfit && <p className="rounded-box bg-sunken px-4 py-3 text-small">{unfit}</p>}
        {sums && <Outcome sums={sums} terms={book.terms} />}
      </div>
      <ProceedsNote />
      <SubmitButton busyLabel={say('processing...')}>{say('Sell Shares')}</SubmitButton>
    </ApiForm>
  );
}

/** Values to start from: each puts its number into the field. */
function Helpers({
  prices,
  most,
  onShares,
  onPrice,
}: {
  prices: ReturnType<typeof sellingPrices>;
  most: number;
  onShares: (shares: number) => void;
  onPrice: (price: number) => void;
}) {
  const names = { bid: say('Best bid'), last: say('Last price'), value: say('Share value') };
  return (
    <div className="-mt-1.5 flex flex-wrap gap-2">
      <Button look="soft" className="px-3 text-small" onClick={() => onShares(most)}>
        {say('All {n}', { n: formatCount(most) })}
      </Button>
      {prices.map(({ kind, price }) => (
        <Button key={kind} look="soft" className="num px-3 text-small" onClick={() => onPrice(price)}>
          {names[kind]} {price.toFixed(2)}
        </Button>
      ))}
    </div>
  );
}

function bandInWords(terms: Book['terms']): string {
  if (terms.price_mode === 'par') {
    return say('In this sacco members trade at the share value only, {price}.', {
      price: formatShillings(terms.share_value),
    });
  }
  return say('From {floor} to {ceiling}, in steps of {tick}.', {
    floor: formatShillings(terms.floor),
    ceiling: formatShillings(terms.ceiling),
    tick: formatShillings(terms.tick),
  });
}

/** What the order comes to, the fee taken off, and how much of it sells at once. */
function Outcome({ sums, terms }: { sums: ReturnType<typeof saleSums>; terms: Book['terms'] }) {
  const { soldAtOnce, waiting, valueCents, feeCents, receivedCents } = sums;
  return (
    <div className="rounded-box bg-forest-tint px-4 py-1">
      <Facts
        facts={[
          [say('Value'), <Money key="value" shillings={valueCents / 100} />],
          [
            <FeeName key="name" feeCents={feeCents} terms={terms} />,
            <Money key="fee" shillings={-feeCents / 100} sign />,
          ],
          [
            <b key="name">{say('You receive')}</b>,
            <Money key="received" shillings={receivedCents / 100} className="text-lead" />,
          ],
        ]}
      />
      <p className="rule py-2.5 text-small">
        {soldAtOnce > 0 &&
          say(
            '{n} {n, plural, one {sells} other {sell}} at once to members who wait for {n, plural, one {it} other {them}}.',
            { n: formatCount(soldAtOnce) },
          )}{' '}
        {waiting > 0 &&
          say(
            '{n} {n, plural, one {waits} other {wait}} in the order book and {n, plural, one {is} other {are}} held until a member buys {n, plural, one {it} other {them}}, for {days} {days, plural, one {day} other {days}} at most.',
            {
              n: formatCount(waiting),
              days: formatCount(terms.order_days_max),
            },
          )}
      </p>
    </div>
  );
}
