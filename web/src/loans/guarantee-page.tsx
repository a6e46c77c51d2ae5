import type { askToBeReplaced, GuaranteeToSign, refuseGuarantee } from '@ushirika/contract/loans';
import { useState } from 'react';
import { useParams } from 'react-router';
import { call } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { NotFoundPage } from '../layouts/not-found-page.tsx';
import { Title } from '../layouts/title.tsx';
import { ProofLink } from '../receipts/proof-link.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Button } from '../ui/button.tsx';
import { Card, Facts, FailureState, Tag } from '../ui/card.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { trustedName } from '../words/trusted-name.ts';
import { GuarantorAhead } from './guarantor-ahead.tsx';
import { isLate } from './loan.rules.ts';
import { loanPaths } from './loan-paths.ts';
import {
  aMonth,
  bothRates,
  daysInWords,
  guaranteeShown,
  guaranteeTones,
  monthsInWords,
  myGuaranteeWords,
  noonOf,
  stateToGuarantor,
  stateTones,
} from './loan-words.ts';
import { useGuarantee } from './loans.queries.ts';
import { OfferedSchedule } from './offered-schedule.tsx';
import { SignDialog } from './sign-dialog.tsx';
import { SureDialog } from './sure-dialog.tsx';

/** /client/loans/guarantees/:id: a guarantee that is asked of me, or that I gave, with all that I need to know. */
export function GuaranteePage() {
  const { id = '' } = useParams();
  const { data: request, error, isPending, refetch } = useGuarantee(id);
  if (error instanceof CallFailure && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  return (
    <div className="max-w-[860px]">
      <BackLink to={loanPaths.loans('guarantees')}>{say('Guarantees')}</BackLink>
      {isPending && <Skeletons count={3} label={say('Loading...')} className="mb-4 h-32 rounded-card" />}
      {error && !request && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {request && <Request request={request} />}
    </div>
  );
}

function Request({ request }: { request: GuaranteeToSign }) {
  const { borrower, state } = request;
  const isAsked = state === 'asked';
  const title = isAsked
    ? say('{name} asks you to guarantee a loan', { name: borrower })
    : say('Your guarantee for {name}', { name: borrower });
  return (
    <div className="grid gap-4">
      <Title>{title}</Title>
      <div>
        <h1 className="text-head">{title}</h1>
        <p className="mt-2 flex flex-wrap items-center gap-2">
          <Tag tone={guaranteeTones[guaranteeShown(request)]}>{myGuaranteeWords(guaranteeShown(request))}</Tag>
          {isAsked && request.answer_by && (
            <span className="text-small text-ink-2">
              {say('Answer by')} <LongDate iso={request.answer_by} />
            </span>
          )}
        </p>
      </div>
      {request.is_needless && (
        <div role="note" className="rounded-box bg-ochre-tint px-4 py-3 text-ochre-ink">
          <p className="font-semibold">{say('The loan is covered without you now.')}</p>
          <p className="mt-1">
            {say(
              'The borrower can send the application in without your signature. Ask them whether they still need it before you risk your savings.',
            )}
          </p>
        </div>
      )}
      <WorstCase request={request} />
      {state === 'live' && isLate(request.loan_state) && (
        <OfferedSchedule loan={request.loan} pledged={request.pledged} />
      )}
      <GuarantorAhead request={request} />
      <Acts request={request} />
      <Card className="p-5">
        <h2 className="mb-1 text-lead">{say('The loan')}</h2>
        <Facts facts={loanFacts(request)} />
        <h3 className="mt-4 mb-1 text-small font-semibold text-ink-2">{say('What it is for')}</h3>
        <p className="max-w-[70ch] break-words whitespace-pre-line">{request.purpose}</p>
      </Card>
      <History request={request} />
      {isAsked && (
        <Card className="p-5">
          <h2 className="mb-2 text-lead">{say('What signing means')}</h2>
          <Meaning isAsked />
        </Card>
      )}
      {request.schedules.map((agreed) => (
        <Agreed key={agreed.hash} agreed={agreed} />
      ))}
      {request.signed && <Signed signed={request.signed} id={request.id} />}
    </div>
  );
}

/** The most that can be lost, large and plain. */
function WorstCase({ request }: { request: GuaranteeToSign }) {
  const { state, worst_case: worst, pledged, pledge, free_savings: free, claim } = request;
  const isOpen = state === 'asked';
  const isHeld = state === 'accepted' || state === 'live';
  if (!isOpen && !isHeld && claim === 0) return null;
  return (
    <Card className="border-clay bg-clay-tint p-5 shadow-none">
      {isOpen || isHeld ? (
        <>
          <h2 className="text-lead font-semibold text-clay">{say('You can lose at most')}</h2>
          <p className="text-head font-extrabold tracking-tight text-clay sm:text-[2.5rem]">
            <Money shillings={worst} />
          </p>
          <p className="mt-2 max-w-[62ch]">
            {say(
              'If the loan is not repaid, so much of your savings in this sacco pays it. It then is a debt of the borrower to you.',
            )}
          </p>
        </>
      ) : (
        <>
          <h2 className="text-lead font-semibold text-clay">{say('The borrower owes you')}</h2>
          <p className="text-head font-extrabold tracking-tight text-clay">
            <Money shillings={claim} />
          </p>
          <p className="mt-2 max-w-[62ch]">
            {say('What the borrower pays from now on goes to the guarantors first, until all of this is back.')}
          </p>
        </>
      )}
      <dl className="num mt-3 grid gap-x-8 gap-y-1 text-small sm:grid-cols-2">
        {isOpen && <Figure name={say('Held of your savings once you sign')} shillings={pledge} />}
        {isOpen && <Figure name={say('Your savings that are free now')} shillings={free} />}
        {isHeld && <Figure name={say('Held of your savings now')} shillings={pledged} />}
        {isHeld && claim > 0 && <Figure name={say('The borrower owes you')} shillings={claim} />}
      </dl>
    </Card>
  );
}

function Figure({ name, shillings }: { name: string; shillings: number }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-3">
      <dt>{name}</dt>
      <dd className="font-semibold">
        <Money shillings={shillings} />
      </dd>
    </div>
  );
}

function loanFacts(request: GuaranteeToSign) {
  const { true_monthly_rate: trueRate, loan_state: state } = request;
  return [
    [say('Borrower'), trustedName(request.borrower, request.former_name)],
    [say('The borrower’s account'), request.borrower_number],
    [say('Amount'), <Money key="amount" shillings={request.amount} />],
    [say('Repaid for'), monthsInWords(request.months)],
    [say('Each month, at most'), <Money key="instalment" shillings={request.instalment} />],
    [say('Interest rate'), bothRates(request)],
    [say('True rate, fee included'), aMonth(trueRate)],
    ...(request.signed_at
      ? []
      : [[say('You are asked for'), <Money key="pledge" shillings={request.pledge} />] as const]),
    [say('Asked'), <LongDate key="asked" iso={request.asked_at} />],
    ...(request.signed_at
      ? [[say('You signed'), <LongDate key="signed" iso={request.signed_at} time />] as const]
      : []),
    ...(state === null
      ? []
      : [
          [
            say('How the loan stands'),
            <Tag key="state" tone={stateTones[state]}>
              {stateToGuarantor(state, request.is_covered)}
            </Tag>,
          ] as const,
        ]),
    ...(request.days_past_due > 0
      ? [
          [
            say('Late by'),
            <span key="late" className="text-clay">
              {daysInWords(request.days_past_due)}
            </span>,
          ] as const,
        ]
      : []),
  ] as const;
}

/** How the borrower repaid in the last two years. */
function History({ request: { history } }: { request: GuaranteeToSign }) {
  if (history === null) return null;
  const { loans, instalments, on_time, late, in_arrears_now: isLate, defaults } = history;
  return (
    <Card className="p-5">
      <h2 className="mb-1 text-lead">{say('How the borrower repaid in the last 24 months')}</h2>
      {loans === 0 ? (
        <p className="text-ink-2">{say('No loan in this time: there is nothing to judge by.')}</p>
      ) : (
        <Facts
          facts={[
            [say('Loans'), formatCount(loans)],
            [say('Instalments on time'), say('{n} of {m}', { n: formatCount(on_time), m: formatCount(instalments) })],
            [say('Late instalments'), <Bad key="late" isBad={late > 0} words={formatCount(late)} />],
            [say('Loans that came to a default'), <Bad key="bad" isBad={defaults > 0} words={formatCount(defaults)} />],
            [say('In arrears now'), <Bad key="now" isBad={isLate} words={isLate ? say('Yes') : say('No')} />],
          ]}
        />
      )}
    </Card>
  );
}

function Bad({ isBad, words }: { isBad: boolean; words: string }) {
  return <span className={isBad ? 'text-clay' : ''}>{words}</span>;
}

/** A new schedule that the guarantor agreed to since, as it was then. */
function Agreed({ agreed }: { agreed: GuaranteeToSign['schedules'][number] }) {
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('What you agreed to: a new schedule')}</h2>
      <p className="num text-small text-ink-2">
        {say('You agreed')} · <LongDate iso={agreed.at} time />
        {agreed.is_in_force === null && ` · ${say('It holds once all have agreed.')}`}
      </p>
      <Facts
        facts={[
          [say('Principal'), <Money key="principal" shillings={agreed.principal} />],
          [say('Repaid for'), monthsInWords(agreed.months)],
          [say('Each month, at most'), <Money key="instalment" shillings={agreed.instalment} />],
          [say('Interest of the new schedule'), <Money key="interest" shillings={agreed.total_interest} />],
          [say('First new instalment due'), <LongDate key="first" iso={noonOf(agreed.first_due_on)} />],
          [say('Last instalment due'), <LongDate key="last" iso={noonOf(agreed.last_due_on)} />],
        ]}
      />
      <p className="num mt-4 border-t border-dashed border-line pt-2.5 text-small break-all text-ink-2">
        {say('Hash of the terms:')} <code>{agreed.hash}</code>
      </p>
    </Card>
  );
}

