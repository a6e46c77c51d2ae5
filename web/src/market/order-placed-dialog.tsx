import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { say } from '../words/say.ts';
import { ContractNotes } from './order-done.tsx';
import { OrderReceipt, type PlacedOrder } from './order-receipt.tsx';

/** What became of an order at once: the receipt with its trades and contract notes, and what waits. */
export function OrderPlacedDialog({
  placed,
  saccoName,
  onClose,
}: {
  placed: PlacedOrder;
  saccoName: string;
  onClose: () => void;
}) {
  const { order, trades } = placed;
  return (
    <Dialog title={order.side === 'buy' ? say('Your order to buy') : say('Your order to sell')} onClose={onClose}>
      <OrderReceipt placed={placed} saccoName={saccoName}>
        <ContractNotes trades={trades} />
      </OrderReceipt>
      {order.remaining > 0 && (
        <p className="mt-3 text-small text-ink-2 print:hidden">
          {say('Waiting orders are under My orders. You can change or cancel them there.')}
        </p>
      )}
      <Button className="mt-4 w-full print:hidden" onClick={onClose}>
        {say('Done')}
      </Button>
    </Dialog>
  );
}
