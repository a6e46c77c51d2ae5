import { formatShillings } from '@ushirika/contract/format';
import type { Pool, PoolState } from '@ushirika/contract/pools';
import { Link } from 'react-router';
import { Tag, type TagTone } from '../ui/card.tsx';
import { formatCount, Money, Progress } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { usePoolPaths } from './pool-paths.ts';

/** A pool on a list, with its terms and figures. */
export function PoolCard({ pool, isLink }: { pool: Pool; isLink: boolean }) {
  const to = usePoolPaths();
  return (
    <article aria-label={pool.name} className="card num flex flex-col gap-3 p-4.5">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-[1.0625rem]">
            {isLink ? (
              <Link to={to.pool(pool.id)} className="hover:underline">
                {pool.name}
              </Link>
            ) : (
              pool.name
            )}
          </h2>
          <p className="text-small text-ink-2">{pool.sacco?.name ?? say('Open to members of any sacco')}</p>
        </div>
        <StateTag state={pool.state} />
      </div>
      {!pool.is_public && (
        <p className="flex items-center gap-2 rounded-box bg-ochre-tint px-3 py-2 text-small text-ochre-ink">
          <Icon name="clock" className="size-4 shrink-0" />
          {say('Not on the public list yet.')}
        </p>
      )}
      <div>
        <p className="mb-1.5 flex justify-between gap-3 text-small">
          <span className="text-ink-2">{say('Capacity in use')}</span>
          <b>{percent(pool.utilisation)}</b>
        </p>
        <Progress value={pool.utilisation} max={1} label={say('Capacity in use')} />
        <p className="mt-1.5 text-small text-ink-2">{fullnessInWords(pool)}</p>
      </div>
      <dl className="mt-auto grid grid-cols-2 gap-x-4 gap-y-2 border-t border-dashed border-line pt-3">
        <Term name={say('Pool size')}>
          <Money shillings={pool.pool_size} />
        </Term>
        <Term name={say('Members')}>{formatCount(pool.members_count)}</Term>
        <Term name={say('Minimum contribution')}>
          <Money shillings={pool.min_contribution} />
        </Term>
        <Term name={say('Own position')}>{say('{part}% of a guarantee', { part: pool.min_contribution_perc })}</Term>
        <Term name={say('Membership')}>
          {say('{n} {n, plural, one {day} other {days}} at least', { n: pool.min_member_period })}
        </Term>
        <Term name={say('Base risk')}>{say('{part}% a year', { part: pool.base_risk_percentage })}</Term>
        <Term name={say('Risk weight factor')}>{pool.risk_weight_factor}</Term>
        <Term name={say('Trust score')}>{say('{n} at least', { n: pool.min_trust_score })}</Term>
      </dl>
    </article>
  );
}

function Term({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-tiny text-ink-3">{name}</dt>
      <dd className="text-small font-semibold">{children}</dd>
    </div>
  );
}

/** A pool's state in a word. */
export function StateTag({ state }: { state: PoolState }) {
  const shown: Record<PoolState, [TagTone, string]> = {
    FORMING: ['ochre', say('Forming')],
    OPEN: ['forest', say('Open')],
    SUSPENDED: ['clay', say('Suspended')],
    CLOSING: ['clay', say('Closing')],
    CLOSED: ['plain', say('Closed')],
  };
  const [tone, words] = shown[state];
  return <Tag tone={tone}>{words}</Tag>;
}

/** What the part that is in use means. */
export function fullnessInWords({ utilisation, available_capacity }: Pool): string {
  return say('{part} of all that the pool can guarantee is taken. {free} is left.', {
    part: percent(utilisation),
    free: formatShillings(available_capacity),
  });
}

/** A part of one as a percentage without decimals. */
export function percent(part: number): string {
  return `${Math.round(part * 100)}%`;
}
