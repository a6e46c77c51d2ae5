import { centsOf } from '@ushirika/contract/format';
import type { Order } from '@ushirika/contract/market';
import { type FeeTerms, holdOf } from '@ushirika/contract/market-fees';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { wordsFor } from '../api/failure.ts';
import { shareCount } from '../shares/shares-amount.ts';
import { sharesInWords } from '../shares/shares-in-words.ts';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { refreshMarket, sendCancel, sendChange, shownOf } from './market.queries.ts';
import type { Book } from './market-book.ts';
import { isPriceAllowed } from './market-sums.ts';
import { orderWords } from './market-words.ts';
import { centsTyped, placeAfter, priceText, termsInCents } from './ticket.rules.ts';
import { bandWords, fromCents, refusalBesideField } from './ticket-checks.ts';

/** Change an open order: fewer shares keep its place in the queue, anything else takes a new one. */
export function ChangeOrderDialog({
  order,
  book,
  closed,
  onClose,
}: {
  order: Order;
  book: Book;
  /** Why nothing can be changed now, or null. */
  closed: string | null;
  onClose: () => void;
}) {
  const terms = termsInCents(book.terms);
  // What is not typed over follows the order, which may change under an open dialog: only what was typed is sent.
  const [typedShares, setShares] = useState<string | null>(null);
  const [typedPrice, setPrice] = useState<string | null>(null);
  const sharesText = typedShares ?? String(order.shares);
  const text = typedPrice ?? priceText(centsOf(order.price));
  const shares = shareCount(sharesText);
  const cents = centsTyped(text);
  const effect = placeAfter({ shares: order.shares, priceCents: centsOf(order.price) }, shares, cents);

  const check = () => {
    const fields: Record<string, string> = {};
    if (shares === null) fields.shares = say('Enter a whole number of shares.');
    else if (shares <= order.filled) {
      fields.shares = say('{n} are traded already: enter more, or cancel the rest.', { n: formatCount(order.filled) });
    }
    if (cents === null) fields.price = say('Enter a price in shillings.');
    else if (effect !== 'keeps' && !isPriceAllowed(cents, terms)) fields.price = bandWords(terms);
    if (effect === 'same') fields.shares = say('Nothing is changed yet.');
    return Object.keys(fields).length > 0 ? { toasts: [], fields } : null;
  };
  const submit = async () => {
    const answer = await sendChange(order.id, {
      ...(shares !== order.shares && shares !== null ? { shares } : {}),
      ...(cents !== centsOf(order.price) && cents !== null ? { price: priceText(cents) } : {}),
      terms: shownOf(book.terms),
    });
    toast.success(answer.message);
    onClose();
    await refreshMarket(answer.trades.length > 0);
  };
  return (
    <Dialog title={say('Change your order')} onClose={onClose}>
      <p className="text-lead font-semibold">{orderWords(order)}</p>
      <p className="mt-1 text-small text-ink-2">
        {say('{filled} traded, {left} left', { filled: formatCount(order.filled), left: formatCount(order.remaining) })}
      </p>
      <ApiForm<'shares' | 'price'>
        className="mt-4 grid gap-4"
        required={['shares', 'price']}
        emptyMessage={say('All Fields are required')}
        check={check}
        submit={submit}
        explain={refusalBesideField}
      >
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label={say('Shares in all')}
            name="shares"
            inputMode="numeric"
            autoComplete="off"
            className="num"
            value={sharesText}
            onChange={({ target }) => setShares(target.value)}
            hint={order.filled > 0 ? say('Those already traded included') : undefined}
          />
          <TextField
            label={say('Price each (Ksh.)')}
            name="price"
            inputMode="decimal"
            autoComplete="off"
            className="num"
            readOnly={terms.isPar}
            value={text}
            onChange={({ target }) => setPrice(target.value)}
          />
        </div>
        <p role="status" className="min-h-18 rounded-box bg-sunken px-4 py-3 text-small">
          {effectWords(effect)}
          {order.side === 'buy' && shares !== null && cents !== null && shares > order.filled && effect !== 'same' && (
            <span className="num mt-1 block text-ink-2">
              {say('Held for what is left: {x}, now {y}.', {
                x: fromCents(heldAfter(order, shares, cents, terms)),
                y: fromCents(centsOf(order.held)),
              })}
            </span>
          )}
        </p>
        <SubmitButton busyLabel={say('processing...')} disabledReason={closed}>
          {say('Change the order')}
        </SubmitButton>
      </ApiForm>
    </Dialog>
  );
}

function heldAfter(order: Order, shares: number, cents: number, terms: FeeTerms): number {
  return holdOf(cents, shares - order.filled, centsOf(order.value), terms);
}

function effectWords(effect: ReturnType<typeof placeAfter>): string {
  if (effect === 'same')
    return say('Fewer shares keep your place in the queue. More shares or another price move the order to the back.');
  if (effect === 'keeps') return say('Fewer shares at the same price: the order keeps its place in the queue.');
  return say('The order moves to the back of the queue at its price, and may trade at once.');
}

/** Asks once before an order is taken back; says what is free again. */
export function CancelOrderDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    try {
      const answer = await sendCancel(order.id);
      toast.success(answer.message);
      onClose();
    } catch (error) {
      toast.error(wordsFor(error));
      setBusy(false);
    }
    await refreshMarket(false);
  };
  return (
    <Dialog title={say('Cancel this order?')} onClose={onClose}>
      <p className="mb-1 text-lead font-semibold">{orderWords(order)}</p>
      <Facts
        facts={[
          [say('Traded so far, and stays so'), sharesInWords(order.filled)],
          order.side === 'buy'
            ? [say('Free in your wallet again'), <Money key="held" shillings={order.held} />]
            : [say('Free to sell again'), sharesInWords(order.remaining)],
          [say('It would wait until'), <LongDate key="until" iso={order.expires_at} />],
        ]}
      />
      <div className="mt-4 grid gap-2.5 sm:grid-cols-2">
        <Button look="clay" busy={busy} onClick={() => void cancel()}>
          {busy ? say('processing...') : say('Cancel the order')}
        </Button>
        <Button look="line" onClick={onClose}>
          {say('Keep it')}
        </Button>
      </div>
    </Dialog>
  );
}
