import type { dropGuarantor, Guarantee, LoanDetail } from '@ushirika/contract/loans';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '../api/call.ts';
import { clientPoolPaths } from '../pools/pool-paths.ts';
import { endReasons, endWords } from '../pools/pool-words.ts';
import { Button } from '../ui/button.tsx';
import { Card, Tag } from '../ui/card.tsx';
import { LongDate, Money, Progress } from '../ui/figures.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { ChangeAmountDialog, ReplaceDialog } from './guarantor-dialogs.tsx';
import { coverCents, isOnItsWay, isOwed } from './loan.rules.ts';
import { guaranteeShown, guaranteeTones, guaranteeWords } from './loan-words.ts';
import { SureDialog } from './sure-dialog.tsx';

/** What stands behind the loan: own savings, guarantors and a pool, each with what it stands for. */
export function GuarantorsCard({ loan, onAsk, onPay }: { loan: LoanDetail; onAsk: () => void; onPay: () => void }) {
  const { cover, guarantees, may } = loan;
  const covered = coverCents(cover).covered / 100;
  // Once it runs, what is pledged shrinks with what is owed.
  const needed = isOwed(loan) ? loan.principal_owed : cover.needed;
  return (
    <Card className="p-5">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lead">{say('What stands behind it')}</h2>
        {may.includes('ask_guarantors') && (
          <Button look="soft" onClick={onAsk}>
            <Icon name="plus" className="size-4.5" />
            {say('Ask another')}
          </Button>
        )}
        {may.includes('pay_guarantors') && <Button onClick={onPay}>{say('Pay your guarantors back')}</Button>}
      </div>
      {(isOwed(loan) || isOnItsWay(loan)) && (
        <>
          <p className="num mb-1.5 flex flex-wrap justify-between gap-x-4 text-small text-ink-2">
            <span>{say('Covered')}</span>
            <span>
              <Money shillings={covered} className="font-semibold text-ink" /> {say('of')} <Money shillings={needed} />
            </span>
          </p>
          <Progress value={Math.min(covered, needed)} max={needed || 1} label={say('Covered')} />
          {isSetFreeLater(loan.state) && covered > needed && covered - needed < LEAST_SET_FREE && (
            <p className="mt-1.5 text-small text-ink-2">
              {say('Less than Ksh. 100 is set free together with the next payment.')}
            </p>
          )}
        </>
      )}
      <ul className="mt-2">
        {guarantees.map((each) => (
          <GuaranteeRow key={each.id} loan={loan} guarantee={each} />
        ))}
      </ul>
      {guarantees.length === 0 && (
        <p className="mt-3 text-ink-2">
          {cover.needed > cover.own
            ? say('Nobody is asked yet. Ask members who know you.')
            : say('Your own savings cover it: you need no guarantor.')}
        </p>
      )}
    </Card>
  );
}

/** A smaller part of the pledges is set free together with the next one; in recovery nothing is before the principal is paid. */
const LEAST_SET_FREE = 100;
const isSetFreeLater = (state: LoanDetail['state']): boolean =>
  state === 'active' || state === 'in_arrears' || state === 'defaulted';

const ICONS: Readonly<Record<Guarantee['kind'], IconName>> = { member: 'person', self: 'pig', pool: 'shield' };
type Act = 'amount' | 'take_back' | 'replace';