/** What was signed, as it was then, to be read again at any time. */
function Signed({ signed, id }: { signed: NonNullable<GuaranteeToSign['signed']>; id: string }) {
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('What you signed')}</h2>
      <p className="num text-small text-ink-2">
        {say('You signed')} · <LongDate iso={signed.at} time />
      </p>
      <Facts
        facts={[
          [say('You can lose at most'), <Money key="pledge" shillings={signed.pledge} className="text-clay" />],
          [say('For a loan of'), <Money key="amount" shillings={signed.amount} />],
          [say('Repaid for'), monthsInWords(signed.months)],
          [say('Each month, at most'), <Money key="instalment" shillings={signed.instalment} />],
          [say('Interest rate'), bothRates(signed)],
          [say('Penalty, from day 6 on'), aMonth(signed.penalty_rate)],
        ]}
      />
      <h3 className="mt-4 mb-1 text-small font-semibold text-ink-2">{say('What it was for')}</h3>
      <p className="max-w-[70ch] break-words whitespace-pre-line">{signed.purpose}</p>
      <h3 className="mt-4 mb-2 text-small font-semibold text-ink-2">{say('What signing meant')}</h3>
      <Meaning isAsked={false} />
      <p className="num mt-4 border-t border-dashed border-line pt-2.5 text-small break-all text-ink-2">
        {say('Hash of the terms:')} <code>{signed.hash}</code>
      </p>
      <div className="mt-3">
        <ProofLink of={['guarantee', id]} />
      </div>
    </Card>
  );
}

