import { centsOf, formatShillings } from '@ushirika/contract/format';
import type { PoolContractDetail } from '@ushirika/contract/pools';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { NotFoundPage } from '../layouts/not-found-page.tsx';
import { Title } from '../layouts/title.tsx';
import { ProofLink } from '../receipts/proof-link.tsx';
import { Card, Facts, FailureState, Tag } from '../ui/card.tsx';
import { LongDate, Money, unbroken } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { BackToPools } from './back-to-pools.tsx';
import { ContractActs } from './contract-acts.tsx';
import { quoteInWords } from './guarantee-words.ts';
import { PartsBar } from './parts-bar.tsx';
import { loanApplicationPath, poolLoanPath, usePoolPaths } from './pool-paths.ts';
import { contractTag } from './pool-words.ts';
import { usePoolContract } from './pools.queries.ts';
import { Memorandum } from './sign-contract.tsx';

/** One guarantee of a pool, outside of the client area. */
export function ContractPage() {
  return (
    <div className="wrap pt-2 pb-8">
      <OneContract />
    </div>
  );
}

/** The same in the client area. */
export function ClientContractPage() {
  return <OneContract />;
}

function OneContract() {
  const { id = '' } = useParams();
  const { data: contract, error, isPending, refetch } = usePoolContract(id);
  if (error instanceof CallFailure && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  return (
    <div className="max-w-[860px]">
      <BackToPools />
      {isPending && <Skeletons count={3} label={say('Loading...')} className="mb-4 h-32 rounded-card" />}
      {error && !contract && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {contract && <Contract contract={contract} />}
    </div>
  );
}

function Contract({ contract }: { contract: PoolContractDetail }) {
  const to = usePoolPaths();
  const [tone, words] = contractTag(contract.state);
  return (
    <div className="grid gap-4">
      <Title>{say('Guarantee of a pool')}</Title>
      <div>
        <h1 className="num text-head">{quoteInWords(contract)}</h1>
        <p className="mt-1 text-ink-2">
          <Link to={to.pool(contract.pool.id)} className="link">
            {contract.pool.name}
          </Link>{' '}
          · {contract.borrower.name}
        </p>
        <p className="mt-2">
          <Tag tone={tone}>{words}</Tag>
        </p>
      </div>
      <Notice contract={contract} />
      <ContractActs contract={contract} />
      <Release contract={contract} />
      {contract.memorandum && <Signed memorandum={contract.memorandum} />}
      {contract.reader === 'borrower' && (
        <div>
          <ProofLink of={['pool-contract', contract.id]} />
        </div>
      )}
      <Timeline contract={contract} />
    </div>
  );
}

/** What is due next, and by when, in the words of who reads it. */
function Notice({ contract }: { contract: PoolContractDetail }) {
  const { state, callable_from, reader, borrower, paid } = contract;
  if (state === 'PENDING_LOAN') return <Waits contract={contract} />;
  if ((state === 'DEMAND' || state === 'DISPUTED') && callable_from)
    return (
      <Callout words={say('The loan is late, and the sacco has asked the pool to pay')} isBad>
        {state === 'DISPUTED'
          ? say('A steward objects. Nothing is paid until the supervisory committee has decided.')
          : say('The pool pays no earlier than')}{' '}
        {state === 'DEMAND' && <LongDate iso={callable_from} time />}{' '}
        {reader === 'borrower' && say('Pay what is late, and nothing is taken.')}
      </Callout>
    );
  if (state === 'CALLED')
    return (
      <Callout words={say('The sacco has called the guarantee: the pool pays next')} isBad>
        {callable_from && (
          <>
            {say('The pool pays no earlier than')} <LongDate iso={callable_from} time />
          </>
        )}
      </Callout>
    );
  if (state === 'SETTLED' || state === 'RECOVERED' || state === 'WRITTEN_OFF')
    return (
      <Callout words={say('The guarantee was called')} isBad={state === 'WRITTEN_OFF'}>
        {state === 'SETTLED' ? (
          <>
            {say('The pool paid')} <Money shillings={paid} />.{' '}
            {say('All of it was the borrower’s own money in the pool.')}
          </>
        ) : (
          <Recovered contract={contract} />
        )}
      </Callout>
    );
  if (state === 'RECOVERING')
    return (
      <Callout
        words={
          reader === 'borrower'
            ? say('The pool has paid for you: you owe it the money')
            : say('The pool has paid: {name} owes it the money', { name: borrower.name })
        }
        isBad
      >
        <Recovered contract={contract} />
      </Callout>
    );
  return null;
}

/** What was paid when it was called, whose money that was, and what of it has come back. */
function Recovered({ contract: { paid, claim, recovered } }: { contract: PoolContractDetail }) {
  const own = (centsOf(paid) - centsOf(claim)) / 100;
  return (
    <>
      {say('The pool paid')} <Money shillings={paid} />
      {own > 0 && (
        <>
          , <Money shillings={own} /> {say('of the borrower’s own money in the pool')}
        </>
      )}
      . <Money shillings={recovered} /> {say('has come back, of')} <Money shillings={claim} />.
    </>
  );
}

/** Approved, and no loan is paid out with it yet. Its borrower reads what to do; others read what it waits for. */
function Waits({ contract: { use_by, reader, loan, may, borrower } }: { contract: PoolContractDetail }) {
  if (!use_by) return null;
  if (reader !== 'borrower')
    return (
      <Callout words={say('It waits for a loan of {name}', { name: borrower.name })}>
        {loan ? (
          say('An application names it. It ends without a fee if that comes to nothing.')
        ) : (
          <>
            {say('Without an application it ends on')} <LongDate iso={use_by} time />.{' '}
            {say('Then the money that is locked for it is free again.')}
          </>
        )}
      </Callout>
    );
  if (loan)
    return (
      <Callout words={say('Your application names it')}>
        {may.includes('give_back')
          ? say('Hand the application in, and it covers your loan. You can give it back until then.')
          : say('The application is handed in. Take the application back if you do not need it: that frees it too.')}
        <Link to={poolLoanPath(loan)} className="link mt-1 flex min-h-11 items-center">
          {say('Open the application')}
        </Link>
      </Callout>
    );
  return (
    <Callout words={say('It waits for its loan')}>
      {say('Name it in a loan application before')} <LongDate iso={use_by} time />.{' '}
      {say('Without a loan it ends, and no fee is taken.')}
      <Link to={loanApplicationPath} className="link mt-1 flex min-h-11 items-center">
        {say('Apply for a loan')}
      </Link>
    </Callout>
  );
}

function Callout({ words, isBad = false, children }: { words: string; isBad?: boolean; children: ReactNode }) {
  return (
    <div
      className={`flex gap-3.5 rounded-card px-4.5 py-4 ${isBad ? 'bg-clay-tint text-clay' : 'bg-ochre-tint text-ochre-ink'}`}
    >
      <Icon name={isBad ? 'alert' : 'clock'} className="mt-0.5 size-5" />
      <div className="min-w-0">
        <p className="num font-semibold">{words}</p>
        <p className="num mt-0.5 text-small">{children}</p>
      </div>
    </div>
  );
}

/** How much of it is left, and what of that is one's own. */
function Release({ contract }: { contract: PoolContractDetail }) {
  const { amount, outstanding, my_lock, my_loss, my_recovered, reader } = contract;
  const paidCents = contract.timeline.reduce(
    (sum, { event, amount: paid }) => sum + (event === 'called' ? centsOf(paid ?? 0) : 0),
    0,
  );
  const released = (centsOf(amount) - centsOf(outstanding) - paidCents) / 100;
  return (
    <Card className="p-5">
      <h2 className="mb-3 text-lead">{say('What is still guaranteed')}</h2>
      <PartsBar
        parts={[
          { name: say('Still guaranteed'), size: outstanding, shown: <Money shillings={outstanding} />, look: 'full' },
          ...(paidCents > 0
            ? [
                {
                  name: say('Paid by the pool'),
                  size: paidCents / 100,
                  shown: <Money shillings={paidCents / 100} />,
                  look: 'clay' as const,
                },
              ]
            : []),
          { name: say('Released'), size: released, shown: <Money shillings={released} />, look: 'light' },
        ]}
      />
      {my_lock > 0 && (
        <p className="num mt-2 rounded-box bg-clay-tint px-4 py-3 text-small font-medium text-clay">
          {reader === 'borrower' ? (
            say(
              '{amount} of your own money is locked for it. If you do not repay, your whole free position pays first.',
              {
                amount: formatShillings(my_lock),
              },
            )
          ) : (
            <>
              {say('Of your own money, this much is locked for it. It is the most that you can lose here:')}{' '}
              <Money shillings={my_lock} />
            </>
          )}
        </p>
      )}
      <Facts
        facts={[
          ...(my_loss > 0
            ? [
                [say('You lost to it'), <Money key="loss" shillings={my_loss} />] as const,
                [say('Of that you got back'), <Money key="back" shillings={my_recovered} />] as const,
              ]
            : []),
          [
            say('Price a year'),
            say('{part}% of what is still guaranteed', { part: contract.risk_percentage.toFixed(2) }),
          ],
          [say('Fee, once'), <Money key="fee" shillings={contract.fee} />],
          [say('Approved on'), <LongDate key="approved" iso={contract.approved_at} time />],
          ...(contract.activated_at
            ? [[say('In force since'), <LongDate key="active" iso={contract.activated_at} time />] as const]
            : []),
          ...(contract.ended_at ? [[say('Ended'), <LongDate key="end" iso={contract.ended_at} time />] as const] : []),
        ]}
      />
    </Card>
  );
}

function Signed({ memorandum }: { memorandum: NonNullable<PoolContractDetail['memorandum']> }) {
  return (
    <Card className="p-5">
      <h2 className="mb-1 text-lead">{say('What was signed')}</h2>
      <p className="text-small text-ink-2">
        {say('Signed by {name}', { name: memorandum.signed_name })}, <LongDate iso={memorandum.signed_at} time />
      </p>
      <Memorandum lines={memorandum.lines} hash={memorandum.hash} />
    </Card>
  );
}

function Timeline({ contract: { timeline } }: { contract: PoolContractDetail }) {
  return (
    <Card className="p-5">
      <h2 className="mb-3 text-lead">{say('What has happened')}</h2>
      <ol>
        {timeline.map(({ at, event, amount, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events are only added
          <li key={`${event}${index}`} className="group flex gap-3.5">
            <span className="flex flex-col items-center pt-2">
              <span className="size-2.5 shrink-0 rounded-full bg-forest" />
              <span className="w-px grow bg-line group-last:hidden" />
            </span>
            <div className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-4 pb-4 group-last:pb-0">
              <div className="min-w-0">
                <p className="num font-semibold">{unbroken(text)}</p>
                <p className="num text-small text-ink-2">
                  <LongDate iso={at} time />
                </p>
              </div>
              {amount !== null && <Money shillings={amount} className="font-semibold" />}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
