import type { MoneyReceipt } from '@ushirika/contract/wallet';
import { wordsFor } from '../api/failure.ts';
import { ReceiptPaper } from '../receipts/receipt-paper.tsx';
import { Button } from '../ui/button.tsx';
import { Facts, FailureState } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Money } from '../ui/figures.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
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
  const { data: journal, isPending } = useJournalOf(mpesaReceipt);
  if (mpesaReceipt === null) return null;
  if (isPending) return <Skeletons count={1} label={say('Loading...')} className="h-72 rounded-card" />;
  if (journal) return <ReceiptOf journal={journal} />;
  return <Facts facts={[[say('M-Pesa receipt'), <code key="code">{mpesaReceipt}</code>]]} />;
}

function ReceiptOf({ journal }: { journal: string }) {
  const { data: receipt, error, refetch } = useReceipt(journal);
  if (receipt) return <MoneyReceiptCard receipt={receipt} journal={journal} />;
  if (error) return <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />;
  return <Skeletons count={1} label={say('Loading...')} className="h-72 rounded-card" />;
}

function MoneyReceiptCard({ receipt, journal }: { receipt: MoneyReceipt; journal: string }) {
  return (
    <ReceiptPaper
      what={receipt.title}
      shillings={receipt.direction === 'out' ? -receipt.amount : receipt.amount}
      at={receipt.at}
      facts={[
        [say('Reference'), <code key="reference">{receipt.reference}</code>],
        ...(receipt.charge === null
          ? []
          : [[say('Of it M-Pesa’s charge'), <Money key="charge" shillings={receipt.charge} />] as const]),
        ...receipt.details.map(({ name, value }) => [name, value] as const),
        ...(receipt.receipt ? [[say('M-Pesa receipt'), <code key="mpesa">{receipt.receipt}</code>] as const] : []),
      ]}
      text={receipt.text}
      fileName={`ushirika-${receipt.reference}`}
      journal={journal}
    />
  );
}
