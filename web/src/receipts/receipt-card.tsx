import { formatShillings } from '@ushirika/contract/format';
import type { Receipt } from '@ushirika/contract/receipts';
import { unbroken } from '../ui/figures.tsx';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { ReceiptPaper } from './receipt-paper.tsx';

/** What belongs to a receipt besides: each name with its value. */
export type Details = readonly (readonly [name: string, value: string])[];

/** What paying from the wallet ends in: it names its journal in the books. */
export function ReceiptCard({ receipt, more = [] }: { receipt: Receipt; more?: Details }) {
  return (
    <ReceiptPaper
      what={unbroken(receipt.what)}
      shillings={-receipt.amount}
      at={receipt.at}
      facts={[...more, [say('Entry in the books'), <code key="journal">{receipt.journal}</code>]]}
      text={textOf(receipt, more)}
      fileName={`receipt-${receipt.id}`}
      journal={receipt.journal}
    />
  );
}

/** The receipt as text, for sharing and saving. */
function textOf(receipt: Receipt, more: Details): string {
  return [
    'Ushirika',
    receipt.what,
    formatShillings(receipt.amount),
    ...more.map(([name, value]) => `${name}: ${value}`),
    longDateTime(receipt.at),
    `${say('Entry in the books')}: ${receipt.journal}`,
    `${say('Receipt')}: ${receipt.id}`,
  ].join('\n');
}
