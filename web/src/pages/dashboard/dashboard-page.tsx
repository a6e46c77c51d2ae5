import { formatShillings } from '@ushirika/contract/format';
import type { SaccoDetail } from '@ushirika/contract/saccos';
import { type ReactNode, Suspense } from 'react';
import { Link } from 'react-router';
import { wordsFor } from '../../api/failure.ts';
import { useClosed } from '../../identity/use-closed.ts';
import { later } from '../../layouts/later.tsx';
import { Title } from '../../layouts/title.tsx';
import { DashboardGuarantorsOwed, DashboardLoan, DashboardOwedToGuarantor } from '../../loans/dashboard-loan.tsx';
import { useMarketStats } from '../../market/market.queries.ts';
import { sharesInOrders, useOpenOrders } from '../../market/open-orders.queries.ts';
import { MembershipTag } from '../../membership/membership-tag.tsx';
import { paths } from '../../paths.ts';
import { NotAMember } from '../../saccos/office-only.tsx';
import { useSaccoDetail } from '../../saccos/saccos.queries.ts';
import { useStandingOrder } from '../../savings/savings.queries.ts';
import { type StoredSacco, useSacco } from '../../session/session.ts';
import { SharesWorth } from '../../shares/shares-worth.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Card, FailureState } from '../../ui/card.tsx';
import { formatCount, Money } from '../../ui/figures.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import { useLiveMoney } from '../../wallet/live.ts';
import { useOpenInAddress } from '../../wallet/open-in-address.ts';
import { type Standing, useSummary } from '../../wallet/summary.queries.ts';
import { WalletCard } from '../../wallet/wallet-card.tsx';
import { useWalletDialogs } from '../../wallet/wallet-dialogs.tsx';
import { say } from '../../words/say.ts';
import { DashboardSharePrice } from './dashboard-share-price.tsx';
import { exitBlockPath } from './exit-block-path.ts';
import { LastActivity } from './last-activity.tsx';
import { WaitingForYou } from './waiting-card.tsx';

const BuySharesDialog = later(() => import('../../market/buy-shares-dialog.tsx'), 'BuySharesDialog');
const SellSharesDialog = later(() => import('../../market/sell-shares-dialog.tsx'), 'SellSharesDialog');
const SavingsDialog = later(() => import('../../savings/savings-dialog.tsx'), 'SavingsDialog');
const StandingOrderDialog = later(() => import('../../savings/standing-order-dialog.tsx'), 'StandingOrderDialog');
const ExitDialog = later(() => import('../../membership/exit-dialog.tsx'), 'ExitDialog');
const RatingDialog = later(() => import('../../membership/rating-dialog.tsx'), 'RatingDialog');

/** /client: how I stand in the chosen sacco, and what I can do about it. */
export function DashboardPage() {
  const sacco = useSacco();
  return sacco ? <Dashboard key={sacco.id} sacco={sacco} /> : null;
}

