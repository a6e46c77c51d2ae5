import type { SaccoState } from '@ushirika/contract/saccos';
import { useSearchParams } from 'react-router';
import { DeskList } from '../layouts/list-states.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { SACCO_STATE_LIST, stateWords } from '../saccos/sacco-states.ts';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { formatCount } from '../ui/figures.tsx';
import { SearchBox, useTypedSearch } from '../ui/search-box.tsx';
import { say } from '../words/say.ts';
import { useOperatorSaccos } from './operator.queries.ts';
import { OperatorSaccoCard } from './operator-sacco-card.tsx';

/** /operator: saccos by state, those that wait for their activation first. */
export function OperatorSaccosPage() {
  const [parameters] = useSearchParams();
  const status = statusIn(parameters.get('status'));
  const { sought: search, typed, setTyped } = useTypedSearch('search');
  const saccos = useOperatorSaccos(status, search);
  const choices = CHOICES.map((choice) => ({
    to: paths.operatorSaccos(choice, search),
    words: choiceWords(choice),
    isChosen: choice === status,
  }));
  return (
    <>
      <Title>{say('Operator’s desk')}</Title>
      <div className="mb-4 grid gap-3 lg:grid-cols-[auto_1fr] lg:items-center">
        <ChoiceBar label={say('State')} choices={choices} />
        <SearchBox label={say('Search by name or registration number')} typed={typed} onType={setTyped} />
      </div>
      {saccos.count !== undefined && saccos.count > 0 && (
        <p role="status" className="mb-3 text-small text-ink-2">
          {saccos.count === 1 ? say('1 sacco') : say('{n} saccos', { n: formatCount(saccos.count) })}
        </p>
      )}
      <DeskList pages={saccos} empty={emptyWords(status, search)}>
        {(rows) => (
          <ul className="grid gap-3">
            {rows.map((sacco, index) => (
              <li key={sacco.id}>
                <OperatorSaccoCard sacco={sacco} startsOpen={index === 0 && (status === 'pending' || search !== '')} />
              </li>
            ))}
          </ul>
        )}
      </DeskList>
    </>
  );
}

const CHOICES = [...SACCO_STATE_LIST, 'too_few', 'all'] as const;
type ChoiceOf = SaccoState | 'too_few' | 'all';

function choiceWords(choice: ChoiceOf): string {
  if (choice === 'too_few') return say('Too few officials');
  return choice === 'all' ? say('All') : stateWords(choice);
}

const statusIn = (text: string | null): ChoiceOf => CHOICES.find((choice) => choice === text) ?? 'pending';

function emptyWords(status: ChoiceOf, search: string) {
  if (search) {
    return {
      title: say('No sacco is found'),
      next: say('Nothing in this state matches “{search}”. Try another state or fewer words.', { search }),
    };
  }
  if (status === 'pending') {
    return { title: say('Nobody is waiting'), next: say('New applications appear here as soon as they are sent.') };
  }
  if (status === 'too_few') {
    return {
      title: say('No sacco lacks officials'),
      next: say('Active saccos without a chair, or with fewer than two officials, appear here.'),
    };
  }
  return { title: say('No sacco is in this state'), next: say('Choose another state above.') };
}