/** What a guarantor is bound to, until when, and what is taken in which order. */
function Meaning({ isAsked }: { isAsked: boolean }) {
  return (
    <ul className="grid list-disc gap-2 pl-5">
      <li>
        {say(
          'So much of your savings is held: you cannot take it out while the loan runs. It shrinks as the loan is repaid.',
        )}
      </li>
      <li>
        {say('If the borrower is late for 30 days, you are told. After 90 days the committee may call it a default.')}
      </li>
      <li>
        {say(
          'Then it is taken in this order: the borrower’s savings that are held for the loan, the borrower’s other savings, a pool that stands behind it, and last the guarantors, each by their part and none more than what they signed for.',
        )}
      </li>
      <li>
        {say(
          'It ends when the loan is repaid, when your part is taken, or when the application comes to nothing. It also ends when another member has signed in your place and the credit committee has confirmed it. You can ask for that until the loan is in default; you stay bound until then.',
        )}
      </li>
      {isAsked && <li>{say('Your code is your signature. Give it to nobody, not even to the borrower.')}</li>}
    </ul>
  );
}

function Acts({ request }: { request: GuaranteeToSign }) {
  const [asked, setAsked] = useState<'sign' | 'refuse' | 'release' | null>(null);
  const { may, id, release_asked_at: releaseAskedAt, pledge, free_savings: free } = request;
  const onClose = () => setAsked(null);
  const isShort = free < pledge;
  const isSigned = request.state === 'accepted';
  const isInDefault = request.loan_state === 'defaulted' || request.loan_state === 'recovering';
  return (
    <>
      {releaseAskedAt && isInDefault && (
        <p className="rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
          {say(
            'You had asked to be replaced. The loan is in default now, so its guarantors are not replaced any more.',
          )}
        </p>
      )}
      {releaseAskedAt && !isInDefault && (
        <p className="rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
          {say(
            'You have asked to be replaced. You stay bound until another member has signed and the credit committee has confirmed it.',
          )}
        </p>
      )}
      {may.length > 0 && (
        <div className="grid gap-2.5 sm:flex">
          {may.includes('accept') && (
            <Button
              disabledReason={isShort ? say('Your free savings are less than what is asked of you.') : null}
              onClick={() => setAsked('sign')}
            >
              {say('Sign as a guarantor')}
            </Button>
          )}
          {may.includes('refuse') && (
            <Button look="line" onClick={() => setAsked('refuse')}>
              {isSigned ? say('Take your signature back') : say('Say no')}
            </Button>
          )}
          {may.includes('ask_to_be_replaced') && (
            <Button look="line" onClick={() => setAsked('release')}>
              {say('Ask to be replaced')}
            </Button>
          )}
        </div>
      )}
      {request.signature_ends && (
        <p className="text-small text-ink-2">
          {say('You can take your signature back until the application is handed in. It ends by itself on {day}.', {
            day: longDate(request.signature_ends),
          })}
        </p>
      )}
      {may.includes('accept') && isShort && (
        <p className="text-small font-medium text-clay">
          {say('Your free savings are less than what is asked of you.')} {say('The borrower can ask you for less.')}
        </p>
      )}
      {asked === 'sign' && <SignDialog request={request} onClose={onClose} />}
      {asked === 'refuse' && (
        <SureDialog
          title={isSigned ? say('Take your signature back?') : say('Say no?')}
          act={isSigned ? say('Take your signature back') : say('Say no')}
          send={() => call<typeof refuseGuarantee>('POST', '/loans/guarantees/{id}/refusal', { params: { id } })}
          onClose={onClose}
        >
          {isSigned && <p>{say('What you pledged is free again at once.')}</p>}
          <p>{say('The borrower is told that you said no, and never why.')}</p>
        </SureDialog>
      )}
      {asked === 'release' && (
        <SureDialog
          title={say('Ask to be replaced?')}
          act={say('Ask for it')}
          send={() =>
            call<typeof askToBeReplaced>('POST', '/loans/guarantees/{id}/release-request', { params: { id } })
          }
          onClose={onClose}
        >
          <p>
            {say(
              'The borrower is asked to find another member. You stay bound until that member has signed and the credit committee has confirmed it.',
            )}
          </p>
        </SureDialog>
      )}
    </>
  );
}
