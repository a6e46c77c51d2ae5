import { type ReactNode, Suspense, useState } from 'react';
import { wordsFor } from '../api/failure.ts';
import { useClosed } from '../identity/use-closed.ts';
import { later } from '../layouts/later.tsx';
import { Title } from '../layouts/title.tsx';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, FailureState, PageHead } from '../ui/card.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { LoginToViewPool } from './login-to-view-pool.tsx';
import { PoolCard } from './pool-card.tsx';
import { usePools } from './pools.queries.ts';

const CreatePoolDialog = later(() => import('./create-pool-dialog.tsx'), 'CreatePoolDialog');

/** /pools and /guarantor-pools: who is signed in sees the figures and may create one. */
export function PoolsPage() {
  return (
    <div className="wrap pt-4 pb-8">
      <Title>{say('Guarantor Pools')}</Title>
      <PoolGrid />
    </div>
  );
}

/** The grid of pools with its heading; of one sacco where it is named. The client area shows `children` between both. */
export function PoolGrid({ sacco, children }: { sacco?: string | undefined; children?: ReactNode }) {
  const session = useSession();
  const pools = usePools(sacco);
  const [isCreating, setCreating] = useState(false);
  const closed = useClosed();
  return (
    <>
      <PageHead
        title={say('Guarantor Pools')}
        lead={say('Members put small positions together and stand behind each other’s loans.')}
      >
        {session && (
          <Button disabledReason={closed} onClick={() => setCreating(true)}>
            {say('Create Guarantor Pool')}
          </Button>
        )}
      </PageHead>
      {!session && (
        <LoginToViewPool
          words={say('Everybody can read what a pool holds and its terms. To join one, you need an account.')}
        />
      )}
      {children}
      <div className="mt-6 grid grid-cols-[repeat(auto-fill,minmax(min(100%,19.5rem),1fr))] gap-4">
        {pools.isPending && <Skeletons count={3} label={say('Loading...')} className="h-64 rounded-card" />}
        {pools.rows?.map((pool) => (
          <PoolCard key={pool.id} pool={pool} isLink={session !== null} />
        ))}
      </div>
      {pools.isError && !pools.rows && (
        <FailureState words={wordsFor(pools.error)} again={say('Try again')} onAgain={() => void pools.refetch()} />
      )}
      {pools.rows?.length === 0 && (
        <EmptyState
          title={say('No Pools Found')}
          next={say(
            'A pool opens once five members have put in ten times its least contribution. Yours could be the first.',
          )}
        >
          {session && (
            <Button look="soft" disabledReason={closed} onClick={() => setCreating(true)}>
              {say('Start one')}
            </Button>
          )}
        </EmptyState>
      )}
      <LoadMore list={pools} />
      {isCreating && (
        <Suspense>
          <CreatePoolDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}
