import { formatShillings } from '@ushirika/contract/format';
import { POOL_STEWARDS_MAX, type PoolDetails } from '@ushirika/contract/pools';
import { ROLL_MEMBER_DAYS } from '@ushirika/contract/voting-rules';
import { Link } from 'react-router';
import { now } from '../clock.ts';
import { paths } from '../paths.ts';
import { enterSacco } from '../saccos/enter-sacco.ts';
import { useSacco } from '../session/session.ts';
import { LinkButton } from '../ui/button.tsx';
import { Card, Tag } from '../ui/card.tsx';
import { nameOf } from '../ui/when.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { BusyNote, useBusyWith } from './busy-with.tsx';
import { poolVotePath } from './pool-paths.ts';
import { automaticLimit } from './pool-terms.tsx';
import { voteTag } from './pool-words.ts';

const DAY_MS = 86_400_000;

/** What members of the pool vote on now, and the ways to propose something; or why one does not. */
export function PoolVotes({ pool }: { pool: PoolDetails }) {
  const enter = useEntering(pool);
  const chosen = useSacco()?.id;
  const busyWith = useBusyWith(chosen, pool.may_propose && pool.sacco?.id === chosen ? pool.id : null);
  return (
    <Card role="region" aria-label={say('Votes of this pool')} className="p-5">
      <h2 className="text-lead">{say('Votes of this pool')}</h2>
      {pool.votes.length > 0 && <UnderWay pool={pool} />}
      {pool.votes.length === 0 && pool.sacco && <p className="mt-1 text-ink-2">{say('No vote is under way.')}</p>}
      {!pool.may_propose && <p className="mt-2 text-small text-ink-2">{whyNoVote(pool)}</p>}
      {busyWith && (
        <div className="mt-3">
          <BusyNote vote={busyWith} />
        </div>
      )}
      <div className="mt-4 flex flex-wrap gap-2.5 empty:hidden max-sm:*:grow">
        {pool.may_propose && (
          <>
            <LinkButton look="soft" to={paths.clientDraftTerms('pool_terms', pool.id)} onClick={enter}>
              {say('Propose a change')}
            </LinkButton>
            <LinkButton look="line" to={paths.clientDraftTerms('pool_limits', pool.id)} onClick={enter}>
              {say('Propose other settings')}
            </LinkButton>
          </>
        )}
      </div>
    </Card>
  );
}

function UnderWay({ pool }: { pool: PoolDetails }) {
  const enter = useEntering(pool);
  return (
    <ul className="mt-1">
      {pool.votes.map(({ id, title, state }) => {
        const [tone, words] = voteTag(state);
        return (
          <li key={id} className="rule flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1 py-2.5">
            <Link to={poolVotePath(id)} className="link min-w-0 break-words" onClick={enter}>
              {title || say('A vote of this pool’s members')}
            </Link>
            <Tag tone={tone}>{words}</Tag>
          </li>
        );
      })}
    </ul>
  );
}

/** Votes are in the client area of the pool's sacco: whoever works in another one goes there. */
function useEntering({ sacco }: PoolDetails): () => void {
  const chosen = useSacco();
  return () => {
    if (sacco && sacco.id !== chosen?.id) enterSacco(sacco);
  };
}

/** Why somebody may propose nothing, in a sentence or two. */
function whyNoVote({ sacco, state, me }: PoolDetails): string {
  if (!sacco)
    return say(
      'A pool for members of all saccos does not vote: its terms and its one steward stay. So it guarantees small sums only.',
    );
  if (state === 'CLOSED') return say('The pool is closed, and nothing is voted on any more.');
  if (me?.is_leaving)
    return say('All of your money here is under notice. Who leaves the pool proposes nothing, and does not vote.');
  if (!me || me.position === 0)
    return say('Whoever has had money in the pool for 30 days proposes changes, and votes.');
  const from = Date.parse(me.joined_at) + ROLL_MEMBER_DAYS * DAY_MS;
  if (from > now())
    return say('You joined the pool less than 30 days ago. You may propose changes and vote from {day} on.', {
      day: longDate(new Date(from).toISOString()),
    });
  return say(
    'You could not vote now: for that you need full rights in the sacco for 30 days, a confirmed phone, and an ID card that an official has seen.',
  );
}

/** Who decides about guarantees of the pool, for its members; and the way to become one, or to propose that somebody ends. */
export function PoolStewards({ pool }: { pool: PoolDetails }) {
  const enter = useEntering(pool);
  if (!pool.stewards) return null;
  const isElected = pool.stewards.some(({ is_me, is_elected }) => is_me && is_elected);
  const elected = pool.stewards.filter(({ is_elected }) => is_elected).length;
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Stewards')}</h2>
      <p className="mt-1 text-small text-ink-2">
        {say('Above {limit} two of them decide about a guarantee.', { limit: formatShillings(automaticLimit(pool)) })}
      </p>
      {pool.deciders_count < 2 && (
        <p className="mt-2 rounded-box bg-clay-tint px-4 py-3 text-small font-medium text-clay">
          {say('Fewer than two can decide now: nobody gets a guarantee above it.')}
        </p>
      )}
      <ul className="mt-1">
        {pool.stewards.map((steward) => (
          <li key={steward.id} className="rule py-2.5">
            <span className="font-semibold">{nameOf(steward)}</span>
            <span className="block text-small text-ink-2">{placeWords(pool, steward.is_elected)}</span>
            {!steward.decides && (
              <span className="block text-small text-ink-2">
                {say('Decides nothing now: without money in the pool that is not under notice')}
              </span>
            )}
          </li>
        ))}
      </ul>
      {pool.may_propose && (
        <div className="mt-4 flex flex-wrap gap-2.5 empty:hidden max-sm:*:grow">
          {!isElected && elected < POOL_STEWARDS_MAX && (
            <LinkButton look="line" to={paths.clientDraftTerms('pool_steward', pool.id)} onClick={enter}>
              {say('Offer to be a steward')}
            </LinkButton>
          )}
          {pool.stewards.length > 1 && (
            <LinkButton look="quiet" to={paths.clientDraftTerms('pool_steward_end', pool.id)} onClick={enter}>
              {say('Propose that somebody ends')}
            </LinkButton>
          )}
        </div>
      )}
    </Card>
  );
}

function placeWords({ sacco }: PoolDetails, isElected: boolean): string {
  if (isElected) return say('Elected, until members vote otherwise');
  return sacco
    ? say('Created the pool, until members have elected {n} stewards', { n: POOL_STEWARDS_MAX })
    : say('Created the pool');
}
