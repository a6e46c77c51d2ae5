import type { OperatorSacco } from '@ushirika/contract/operator';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { Checklist } from '../saccos/checklist.tsx';
import { SaccoLogo } from '../saccos/sacco-logo.tsx';
import { kindWords, STATE_TONES, stateWords } from '../saccos/sacco-states.ts';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Facts, Tag } from '../ui/card.tsx';
import { formatCount, LongDate, Money, Progress } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { Ago, nameOf } from '../ui/when.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { OperatorNamings } from './operator-namings.tsx';
import { RecordCheckDialog } from './record-check-dialog.tsx';
import { decisionsFor, type SaccoDecision, SaccoDecisionDialog } from './sacco-decision-dialog.tsx';

/** One sacco on the desk: a line, and below it on asking its checklist, its terms and what can be decided. */
export function OperatorSaccoCard({ sacco, startsOpen }: { sacco: OperatorSacco; startsOpen: boolean }) {
  const [isOpen, setOpen] = useState(startsOpen);
  const bodyId = useId();
  const met = sacco.checklist.filter((point) => point.met).length;
  return (
    <article className="card">
      <h2 className="text-body leading-normal font-normal tracking-normal">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => setOpen(!isOpen)}
          className="flex w-full cursor-pointer items-center gap-3.5 rounded-card p-3.5 text-left hover:bg-sunken sm:px-5"
        >
          <span className="max-sm:hidden">
            <SaccoLogo sacco={sacco} isActive={sacco.state !== 'pending'} />
          </span>
          <span className="min-w-0 grow">
            <span className="block font-semibold sm:text-lead">{sacco.name}</span>
            <span className="block text-small text-ink-2">
              {sacco.reg_no} · {kindWords(sacco.type)} · {nameOf(sacco.created_by)}
            </span>
            <span className="num mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-small text-ink-2 sm:hidden">
              <Tag tone={STATE_TONES[sacco.state]}>{stateWords(sacco.state)}</Tag>
              {say('{met} of {all} points met', { met, all: sacco.checklist.length })}
            </span>
            {sacco.officials_too_few && <TooFew tooFew={sacco.officials_too_few} />}
          </span>
          <span className="hidden w-36 shrink-0 text-small text-ink-2 md:block">
            <span className="num mb-1.5 block">
              {say('{met} of {all} points met', { met, all: sacco.checklist.length })}
            </span>
            <Progress value={met} max={sacco.checklist.length} label={say('Points of the checklist that are met')} />
          </span>
          <span className="grid w-28 shrink-0 justify-items-end gap-1 text-small text-ink-2 max-sm:hidden">
            <Tag tone={STATE_TONES[sacco.state]}>{stateWords(sacco.state)}</Tag>
            <Ago iso={sacco.state_at} />
          </span>
          <Icon name="down" className={`size-4.5 text-ink-2 transition-transform ${isOpen ? 'rotate-180' : ''}`} />
        </button>
      </h2>
      <div id={bodyId} hidden={!isOpen} className="border-t border-dashed border-line p-4 sm:p-5">
        {isOpen && <SaccoBody sacco={sacco} />}
      </div>
    </article>
  );
}

/** What it lacks of officials, and since when: it goes on, and decides nothing that takes two. */
function TooFew({ tooFew: { lack, since } }: { tooFew: NonNullable<OperatorSacco['officials_too_few']> }) {
  const words = {
    officials: say('Without officials'),
    second_official: say('One official alone'),
    chair: say('Without a chair'),
  };
  return (
    <span className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-small text-ink-2">
      <Tag tone="clay">{words[lack]}</Tag>
      <span>
        {say('since')} <LongDate iso={since} />
      </span>
    </span>
  );
}

