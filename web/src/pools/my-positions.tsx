import { centsOf } from '@ushirika/contract/format';
import type { Pool } from '@ushirika/contract/pools';
import { Link } from 'react-router';
import { Money } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { KangaBand } from '../ui/kanga-band.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { NightFacts } from './own-position.tsx';
import { lossOf } from './pool-loss.tsx';
import { usePoolPaths } from './pool-paths.ts';
import { usePoolDetails, usePools } from './pools.queries.ts';

/** What one has in the pools of this sacco and in those for members of any, together and pool by pool. */
export function MyPositions({ sacco }: { sacco: string | undefined }) {
  const { rows, isError } = usePools(sacco);
  if (!rows) return isError ? null : <Skeletons count={1} label={say('Loading...')} className="h-40 rounded-card" />;
  const own = rows.filter(({ my_position }) => (my_position ?? 0) > 0);
  const total = own.reduce((sum, { my_position }) => sum + centsOf(my_position ?? 0), 0) / 100;
  return (
    <section aria-label={say('My position')} className="card night overflow-hidden">
      <div className="px-5 pt-5 pb-3">
        <h2 className="text-small font-normal tracking-normal text-on-night-2">{say('My position')}</h2>
        <p className="text-head font-extrabold tracking-tight">
          <Money shillings={total} />
        </p>
        {own.length === 0 ? (
          <p className="mt-2 mb-2 max-w-[56ch] text-on-night-2">
            {say(
              'You are in no pool yet. A pool guarantees loans of its members, who bear its losses together. Choose one below.',
            )}
          </p>
        ) : (
          <ul className="mt-3">
            {own.map((pool) => (
              <OnePosition key={pool.id} pool={pool} />
            ))}
          </ul>
        )}
      </div>
      <KangaBand isThin />
    </section>
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
