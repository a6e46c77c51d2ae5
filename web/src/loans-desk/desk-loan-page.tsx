import type { DeskLoanDetail } from '@ushirika/contract/loans';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { NotFoundPage } from '../layouts/not-found-page.tsx';
import { Title } from '../layouts/title.tsx';
import { monthsInWords } from '../loans/loan-words.ts';
import { Movements, SaveMovements } from '../loans/movements-card.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Card, FailureState, Tag } from '../ui/card.tsx';
import { Money } from '../ui/figures.tsx';
import { Fold } from '../ui/fold.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { longDate } from '../words/dates.ts';
import { daysUntil } from '../words/in-days.ts';
import { say } from '../words/say.ts';
import { trustedName } from '../words/trusted-name.ts';
import { BorrowerCard, RepaymentHistory } from './borrower-card.tsx';
import { type AtDesk, OfficialsOnly } from './desk-frame.tsx';
import { daysLeftWords } from './desk-loan-columns.tsx';
import { deskPaths } from './desk-paths.ts';
import { deskStateTones, deskStateWords, listWords } from './desk-words.ts';
import { DueStep } from './due-step.tsx';
import { GuaranteesCard } from './guarantees-card.tsx';
import { LimitCard } from './limit-card.tsx';
import type { DeskListName } from './loans-desk.queries.ts';
import { deskMovementsOf, useDeskLoan } from './loans-desk.queries.ts';
import { OwedCard } from './owed-card.tsx';
import { Notices, Recovery } from './recovery-card.tsx';
import { FindingsCard, ReviewsCard } from './reviews-card.tsx';
import { ScheduleCard } from './schedule-card.tsx';
import { TermsCard } from './terms-card.tsx';
import { TimelineCard } from './timeline-card.tsx';
import { WaiverCard } from './waiver-card.tsx';

/** /client/desk/loans/:id: all that a decision about one loan needs, and the decision. */
export function DeskLoanPage() {
  const { id = '' } = useParams();
  return <OfficialsOnly>{(at) => <OneLoan at={at} id={id} />}</OfficialsOnly>;
}

