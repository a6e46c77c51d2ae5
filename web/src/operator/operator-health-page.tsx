import { Link, useOutletContext } from 'react-router';
import { wordsFor } from '../api/failure.ts';
import { Title } from '../layouts/title.tsx';
import { EmptyState, FailureState, Tag } from '../ui/card.tsx';
import { formatCount } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { Table } from '../ui/table.tsx';
import { Ago } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { type DeskContext, type Health, type HealthPoint, healthPoints } from './health.rules.ts';
import { usePlatformHealth } from './operator.queries.ts';

/** /operator/health: how the platform is doing, at a glance; fetched again every 15 seconds. */
export function OperatorHealthPage() {
  const { data: health, error, refetch } = usePlatformHealth();
  return (
    <>
      <Title>{say('Platform health')}</Title>
      {health ? (
        <HealthView health={health} />
      ) : error ? (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      ) : (
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          <Skeletons count={7} label={say('Loading...')} className="h-32 rounded-card" />
        </div>
      )}
    </>
  );
}

function HealthView({ health }: { health: Health }) {
  const points = healthPoints(health, useOutletContext<DeskContext>().pathOfQueue);
  const bad = points.filter(({ state }) => state === 'bad').length;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="flex items-center gap-2.5 text-title">
          <span className={`size-3 rounded-full ${bad > 0 ? 'bg-clay' : 'bg-up'}`} />
          {bad > 0 ? say('Something needs you now') : say('The platform is well')}
        </h2>
        <p className="text-small text-ink-2">
          {say('As of')} <Ago iso={health.at} />
        </p>
      </div>
      <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {points.map((point) => (
          <Point key={point.name} point={point} />
        ))}
      </ul>
      <section className="mt-8">
        <h2 className="mb-2 text-title">{say('Jobs')}</h2>
        <Jobs jobs={health.jobs} />
      </section>
      <section className="mt-8">
        <h2 className="mb-2 text-title">{say('Call-backs from M-Pesa')}</h2>
        <Callbacks callbacks={health.callbacks} />
      </section>
    </>
  );
}

const LOOKS = {
  good: { mark: 'text-up', icon: 'check', card: '' },
  look: { mark: 'text-ochre-ink', icon: 'clock', card: 'bg-ochre-tint border-transparent' },
  bad: { mark: 'text-clay', icon: 'alert', card: 'bg-clay-tint border-transparent' },
} as const;

function Point({ point: { name, figure, state, detail, since, to } }: { point: HealthPoint }) {
  const { mark, icon, card } = LOOKS[state];
  return (
    <li className={`card relative flex flex-col p-4 ${card}`}>
      <p className="flex items-start justify-between gap-2 text-small font-semibold text-ink-2">
        {to ? (
          <Link to={to} className="after:absolute after:inset-0 after:rounded-card hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
        <Icon name={icon} className={`size-4.5 ${mark}`} />
      </p>
      <p className={`num mt-1 text-title font-bold ${state === 'bad' ? 'text-clay' : ''}`}>{figure}</p>
      <p className="mt-auto pt-1 text-small text-ink-2">
        {detail}
        {since && (
          <span className="block">
            <Ago iso={since} />
          </span>
        )}
      </p>
    </li>
  );
}

function Jobs({ jobs }: { jobs: Health['jobs'] }) {
  if (jobs.length === 0) {
    return <EmptyState title={say('No job waits')} next={say('Whatever was to be done is done.')} />;
  }
  return (
    <div className="card px-3 py-1">
      <Table
        caption={say('Jobs')}
        keyOf={(job) => job.task}
        rows={jobs}
        columns={[
          { head: say('Job'), cell: (job) => <span className="font-medium">{humanize(job.task)}</span> },
          { head: say('Waiting'), cell: (job) => formatCount(job.waiting), end: true },
          {
            head: say('Failing'),
            cell: (job) => (job.failing > 0 ? <Tag tone="clay">{formatCount(job.failing)}</Tag> : '0'),
            end: true,
          },
          { head: say('Oldest due'), cell: (job) => (job.oldest_due_at ? <Ago iso={job.oldest_due_at} /> : '–') },
          {
            head: say('Last error'),
            cell: (job) => <span className="line-clamp-3 text-small text-ink-2">{job.last_error ?? '–'}</span>,
          },
        ]}
      />
    </div>
  );
}

function Callbacks({ callbacks }: { callbacks: Health['callbacks'] }) {
  return (
    <div className="card px-3 py-1">
      <Table
        caption={say('Call-backs from M-Pesa')}
        keyOf={(callback) => callback.kind}
        rows={callbacks}
        columns={[
          { head: say('Kind'), cell: ({ kind }) => <span className="font-medium">{callbackWords(kind)}</span> },
          { head: say('Last one'), cell: ({ last_at }) => (last_at ? <Ago iso={last_at} /> : say('never')) },
          { head: say('In 24 hours'), cell: ({ last_24_hours }) => formatCount(last_24_hours), end: true },
        ]}
      />
    </div>
  );
}

function callbackWords(kind: string): string {
  switch (kind) {
    case 'stk':
      return say('Answer to a prompt');
    case 'payout_result':
      return say('Result of a withdrawal');
    case 'payout_timeout':
      return say('Withdrawal timed out');
    case 'status_result':
      return say('Result of a status query');
    case 'status_timeout':
      return say('Status query timed out');
    case 'balance_result':
      return say('Result of a balance query');
    case 'balance_timeout':
      return say('Balance query timed out');
    case 'c2b_confirmation':
      return say('Payment to the paybill');
    default:
      return humanize(kind);
  }
}

/** `push_deposit` as `Push deposit`, for names that come from the code. */
function humanize(name: string): string {
  const words = name.replace(/[._]/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
