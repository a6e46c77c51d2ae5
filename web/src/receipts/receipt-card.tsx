import './print.css';
import { formatLongDateTime, formatShillings } from '@ushirika/contract/format';
import type { Receipt } from '@ushirika/contract/receipts';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { LongDate, Money, unbroken } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { KangaBand } from '../ui/kanga-band.tsx';
import { say } from '../words/say.ts';

/** What paying from the wallet ends in: it can be shared, copied, saved and printed, and names its journal in the books. */
export function ReceiptCard({ receipt }: { receipt: Receipt }) {
  const text = textOf(receipt);
  const share = () => void navigator.share({ title: say('Receipt'), text }).catch(() => {});
  return (
    <section aria-label={say('Receipt')} className="card printed overflow-hidden shadow-none">
      <div className="px-5 pt-4 pb-2">
        <p className="flex items-center gap-2 text-small font-semibold text-up">
          <Icon name="check" />
          {say('In the books')}
        </p>
        <p className="mt-2 font-semibold">{unbroken(receipt.what)}</p>
        <p className="text-head font-bold tracking-tight">
          <Money shillings={-receipt.amount} sign />
        </p>
        <Facts
          facts={[
            [say('When'), <LongDate key="at" iso={receipt.at} time />],
            [say('Journal'), <code key="journal">{receipt.journal}</code>],
          ]}
        />
        <div className="flex flex-wrap gap-2 py-3 print:hidden">
          {'share' in navigator && (
            <Button look="soft" onClick={share}>
              <Icon name="share" />
              {say('Share')}
            </Button>
          )}
          <a
            className="btn btn-soft"
            download={`receipt-${receipt.id}.txt`}
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          >
            <Icon name="download" />
            {say('Save')}
          </a>
          <Button look="soft" onClick={() => print()}>
            <Icon name="print" />
            {say('Print')}
          </Button>
          <CopyButton text={text} what={say('Copy the receipt')} />
        </div>
      </div>
      <KangaBand isThin />
    </section>
  );
}

/** The receipt as text, for sharing and saving. */
export function textOf(receipt: Receipt): string {
  return [
    'Ushirika',
    receipt.what,
    formatShillings(receipt.amount),
    formatLongDateTime(receipt.at),
    `${say('Journal')}: ${receipt.journal}`,
    `${say('Receipt')}: ${receipt.id}`,
  ].join('\n');
}
