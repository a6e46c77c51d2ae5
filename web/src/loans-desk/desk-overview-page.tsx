import type { LoanFigures } from '@ushirika/contract/loans';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { wordsFor } from '../api/failure.ts';
import { Card, FailureState, Tag } from '../ui/card.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { useCheckOffsToCheck } from './check-offs-desk.queries.ts';
import { ClassBar } from './class-bar.tsx';
import { DayRuns } from './day-runs.tsx';
import { type AtDesk, DeskHead, OfficialsOnly } from './desk-frame.tsx';
import { deskPaths } from './desk-paths.ts';
import { type DeskListName, useLoanFigures } from './loans-desk.queries.ts';
import { VotesCard } from './votes-card.tsx';
import { WaitingWaivers } from './waiver-card.tsx';

// In one chunk with the desk: the list of chunks is part of every first view.
export { AboutDeskPage } from './about-desk-page.tsx';

/** /client/desk: how the sacco's loans stand, and what waits for its officials. */
export function DeskOverviewPage() {
  return <OfficialsOnly>{(at) => <Overview at={at} />}</OfficialsOnly>;
}

function Overview({ at: { sacco } }: { at: AtDesk }) {
  const { data, error, refetch } = useLoanFigures(sacco.id);
  return (
    <>
      <DeskHead lead={say('What the sacco has lent, what of it is late, and what waits for you.')} />
      <div className="mt-5 grid gap-4">
        {data && <Figures sacco={sacco.id} figures={data} />}
        {!data && error && (
          <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
        )}
        {!data && !error && <Skeletons count={3} label={say('Loading...')} className="h-36 rounded-card" />}
      </div>
    </>
  );
}

function Figures({ sacco, figures }: { sacco: string; figures: LoanFigures }) {
  return (
    <>
      <Waiting sacco={sacco} figures={figures} />
      <WaitingWaivers sacco={sacco} />
      <VotesCard votes={figures.votes_to_cast} barred={figures.votes_barred} />
      <Card className="grid grid-cols-2 gap-x-6 gap-y-4 p-5 lg:grid-cols-4">
        <Figure wide name={say('Principal owed')} under={loansWords(figures)}>
          <Money shillings={figures.owed} />
        </Figure>
        <Figure name={say('Loans more than 30 days late')} under={say('share of all principal owed')}>
          <Part of={figures.par30} most={0.05} />
        </Figure>
        <Figure name={say('Loans more than 90 days late')} under={say('share of all principal owed')}>
          <Part of={figures.par90} most={0.05} />
        </Figure>
        <Figure wide name={say('Set aside for losses')} under={say('provision in the books')}>
          <Money shillings={figures.provision} />
        </Figure>
      </Card>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Card className="min-w-0 p-5">
          <h2 className="mb-3 text-lead">{say('How late it is')}</h2>
          {figures.loans === 0 ? (
            <p className="text-ink-2">{say('Nothing is owed yet. Loans appear here once they are paid out.')}</p>
          ) : (
            <ClassBar figures={figures} />
          )}
        </Card>
        <Card className="min-w-0 p-5">
          <DayRuns sacco={sacco} days={figures.days} />
        </Card>
      </div>
    </>
  );
}

function loansWords({ loans, written_off: { loans: given, owed }, waived }: LoanFigures): ReactNode {
  return (
    <>
      {say('in {n} {n, plural, one {loan} other {loans}}', { n: formatCount(loans) })}
      {given > 0 && (
        <Link to={deskPaths.loans('written_off')} className="link block">
          {say('{n} {n, plural, one {loan} other {loans}} written off', { n: formatCount(given) })}:{' '}
          <Money shillings={owed} />
        </Link>
      )}
      {waived.waivers > 0 && (
        <span className="block">
          {say('{n} {n, plural, one {waiver} other {waivers}} in 365 days', { n: formatCount(waived.waivers) })}:{' '}
          <Money shillings={waived.amount} />
        </span>
      )}
    </>
  );
}

function Figure({
  name,
  under,
  wide = false,
  children,
}: {
  name: string;
  under: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={`min-w-0 ${wide ? 'max-sm:col-span-2' : ''}`}>
      <p className="text-small text-ink-2">{name}</p>
      <p className="num text-lead font-bold sm:text-title">{children}</p>
      <p className="num text-small text-ink-2">{under}</p>
    </div>
  );
}

/** A part of the whole in percent; SASRA asks for 5% at most. */
function Part({ of, most }: { of: number; most: number }) {
  const isHigh = of > most;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <span className={isHigh ? 'text-clay' : ''}>{`${(of * 100).toFixed(1)}%`}</span>
      {isHigh && <Tag tone="clay">{say('above 5%')}</Tag>}
    </span>
  );
}

const WAITING = ['to_review', 'to_disburse', 'to_check', 'substitutions', 'arrears'] as const satisfies DeskListName[];

/** What waits, each with its number and the way to its list. */
function Waiting({ sacco, figures: { waiting, waiting_for_me: mine } }: { sacco: string; figures: LoanFigures }) {
  const checkOffs = useCheckOffsToCheck(sacco).data?.count;
  const words: Record<(typeof WAITING)[number], string> = {
    to_review: say('{n, plural, one {application to review} other {applications to review}}', { n: waiting.to_review }),
    to_disburse: say('{n, plural, one {loan to pay out} other {loans to pay out}}', { n: waiting.to_disburse }),
    to_check: say('{n, plural, one {payout to check} other {payouts to check}}', { n: waiting.to_check }),
    substitutions: say('{n, plural, one {new guarantor} other {new guarantors}}', { n: waiting.substitutions }),
    arrears: say('{n, plural, one {loan in arrears} other {loans in arrears}}', { n: waiting.arrears }),
  };
  return (
    <nav aria-label={say('What waits')} className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {WAITING.map((list) => (
        <Tile
          key={list}
          to={deskPaths.loans(list)}
          count={waiting[list]}
          words={words[list]}
          under={
            list === 'arrears' || waiting[list] === 0
              ? null
              : say('{n} for you to decide', { n: formatCount(mine[list]) })
          }
          edge={list === 'arrears' ? 'border-clay' : 'border-ochre'}
        />
      ))}
      <Tile
        to={deskPaths.checkOffs('to_check')}
        count={checkOffs}
        words={say('{n, plural, one {check-off to check} other {check-offs to check}}', { n: checkOffs ?? 0 })}
        edge="border-ochre"
      />
    </nav>
  );
}

interface TileProps {
  readonly to: string;
  /** Not known yet: undefined. */
  readonly count: number | undefined;
  readonly words: string;
  /** How many of them are for whoever reads it. */
  readonly under?: string | null;
  /** Its edge where something waits. */
  readonly edge: string;
}

function Tile({ to, count, words, under, edge }: TileProps) {
  return (
    <Link
      to={to}
      className={`card group flex items-center gap-3 px-4 py-3.5 hover:border-edge ${(count ?? 0) > 0 ? edge : ''}`}
    >
      <span className="min-w-0 grow">
        <span className="num block text-title font-bold">{count === undefined ? '–' : formatCount(count)}</span>
        <span className="block text-small text-ink-2">{words}</span>
        {under && <span className="num block text-small text-ink-2">{under}</span>}
      </span>
      <Icon name="arrow" className="size-4.5 text-ink-2" />
    </Link>
  );
}