function Dashboard({ sacco }: { sacco: StoredSacco }) {
  useLiveMoney();
  const { data: summary, error, refetch } = useSummary();
  const { data: detail } = useSaccoDetail(sacco.id);
  const money = useWalletDialogs();
  const standing = summary?.saccos.find(({ id }) => id === sacco.id);
  const own = useOwnDialogs(sacco, detail, standing?.membership, money.topUp);
  return (
    <>
      <Title>{say('Dashboard')}</Title>
      <h1 className="sr-only">{say('Dashboard')}</h1>
      {error && !summary && (
        <div className="mb-4">
          <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
        </div>
      )}
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-[1.9fr_1.2fr_1.25fr] xl:grid-cols-[1.75fr_1.35fr_1.25fr]">
        <div className="col-span-2 grid lg:col-span-1">
          <WalletCard wallet={summary?.wallet} onTopUp={money.topUp} onWithdraw={money.withdraw} />
        </div>
        {summary && standing && <Stakes standing={standing} isActive={detail?.status !== 'inactive'} show={own.show} />}
        {summary && !standing && (
          <div className="col-span-2">
            <NotAMember />
          </div>
        )}
        {!summary && !error && (
          <Skeletons count={2} label={say('Loading...')} className="h-48.5 rounded-card lg:h-full" />
        )}
      </div>
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-[1.42fr_1fr]">
        <div className="flex min-w-0 flex-col gap-4">
          <WaitingForYou
            sacco={sacco.id}
            summary={summary}
            standing={standing}
            minShares={detail?.parameters.min_shares}
            onBuyShares={() => own.show('buy-shares')}
            onTopUp={money.topUp}
            onFollowTopUp={money.followTopUp}
            onConfirmPhone={money.confirmPhone}
            onExit={() => own.show('exit')}
          />
          {!summary && !error && <Skeletons count={1} label={say('Loading...')} className="h-35 rounded-card" />}
          {standing && <DashboardLoan sacco={sacco.id} />}
          {standing && <DashboardGuarantorsOwed sacco={sacco.id} />}
          {standing && <DashboardOwedToGuarantor sacco={sacco.id} />}
          {standing && <DashboardSharePrice sacco={sacco.id} />}
          {standing && <OwnMembership standing={standing} show={own.show} />}
        </div>
        <LastActivity entries={summary?.activity} onReceipt={money.receipt} onTopUp={money.topUp} />
      </div>
      {money.dialogs}
      {own.dialogs}
    </>
  );
}

type Show = (dialog: 'buy-shares' | 'sell-shares' | 'save' | 'standing-order' | 'exit' | 'rate') => void;

function useOwnDialogs(
  sacco: StoredSacco,
  detail: SaccoDetail | undefined,
  membership: Standing['membership'] | undefined,
  onTopUp: () => void,
) {
  const { open, show, close } = useOpenInAddress();
  const dialogs = (
    <Suspense>
      {open === 'buy-shares' && detail && <BuySharesDialog sacco={detail} onTopUp={onTopUp} onClose={close} />}
      {open === 'sell-shares' && detail && <SellSharesDialog sacco={detail} onClose={close} />}
      {open === 'save' && <SavingsDialog sacco={sacco} onTopUp={onTopUp} onClose={close} />}
      {open === 'standing-order' && <StandingOrderDialog sacco={sacco} onClose={close} />}
      {open === 'exit' && <ExitDialog sacco={sacco} pathOf={exitBlockPath} onClose={close} />}
      {open === 'rate' && detail && (
        <RatingDialog sacco={sacco} membership={membership} ratesFrom={detail.rates_from} onClose={close} />
      )}
    </Suspense>
  );
  return { dialogs, show: show as Show };
}

