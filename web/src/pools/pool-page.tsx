import type { PoolDetails, PriceExample } from '@ushirika/contract/pools';
import { Link, useParams } from 'react-router';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { NotFoundPage } from '../layouts/not-found-page.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { useSession } from '../session/session.ts';
import { Card, EmptyState, Facts, FailureState } from '../ui/card.tsx';
import { formatCount, LongDate, Money, Progress } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';
import { LoginToViewPool } from './login-to-view-pool.tsx';
import { percent, StateTag } from './pool-card.tsx';
import { usePoolDetails, usePoolMembers } from './pools.queries.ts';

/** /guarantor-pools/:id: a pool's terms, how full it is, what a guarantee would cost, and its members to members. */
export function PoolPage() {
  const { id = '' } = useParams();
  const session = useSession();
  const { data: pool, error, isLoading, refetch } = usePoolDetails(id);
  if (error instanceof CallFailure && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  return (
    <div className="wrap pt-2 pb-8">
      <Title>{pool?.name ?? say('Guarantor pool')}</Title>
      <Link
        to={paths.guarantorPools()}
        className="mb-3 inline-flex min-h-11 items-center gap-2 font-semibold text-ink-2 hover:text-ink"
      >
        <Icon name="back" className="size-4.5" />
        {say('All pools')}
      </Link>
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
    </div>
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
      {pool.until_open && (
        <p className="mt-4 rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
          {say('The pool opens when {n} more {n, plural, one {member has} other {members have}} joined and', {
            n: pool.until_open.members,
          })}{' '}
          <Money shillings={pool.until_open.contributions} /> {say('more has been put in.')}
        </p>
      )}
      <div className="mt-6 grid gap-4 lg:grid-cols-2">
        <Utilisation pool={pool} />
        <Terms pool={pool} />
      </div>
      <Prices examples={pool.price_examples} />
      <div className="mt-4 grid gap-4 lg:grid-cols-2">
        <Members pool={pool} />
        <History history={pool.history} />
      </div>
    </>
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

function Utilisation({ pool }: { pool: PoolDetails }) {
  const used = pool.utilisation ?? 0;
  return (
    <Card className="p-5">
      <h2 className="mb-3 text-lead">{say('How full it is')}</h2>
      <p className="num mb-1.5 flex items-baseline justify-between">
        <span className="text-title font-bold">{percent(used)}</span>
        <span className="text-small text-ink-2">
          {say('crowding raises the price above {part}', { part: percent(pool.settings.kink) })}
        </span>
      </p>
      <Progress value={used} max={1} label={say('Capacity in use')} />
      <div className="mt-3">
        <Facts
          facts={[
            [say('Pool size'), <Money key="size" shillings={pool.pool_size ?? 0} />],
            [say('Members'), formatCount(pool.members_count ?? 0)],
            [say('Reserve'), <Money key="reserve" shillings={pool.reserve} />],
            [say('Capacity'), <Money key="capacity" shillings={pool.capacity} />],
            [say('Still free to guarantee'), <Money key="free" shillings={pool.available_capacity ?? 0} />],
            [
              say('Guarantees that are out'),
              say('{n}, for {amount}', {
                n: pool.contracts_summary.active,
                amount: `Ksh.\u00a0${formatCount(pool.contracts_summary.outstanding)}`,
              }),
            ],
            ...(pool.is_member
              ? [[say('My position'), <Money key="mine" shillings={pool.my_position ?? 0} />] as const]
              : []),
          ]}
        />
      </div>
    </Card>
  );
}

function Terms({ pool }: { pool: PoolDetails }) {
  const { settings } = pool;
  return (
    <Card className="p-5">
      <h2 className="mb-2 text-lead">{say('Terms')}</h2>
      <Facts
        facts={[
          [say('Least contribution'), <Money key="least" shillings={pool.min_contribution} />],
          [say('Own position'), say('{part}% of a guarantee', { part: pool.min_contribution_perc })],
          [say('Membership'), say('{n} {n, plural, one {day} other {days}} at least', { n: pool.min_member_period })],
          [say('Base risk'), say('{part}% a year', { part: pool.base_risk_percentage })],
          [say('Risk weight factor'), pool.risk_weight_factor],
          [say('Trust score'), say('{n} at least', { n: pool.min_trust_score })],
          [say('No price above'), say('{part}% a year', { part: settings.rate_cap })],
          [say('One loan is covered to'), `${settings.max_cover}%`],
          [say('Notice of withdrawal'), say('{n} {n, plural, one {day} other {days}}', { n: settings.notice_days })],
          [
            say('Fees go to members, reserve, sacco'),
            `${settings.fee_split.members}, ${settings.fee_split.reserve}, ${settings.fee_split.sacco}%`,
          ],
        ]}
      />
    </Card>
  );
}

function Prices({ examples }: { examples: readonly PriceExample[] }) {
  return (
    <Card className="mt-4 p-5">
      <h2 className="mb-1 text-lead">{say('What a guarantee would cost')}</h2>
      <p className="mb-2 text-small text-ink-2">
        {say('By the terms of today; more trust makes it cheaper, a full pool dearer.')}
      </p>
      <Table
        caption={say('What a guarantee would cost')}
        keyOf={(row) => `${row.trust_score}-${row.amount}-${row.period_months}`}
        rows={examples}
        columns={[
          { head: say('Trust score'), cell: (row) => row.trust_score },
          { head: say('Guaranteed'), cell: (row) => <Money shillings={row.amount} />, end: true },
          {
            head: say('For'),
            cell: (row) => say('{n} {n, plural, one {month} other {months}}', { n: row.period_months }),
            end: true,
          },
          { head: say('Pool full to'), cell: (row) => percent(row.utilisation_after), end: true },
          { head: say('Price a year'), cell: (row) => `${row.risk_percentage.toFixed(2)}%`, end: true },
          { head: say('Fee, once'), cell: (row) => <Money shillings={row.fee} className="font-semibold" />, end: true },
        ]}
      />
    </Card>
  );
}

function Members({ pool }: { pool: PoolDetails }) {
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
          )}
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
          <li key={member.member_ref} className="rule flex flex-wrap items-baseline justify-between gap-x-4 py-2.5">
            <span>
              <span className="font-semibold">{member.name}</span>
              <span className="block text-small text-ink-2">
                {say('since')} <LongDate iso={member.joined_at} />
              </span>
            </span>
            <Money shillings={member.position} className="font-semibold" />
          </li>
        ))}
      </ul>
      <LoadMore list={members} />
    </>
  );
}

function History({ history }: { history: PoolDetails['history'] }) {
  return (
    <Card className="p-5">
      <h2 className="mb-2 text-lead">{say('What has happened')}</h2>
      <ol>
        {history.map(({ at, event, text }) => (
          <li key={`${at}${event}`} className="rule py-2.5">
            <p>{text}</p>
            <p className="text-small text-ink-2">
              <LongDate iso={at} time />
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
