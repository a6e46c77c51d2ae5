import type { OperatorAction } from '@ushirika/contract/operator';
import { Link } from 'react-router';
import { DeskList } from '../layouts/list-states.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { LongDate } from '../ui/figures.tsx';
import { Table } from '../ui/table.tsx';
import { nameOf } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { aboutWords, actionWords } from './action-words.ts';
import { useOperatorActions } from './operator.queries.ts';

/** /operator/log: what operators did and looked at, and why. Nothing in it can be changed. */
export function OperatorLogPage() {
  const actions = useOperatorActions();
  return (
    <>
      <Title>{say('Log')}</Title>
      <h2 className="mb-1 text-title">{say('Log')}</h2>
      <p className="mb-4 text-ink-2">
        {say('What operators did and looked at, newest first. Nothing in it can be changed.')}
      </p>
      <DeskList
        pages={actions}
        empty={{ title: say('The log is empty'), next: say('Every act of an operator will be listed here.') }}
      >
        {(rows) => (
          <div className="card px-3 py-1">
            <Table
              caption={say('Log')}
              keyOf={(action) => action.id}
              rows={rows}
              columns={[
                {
                  head: say('When'),
                  cell: ({ at }) => (
                    <span className="sm:whitespace-nowrap">
                      <LongDate iso={at} time />
                    </span>
                  ),
                },
                { head: say('Operator'), cell: ({ operator }) => nameOf(operator) },
                {
                  head: say('Action'),
                  cell: ({ action }) => <span className="font-medium">{actionWords(action)}</span>,
                },
                { head: say('About'), cell: ({ about }) => <About about={about} /> },
                { head: say('Reason'), cell: (action) => <Reason {...action} /> },
              ]}
            />
          </div>
        )}
      </DeskList>
    </>
  );
}

/** The reason; points of a checklist stand one below the other. */
function Reason({ action, reason }: OperatorAction) {
  if (reason === null) return '–';
  if (action !== 'sacco_points_open') return reason;
  return (
    <ul className="list-disc pl-4 text-left">
      {reason.split('; ').map((point) => (
        <li key={point}>{point}</li>
      ))}
    </ul>
  );
}

/** Where it is looked at; null where it has no page of its own. */
function pageOf({ type, id }: NonNullable<OperatorAction['about']>): string | null {
  if (type === 'sacco') return paths.sacco(id);
  return type === 'vote' ? paths.votingProposal(id) : null;
}

function About({ about }: { about: OperatorAction['about'] }) {
  if (!about) return '–';
  const to = pageOf(about);
  if (to !== null) {
    return (
      <Link className="link" to={to}>
        {aboutWords(about)}
      </Link>
    );
  }
  return (
    <span className={about.name ? '' : 'whitespace-nowrap'} title={about.id}>
      {aboutWords(about)}
    </span>
  );
}
