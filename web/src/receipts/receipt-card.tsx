import { formatShillings } from '@ushirika/contract/format';
import type { Receipt } from '@ushirika/contract/receipts';
import { unbroken } from '../ui/figures.tsx';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { ReceiptPaper } from './receipt-paper.tsx';

/** What paying from the wallet ends in: it names its journal in the books. */
export function ReceiptCard({ receipt }: { receipt: Receipt }) {
  return (
    <ReceiptPaper
      what={unbroken(receipt.what)}
      shillings={-receipt.amount}
      at={receipt.at}
      facts={[[say('Entry in the books'), <code key="journal">{receipt.journal}</code>]]}
      text={textOf(receipt)}
      fileName={`receipt-${receipt.id}`}
    />
  );
}

/** The receipt as text, for sharing and saving. */
function textOf(receipt: Receipt): string {
  return [
    'Ushirika',
    receipt.what,
    formatShillings(receipt.amount),
    longDateTime(receipt.at),
    `${say('Entry in the books')}: ${receipt.journal}`,
    `${say('Receipt')}: ${receipt.id}`,
  ].join('\n');
}
