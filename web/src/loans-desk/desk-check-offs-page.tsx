import { CHECK_OFF_OFFICES, type SaccoCheckOff } from '@ushirika/contract/check-offs';
import type { Office } from '@ushirika/contract/route';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { DeskList } from '../layouts/list-states.tsx';
import { checkOffStateWords, checkOffTones } from '../loans/check-off-words.ts';
import { Button } from '../ui/button.tsx';
import { Card, Tag } from '../ui/card.tsx';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';
import { CheckOffDialog } from './check-off-dialog.tsx';
import { type CheckOffList, useCheckOffs } from './check-offs-desk.queries.ts';
import { type AtDesk, DeskHead, OfficialsOnly } from './desk-frame.tsx';
import { deskPaths } from './desk-paths.ts';

const MAKERS: readonly Office[] = CHECK_OFF_OFFICES;
const LISTS: readonly CheckOffList[] = ['all', 'to_check', 'to_pay'];

/** /client/desk/check-offs: what employers pay for members, and a new list. */
export function DeskCheckOffsPage() {
  const [query] = useSearchParams();
  const list = LISTS.find((each) => each === query.get('list')) ?? 'all';
  return <OfficialsOnly>{(at) => <CheckOffs at={at} list={list} />}</OfficialsOnly>;
}

function CheckOffs({ at: { sacco, offices }, list }: { at: AtDesk; list: CheckOffList }) {
  const checkOffs = useCheckOffs(sacco.id, list);
  const [isMaking, setMaking] = useState(false);
  const navigate = useNavigate();
  const mayMake = offices.some((office) => MAKERS.includes(office));
  return (
    <>
      <DeskHead
        lead={say('An employer keeps instalments back from wages and pays one sum. It is shared out to the members.')}
      >
        <Button
          disabledReason={mayMake ? null : say('The treasurer, the manager, the chair and the vice chair make lists.')}
          onClick={() => setMaking(true)}
        >
          {say('New check-off')}
        </Button>
      </DeskHead>
      <div className="mt-4 grid gap-4">
        <ChoiceBar
          label={say('Which check-offs')}
          choices={LISTS.map((each) => ({
            to: deskPaths.checkOffs(each === 'all' ? undefined : each),
            words: listWords(each),
            isChosen: each === list,
          }))}
        />
        <DeskList pages={checkOffs} empty={emptyOf(list)}>
          {(rows) => (
            <Card className="min-w-0 px-5 py-2">
              <Table caption={say('Check-offs')} rows={rows} keyOf={({ id }) => id} columns={columnsOf()} />
            </Card>
          )}
        </DeskList>
      </div>
      {isMaking && (
        <CheckOffDialog onMade={(id) => void navigate(deskPaths.checkOff(id))} onClose={() => setMaking(false)} />
      )}
    </>
  );
}

function listWords(list: CheckOffList): string {
  const words: Record<CheckOffList, string> = {
    all: say('All'),
    to_check: say('To check'),
    to_pay: say('To be paid'),
  };
  return words[list];
}

function emptyOf(list: CheckOffList): { title: string; next: string } {
  const words: Record<CheckOffList, [title: string, next: string]> = {
    all: [say('No check-off yet'), say('New check-off takes the list that an employer sends you.')],
    to_check: [say('No check-off waits for its check'), say('Lists that another official has made appear here.')],
    to_pay: [
      say('No check-off waits for its payer'),
      say('Lists appear here once a second official has checked them.'),
    ],
  };
  const [title, next] = words[list];
  return { title, next };
}

function columnsOf(): Column<SaccoCheckOff>[] {
  return [
    {
      head: say('Employer'),
      title: true,
      cell: ({ id, employer, payer }) => (
        <Link to={deskPaths.checkOff(id)} className="group -my-1 block min-w-0 py-1 text-left">
          <span className="block font-semibold underline decoration-line-strong underline-offset-3 group-hover:decoration-current">
            {employer}
          </span>
          <span className="block text-small text-ink-2">{say('paid by {name}', { name: payer })}</span>
        </Link>
      ),
    },
    { head: say('Listed'), cell: ({ listed_at }) => <LongDate iso={listed_at} /> },
    { head: say('Members'), end: true, cell: ({ lines }) => formatCount(lines) },
    { head: say('Amount'), end: true, cell: ({ amount }) => <Money shillings={amount} className="font-semibold" /> },
    {
      head: say('State'),
      end: true,
      cell: ({ state }) => <Tag tone={checkOffTones[state]}>{checkOffStateWords(state)}</Tag>,
    },
  ];
}
