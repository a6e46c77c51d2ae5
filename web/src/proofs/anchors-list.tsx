import type { LogFacts } from '@ushirika/contract/proofs';
import { formatCount, LongDate } from '../ui/figures.tsx';
import { FoldedPart } from '../ui/fold.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';

type Anchor = LogFacts['anchors'][number];

/** The heads of a log that were written to the chain, the newest first. */
export function AnchorsList({ facts: { anchors, chain } }: { facts: Pick<LogFacts, 'anchors' | 'chain'> }) {
  if (anchors.length === 0) return null;
  return (
    <FoldedPart title={say('Written to the chain')} sum={formatCount(anchors.length)}>
      <Table
        caption={say('Written to the chain')}
        columns={columns()}
        rows={anchors}
        keyOf={({ size }) => String(size)}
      />
      {chain && (
        <p className="mt-2 text-small text-ink-2">
          {say('Contract on the chain')}: <code className="break-all">{chain.contract}</code>
        </p>
      )}
    </FoldedPart>
  );
}

const columns = (): Column<Anchor>[] => [
  { head: say('When'), cell: ({ at }) => <LongDate iso={at} time />, title: true },
  { head: say('Entries'), cell: ({ size }) => formatCount(size), end: true },
  { head: say('Block'), cell: ({ block }) => formatCount(block), end: true },
];
