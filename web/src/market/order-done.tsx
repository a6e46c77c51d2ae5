import { formatShillings } from '@ushirika/contract/format';
import type { Trade } from '@ushirika/contract/market';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { later } from '../layouts/later.tsx';
import { paths } from '../paths.ts';
import { enterSacco } from '../saccos/enter-sacco.ts';
import type { StoredSacco } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { OrderReceipt, type PlacedOrder } from './order-receipt.tsx';

const ContractNoteDialog = later(() => import('./contract-note-dialog.tsx'), 'ContractNoteDialog');

/** Contract notes that are offered at once; all of them are on the trading page. */
const NOTES_SHOWN = 5;

/** What placing an order ends in: its receipt, the contract note of each trade, and the way to the market. */
export function OrderDone({
  placed,
  sacco,
  onClose,
}: {
  placed: PlacedOrder;
  sacco: StoredSacco;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const toTrading = () => {
    if (!enterSacco(sacco)) return;
    onClose();
    navigate(paths.clientShareTrading());
  };
  return (
    <>
      <OrderReceipt placed={placed} saccoName={sacco.name}>
        <ContractNotes trades={placed.trades} />
      </OrderReceipt>
      {placed.order.remaining > 0 && (
        <p className="mt-3 text-small text-ink-2">
          {placed.order.side === 'sell'
            ? say(
                'What waits stays yours, and is held, until a member buys it. You can change or cancel it in Share Trading.',
              )
            : say(
                'What waits is paid from the money held, as soon as a member sells. You can change or cancel it in Share Trading.',
              )}
        </p>
      )}
      <div className="mt-4 grid gap-2 sm:grid-cols-2 print:hidden">
        <Button look="line" onClick={toTrading}>
          {say('Share Trading')}
          <Icon name="arrow" className="size-4.5" />
        </Button>
        <Button onClick={onClose}>{say('Done')}</Button>
      </div>
    </>
  );
}

/** The contract note of each trade, a press away. */
export function ContractNotes({ trades }: { trades: readonly Trade[] }) {
  const [shown, setShown] = useState<string | null>(null);
  if (trades.length === 0) return null;
  return (
    <div className="rule pt-3 print:hidden">
      <p className="text-small text-ink-2">{say('Contract notes')}</p>
      <div className="mt-1.5 flex flex-wrap gap-2">
        {trades.slice(0, NOTES_SHOWN).map(({ id, shares, price }) => (
          <Button key={id} look="soft" className="px-3" onClick={() => setShown(id)}>
            <Icon name="book" className="size-4.5" />
            {say('{n} at {price}', { n: formatCount(shares), price: formatShillings(price) })}
          </Button>
        ))}
      </div>
      {trades.length > NOTES_SHOWN && (
        <p className="mt-1.5 text-small text-ink-2">
          {say('{n} more are in Share Trading.', { n: formatCount(trades.length - NOTES_SHOWN) })}
        </p>
      )}
      <Suspense>{shown && <ContractNoteDialog tradeId={shown} onClose={() => setShown(null)} />}</Suspense>
    </div>
  );
}
