import type { HeldReferral, reviewHeldReferral } from '@ushirika/contract/operator';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '../api/call.ts';
import { DeskList } from '../layouts/list-states.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Tag } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { Ago, nameOf } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { useHeldReferrals } from './operator.queries.ts';
import { ReasonDialog } from './reason-dialog.tsx';

/** /operator/referrals: rewards that wait because two people may be one. */
export function OperatorReferralsPage() {
  const referrals = useHeldReferrals();
  return (
    <>
      <Title>{say('Held referrals')}</Title>
      <h2 className="mb-4 text-title">{say('Held referrals')}</h2>
      <DeskList
        pages={referrals}
        empty={{
          title: say('No rewards to review'),
          next: say('A referral is held when both people may be the same one.'),
        }}
      >
        {(rows) => (
          <ul className="card px-4 sm:px-5">
            {rows.map((referral) => (
              <Held key={referral.id} referral={referral} />
            ))}
          </ul>
        )}
      </DeskList>
    </>
  );
}

type Decision = 'release' | 'deny';

function Held({ referral }: { referral: HeldReferral }) {
  const [decision, setDecision] = useState<Decision | null>(null);
  return (
    <li className="rule grid gap-x-6 gap-y-3 py-4 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
          {nameOf(referral.referrer)}
          <Icon name="arrow" className="size-4 text-ink-2" />
          <span className="sr-only">{say('referred')}</span>
          {nameOf(referral.referred)}
          <Tag tone="plain">{say(referral.status)}</Tag>
        </p>
        <ul className="mt-1.5 list-disc pl-5 marker:text-ochre">
          {referral.causes.map((cause) => (
            <li key={cause}>{cause}</li>
          ))}
        </ul>
        <p className="mt-1.5 text-small text-ink-2">
          {referral.sacco && (
            <>
              <Link className="link" to={paths.sacco(referral.sacco.id)}>
                {referral.sacco.name}
              </Link>{' '}
              ·{' '}
            </>
          )}
          {say('held')} <Ago iso={referral.held_at} />
        </p>
      </div>
      <div className="flex gap-2 self-start max-md:*:grow">
        <Button look="soft" onClick={() => setDecision('release')}>
          {say('Release')}
        </Button>
        <Button look="line" onClick={() => setDecision('deny')}>
          {say('Deny')}
        </Button>
      </div>
      {decision && <ReviewDialog referral={referral} decision={decision} onClose={() => setDecision(null)} />}
    </li>
  );
}

function ReviewDialog({
  referral,
  decision,
  onClose,
}: {
  referral: HeldReferral;
  decision: Decision;
  onClose: () => void;
}) {
  const isRelease = decision === 'release';
  const people = { referrer: nameOf(referral.referrer), referred: nameOf(referral.referred) };
  return (
    <ReasonDialog
      about={referral.id}
      title={isRelease ? say('Release the reward') : say('Deny the reward')}
      lead={
        isRelease
          ? say('{referrer} and {referred} are two people: the reward is paid as soon as it is due.', people)
          : say(
              'There is no reward for {referrer} having brought {referred}. The membership itself is not touched.',
              people,
            )
      }
      submitLabel={isRelease ? say('Release') : say('Deny')}
      look={isRelease ? 'main' : 'clay'}
      send={({ reason }, idempotencyKey) =>
        call<typeof reviewHeldReferral>('POST', '/operator/referrals/{id}/review', {
          params: { id: referral.id },
          body: { decision, reason },
          idempotencyKey,
        })
      }
      onClose={onClose}
    />
  );
}
