import './print.css';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { LongDate, Money, signed } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { KangaBand } from '../ui/kanga-band.tsx';
import { say } from '../words/say.ts';
import { factsOf, type Paper } from './paper.ts';
import { ProofLink } from './proof-link.tsx';
import { saveAsPdf, saveAsPicture, shareReceipt } from './receipt-files.ts';

/** Any receipt: a piece of paper that can be shared, saved, printed and copied. */
export function ReceiptPaper({
  mark = say('In the books'),
  what,
  shillings,
  at,
  facts,
  text,
  fileName,
  journal,
  children,
}: {
  /** What has become of it, above everything else. */
  mark?: string;
  what: string;
  /** Above zero what came in, below zero what went out; null where no money has moved. */
  shillings: number | null;
  at: string;
  /** What it is known by, after the date. */
  facts: ComponentProps<typeof Facts>['facts'];
  /** The receipt in words, as it is copied, and shared where pictures cannot be. */
  text: string;
  /** Of the saved files, without what it ends in. */
  fileName: string;
  /** The entry in the books that its proof is of; left out where it is of none, or of several. */
  journal?: string;
  /** More of it, below the facts. */
  children?: ReactNode;
}) {
  const paper = useRef<HTMLElement>(null);
  // It takes the place of a form that was scrolled.
  useEffect(() => {
    paper.current?.closest('.sheet-body')?.scrollTo(0, 0);
  }, []);
  const drawn = (): Paper => ({
    mark,
    what,
    amount: shillings === null ? null : signed(shillings),
    facts: factsOf(paper.current?.querySelector('dl') ?? null),
  });
  return (
    <section ref={paper} aria-label={say('Receipt')} className="card printed overflow-hidden shadow-none">
      <div className="px-5 pt-4 pb-2">
        <p className="flex items-center gap-2 text-small font-semibold text-up">
          <Icon name="check" />
          {mark}
        </p>
        <p className="mt-2 font-semibold">{what}</p>
        {shillings !== null && (
          <p className="text-head font-bold tracking-tight">
            <Money shillings={shillings} sign />
          </p>
        )}
        <Facts facts={[[say('When'), <LongDate key="at" iso={at} time />], ...facts]} />
        {children}
        <div className="flex flex-wrap gap-2 py-3 print:hidden">
          {journal !== undefined && <ProofLink of={journal} />}
          {'share' in navigator && (
            <Button look="soft" onClick={() => void shareReceipt(drawn(), text, fileName)}>
              <Icon name="share" />
              {say('Share')}
            </Button>
          )}
          <Button look="soft" onClick={() => saveAsPdf(drawn(), fileName)}>
            <Icon name="download" />
            {say('Save as PDF')}
          </Button>
          <Button look="soft" onClick={() => print()}>
            <Icon name="print" />
            {say('Print')}
          </Button>
          <Button look="soft" onClick={() => void saveAsPicture(drawn(), fileName)}>
            <Icon name="download" />
            {say('Save as picture')}
          </Button>
          <CopyButton text={text} what={say('Copy the receipt')} />
        </div>
      </div>
      <KangaBand isThin />
    </section>
  );
}
