import type { MyCheckOff } from '@ushirika/contract/check-offs';
import { Link } from 'react-router';
import { DeskList } from '../layouts/list-states.tsx';
import { Title } from '../layouts/title.tsx';
import { Card, PageHead, Tag } from '../ui/card.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';
import { checkOffPaths } from './check-off-paths.ts';
import { checkOffStateWords, checkOffTones } from './check-off-words.ts';
import { useMyCheckOffs } from './check-offs.queries.ts';

/** /client/check-offs: what one pays for the members of saccos. */
export function ClientCheckOffsPage() {
  return <Mine toOne={checkOffPaths.clientOne} />;
}

/** /profile/check-offs: the same for whoever is in no sacco. */
export function ProfileCheckOffsPage() {
  return <Mine toOne={checkOffPaths.profileOne} />;
}

function Mine({ toOne }: { toOne: (id: string) => string }) {
  const list = useMyCheckOffs();
  const empty = {
    title: say('Nobody asks you to pay a check-off'),
    next: say('If you keep back instalments from wages, ask the sacco to list them. You pay the sum here.'),
  };
  return (
    <>
      <Title>{say('Check-offs')}</Title>
      <PageHead
        title={say('Check-offs')}
        lead={say(
          'What you kept back from wages for members of a sacco. You pay one sum, and it is shared out to them.',
        )}
      />
      <div className="mt-5">
        <DeskList pages={list} empty={empty}>
          {(rows) => (
            <Card className="min-w-0 px-5 py-2">
              <Table caption={say('Check-offs')} rows={rows} keyOf={({ id }) => id} columns={columnsOf(toOne)} />
            </Card>
          )}
        </DeskList>
      </div>
    </>
  );
}

function columnsOf(toOne: (id: string) => string): Column<MyCheckOff>[] {
  return [
    {
      head: say('Employer'),
      title: true,
      cell: ({ id, employer, sacco }) => (
        <Link to={toOne(id)} className="group -my-1 block min-w-0 py-1 text-left">
          <span className="block font-semibold underline decoration-line-strong underline-offset-3 group-hover:decoration-current">
            {employer}
          </span>
          <span className="block text-small text-ink-2">{sacco.name}</span>
        </Link>
      ),
    },
    { head: say('Checked'), cell: ({ checked_at }) => <LongDate iso={checked_at} /> },
    { head: say('Members'), end: true, cell: ({ lines }) => formatCount(lines) },
    {
      head: say('Amount'),
      end: true,
      cell: ({ amount }) => <Money shillings={amount} className="font-semibold" />,
    },
    {
      head: say('State'),
      end: true,
      cell: ({ state }) => (
        <Tag tone={checkOffTones[state]}>{state === 'checked' ? say('Waits for you') : checkOffStateWords(state)}</Tag>
      ),
    },
  ];
}
