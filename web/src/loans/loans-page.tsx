import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { wordsFor } from '../api/failure.ts';
import { Title } from '../layouts/title.tsx';
import { useSacco } from '../session/session.ts';
import { LinkButton } from '../ui/button.tsx';
import { EmptyState, FailureState, PageHead } from '../ui/card.tsx';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { CalculatorView } from './calculator.tsx';
import { checkOffPaths } from './check-off-paths.ts';
import { useIsPayer } from './check-offs.queries.ts';
import { GuaranteesView } from './guarantees-view.tsx';
import { LimitCard } from './limit-card.tsx';
import { LoanList } from './loan-list.tsx';
import { type LoansView, loanPaths } from './loan-paths.ts';
import { useLoanProducts, useMyLoans } from './loans.queries.ts';

const VIEWS: readonly LoansView[] = ['mine', 'calculator', 'guarantees'];

/** /client/loans: my loans in the chosen sacco, what a loan costs, and the guarantees asked of me and given by me. */
export function LoansPage() {
  const sacco = useSacco();
  const [query] = useSearchParams();
  const isPayer = useIsPayer();
  const view = VIEWS.find((each) => each === query.get('view')) ?? 'mine';
  if (!sacco) return null;
  return (
    <>
      <Title>{say('Loans')}</Title>
      <PageHead
        title={say('Loans')}
        lead={say('See the whole cost before you sign, every instalment as it is paid, and who stands for whom.')}
      >
        {isPayer && (
          <LinkButton look="line" to={checkOffPaths.client()}>
            {say('Check-offs that you pay')}
          </LinkButton>
        )}
        {view === 'mine' && <LinkButton to={loanPaths.loans('calculator')}>{say('Work out a loan')}</LinkButton>}
      </PageHead>
      <div className="mt-5 grid gap-5">
        <ChoiceBar label={say('Which part of loans')} choices={choices(view)} />
        {view === 'mine' && <MyLoans key={sacco.id} />}
        {view === 'calculator' && <CalculatorView key={sacco.id} />}
        {view === 'guarantees' && <GuaranteesView key={sacco.id} />}
      </div>
    </>
  );
}

function choices(view: LoansView) {
  const words = { mine: say('My loans'), calculator: say('Calculator'), guarantees: say('Guarantees') };
  return VIEWS.map((each) => ({ to: loanPaths.loans(each), words: words[each], isChosen: each === view }));
}

function MyLoans() {
  const open = useMyLoans('open');
  if (open.isPending) return <Skeletons count={2} label={say('Loading...')} className="h-56 rounded-card" />;
  if (!open.rows) {
    return <FailureState words={wordsFor(open.error)} again={say('Try again')} onAgain={() => void open.refetch()} />;
  }
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)]">
      <div className="min-w-0">
        {open.rows.length === 0 ? (
          <EmptyState
            title={say('You have no loan here')}
            next={say('Work one out first: you see every instalment and the whole cost. Nothing is kept or signed.')}
          >
            <LinkButton to={loanPaths.loans('calculator')}>{say('Work out a loan')}</LinkButton>
          </EmptyState>
        ) : (
          <LoanList loans={open.rows} />
        )}
        <LoadMore list={open} />
        <PastLoans />
      </div>
      <MyLimit />
    </div>
  );
}

function MyLimit() {
  const { data, isError } = useLoanProducts();
  // The list beside it has more to tell than this: where it cannot be read, it is left out.
  if (!data) return isError ? null : <Skeletons count={1} label={say('Loading...')} className="h-64 rounded-card" />;
  return <LimitCard limit={data.limit} />;
}

function PastLoans() {
  const [isShown, setShown] = useState(false);
  return (
    <section aria-label={say('Loans that are over')} className="mt-5">
      <button
        type="button"
        aria-expanded={isShown}
        className="mb-3 min-h-11 w-full cursor-pointer border-t border-dashed border-line text-left text-small font-semibold text-forest"
        onClick={() => setShown(!isShown)}
      >
        {isShown ? say('Hide loans that are over') : say('Show loans that are over')}
      </button>
      {isShown && <Past />}
    </section>
  );
}

function Past() {
  const past = useMyLoans('over');
  if (past.isPending) return <Skeletons count={2} label={say('Loading...')} className="mb-4 h-40 rounded-card" />;
  if (!past.rows) {
    return <FailureState words={wordsFor(past.error)} again={say('Try again')} onAgain={() => void past.refetch()} />;
  }
  if (past.rows.length === 0) {
    return (
      <EmptyState
        title={say('No loan of yours is over yet')}
        next={say('Loans that are paid, rejected or taken back appear here.')}
      />
    );
  }
  return (
    <>
      <LoanList loans={past.rows} />
      <LoadMore list={past} />
    </>
  );
}
