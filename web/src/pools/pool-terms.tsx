import type { PoolDetails } from '@ushirika/contract/pools';
import type { ReactNode } from 'react';
import { Facts } from '../ui/card.tsx';
import { Money } from '../ui/figures.tsx';
import { Fold } from '../ui/fold.tsx';
import { say } from '../words/say.ts';

/** The terms and settings of a pool as names and values: what joining accepts. */
export function termsFacts(pool: PoolDetails): (readonly [string, ReactNode])[] {
  const { settings } = pool;
  return [
    [say('Minimum contribution'), <Money key="least" shillings={pool.min_contribution} />],
    [say('Own position'), say('{part}% of a guarantee', { part: pool.min_contribution_perc })],
    [say('Membership'), say('{n} {n, plural, one {day} other {days}} at least', { n: pool.min_member_period })],
    [say('Base risk'), say('{part}% a year', { part: pool.base_risk_percentage })],
    [say('Risk weight factor'), pool.risk_weight_factor],
    [say('Trust score'), say('{n} at least', { n: pool.min_trust_score })],
    [say('No price above'), say('{part}% a year', { part: settings.rate_cap })],
    [say('Guarantees up to'), say('{part}% of the money in the pool', { part: settings.exposure_multiple * 100 })],
    [say('One borrower gets at most'), say('{part}% of it', { part: settings.max_borrower_share })],
    [say('One loan is covered to'), `${settings.max_cover}%`],
    [say('Above this two stewards decide'), <Money key="limit" shillings={automaticLimit(pool)} />],
    [say('Notice of withdrawal'), say('{n} {n, plural, one {day} other {days}}', { n: settings.notice_days })],
    [say('One call may draw'), say('{part}% of the reserve', { part: settings.reserve_draw })],
    [
      say('Fees go to members, reserve, sacco'),
      `${settings.fee_split.members}, ${settings.fee_split.reserve}, ${settings.fee_split.sacco}%`,
    ],
  ];
}

/** The shillings up to which the pool guarantees one borrower now without its stewards. */
export const automaticLimit = ({ equity, settings }: PoolDetails): number =>
  Math.min(settings.auto_limit, Math.floor(equity * settings.auto_limit_share) / 100);

/** The terms that hold now. */
export function PoolTerms({ pool }: { pool: PoolDetails }) {
  return (
    <Fold title={say('Terms')} openWhenWide>
      <Facts facts={termsFacts(pool)} />
    </Fold>
  );
}
