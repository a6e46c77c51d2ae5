import { formatShillings } from '@ushirika/contract/format';
import type { ContractNote } from '@ushirika/contract/market';
import { wordsFor } from '../api/failure.ts';
import { ReceiptPaper } from '../receipts/receipt-paper.tsx';
import { Button } from '../ui/button.tsx';
import { FailureState } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { useContractNote } from './market.queries.ts';

/** The contract note of one's own trade: a receipt to share, save and print. */
export function ContractNoteDialog({ tradeId, onClose }: { tradeId: string; onClose: () => void }) {
  const { data: note, error, refetch } = useContractNote(tradeId);
  return (
    <Dialog title={say('Contract note')} onClose={onClose}>
      {note ? (
        <Note note={note} />
      ) : error ? (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      ) : (
        <Skeletons count={1} label={say('Loading...')} className="h-120 rounded-card" />
      )}
      <Button className="mt-4 w-full print:hidden" onClick={onClose}>
        {say('Done')}
      </Button>
    </Dialog>
  );
}

function Note({ note }: { note: ContractNote }) {
  const isBuyer = note.side === 'buy';
  return (
    <ReceiptPaper
      what={titleOf(note)}
      shillings={isBuyer ? -note.total : note.total}
      at={note.at}
      facts={[
        [isBuyer ? say('Sold by') : say('Bought by'), handleInWords(note.counterparty)],
        [
          say('{n} {n, plural, one {share} other {shares}} at', { n: formatCount(note.shares) }),
          <Money key="price" shillings={note.price} />,
        ],
        [say('Value'), <Money key="value" shillings={note.value} />],
        [say('Transfer fee'), <Money key="fee" shillings={note.fee} />],
        [
          <b key="name">{isBuyer ? say('You paid') : say('You received')}</b>,
          <Money key="total" shillings={note.total} />,
        ],
        [say('Your shares after it'), formatCount(note.shares_after)],
        [say('Reference'), <code key="reference">{note.reference}</code>],
      ]}
      text={textOf(note)}
      fileName={`contract-note-${note.reference}`}
      journal={note.journal}
    >
      <p className="mt-2 text-small text-ink-2">
        {say('The minimum fee applies once to the whole order, however many trades fill it.')}
      </p>
    </ReceiptPaper>
  );
}

/** `Member K7Q2`, in the reader's language. */
function handleInWords(counterparty: string): string {
  const [word, handle] = counterparty.split(' ');
  return word === 'Member' && handle ? say('Member {handle}', { handle }) : say(counterparty);
}

function titleOf({ side, shares, sacco }: ContractNote): string {
  const values = { n: formatCount(shares), sacco: sacco.name };
  return side === 'buy'
    ? say('Bought {n} {n, plural, one {share} other {shares}} of {sacco}', values)
    : say('Sold {n} {n, plural, one {share} other {shares}} of {sacco}', values);
}

/** The note as text, for sharing and saving. */
function textOf(note: ContractNote): string {
  const isBuyer = note.side === 'buy';
  return [
    'Ushirika',
    `${say('Contract note')} ${note.reference}`,
    titleOf(note),
    `${isBuyer ? say('Sold by') : say('Bought by')}: ${handleInWords(note.counterparty)}`,
    `${formatCount(note.shares)} × ${formatShillings(note.price)} = ${formatShillings(note.value)}`,
    `${say('Transfer fee')}: ${formatShillings(note.fee)}`,
    `${isBuyer ? say('You paid') : say('You received')}: ${formatShillings(note.total)}`,
    longDateTime(note.at),
    `${say('Trade number')}: ${note.id}`,
  ].join('\n');
}
