import type { MyCheckOffLine, SaccoCheckOffLine } from '@ushirika/contract/check-offs';
import { Tag } from '../ui/card.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';

type Line = MyCheckOffLine & Partial<Pick<SaccoCheckOffLine, 'marks' | 'outcome'>>;

/** Lines of a check-off: the member and the amount; for officials who has a hand in it, and what became of it. */
export function CheckOffLines({
  caption,
  lines,
  isShared = false,
}: {
  caption: string;
  lines: readonly Line[];
  /** Whether what became of each line is shown. */
  isShared?: boolean;
}) {
  const columns = isShared ? [...columnsOf(), ...outcomeColumns()] : columnsOf();
  return <Table caption={caption} rows={lines} keyOf={({ line }) => String(line)} columns={columns} />;
}

function columnsOf(): Column<Line>[] {
  return [
    {
      head: say('Member'),
      title: true,
      cell: ({ line, member, marks = [] }) => (
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-left">
          <span className="text-ink-2">{formatCount(line)}.</span>
          <span className="min-w-0 font-semibold break-words">{member}</span>
          {marks.map((mark) => (
            <Tag key={mark} tone="clay">
              {markWords(mark)}
            </Tag>
          ))}
        </span>
      ),
    },
    {
      head: say('Amount'),
      end: true,
      cell: ({ amount }) => <Money shillings={amount} className="font-semibold" />,
    },
  ];
}

function outcomeColumns(): Column<Line>[] {
  return [
    {
      head: say('To loans'),
      end: true,
      cell: ({ outcome }) => (outcome ? <Money shillings={outcome.to_loans} /> : '–'),
    },
    {
      head: say('To the wallet'),
      end: true,
      cell: ({ outcome }) => (outcome ? <Money shillings={outcome.to_wallet} /> : '–'),
    },
  ];
}

function markWords(mark: SaccoCheckOffLine['marks'][number]): string {
  const words: Record<typeof mark, string> = {
    you: say('This is you'),
    maker: say('Made the list'),
    checker: say('Checked the list'),
    payer: say('Pays the list'),
  };
  return words[mark];
}