function OneLoan({ at, id }: { at: AtDesk; id: string }) {
  const { data: loan, error, isPending, refetch } = useDeskLoan(at.sacco.id, id);
  if (error instanceof CallFailure && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  const list = loan ? listOf(loan) : undefined;
  return (
    <>
      <BackLink to={deskPaths.loans(list)}>{list ? listWords(list) : say('Credit desk')}</BackLink>
      {isPending && (
        <>
          <Title>{say('Credit desk')}</Title>
          <h1 className="sr-only">{say('Credit desk')}</h1>
          <Skeletons count={4} label={say('Loading...')} className="mb-4 h-32 rounded-card" />
        </>
      )}
      {error && !loan && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {loan && <Loan loan={loan} at={at} />}
    </>
  );
}

function Loan({ loan, at }: { loan: DeskLoanDetail; at: AtDesk }) {
  return (
    <>
      <LoanHead loan={loan} />
      <div className="mt-4 grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_23rem] xl:grid-rows-[auto_1fr]">
        {BEFORE_PAYOUT.has(loan.state) ? <Application loan={loan} at={at} /> : <PaidOutOrOver loan={loan} at={at} />}
      </div>
    </>
  );
}

/** An application: the decision first, on a wide page on the right; then what it needs. */
function Application({ loan, at }: { loan: DeskLoanDetail; at: AtDesk }) {
  return (
    <>
      <div className="grid min-w-0 gap-4 xl:col-start-2 xl:row-start-1">
        <DueStep loan={loan} at={at} />
        <ReviewsCard loan={loan} />
      </div>
      <div className="grid min-w-0 gap-4 xl:col-start-1 xl:row-span-2 xl:row-start-1">
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <div className="grid min-w-0 gap-4">
            <FindingsCard loan={loan} />
            <BorrowerCard loan={loan} />
            <RepaymentHistory loan={loan} />
          </div>
          <div className="grid min-w-0 gap-4">
            <LimitCard loan={loan} />
            <TermsCard loan={loan} />
          </div>
        </div>
        <GuaranteesCard loan={loan} />
        <ScheduleCard loan={loan} />
      </div>
      <div className="min-w-0 xl:col-start-2">
        <TimelineCard loan={loan} />
      </div>
    </>
  );
}

/** A loan that is owed or over: how it stands and what is to be done about it first, then the records, folded. */
function PaidOutOrOver({ loan, at }: { loan: DeskLoanDetail; at: AtDesk }) {
  const isOwed = OWED.has(loan.state);
  return (
    <>
      <div className="grid min-w-0 gap-4">
        {isOwed && <OwedCard loan={loan} />}
        <DueStep loan={loan} at={at} />
        {isOwed && <Recovery loan={loan} at={at} />}
        {isOwed && <WaiverCard loan={loan} at={at} />}
        <GuaranteesCard loan={loan} />
        <ScheduleCard loan={loan} />
        {loan.movements.length > 0 && (
          <Fold title={say('Every movement')}>
            <SaveMovements loan={loan} pages={deskMovementsOf(at.sacco.id, loan.id)} />
            <Movements loan={loan} pages={deskMovementsOf(at.sacco.id, loan.id)} />
          </Fold>
        )}
      </div>
      <div className="grid min-w-0 gap-4">
        <BorrowerCard loan={loan} />
        <TermsCard loan={loan} />
        <RepaymentHistory loan={loan} />
        <ReviewsCard loan={loan} />
        <TimelineCard loan={loan} />
      </div>
      {isOwed && (
        <div className="min-w-0 xl:col-span-2">
          <Notices loan={loan} at={at} />
        </div>
      )}
    </>
  );
}

const BEFORE_PAYOUT: ReadonlySet<DeskLoanDetail['state']> = new Set([
  'guarantors_pending',
  'submitted',
  'returned',
  'approved',
  'accepted',
  'disbursing',
]);

/** As the contract has it: OWED_STATES. */
const OWED: ReadonlySet<DeskLoanDetail['state']> = new Set([
  'active',
  'in_arrears',
  'defaulted',
  'recovering',
  'written_off',
]);

function LoanHead({ loan }: { loan: DeskLoanDetail }) {
  const { borrower, product, number, state, decide_by } = loan;
  return (
    <>
      <Title>{say('Loan {number}', { number })}</Title>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-head">{trustedName(borrower.name, loan.former_name)}</h1>
          <p className="mt-1.5 flex flex-wrap items-center gap-2">
            <Tag tone={deskStateTones[state]}>{deskStateWords(state)}</Tag>
            {loan.is_of_official && <Tag tone="ochre">{say('An official’s loan')}</Tag>}
            <span className="num text-ink-2">
              {product} · {number}
            </span>
          </p>
        </div>
        <div className="sm:text-right">
          <p className="num text-title font-bold">
            <Money shillings={loan.amount} />
          </p>
          <p className="num text-small text-ink-2">
            {say('over {n, plural, one {1 month} other {# months}}', { n: loan.new_months ?? loan.months })}
          </p>
          {loan.changed && (
            <p className="num text-small text-ink-2">
              {say('Changed on {day}, before that {months}.', {
                day: longDate(loan.changed.on),
                months: monthsInWords(loan.months),
              })}
            </p>
          )}
        </div>
      </div>
      <p className="mt-3 max-w-[75ch] text-small text-ink-2">
        {say('Only officials see these details. Views are logged.')}
      </p>
      {decide_by && state === 'submitted' && <Clock iso={decide_by} />}
      {loan.reason && <Reason>{loan.reason}</Reason>}
    </>
  );
}

function Clock({ iso }: { iso: string }) {
  const left = daysUntil(iso);
  const tone = left <= 3 ? 'bg-clay-tint text-clay' : 'bg-ochre-tint text-ochre-ink';
  return (
    <div className={`mt-3 flex gap-3.5 rounded-card px-4.5 py-3.5 ${tone}`}>
      <Icon name="clock" className="mt-0.5 size-5" />
      <div className="min-w-0">
        <p className="num font-semibold">{daysLeftWords(left)}</p>
        <p className="num text-small">{say('The borrower was promised an answer by {day}.', { day: longDate(iso) })}</p>
      </div>
    </div>
  );
}

function Reason({ children }: { children: ReactNode }) {
  return (
    <Card className="mt-3 px-5 py-4">
      <p className="text-small text-ink-2">{say('What the borrower was told')}</p>
      <p className="max-w-[75ch] break-words whitespace-pre-line">{children}</p>
    </Card>
  );
}

/** The list of the desk on which the loan stands now. */
function listOf({ state }: DeskLoanDetail): DeskListName | undefined {
  const lists: Partial<Record<DeskLoanDetail['state'], DeskListName>> = {
    submitted: 'to_review',
    accepted: 'to_disburse',
    disbursing: 'to_check',
    active: 'active',
    in_arrears: 'arrears',
    defaulted: 'arrears',
    recovering: 'arrears',
    written_off: 'written_off',
    rejected: 'over',
    withdrawn: 'over',
    expired: 'over',
    closed: 'over',
  };
  return lists[state];
}