/** Shares and savings beside the wallet: their names, figures and buttons stand on one line each. */
function Stakes({ standing, isActive, show }: { standing: Standing; isActive: boolean; show: Show }) {
  const { data: order } = useStandingOrder();
  const inOrders = sharesInOrders(useOpenOrders(standing.id).data);
  const { data: stats } = useMarketStats(standing.id, '1m');
  const leaving =
    standing.membership === 'leaving' ? say('You have given notice, so you cannot buy or save here.') : null;
  const suspended = useClosed();
  const closed = suspended ?? (isActive ? leaving : say('The sacco is suspended, so nobody can buy or save here.'));
  return (
    <>
      <Stake name={say('Shares')} figure={formatCount(standing.shares)} isLong={false}>
        <div className="text-small text-ink-2">
          <SharesWorth shares={standing.shares} value={standing.value} lastPrice={stats?.last_price ?? null} />
          {standing.shares > 0 && (
            <Link
              to={`${paths.proofs()}/shares/${standing.id}`}
              state={{ from: 'dashboard' }}
              className="link flex min-h-6 items-center"
            >
              {say('Proof of my shares')}
            </Link>
          )}
          {inOrders > 0 && (
            <Link to={paths.clientShareTrading()} className="link flex min-h-6 items-center">
              {say('{n} of them {n, plural, one {is} other {are}} in open orders', { n: formatCount(inOrders) })}
            </Link>
          )}
        </div>
        <div className="mt-auto grid gap-2 *:px-1 @min-[13.5rem]:grid-cols-2">
          <Button look="soft" disabledReason={closed} onClick={() => show('buy-shares')}>
            {say('Buy Shares')}
          </Button>
          <Button
            look="soft"
            disabledReason={suspended ?? (isActive ? null : say('The sacco is suspended: nothing is traded.'))}
            onClick={() => show('sell-shares')}
          >
            {say('Sell Shares')}
          </Button>
        </div>
      </Stake>
      <Stake name={say('Savings')} figure={<Money shillings={standing.savings} />} isLong={standing.savings >= 100_000}>
        {standing.held_savings > 0 && (
          <p className="text-small text-ink-2">
            {say('{amount} on hold for loans', { amount: formatShillings(standing.held_savings) })}
          </p>
        )}
        <button
          type="button"
          className="min-h-6 cursor-pointer self-start text-left text-small font-semibold text-forest underline decoration-1 underline-offset-3 disabled:cursor-not-allowed disabled:text-ink-2 disabled:no-underline"
          disabled={!order && closed !== null}
          onClick={() => show('standing-order')}
        >
          {order ? (
            <>
              <Money shillings={order.amount} /> {say('every month')}
            </>
          ) : (
            say('Save every month')
          )}
        </button>
        <Button
          look="soft"
          className="mt-auto w-full px-2"
          aria-label={say('Deposit to savings')}
          disabledReason={closed}
          onClick={() => show('save')}
        >
          {say('Deposit')}
        </Button>
      </Stake>
    </>
  );
}

/** One figure with what it means and what to do; a long one is set smaller, so that it stays on its line. */
function Stake({
  name,
  figure,
  isLong,
  children,
}: {
  name: string;
  figure: ReactNode;
  isLong: boolean;
  children: ReactNode;
}) {
  return (
    <Card className="@container flex min-h-44 min-w-0 flex-col px-4 pt-5.5 pb-4 sm:px-4.5">
      <h2 className="text-small font-normal tracking-normal text-ink-2">{name}</h2>
      <p
        className={`num mt-1 flex min-h-8 items-center font-bold tracking-tight whitespace-nowrap lg:min-h-12.5 @min-[11rem]:text-title ${isLong ? 'text-small @min-[8rem]:text-body' : 'text-lead'}`}
      >
        {figure}
      </p>
      <div className="mt-1 flex grow flex-col gap-4">{children}</div>
    </Card>
  );
}

/** Where the membership itself is looked after. */
function OwnMembership({ standing, show }: { standing: Standing; show: Show }) {
  return (
    <Card className="flex flex-wrap items-center gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0 grow basis-60">
        <h2 className="text-lead">{standing.name}</h2>
        <p className="mt-1 flex flex-wrap items-center gap-2 text-small text-ink-2">
          <MembershipTag state={standing.membership} />
          <Link to={paths.sacco(standing.id)} className="link">
            {say('Terms, officials and figures')}
          </Link>
        </p>
      </div>
      <div className="grid grid-cols-3 gap-2 max-sm:w-full max-sm:grid-cols-[auto_auto_auto] *:px-3 max-sm:*:px-1.5">
        <LinkButton look="line" to={paths.clientMembers()}>
          <Icon name="people" className="size-4.5 max-sm:hidden" />
          {say('Members')}
        </LinkButton>
        <Button look="line" onClick={() => show('rate')}>
          <Icon name="star" className="size-4.5 max-sm:hidden" />
          {say('Rate')}
        </Button>
        <Button look="line" onClick={() => show('exit')}>
          <Icon name="out" className="size-4.5 max-sm:hidden" />
          {standing.membership === 'leaving' ? say('Your notice') : say('Leave')}
        </Button>
      </div>
    </Card>
  );
}
