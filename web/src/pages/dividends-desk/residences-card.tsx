import type { MemberResidence } from '@ushirika/contract/dividends';
import { percent } from '../../dividends/dividend-words.ts';
import { useResidences } from '../../dividends/dividends.queries.ts';
import { Card } from '../../ui/card.tsx';
import { LongDate } from '../../ui/figures.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { say } from '../../words/say.ts';

/** The records of where members live for the tax, each with its paper. */
export function ResidencesCard({ sacco, taxes }: { sacco: string; taxes: { shares: number; savings: number } }) {
  const { data } = useResidences(sacco);
  const rows = data?.results ?? [];
  return (
    <Card className="min-w-0 p-5">
      <h2 className="text-lead">{say('Members who live abroad')}</h2>
      <p className="mt-1 text-small text-ink-2">
        {say(
          'Of them {shares} of dividends and {savings} of interest is withheld. It is recorded under Members, by a paper that an official saw.',
          { shares: percent(taxes.shares), savings: percent(taxes.savings) },
        )}
      </p>
      {rows.length > 0 && (
        <Table
          caption={say('Members who live abroad')}
          rows={rows}
          keyOf={({ member, at }) => `${member.id} ${at}`}
          columns={columns()}
        />
      )}
    </Card>
  );
}

const columns = (): Column<MemberResidence>[] => [
  { head: say('Member'), title: true, cell: ({ member }) => <span className="font-semibold">{member.name}</span> },
  { head: say('For the tax they live'), cell: ({ lives }) => (lives === 'abroad' ? say('abroad') : say('in Kenya')) },
  { head: say('Paper'), cell: ({ paper }) => <span className="break-words">{paper}</span> },
  { head: say('Recorded by'), cell: ({ by }) => by },
  { head: say('Date'), cell: ({ at }) => <LongDate iso={at} /> },
];
