import type { ReactNode } from 'react';
import { holdsOffice } from '../../identity/holds-office.ts';
import { useProfile } from '../../identity/profile.queries.ts';
import { useExit } from '../../membership/membership.queries.ts';
import { noticeEnds } from '../../membership/notice-ends.ts';
import { paths } from '../../paths.ts';
import { sharesAmount } from '../../shares/shares-amount.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { formatCount, LongDate, Money } from '../../ui/figures.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import type { Standing, Summary } from '../../wallet/summary.queries.ts';
import { useLatestDeposits } from '../../wallet/wallet.queries.ts';
import { say } from '../../words/say.ts';
import { useWaitingOfDomains } from './waiting-of-domains.ts';

interface Props {
  sacco: string;
  summary: Summary | undefined;
  standing: Standing | undefined;
  minShares: number | undefined;
  onBuyShares: () => void;
  onTopUp: () => void;
  onFollowTopUp: (deposit: string) => void;
  onConfirmPhone: () => void;
  onExit: () => void;
}

/** What is open and is mine to do, the most pressing first; a provisional member's missing shares stand above all. */
export function WaitingForYou(props: Props) {
  const { summary } = props;
  const profile = useProfile();
  return (
    <Card className="px-5 py-4.5">
      <h2 className="text-lead">{say('Waiting for you')}</h2>
      {summary && !profile.isPending ? <Things {...props} /> : <NotKnownYet />}
    </Card>
  );
}

function NotKnownYet() {
  return (
    <div className="mt-1 py-3">
      <Skeletons count={1} label={say('Loading...')} className="h-17 rounded-box sm:h-11" />
    </div>
  );
}

function Things({ sacco, standing, minShares, onBuyShares, onTopUp, onFollowTopUp, onConfirmPhone, onExit }: Props) {
  const { data: profile } = useProfile();
  const { data: deposits } = useLatestDeposits();
  const exit = useExit().data?.exit;
  const ofDomains = useWaitingOfDomains({
    sacco,
    isMember: standing !== undefined,
    isOfficial: holdsOffice(profile, sacco),
  });
  const pending = deposits?.results.filter(({ status }) => status === 'pending') ?? [];
  const things: ReactNode[] = [];
  if (standing?.membership === 'provisional') {
    things.push(
      <FirstShares
        key="shares"
        standing={standing}
        minShares={minShares}
        onBuyShares={onBuyShares}
        onTopUp={onTopUp}
      />,
    );
  }
  for (const { id, amount, phone } of pending) {
    things.push(
      <Thing
        key={id}
        icon="device"
        title={
          <>
            {say('Confirm your top-up of')} <Money shillings={amount} />
          </>
        }
        words={say('M-Pesa asks for the PIN on {phone}', { phone })}
      >
        <Button look="soft" onClick={() => onFollowTopUp(id)}>
          {say('Look')}
        </Button>
      </Thing>,
    );
  }
  for (const { key, icon, title, words, to, act = say('Look') } of ofDomains.things) {
    things.push(
      <Thing key={key} icon={icon} title={title} words={words}>
        <LinkButton look="soft" to={to}>
          {act}
        </LinkButton>
      </Thing>,
    );
  }
  if (profile && !profile.verified.phone) {
    things.push(
      <Thing
        key="phone"
        icon="phone"
        title={say('Confirm your phone')}
        words={say('Until then nothing can be withdrawn to {phone}.', { phone: profile.phone_number })}
      >
        <Button look="soft" onClick={onConfirmPhone}>
          {say('Confirm')}
        </Button>
      </Thing>,
    );
  }
  if (standing && profile && !profile.verified.id) {
    things.push(
      <Thing
        key="card"
        icon="person"
        title={say('Show your ID card to an official')}
        words={say('Before that you cannot vote, and no pool guarantees a loan of yours.')}
      >
        <LinkButton look="soft" to={paths.clientProfile()}>
          {say('Look')}
        </LinkButton>
      </Thing>,
    );
  }
  if (exit && (exit.state === 'requested' || exit.state === 'shares_to_sell')) {
    things.push(
      <Thing
        key="exit"
        icon="clock"
        title={exit.refunded_at ? say('Your savings have been paid back') : noticeEnds(exit)}
        words={
          exit.refunded_at ? (
            say('Your shares stay yours until another member buys them.')
          ) : (
            <LongDate iso={exit.due_at} />
          )
        }
      >
        <Button look="soft" onClick={onExit}>
          {say('Look')}
        </Button>
      </Thing>,
    );
  }
  if (things.length > 0) return <ul className="mt-1">{things}</ul>;
  if (!ofDomains.isWhole) return <NotKnownYet />;
  return (
    <div className="mt-1 flex items-center gap-3.5 py-3 text-ink-2">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-forest-tint text-up">
        <Icon name="check" />
      </span>
      <p>{say('You’re all caught up.')}</p>
    </div>
  );
}

/** Until the first shares are owned the member has no voice: what is missing, and what it costs. */
function FirstShares({
  standing,
  minShares,
  onBuyShares,
  onTopUp,
}: {
  standing: Standing;
  minShares: number | undefined;
  onBuyShares: () => void;
  onTopUp: () => void;
}) {
  const { data: profile } = useProfile();
  const missing = Math.max(0, (minShares ?? 0) - standing.shares);
  const cost = sharesAmount(missing, standing.share_value);
  const affordable = (profile?.wallet.available ?? 0) >= cost;
  return (
    <Thing
      icon="chart"
      title={
        minShares === undefined
          ? say('Buy your first shares')
          : say('Buy your first {n, plural, one {share} other {{n} shares}}', { n: formatCount(missing) })
      }
      words={
        <>
          {say('They make you a full member. They cost')} <Money shillings={cost} />
          {affordable ? '.' : say(', more than your wallet holds.')}
        </>
      }
    >
      {affordable ? (
        <Button onClick={onBuyShares}>{say('Buy Shares')}</Button>
      ) : (
        <Button onClick={onTopUp}>{say('Top Up')}</Button>
      )}
    </Thing>
  );
}

function Thing({
  icon,
  title,
  words,
  children,
}: {
  icon: IconName;
  title: ReactNode;
  words: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className="rule num flex flex-wrap items-center gap-x-3.5 gap-y-2 py-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-[11px] bg-ochre-tint text-ochre-ink">
        <Icon name={icon} />
      </span>
      <div className="min-w-0 grow basis-48">
        <p className="font-semibold">{title}</p>
        <p className="text-small text-ink-2">{words}</p>
      </div>
      <div className="grid max-sm:w-full">{children}</div>
    </li>
  );
}
