import { centsOf, formatShillings } from '@ushirika/contract/format';
import type { PoolDetails } from '@ushirika/contract/pools';
import { Card, Facts } from '../ui/card.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { PartsBar } from './parts-bar.tsx';
import { fullnessInWords, percent } from './pool-card.tsx';

/** How full the pool is, drawn against where crowding begins, and where its money stands. */
export function PoolFullness({ pool }: { pool: PoolDetails }) {
  const { utilisation: used } = pool;
  const notice = (centsOf(pool.pool_size) - centsOf(pool.equity)) / 100;
  return (
    <Card className="p-5">
      <h2 className="mb-2 text-lead">{say('How full it is')}</h2>
      <p className="num text-head font-bold tracking-tight">{percent(used)}</p>
      <FullnessBar used={used} kink={pool.settings.kink} />
      <p className="num mt-2 text-small text-ink-2">{fullnessInWords(pool)}</p>
      <h3 className="mt-5 mb-2 text-body font-semibold">{say('Where the money stands')}</h3>
      <PartsBar
        parts={[
          {
            name: say('Locked for guarantees'),
            size: pool.locked,
            shown: <Money shillings={pool.locked} />,
            look: 'full',
          },
          { name: say('Free'), size: pool.free, shown: <Money shillings={pool.free} />, look: 'light' },
          { name: say('Under notice'), size: notice, shown: <Money shillings={notice} />, look: 'ochre' },
          { name: say('Reserve'), size: pool.reserve, shown: <Money shillings={pool.reserve} />, look: 'none' },
        ]}
      />
      <Facts
        facts={[
          [say('Pool size'), <Money key="size" shillings={pool.pool_size} />],
          [say('Members'), formatCount(pool.members_count ?? 0)],
          [
            say('Guarantees that are out'),
            say('{n}, for {amount}', {
              n: formatCount(pool.contracts_summary.active),
              amount: formatShillings(pool.contracts_summary.outstanding),
            }),
          ],
        ]}
      />
    </Card>
  );
}

/** The part of the capacity that is taken; the price rises in the shaded part. */
function FullnessBar({ used, kink }: { used: number; kink: number }) {
  return (
    <div className="mt-1.5">
      <progress className="sr-only" value={used} max={1} aria-label={say('Capacity in use')} />
      <div aria-hidden="true">
        <div className="relative h-4 overflow-hidden rounded-full bg-sunken">
          <span className="absolute inset-y-0 right-0 bg-ochre-tint" style={{ left: percent(kink) }} />
          <span
            className="absolute inset-y-0 left-0 rounded-full bg-forest"
            style={{ width: percent(Math.min(1, used)) }}
          />
        </div>
        <p className="num relative mt-1 h-5 text-tiny text-ink-3">
          <span className="absolute left-0">0%</span>
          <span className="absolute -translate-x-1/2" style={{ left: percent(kink) }}>
            {percent(kink)}
          </span>
          <span className="absolute right-0">100%</span>
        </p>
      </div>
    </div>
  );
}
