import { centsOf } from '@ushirika/contract/format';
import type { Pool } from '@ushirika/contract/pools';
import { Link } from 'react-router';
import { Money } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { KangaBand } from '../ui/kanga-band.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { NightFacts } from './own-position.tsx';
import { bySacco, type PoolGroup } from './pool-groups.ts';
import { lossOf } from './pool-loss.tsx';
import { usePoolPaths } from './pool-paths.ts';
import { useMyPools, usePoolDetails } from './pools.queries.ts';

/** What one has in the pools of all saccos, together and pool by pool. The pools of the sacco in which one is come first. */
export function MyPositions({ sacco }: { sacco: string | undefined }) {
  const list = useMyPools();
  const { rows, isError, hasNextPage } = list;
  if (!rows) return isError ? null : <Skeletons count={1} label={say('Loading...')} className="h-40 rounded-card" />;
  const total = rows.reduce((sum, { my_position }) => sum + centsOf(my_position ?? 0), 0) / 100;
  const groups = bySacco(rows, sacco);
  return (
    <section aria-label={say('My position')} className="card night overflow-hidden">
      <div className="px-5 pt-5 pb-3">
        <h2 className="text-small font-normal tracking-normal text-on-night-2">
          {groups.length > 1 ? say('My position in all pools') : say('My position')}
        </h2>
        {!hasNextPage && (
          <p className="text-head font-extrabold tracking-tight">
            <Money shillings={total} />
          </p>
        )}
        {rows.length === 0 && (
          <p className="mt-2 mb-2 max-w-[56ch] text-on-night-2">
            {say(
              'You are in no pool yet. A pool guarantees loans of its members, who bear its losses together. Choose one below.',
            )}
          </p>
        )}
        {groups.map((group) => (
          <Group
            key={group.sacco?.id ?? 'open'}
            group={group}
            isNamed={groups.length > 1 || group.sacco?.id !== sacco}
          />
        ))}
        <LoadMore list={list} />
      </div>
      <KangaBand isThin />
    </section>
  );
}

function Group({ group: { sacco, pools }, isNamed }: { group: PoolGroup; isNamed: boolean }) {
  return (
    <>
      {isNamed && (
        <h3 className="mt-4 text-small font-semibold">{sacco?.name ?? say('Open to members of any sacco')}</h3>
      )}
      <ul className={isNamed ? 'mt-1.5' : 'mt-3'}>
        {pools.map((pool) => (
          <OnePosition key={pool.id} pool={pool} />
        ))}
      </ul>
    </>
  );
}

function OnePosition({ pool }: { pool: Pool }) {
  const to = usePoolPaths();
  const me = usePoolDetails(pool.id).data?.me;
  return (
    <li className="border-t border-dashed border-white/25 py-3">
      <Link
        to={to.pool(pool.id)}
        className="flex min-h-11 items-center justify-between gap-4 font-semibold hover:underline"
      >
        <span className="min-w-0">{pool.name}</span>
        <span className="flex items-center gap-2">
          <Money shillings={pool.my_position ?? 0} />
          <Icon name="arrow" className="size-4.5" />
        </span>
      </Link>
      {me && (
        <>
          <NightFacts
            isFramed={false}
            facts={[
              [say('Locked'), me.locked],
              [say('Under notice'), me.notice],
              [say('Free'), me.free],
              [say('Earned so far'), me.earned],
            ]}
          />
          <p className="num mt-2 text-small text-on-night-2">{lossOf(me)}</p>
        </>
      )}
    </li>
  );
}
