import type { PoolDetails } from '@ushirika/contract/pools';
import { wordsFor } from '../api/failure.ts';
import { Card, EmptyState, FailureState } from '../ui/card.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { Fold } from '../ui/fold.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { usePoolMembers } from './pools.queries.ts';

/** Who is in the pool: by name for its members and stewards, by number for others. */
export function PoolPeople({ pool }: { pool: PoolDetails }) {
  const mayRead = Boolean(pool.is_member || pool.is_steward);
  return (
    <Card className="p-5">
      <h2 className="mb-2 text-lead">{say('Members')}</h2>
      {mayRead ? (
        <MemberList pool={pool.id} />
      ) : (
        <p className="text-ink-2">
          {say(
            '{n} {n, plural, one {member} other {members}} and {stewards} {stewards, plural, one {steward} other {stewards}}. Their names are for members of the pool.',
            {
              n: formatCount(pool.members_count ?? 0),
              stewards: pool.stewards_count,
            },
          )}{' '}
          {pool.deciders_count < 2 && say('Fewer than two of these decide: it gives small guarantees only.')}
        </p>
      )}
    </Card>
  );
}

function MemberList({ pool }: { pool: string }) {
  const members = usePoolMembers(pool);
  return (
    <>
      {members.isPending && <Skeletons count={3} label={say('Loading...')} className="my-2 h-10" />}
      {members.isError && !members.rows && (
        <FailureState words={wordsFor(members.error)} again={say('Try again')} onAgain={() => void members.refetch()} />
      )}
      {members.rows?.length === 0 && (
        <EmptyState
          title={say('Nobody yet')}
          next={say('Members are listed here once they have put in their contribution.')}
        />
      )}
      <ul className="num">
        {members.rows?.map((member) => (
          <li key={member.member_ref} className="rule flex items-baseline justify-between gap-x-4 py-2.5">
            <span>
              <span className="font-semibold">{member.name}</span>
              <span className="block text-small text-ink-2">
                {say('since')} <LongDate iso={member.joined_at} />
              </span>
            </span>
            <span className="shrink-0 text-right">
              <Money shillings={member.position} className="font-semibold" />
              {member.locked > 0 && (
                <span className="block text-small text-ink-2">
                  <Money shillings={member.locked} /> {say('locked')}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <LoadMore list={members} />
    </>
  );
}

/** What has happened to the pool, the latest first. */
export function PoolHistory({ history }: { history: PoolDetails['history'] }) {
  return (
    <Fold title={say('What has happened')} sum={formatCount(history.length)} openWhenWide>
      <ol>
        {history.map(({ at, event, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two events may have one moment
          <li key={`${at}${event}${index}`} className="rule py-2.5">
            <p>{text}</p>
            <p className="text-small text-ink-2">
              <LongDate iso={at} time />
            </p>
          </li>
        ))}
      </ol>
    </Fold>
  );
}
