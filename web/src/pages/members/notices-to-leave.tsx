import type { NoticeToLeave } from '@ushirika/contract/membership';
import { useNoticesToLeave } from '../../membership/membership.queries.ts';
import { Card, Tag } from '../../ui/card.tsx';
import { LongDate } from '../../ui/figures.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { say } from '../../words/say.ts';

/** For officials: the members who leave, and the days by which their savings are paid back. Nothing where nobody leaves. */
export function NoticesToLeave({ sacco }: { sacco: string }) {
  const { data } = useNoticesToLeave(sacco);
  if (!data || data.results.length === 0) return null;
  return (
    <Card className="mt-5 min-w-0 p-5">
      <h2 className="text-lead">{say('Members who leave')}</h2>
      <p className="mt-1 text-small text-ink-2">
        {say('Their savings are paid back by themselves on that day, or once what they owe or guarantee is settled.')}
      </p>
      <Table caption={say('Members who leave')} rows={data.results} keyOf={({ id }) => id} columns={columns()} />
    </Card>
  );
}

const columns = (): Column<NoticeToLeave>[] => [
  { head: say('Member'), title: true, cell: ({ name }) => <span className="font-semibold">{name}</span> },
  { head: say('Notice given'), cell: ({ requested_at }) => <LongDate iso={requested_at} /> },
  {
    head: say('To be paid back by'),
    cell: ({ due_at, has_savings }) => (has_savings ? <LongDate iso={due_at} /> : say('Nothing is to be paid back')),
  },
  {
    head: say('State'),
    cell: (notice) => (
      <span className="flex flex-wrap items-center gap-2 max-sm:justify-end">
        {notice.overdue ? <Tag tone="clay">{say('Overdue')}</Tag> : <Tag>{daysLeft(notice)}</Tag>}
        {notice.by_vote && <Tag>{say('By a vote of members')}</Tag>}
      </span>
    ),
  },
];

const daysLeft = ({ days_left: n }: NoticeToLeave) =>
  n === 0 ? say('today') : say('{n, plural, one {1 day left} other {# days left}}', { n });
