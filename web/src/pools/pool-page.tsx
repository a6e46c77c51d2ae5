import type { PoolDetails } from '@ushirika/contract/pools';
import { useParams } from 'react-router';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { NotFoundPage } from '../layouts/not-found-page.tsx';
import { Title } from '../layouts/title.tsx';
import { useSession } from '../session/session.ts';
import { FailureState } from '../ui/card.tsx';
import { Money } from '../ui/figures.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { BackToPools } from './back-to-pools.tsx';
import { HowPoolsWork } from './how-pools-work.tsx';
import { LoginToViewPool } from './login-to-view-pool.tsx';
import { OwnPosition } from './own-position.tsx';
import { PoolActs } from './pool-acts.tsx';
import { PoolCalls } from './pool-calls.tsx';
import { StateTag } from './pool-card.tsx';
import { PoolFullness } from './pool-fullness.tsx';
import { PoolHistory, PoolPeople } from './pool-people.tsx';
import { PoolPrices } from './pool-prices.tsx';
import { PoolTerms } from './pool-terms.tsx';
import { PoolStewards, PoolVotes } from './pool-votes.tsx';
import { usePoolDetails } from './pools.queries.ts';

/** /guarantor-pools/:id: for everybody; a visitor is asked to log in. */
export function PoolPage() {
  return (
    <div className="wrap pt-2 pb-8">
      <OnePool />
    </div>
  );
}

/** /client/guarantor-pools/:id: the same pool inside of the client area. */
export function ClientPoolPage() {
  return <OnePool />;
}

function OnePool() {
  const { id = '' } = useParams();
  const session = useSession();
  const { data: pool, error, isLoading, refetch } = usePoolDetails(id);
  if (error instanceof CallFailure && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  return (
    <>
      <Title>{pool?.name ?? say('Guarantor pool')}</Title>
      <BackToPools />
      {!session && (
        <>
          <h1 className="text-head">{say('Guarantor pool')}</h1>
          <LoginToViewPool
            words={say(
              'The whole pool, with its figures and prices, is for people with an account. Its terms are on the list.',
            )}
          />
        </>
      )}
      {isLoading && <Skeletons count={3} label={say('Loading...')} className="mb-4 h-44 rounded-card" />}
      {error && !pool && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {pool && <PoolView pool={pool} />}
    </>
  );
}

function PoolView({ pool }: { pool: PoolDetails }) {
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <h1 className="text-head">{pool.name}</h1>
          <p className="mt-1 text-ink-2">{pool.sacco?.name ?? say('Open to members of any sacco')}</p>
        </div>
        <StateTag state={pool.state} />
      </div>
      <Visibility pool={pool} />
      {pool.until_open && <UntilOpen missing={pool.until_open} />}
      <PoolActs pool={pool} />
      <div className="mt-5 grid items-start gap-4 lg:grid-cols-2">
        <div className="grid min-w-0 gap-4">
          {pool.me && <OwnPosition me={pool.me} />}
          <PoolVotes pool={pool} />
          <PoolFullness pool={pool} />
          <PoolPeople pool={pool} />
        </div>
        <div className="grid min-w-0 gap-4">
          {pool.calls && <PoolCalls calls={pool.calls} />}
          <PoolTerms pool={pool} />
          <PoolStewards pool={pool} />
          <PoolHistory history={pool.history} />
        </div>
      </div>
      <PoolPrices pool={pool} />
      <HowPoolsWork pool={pool} />
    </>
  );
}

function UntilOpen({ missing: { members, contributions } }: { missing: NonNullable<PoolDetails['until_open']> }) {
  if (members === 0 && contributions === 0) return null;
  return (
    <p className="num mt-4 rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
      {members > 0 && contributions > 0 && (
        <>
          {say('The pool opens when {n} more {n, plural, one {member has} other {members have}} joined and', {
            n: members,
          })}{' '}
          <Money shillings={contributions} /> {say('more has been put in.')}
        </>
      )}
      {members > 0 && contributions === 0 && say('Members still missing until the pool opens: {n}', { n: members })}
      {members === 0 && (
        <>
          {say('The pool opens when another')} <Money shillings={contributions} /> {say('has been put in.')}
        </>
      )}
    </p>
  );
}

/** Whether strangers see the pool, for those who already do. */
function Visibility({ pool }: { pool: PoolDetails }) {
  if (pool.is_public) return null;
  const isRefused = pool.review?.state === 'refused';
  return (
    <div className={`mt-4 rounded-box px-4 py-3 ${isRefused ? 'bg-clay-tint text-clay' : 'bg-sunken'}`}>
      <p className="font-semibold">
        {isRefused ? say('This pool is not shown to others.') : say('Not on the public list yet.')}
      </p>
      <p className="mt-0.5 text-small">
        {isRefused
          ? (pool.review?.reason ?? '')
          : pool.sacco
            ? say('Members of {sacco} see it. Others do after a review, or once it has five members.', {
                sacco: pool.sacco.name,
              })
            : say('Only you and its members see it. Others do after a review, or once it has five members.')}
      </p>
    </div>
  );
}
