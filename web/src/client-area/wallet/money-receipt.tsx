import '../../receipts/print.css';
import type { MoneyReceipt } from '@ushirika/contract/wallet';
import { wordsFor } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Facts, FailureState } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LongDate, Money } from '../../ui/figures.tsx';
import { Icon } from '../../ui/icon.tsx';
import { KangaBand } from '../../ui/kanga-band.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import { say } from '../../words/say.ts';
import { useJournalOf, useReceipt } from './wallet.queries.ts';

/** The receipt of one movement, from the history. */
export function ReceiptDialog({ journal, onClose }: { journal: string; onClose: () => void }) {
  return (
    <Dialog title={say('Receipt')} onClose={onClose}>
      <ReceiptOf journal={journal} />
      <Button className="mt-4 w-full print:hidden" onClick={onClose}>
        {say('Done')}
      </Button>
    </Dialog>
  );
}

/** The receipt of a payment that M-Pesa has just confirmed, found by M-Pesa's own receipt. */
export function ReceiptOfPayment({ mpesaReceipt }: { mpesaReceipt: string | null }) {
  const { data: journal, isPending, isError } = useJournalOf(mpesaReceipt);
  if (mpesaReceipt === null) return null;
  if (isPending) return <Skeletons count={1} label={say('Loading...')} className="h-72 rounded-card" />;
  if (journal) return <ReceiptOf journal={journal} />;
  return <Facts facts={[[say('M-Pesa receipt'), isError ? mpesaReceipt : <code key="code">{mpesaReceipt}</code>]]} />;
}

function ReceiptOf({ journal }: { journal: string }) {
  const { data: receipt, error, refetch } = useReceipt(journal);
  if (receipt) return <MoneyReceiptCard receipt={receipt} />;
  if (error) return <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />;
  return <Skeletons count={1} label={say('Loading...')} className="h-72 rounded-card" />;
}

/** A receipt that can be shared, copied, saved and printed. */
export function MoneyReceiptCard({ receipt }: { receipt: MoneyReceipt }) {
  const share = () => void navigator.share({ title: say('Receipt'), text: receipt.text }).catch(() => {});
  return (
    <section aria-label={say('Receipt')} className="card printed overflow-hidden shadow-none">
      <div className="px-5 pt-4 pb-2">
        <p className="flex items-center gap-2 text-small font-semibold text-up">
          <Icon name="check" />
          {say('In the books')}
        </p>
        <p className="mt-2 font-semibold">{say(receipt.title)}</p>
        <p className="text-head font-bold tracking-tight">
          <Money shillings={receipt.direction === 'out' ? -receipt.amount : receipt.amount} sign />
        </p>
        <Facts
          facts={[
            [say('When'), <LongDate key="at" iso={receipt.at} time />],
            [say('Reference'), <code key="reference">{receipt.reference}</code>],
            ...(receipt.receipt ? [[say('M-Pesa receipt'), <code key="mpesa">{receipt.receipt}</code>] as const] : []),
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
            download={`ushirika-${receipt.reference}.txt`}
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(receipt.text)}`}
          >
            <Icon name="download" />
            {say('Save')}
          </a>
          <Button look="soft" onClick={() => print()}>
            <Icon name="print" />
            {say('Print')}
          </Button>
          <CopyButton text={receipt.text} what={say('Copy the receipt')} />
        </div>
      </div>
      <KangaBand isThin />
    </section>
  );
}
