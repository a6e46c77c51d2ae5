import type { LoanDetail } from '@ushirika/contract/loans';
import { Suspense, useState } from 'react';
import { useParams } from 'react-router';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { later } from '../layouts/later.tsx';
import { NotFoundPage } from '../layouts/not-found-page.tsx';
import { Title } from '../layouts/title.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Button } from '../ui/button.tsx';
import { Card, Facts, FailureState, Tag } from '../ui/card.tsx';
import { LongDate, Money, Progress } from '../ui/figures.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { useLiveMoney } from '../wallet/live.ts';
import { useOpenInAddress } from '../wallet/open-in-address.ts';
import { inThrees } from '../wallet/pay-by-hand.tsx';
import { useWalletDialogs } from '../wallet/wallet-dialogs.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { AskDialog } from './guarantor-dialogs.tsx';
import { GuarantorsCard } from './guarantors-card.tsx';
import { KeyFactsHeld } from './key-facts.tsx';
import { claimedCents, isDueAtOnce, isLate, isOnItsWay, isOwed, isToSend, repaidOf } from './loan.rules.ts';
import { loanPaths } from './loan-paths.ts';
import { LoanStages } from './loan-stages.tsx';
import { LoanTimeline } from './loan-timeline.tsx';
import { monthsInWords, stateTones, stateWords } from './loan-words.ts';
import { movementsOf, useLoan, useOfferedSchedule } from './loans.queries.ts';
import { MovementsCard } from './movements-card.tsx';
import { type LoanDialog, NextStep } from './next-step.tsx';
import { OfferedSchedule } from './offered-schedule.tsx';
import { RecoverySteps } from './recovery-steps.tsx';
import { ScheduleChart } from './schedule-chart.tsx';
import { RunningSchedule } from './schedule-table.tsx';
import { StandingRepayment } from './standing-repayment.tsx';

const RepayDialog = later(() => import('./repay-dialog.tsx'), 'RepayDialog');
const PayoffDialog = later(() => import('./payoff-dialog.tsx'), 'PayoffDialog');
const PayGuarantorsDialog = later(() => import('./pay-guarantors-dialog.tsx'), 'PayGuarantorsDialog');
const SubmitDialog = later(() => import('./application-dialogs.tsx'), 'SubmitDialog');
const WithdrawDialog = later(() => import('./application-dialogs.tsx'), 'WithdrawDialog');
const ChangeDialog = later(() => import('./application-dialogs.tsx'), 'ChangeDialog');
const AcceptDialog = later(() => import('./application-dialogs.tsx'), 'AcceptDialog');

