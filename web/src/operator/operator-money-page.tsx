import { formatShillings } from '@ushirika/contract/format';
import type { MoneyException } from '@ushirika/contract/operator';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { DeskList } from '../layouts/list-states.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Tag } from '../ui/card.tsx';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { Money } from '../ui/figures.tsx';
import { Ago, nameOf } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { aboutWords } from './action-words.ts';
import { useMoneyExceptions, usePlatformHealth } from './operator.queries.ts';
import { actionLabel, type Resolution, ResolutionDialog, resolutionWords } from './resolution-dialog.tsx';

/** /operator/money: money that no rule can settle, and what was decided about it. */
export function OperatorMoneyPage() {
  const [parameters] = useSearchParams();
  const status = parameters.get('status') === 'resolved' ? 'resolved' : 'suspense';
  const exceptions = useMoneyExceptions(status);
  const empty =
    status === 'resolved'
      ? { title: say('Nothing was resolved yet'), next: say('What you decide is listed here, newest first.') }
      : { title: say('No open exceptions'), next: say('Every shilling that came in is where it belongs.') };
  return (
    <>
      <Title>{say('Money exceptions')}</Title>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-title">{say('Money exceptions')}</h2>
        <ChoiceBar
          label={say('State')}
          choices={[
            { to: paths.operatorMoney(), words: say('Open'), isChosen: status === 'suspense' },
            { to: paths.operatorMoneyResolved(), words: say('Resolved'), isChosen: status === 'resolved' },
          ]}
        />
      </div>
      <LastComparison />
      <DeskList pages={exceptions} empty={empty}>
        {(rows) => (
          <ul className="card px-4 sm:px-5">
            {rows.map((exception) => (
              <Exception key={exception.id} exception={exception} />
            ))}
          </ul>
        )}
      </DeskList>
    </>
  );
}

/** When M-Pesa was last asked what it holds for us, and whether the books say the same. */
function LastComparison() {
  const { data } = usePlatformHealth();
  if (!data?.float) return null;
  const { state, mpesa, books, compared_at, agreed_at } = data.float;
  const figures = { mpesa: formatShillings(mpesa), books: formatShillings(books) };
  return (
    <p className="num mb-4 flex flex-wrap items-baseline gap-x-2 gap-y-1 text-small text-ink-2">
      <span>
        {state === 'agrees' && say('M-Pesa and the books agree: {mpesa}, the platform’s own money included.', figures)}
        {state === 'differs' &&
          say('M-Pesa says {mpesa}; the books say {books}, the platform’s own money included.', figures)}
        {state === 'under_way' && say('Payments under way may explain a difference; M-Pesa is asked again.')}
      </span>
      <span>
        {say('Compared')} <Ago iso={compared_at} />
        {state !== 'agrees' && agreed_at && (
          <>
            ; {say('last equal')} <Ago iso={agreed_at} />
          </>
        )}
        .
      </span>
    </p>
  );
}

function Exception({ exception }: { exception: MoneyException }) {
  const [action, setAction] = useState<Resolution | null>(null);
  const { amount, resolution } = exception;
  return (
    <li className="rule grid gap-x-6 gap-y-3 py-4 md:grid-cols-[9.5rem_minmax(0,1fr)_auto]">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 md:block">
        <p className="text-lead font-semibold">
          {amount === null ? <span className="text-ink-2">{say('No amount')}</span> : <Money shillings={amount} />}
        </p>
        <p className="text-small text-ink-2">
          <Ago iso={exception.opened_at} />
        </p>
      </div>
      <div className="min-w-0">
        <p className="font-medium">{exception.text}</p>
        <Particulars exception={exception} />
        <Proposed exception={exception} />
        {resolution && (
          <div className="mt-3 rounded-box bg-sunken px-3.5 py-2.5 text-small">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-2">
              <Tag>{resolutionWords(resolution.action)}</Tag>
              {resolution.resolved_by && nameOf(resolution.resolved_by)} · <Ago iso={resolution.resolved_at} />
            </p>
            {resolution.reason && <p className="mt-1.5">{resolution.reason}</p>}
          </div>
        )}
      </div>
      {exception.actions.length > 0 && (
        <div className="flex flex-wrap gap-2 self-start max-md:*:grow md:flex-col">
          {exception.actions.map((candidate, index) => (
            <Button key={candidate} look={index === 0 ? 'soft' : 'line'} onClick={() => setAction(candidate)}>
              {actionLabel(exception, candidate)}
            </Button>
          ))}
        </div>
      )}
      {action && <ResolutionDialog exception={exception} action={action} onClose={() => setAction(null)} />}
    </li>
  );
}

/** What an operator proposed to do with it, and that its payer objected. */
function Proposed({ exception: { proposal, objected_at } }: { exception: MoneyException }) {
  return (
    <>
      {objected_at && (
        <p className="mt-3 rounded-box bg-clay-tint px-3.5 py-2.5 text-small text-clay">
          <b>{say('The payer objected.')}</b> <Ago iso={objected_at} />.{' '}
          {say('The money can go to whose phone paid, or back.')}
        </p>
      )}
      {proposal && (
        <p className="mt-3 rounded-box bg-ochre-tint px-3.5 py-2.5 text-small text-ochre-ink">
          {proposal.state === 'waiting'
            ? say('Two operators agreed. It is done when the payer has not objected.')
            : say('{name} has proposed what to do. Another operator must confirm it.', {
                name: nameOf(proposal.proposed_by),
              })}{' '}
          <Link to={paths.operatorProposals()} className="link">
            {say('Look at it')}
          </Link>
        </p>
      )}
    </>
  );
}

function Particulars({ exception }: { exception: MoneyException }) {
  const { receipt, phone, owner, claimant, account, about, figures } = exception;
  const particulars = [
    [say('Money'), exception.amount === null || figures ? null : placeWords(exception.held_in)],
    [say('By M-Pesa'), figures && formatShillings(figures.mpesa)],
    [say('By the books'), figures && formatShillings(figures.books)],
    [say('Receipt'), receipt],
    [say('Phone'), phone],
    [say('Whose phone'), owner && nameOf(owner)],
    [say('Account typed'), account],
    [say('Claimed by'), claimant && nameOf(claimant)],
    [say('About'), about && aboutWords(about)],
  ].filter(([, value]) => value);
  return (
    <dl className="num mt-1.5 flex flex-wrap gap-x-5 gap-y-1 text-small">
      {particulars.map(([name, value]) => (
        <div key={name} className="flex flex-wrap gap-x-1.5">
          <dt className="text-ink-2">{name}</dt>
          <dd className="font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function placeWords(place: MoneyException['held_in']): string {
  if (place === 'suspense') return say('In suspense');
  return place === 'reserve' ? say('Reserved for the withdrawal') : say('Not held in the books');
}
