import type { OperatorAction } from '@ushirika/contract/operator';
import { Link } from 'react-router';
import { DeskList } from '../layouts/list-states.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { Table } from '../ui/table.tsx';
import { Ago, nameOf } from '../ui/when.tsx';
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
                    <span className="whitespace-nowrap">
                      <Ago iso={at} />
                    </span>
                  ),
                },
                { head: say('Operator'), cell: ({ operator }) => nameOf(operator) },
                {
                  head: say('Action'),
                  cell: ({ action }) => <span className="font-medium">{actionWords(action)}</span>,
                },
                { head: say('About'), cell: ({ about }) => <About about={about} /> },
                { head: say('Reason'), cell: ({ reason }) => reason },
              ]}
            />
          </div>
        )}
      </DeskList>
    </>
  );
}

function About({ about }: { about: OperatorAction['about'] }) {
  if (!about) return '–';
  if (about.type === 'sacco') {
    return (
      <Link className="link" to={paths.sacco(about.id)}>
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