/** /client/loans/:id: one of one's own loans, from its application to its end. */
export function LoanPage() {
  const { id = '' } = useParams();
  const { data: loan, error, isPending, refetch } = useLoan(id);
  if (error instanceof CallFailure && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  return (
    <>
      <BackLink to={loanPaths.loans()}>{say('Loans')}</BackLink>
      {isPending && <Skeletons count={3} label={say('Loading...')} className="mb-4 h-40 rounded-card" />}
      {error && !loan && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {loan && <OneLoan loan={loan} />}
    </>
  );
}

function OneLoan({ loan }: { loan: LoanDetail }) {
  useLiveMoney();
  const money = useWalletDialogs();
  const { dialogs, show } = useLoanDialogs(loan, money.topUp);
  const owed = isOwed(loan);
  return (
    <div className="grid gap-4">
      <Head loan={loan} />
      <NextStep loan={loan} show={show} />
      {isLate(loan.state) && <OfferedSchedule loan={loan.id} onPayFirst={() => show('pay-first')} />}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {owed && (
          <div className="grid min-w-0 gap-4">
            <OwedCard loan={loan} show={show} />
            <RecoverySteps steps={loan.steps} />
          </div>
        )}
        {isOnItsWay(loan) && <ApplicationCard loan={loan} show={show} />}
        <div className="grid min-w-0 gap-4">
          <GuarantorsCard loan={loan} onAsk={() => show('ask')} onPay={() => show('pay-guarantors')} />
          {loan.taking && <TakingCard taking={loan.taking} />}
        </div>
      </div>
      <ScheduleCard loan={loan} />
      <MovementsCard loan={loan} pages={movementsOf(loan.id)} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card className="min-w-0 p-5">
          <h2 className="mb-3 text-lead">{say('What has happened')}</h2>
          <LoanTimeline loan={loan} onReceipt={money.receipt} />
        </Card>
        <Card className="min-w-0 p-5">
          <h2 className="mb-1 text-lead">{say('Key facts')}</h2>
          <KeyFactsHeld loan={loan} />
          {owed && <p className="mt-2 text-small break-words whitespace-pre-line text-ink-2">{loan.purpose}</p>}
        </Card>
      </div>
      {dialogs}
      {money.dialogs}
    </div>
  );
}

/** What can be taken of the borrower's own savings, said while it can still be prevented. */
function TakingCard({ taking: { held, free, most } }: { taking: NonNullable<LoanDetail['taking']> }) {
  return (
    <Card className="min-w-0 p-5">
      <h2 className="text-lead">{say('If it is not repaid')}</h2>
      <p className="mt-1 text-small text-ink-2">
        {say(
          'After 90 days and a final notice of 14 days your savings in this sacco pay it: first what is held for this loan, then the others. Only then do a pool and guarantors pay, and you owe it to them.',
        )}
      </p>
      <Facts
        facts={[
          [say('Held for this loan'), <Money key="held" shillings={held} />],
          [say('Your other savings here'), <Money key="free" shillings={free} />],
          [say('Could be taken, as things are now'), <Money key="most" shillings={most} className="text-clay" />],
        ]}
      />
    </Card>
  );
}

/** The dialogs of the page; the address says which is open. */
function useLoanDialogs(loan: LoanDetail, onTopUp: () => void) {
  const { open, value, show, goOn, close } = useOpenInAddress();
  const may = (act: LoanDetail['may'][number]) => loan.may.includes(act);
  const dialogs = (
    <Suspense>
      {open === 'repay' && (
        <RepayDialog
          loan={loan}
          deposit={value('deposit')}
          onPrompted={(deposit) => goOn({ deposit })}
          onTopUp={onTopUp}
          onClose={close}
        />
      )}
      {open === 'pay-first' && <PayFirst loan={loan} onTopUp={onTopUp} onClose={close} />}
      {open === 'payoff' && <PayoffDialog loan={loan} onTopUp={onTopUp} onClose={close} />}
      {open === 'pay-guarantors' && may('pay_guarantors') && <PayGuarantorsDialog loan={loan} onClose={close} />}
      {open === 'ask' && may('ask_guarantors') && <AskDialog loan={loan} onClose={close} />}
      {open === 'submit' && may('submit') && <SubmitDialog loan={loan} onClose={close} />}
      {open === 'take-back' && may('withdraw') && <WithdrawDialog loan={loan} onClose={close} />}
      {open === 'change' && may('change') && <ChangeDialog loan={loan} onClose={close} />}
      {open === 'accept' && may('accept') && <AcceptDialog loan={loan} onClose={close} />}
    </Suspense>
  );
  return { dialogs, show: (dialog: LoanDialog) => show(dialog) };
}

/** Pays what stands before a new schedule, once the offer of it is read. */
function PayFirst({ loan, onTopUp, onClose }: { loan: LoanDetail; onTopUp: () => void; onClose: () => void }) {
  const first = useOfferedSchedule(loan.id).data?.cost?.pay_first ?? 0;
  // Once it is paid nothing is due, and the receipt is still shown.
  const [asked, setAsked] = useState(first);
  if (first > asked) setAsked(first);
  if (asked === 0) return null;
  return (
    <RepayDialog loan={loan} first={asked} deposit={null} onPrompted={noPrompt} onTopUp={onTopUp} onClose={onClose} />
  );
}

// It is paid from the wallet, to the cent: M-Pesa takes whole shillings, and what is more would end the offer.
const noPrompt = () => {};

function Head({ loan }: { loan: LoanDetail }) {
  return (
    <div>
      <Title>{say('Loan {number}', { number: loan.number })}</Title>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h1 className="text-head">
            <Money shillings={loan.amount} />
          </h1>
          <p className="num text-ink-2">
            {loan.product} · {monthsInWords(loan.new_months ?? loan.months)} ·{' '}
            <span className="whitespace-nowrap">{say('Loan {number}', { number: inThrees(loan.number) })}</span>
          </p>
          {loan.changed && (
            <p className="text-small text-ink-2">
              {say('Changed on {day}, before that {months}.', {
                day: longDate(loan.changed.on),
                months: monthsInWords(loan.months),
              })}
            </p>
          )}
        </div>
        <Tag tone={stateTones[loan.state]}>{stateWords(loan, isToSend(loan))}</Tag>
      </div>
      <div className="mt-5 max-w-2xl">
        <LoanStages state={loan.state} toSend={isToSend(loan)} />
      </div>
    </div>
  );
}

/** What is owed, and the way to pay all of it at once; what is due now is paid above it (`NextStep`). */
function OwedCard({ loan, show }: { loan: LoanDetail; show: (dialog: LoanDialog) => void }) {
  const repaid = repaidOf(loan);
  const byOthers = claimedCents(loan) / 100;
  const canPay = loan.may.includes('repay');
  const reason = canPay ? null : say('Nothing can be paid on this loan now.');
  return (
    <Card className="p-5">
      <h2 className="text-small font-normal tracking-normal text-ink-2">{say('What you still owe of it')}</h2>
      <p className="mb-2 text-head font-bold tracking-tight">
        <Money shillings={loan.owed} />
      </p>
      <Progress value={repaid} max={loan.amount} label={say('Principal repaid')} />
      <Facts
        facts={[
          [byOthers > 0 ? say('Principal paid') : say('Principal repaid'), <Money key="repaid" shillings={repaid} />],
          ...(byOthers > 0
            ? [[say('Of it paid by others, whom you owe it'), <Money key="others" shillings={byOthers} />] as const]
            : []),
          [say('Principal owed'), <Money key="principal" shillings={loan.principal_owed} />],
          [say('Interest to this day'), <Money key="interest" shillings={loan.interest_owed} />],
          ...(loan.penalty_owed > 0
            ? [[say('Penalty'), <Money key="penalty" shillings={loan.penalty_owed} className="text-clay" />] as const]
            : []),
          [say('Paid out on'), <LongDate key="out" iso={loan.disbursed_at} />],
        ]}
      />
      <div className="mt-3 grid">
        <Button look="line" disabledReason={reason} onClick={() => show('payoff')}>
          {say('Pay off')}
        </Button>
      </div>
      {!isDueAtOnce(loan) && <StandingRepayment loan={loan} />}
    </Card>
  );
}

function ScheduleCard({ loan }: { loan: LoanDetail }) {
  if (loan.schedule.length === 0) return null;
  return (
    <Card className="min-w-0 p-5">
      <h2 className="mb-1 text-lead">{say('Schedule')}</h2>
      {isOnItsWay(loan) && <p className="mb-3 text-small text-ink-2">{say('As if it were paid out today.')}</p>}
      <ScheduleChart schedule={loan.schedule} />
      <div className="mt-4">
        <RunningSchedule loan={loan} />
      </div>
    </Card>
  );
}

/** What was applied for, while it may still be changed or taken back. */
function ApplicationCard({ loan, show }: { loan: LoanDetail; show: (dialog: LoanDialog) => void }) {
  return (
    <Card className="p-5">
      <h2 className="mb-2 text-lead">{say('Your application')}</h2>
      <p className="max-w-[70ch] break-words whitespace-pre-line">{loan.purpose}</p>
      <Facts
        facts={[
          loan.submitted_at === null
            ? [say('Begun'), <LongDate key="begun" iso={loan.applied_at} />]
            : [say('Sent'), <LongDate key="sent" iso={loan.submitted_at} />],
          [say('Left of a month’s income'), <Money key="income" shillings={loan.net_income} />],
        ]}
      />
      <div className="mt-3 grid gap-2.5 sm:grid-cols-2">
        <Button
          look="line"
          disabledReason={
            loan.may.includes('change')
              ? null
              : say('It is with the officials: take it back to apply with other terms.')
          }
          onClick={() => show('change')}
        >
          {say('Change')}
        </Button>
        <Button
          look="line"
          disabledReason={loan.may.includes('withdraw') ? null : say('It can no longer be taken back.')}
          onClick={() => show('take-back')}
        >
          {say('Take back')}
        </Button>
      </div>
    </Card>
  );
}
