import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { wordsFor } from '../api/failure.ts';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { useSession } from '../session/session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Button } from '../ui/button.tsx';
import { Card, Facts, FailureState, PageHead } from '../ui/card.tsx';
import { formatCount, LongDate } from '../ui/figures.tsx';
import { FoldedPart } from '../ui/fold.tsx';
import { Icon } from '../ui/icon.tsx';
import { accountWords, factsIn, titleOf } from '../verify/facts-of.ts';
import { amountWords } from '../verify/receipt-says.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { type Balances, checkBalances } from './balances.queries.ts';
import { type AddedUp, type Compared, differs, type Outcome, outcomeOf, type Shown } from './balances.ts';

type State = { readonly checked: number } | { readonly error: unknown } | { readonly result: Balances } | null;

/** /profile/proofs: all of one’s movements, checked and added up in this browser. */
export function BalancesPage() {
  const session = useSession();
  const [state, setState] = useState<State>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const check = async () => {
    running.current?.abort();
    const ending = new AbortController();
    running.current = ending;
    const tell = (next: State) => {
      if (!ending.signal.aborted) setState(next);
    };
    tell({ checked: 0 });
    try {
      tell({ result: await checkBalances(session?.user.id ?? '', ending.signal, (checked) => tell({ checked })) });
    } catch (error) {
      tell({ error });
    }
  };
  const isBusy = state !== null && 'checked' in state;
  return (
    <div className="max-w-[720px]">
      <Title>{say('Check my balances')}</Title>
      <BackLink to={paths.wallet()}>{say('Wallet')}</BackLink>
      <PageHead
        title={say('Check my balances')}
        lead={say('Your browser fetches each of your movements with its proof, adds them up, and compares.')}
      />
      <Card className="mt-5 grid gap-4 p-5 sm:p-6">
        <Button onClick={() => void check()} busy={isBusy} className="justify-self-start">
          <Icon name="shield" />
          {state && !isBusy ? say('Check again') : say('Check my balances')}
        </Button>
        {isBusy && (
          <p role="status">
            {say('{n} {n, plural, one {movement} other {movements}} checked so far.', {
              n: formatCount(state.checked),
            })}
          </p>
        )}
        {state && 'error' in state && (
          <FailureState words={wordsFor(state.error)} again={say('Try again')} onAgain={() => void check()} />
        )}
        {state && 'result' in state && <Result {...state.result} />}
      </Card>
    </div>
  );
}

const outcomeWords: Readonly<Record<Outcome, () => string>> = {
  right: () => say('All your balances are right'),
  waiting: () => say('Some of your movements are being logged'),
  moved: () => say('Something moved meanwhile. Check again.'),
  wrong: () => say('Something differs'),
};

function Result(result: Balances) {
  const { wrong, gone, accounts, compared, saccos, checked, beingLogged } = result;
  const outcome = outcomeOf(result);
  const tone = outcome === 'right' ? 'text-up' : outcome === 'wrong' ? 'text-clay' : '';
  return (
    <div className="grid gap-4">
      <div role="status">
        <h2 className={`flex items-center gap-2 text-title ${tone}`}>
          <Icon name={outcome === 'right' ? 'check' : outcome === 'wrong' ? 'close' : 'clock'} className="size-6" />
          {outcomeWords[outcome]()}
        </h2>
      </div>
      <p>
        {say('{n} {n, plural, one {movement} other {movements}} checked: each is in a signed log.', {
          n: formatCount(checked - wrong.length),
        })}
      </p>
      {beingLogged > 0 && <p>{say('Check again in a minute. Tell your sacco where this stays so for an hour.')}</p>}
      {(wrong.length > 0 || gone.length > 0 || differs(result)) && <Differences {...result} />}
      <FoldedPart title={say('Each balance')} sum={formatCount(compared.length)}>
        <Facts
          facts={compared.map(
            (each) => [nameOf(each, saccos), amountWords(each.added, each.what === 'shares')] as const,
          )}
        />
        <p className="mt-3 text-small text-ink-2">
          {say('Added up from {n} {n, plural, one {account} other {accounts}}, from the first movement on.', {
            n: formatCount(accounts.length),
          })}
        </p>
      </FoldedPart>
    </div>
  );
}

const figureWords: Readonly<Record<Shown['what'], () => string>> = {
  wallet: () => say('Wallet'),
  savings: () => say('Savings'),
  shares: () => say('Shares'),
  loans: () => say('Loans, principal owed'),
  pools: () => say('Guarantor pools'),
};

function nameOf({ what, book }: Shown, saccos: ReadonlyMap<string, string>): string {
  const words = figureWords[what]();
  return book === null ? words : `${words}, ${saccos.get(book) ?? say('a sacco that you have left')}`;
}

/** Each difference with its account and, where it is known, the movement. */
function Differences({ wrong, gone, accounts, compared, saccos }: Balances) {
  return (
    <ul className="grid gap-3" aria-label={say('What differs')}>
      {gone.map(({ mark, at }) => (
        <li key={mark} className="rule pb-3 font-semibold">
          {say('A movement of {date} that was here before is gone.', { date: longDate(at) })}
        </li>
      ))}
      {wrong.map((receipt) => {
        const facts = factsIn(receipt.opening);
        return (
          <li key={`${receipt.entry.log} ${receipt.entry.i}`} className="rule pb-3">
            <p className="font-semibold">{say('{what}: its proof is not right.', { what: titleOf(facts) })}</p>
            <Movement at={facts.at} journal={facts.journal} />
          </li>
        );
      })}
      {accounts.map((account) => account.broken && <Broken key={account.account} account={account} saccos={saccos} />)}
      {compared.map(
        (each) => each.added !== each.value && <Differs key={nameOf(each, saccos)} {...{ each, saccos }} />,
      )}
    </ul>
  );
}

function Broken({ account, saccos }: { account: AddedUp; saccos: ReadonlyMap<string, string> }) {
  if (!account.broken) return null;
  const name = [accountWords(account.kind), saccos.get(account.book)].filter(Boolean).join(', ');
  return (
    <li className="rule pb-3">
      <p className="font-semibold">
        {say('{account}: a movement is missing before this one: {what}', { account: name, what: account.broken.what })}
      </p>
      <Movement at={account.broken.at} journal={account.broken.journal} />
    </li>
  );
}

function Differs({ each, saccos }: { each: Compared; saccos: ReadonlyMap<string, string> }) {
  const isShares = each.what === 'shares';
  return (
    <li className="rule pb-3">
      <p className="font-semibold">{nameOf(each, saccos)}</p>
      <p className="text-small">
        {say('The pages show {shown}; your movements add up to {added}.', {
          shown: amountWords(each.value, isShares),
          added: amountWords(each.added, isShares),
        })}
      </p>
    </li>
  );
}

function Movement({ at, journal }: { at: string | null; journal: number | null }) {
  return (
    <p className="text-small text-ink-2">
      {at && <LongDate iso={at} time />}
      {journal !== null && (
        <>
          {' · '}
          <Link className="link" to={paths.proofOf(String(journal))}>
            {say('Proof')}
          </Link>
        </>
      )}
    </p>
  );
}
