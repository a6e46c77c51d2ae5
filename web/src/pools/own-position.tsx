import type { PoolDetails } from '@ushirika/contract/pools';
import { LongDate, Money } from '../ui/figures.tsx';
import { KangaBand } from '../ui/kanga-band.tsx';
import { say } from '../words/say.ts';
import { lossOf } from './pool-loss.tsx';

/** One's own money in a pool, and what of it could be lost, in plain words. */
export function OwnPosition({ me }: { me: NonNullable<PoolDetails['me']> }) {
  return (
    <section aria-label={say('My position')} className="card night overflow-hidden">
      <div className="px-5 pt-5 pb-4">
        <h2 className="text-small font-normal tracking-normal text-on-night-2">{say('My position')}</h2>
        <p className="text-head font-extrabold tracking-tight">
          <Money shillings={me.position} />
        </p>
        <NightFacts
          facts={[
            [say('Locked'), me.locked],
            [say('Under notice'), me.notice],
            [say('Free'), me.free],
            [say('Earned so far'), me.earned],
            ...(me.lost > 0 ? [[say('Lost to calls'), me.lost] as const] : []),
          ]}
        />
        {me.position > 0 && <p className="num mt-3 text-small text-on-night-2">{lossOf(me)}</p>}
        <p className="mt-1 text-small text-on-night-2">
          {say('Member {ref} since', { ref: me.member_ref })} <LongDate iso={me.joined_at} />
        </p>
      </div>
      <KangaBand isThin />
    </section>
  );
}

/** Figures beside each other on the dark card. */
export function NightFacts({
  facts,
  isFramed = true,
}: {
  facts: readonly (readonly [name: string, shillings: number])[];
  isFramed?: boolean;
}) {
  return (
    <dl
      className={`num grid gap-x-6 gap-y-1.5 xs:grid-cols-2 sm:grid-cols-4 ${isFramed ? 'mt-3 border-t border-dashed border-white/25 pt-3' : 'mt-1'}`}
    >
      {facts.map(([name, shillings]) => (
        <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-3 xs:block">
          <dt className="text-small text-on-night-2">{name}</dt>
          <dd className="font-semibold">
            <Money shillings={shillings} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