function GuaranteeRow({ loan, guarantee }: { loan: LoanDetail; guarantee: Guarantee }) {
  const [asked, setAsked] = useState<Act | null>(null);
  const { kind, name, amount, pledged, may, replaces } = guarantee;
  const shown = guaranteeShown(guarantee);
  const other = loan.guarantees.find(({ id }) => id === replaces);
  const onClose = () => setAsked(null);
  return (
    <li className="rule py-3">
      <div className="flex flex-wrap items-center gap-x-3.5 gap-y-1.5">
        <span className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken text-ink-2">
          <Icon name={ICONS[kind]} className="size-4.5" />
        </span>
        <div className="min-w-0 grow basis-40">
          <p className="font-semibold">{kind === 'self' ? say('Your own savings') : name}</p>
          <p className="num text-small text-ink-2">
            <Money shillings={amount} />
            {shown === 'live' && pledged < amount && (
              <>
                {' '}
                · {say('still pledged:')} <Money shillings={pledged} />
              </>
            )}
          </p>
        </div>
        <Tag tone={guaranteeTones[shown]}>{guaranteeWords(shown)}</Tag>
      </div>
      <Notes guarantee={guarantee} standsFor={other?.name} />
      {may.length > 0 && (
        <div className="mt-2 flex flex-wrap gap-2 sm:pl-12.5">
          {may.includes('change_amount') && (
            <Small words={say('Change the amount')} name={name} onClick={() => setAsked('amount')} />
          )}
          {may.includes('replace') && (
            <Small words={say('Find somebody else')} name={name} onClick={() => setAsked('replace')} />
          )}
          {may.includes('take_back') && (
            <Small words={say('Take back')} name={name} onClick={() => setAsked('take_back')} />
          )}
        </div>
      )}
      {asked === 'amount' && <ChangeAmountDialog loan={loan} guarantee={guarantee} onClose={onClose} />}
      {asked === 'replace' && <ReplaceDialog loan={loan} guarantee={guarantee} onClose={onClose} />}
      {asked === 'take_back' && (
        <SureDialog
          title={say('Take this request back?')}
          act={say('Take it back')}
          send={() =>
            call<typeof dropGuarantor>('DELETE', '/loans/{id}/guarantors/{guarantee}', {
              params: { id: loan.id, guarantee: guarantee.id },
            })
          }
          onClose={onClose}
        >
          <p>{say('{name} is told, and nothing of their savings is held any more.', { name })}</p>
        </SureDialog>
      )}
    </li>
  );
}

function Small({ words, name, onClick }: { words: string; name: string; onClick: () => void }) {
  return (
    <Button
      look="line"
      className="min-h-9 px-3 text-small max-sm:min-h-11"
      aria-label={`${words}: ${name}`}
      onClick={onClick}
    >
      {words}
    </Button>
  );
}

function Notes({ guarantee, standsFor }: { guarantee: Guarantee; standsFor: string | undefined }) {
  const { kind, state, answer_by: by, release_asked_at: releaseAskedAt, claim, called, declined } = guarantee;
  return (
    <div className="num text-small sm:pl-12.5">
      {state === 'asked' && by && (
        <p className="mt-1 text-ink-2">
          {say('Can answer until')} <LongDate iso={by} />
        </p>
      )}
      {standsFor && (
        <p className="mt-1 text-ink-2">
          {say('Is to stand in for {name}, once the committee has confirmed it.', { name: standsFor })}
        </p>
      )}
      {releaseAskedAt && (
        <p className="mt-1 font-medium text-ochre-ink">
          {say(
            'Asked you to find somebody else. They stay bound until another one has signed and the committee has confirmed it.',
          )}
        </p>
      )}
      {called && (
        <p className="mt-1 text-ink-2">
          {say('Paid for this loan:')} <Money shillings={called.paid} /> · {say('you have paid back:')}{' '}
          <Money shillings={called.recovered} />
        </p>
      )}
      {claim > 0 && (
        <p className="mt-1 font-medium text-clay">
          {kind === 'pool' ? say('You owe the pool') : say('You owe them')} <Money shillings={claim} />
        </p>
      )}
      {declined && <Declined end={declined} />}
    </div>
  );
}

/** Who of a pool declined it, when and why, and what one can do next. */
function Declined({ end }: { end: NonNullable<Guarantee['declined']> }) {
  return (
    <div className="mt-1 grid gap-1">
      <p className="text-ink-2">
        {endWords(end)}, <LongDate iso={end.at} />.
      </p>
      {endReasons(end).map((reason) => (
        <p key={reason} className="font-medium text-clay">
          {reason}
        </p>
      ))}
      <p>
        {say('Ask another pool, or ask members to guarantee your loan.')}{' '}
        <Link to={clientPoolPaths.list} className="link inline-flex min-h-11 items-center">
          {say('Look at other pools')}
        </Link>
      </p>
    </div>
  );
}
