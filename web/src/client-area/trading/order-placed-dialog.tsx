import { ReceiptCard } from '../../receipts/receipt-card.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/figures.tsx';
import { say } from '../../words/say.ts';
import { Outcome } from '../wallet/waiting.tsx';
import { formatPrice, orderWords } from './market-words.ts';
import type { Placed } from './order-ticket.tsx';

/** What became of an order at once: its trades with their contract notes, what waits, and the receipt. */
export function OrderPlacedDialog({
  placed: { order, trades, receipt },
  onNote,
  onClose,
}: {
  placed: Placed;
  onNote: (trade: string) => void;
  onClose: () => void;
}) {
  const isBuy = order.side === 'buy';
  const n = formatCount(order.filled);
  const title =
    order.filled === 0
      ? say('Your order waits in the book')
      : order.remaining === 0
        ? isBuy
          ? say('Bought {n} shares', { n })
          : say('Sold {n} shares', { n })
        : isBuy
          ? say('Bought {n} shares, the rest waits', { n })
          : say('Sold {n} shares, the rest waits', { n });
  return (
    <Dialog title={isBuy ? say('Buy order') : say('Sell order')} onClose={onClose}>
      <div className="grid gap-4 print:block">
        <div className="print:hidden">
          <Outcome tone={order.filled > 0 ? 'good' : 'open'} title={title}>
            {orderWords(order)}
            {order.remaining > 0 && `. ${say('{n} wait in the book.', { n: formatCount(order.remaining) })}`}
          </Outcome>
        </div>
        {trades.length > 0 && (
          <ul aria-label={say('Trades')} className="num print:hidden">
            {trades.map((trade) => (
              <li key={trade.id} className="rule flex items-center justify-between gap-3 py-1">
                <span>
                  {say('{n} shares at {price}', { n: formatCount(trade.shares), price: formatPrice(trade.price) })}
                </span>
                <button
                  type="button"
                  className="btn btn-quiet -mr-2.5 text-small font-semibold text-forest"
                  onClick={() => onNote(trade.id)}
                >
                  {say('Contract note')}
                </button>
              </li>
            ))}
          </ul>
        )}
        <ReceiptCard receipt={receipt} />
        <Button className="print:hidden" onClick={onClose}>
          {say('Done')}
        </Button>
      </div>
    </Dialog>
  );
}