function SaccoBody({ sacco }: { sacco: OperatorSacco }) {
  const [point, setPoint] = useState<string | null>(null);
  const recorded = sacco.checklist.find((candidate) => candidate.point === point);
  return (
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)]">
      <section aria-label={say('Activation checklist')}>
        <h3 className="mb-1 text-lead">{say('Activation checklist')}</h3>
        <Checklist points={sacco.checklist} onRecord={sacco.state === 'rejected' ? undefined : setPoint} />
      </section>
      <div className="grid content-start gap-5">
        <Decisions sacco={sacco} />
        <OperatorNamings sacco={sacco} />
        <section aria-label={say('Particulars')}>
          <h3 className="mb-1 text-lead">{say('Particulars')}</h3>
          <p className="mb-2 line-clamp-6 text-ink-2">{sacco.description}</p>
          <Facts
            facts={[
              [say('Founder'), nameOf(sacco.created_by)],
              [say('Registration fee'), <Money key="fee" shillings={sacco.reg_fee} />],
              [say('Share value'), <Money key="value" shillings={sacco.share_value} />],
              [say('Minimum shares'), formatCount(sacco.min_shares)],
              [say('True number of members'), formatCount(sacco.members)],
              [say('Registered'), <Ago key="created" iso={sacco.created_at} />],
            ]}
          />
          <Link to={paths.sacco(sacco.id)} className="link mt-2 inline-flex min-h-11 items-center gap-2">
            {say('Its public page')}
            <Icon name="arrow" className="size-4" />
          </Link>
        </section>
      </div>
      {recorded && <RecordCheckDialog saccoId={sacco.id} point={recorded} onClose={() => setPoint(null)} />}
    </div>
  );
}

/** Who suspended the sacco, and whether that ends by itself. */
function SuspensionOf({ suspension }: { suspension: NonNullable<OperatorSacco['suspension']> }) {
  const { suspended_by: by, lapses_at: lapsesAt, upheld_by: upheldBy, upheld_reason: because } = suspension;
  return (
    <p className="mb-3 text-small text-ink-2">
      {say('Suspended by {name}.', { name: nameOf(by) })}{' '}
      {lapsesAt && say('Lapses on {day} unless another operator upholds it.', { day: longDate(lapsesAt) })}
      {upheldBy && say('Upheld by {name}: {reason}', { name: nameOf(upheldBy), reason: because ?? '' })}
    </p>
  );
}

function Decisions({ sacco }: { sacco: OperatorSacco }) {
  const session = useSession();
  const [decision, setDecision] = useState<SaccoDecision | null>(null);
  const open = sacco.checklist.filter((point) => !point.met).length;
  const isFirst = sacco.confirmed_by?.id === session?.user.id;
  const blocked = (candidate: SaccoDecision): string | null => {
    if (candidate.name !== 'activate' || !sacco.strict) return null;
    if (open > 0) return say('Every point must be met first: {n} are open.', { n: open });
    return isFirst ? say('You have said yes already. Another operator must confirm it.') : null;
  };
  return (
    <section aria-label={say('Decision')} className="rounded-box bg-sunken p-4">
      {sacco.state_reason && (
        <p className="mb-3">
          <span className="block text-small text-ink-2">{say('Reason for this state')}</span>
          {sacco.state_reason}
        </p>
      )}
      {sacco.suspension && <SuspensionOf suspension={sacco.suspension} />}
      {sacco.confirmed_by && sacco.state === 'pending' && (
        <p className="mb-3 flex items-start gap-2 text-small font-medium text-up">
          <Icon name="check" className="mt-0.5 size-4.5" />
          {say('{name} has confirmed it. One more operator activates it.', { name: nameOf(sacco.confirmed_by) })}
        </p>
      )}
      {sacco.strict && sacco.state === 'pending' && !sacco.confirmed_by && (
        <p className="mb-3 text-small text-ink-2">{say('Two operators must say yes, and every point must be met.')}</p>
      )}
      <div className="flex flex-wrap gap-2 *:grow">
        {decisionsFor(sacco).map((candidate) => (
          <Button
            key={candidate.name}
            look={candidate.look}
            disabledReason={blocked(candidate)}
            onClick={() => setDecision(candidate)}
          >
            {candidate.words()}
          </Button>
        ))}
      </div>
      {sacco.state === 'rejected' && (
        <p className="text-small text-ink-2">{say('The founder may mend the application and send it again.')}</p>
      )}
      {decision && <SaccoDecisionDialog sacco={sacco} decision={decision} onClose={() => setDecision(null)} />}
    </section>
  );
}
