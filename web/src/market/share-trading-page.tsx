import { centsOf } from '@ushirika/contract/format';
import type { ClientProfile } from '@ushirika/contract/identity';
import type { Order, StatsRange } from '@ushirika/contract/market';
import type { SaccoChange } from '@ushirika/contract/sacco-changes';
import type { SaccoDetail } from '@ushirika/contract/saccos';
import { type ComponentProps, type ReactNode, Suspense, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { useClosed } from '../identity/use-closed.ts';
import { later } from '../layouts/later.tsx';
import { Title } from '../layouts/title.tsx';
import { openOf, useSaccoChanges } from '../saccos/changes.queries.ts';
import { NotAMember } from '../saccos/office-only.tsx';
import { useSaccoDetail } from '../saccos/saccos.queries.ts';
import { type StoredSacco, useSacco } from '../session/session.ts';
import { shareCount } from '../shares/shares-amount.ts';
import { Card, FailureState } from '../ui/card.tsx';
import { LongDate } from '../ui/figures.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { useLiveMoney } from '../wallet/live.ts';
import { useOpenInAddress } from '../wallet/open-in-address.ts';
import { type Standing, useSummary } from '../wallet/summary.queries.ts';
import { useWalletDialogs } from '../wallet/wallet-dialogs.tsx';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { useMarketStats, useOrderBook } from './market.queries.ts';
import type { Book } from './market-book.ts';
import { MarketHead } from './market-head.tsx';
import { useMarketLive } from './market-live.ts';
import { MyOrders } from './my-orders.tsx';
import { closesUnder, effectInWords, rulesProposed } from './new-rules.ts';
import { OrderBookCard } from './order-book-card.tsx';
import type { PlacedOrder } from './order-receipt.tsx';
import { type Draft, OrderTicket } from './order-ticket.tsx';
import { PriceCard } from './price-card.tsx';
import { PrimaryCard } from './primary-card.tsx';
import { SpokenPrice } from './spoken-price.tsx';
import { priceText, roomOf, type Trader } from './ticket.rules.ts';

const LastTrades = later(() => import('./last-trades.tsx'), 'LastTrades');
const BuySharesDialog = later(() => import('./buy-shares-dialog.tsx'), 'BuySharesDialog');
const ContractNoteDialog = later(() => import('./contract-note-dialog.tsx'), 'ContractNoteDialog');
const OrderPlacedDialog = later(() => import('./order-placed-dialog.tsx'), 'OrderPlacedDialog');
const ChangeOrderDialog = later(() => import('./change-order-dialog.tsx'), 'ChangeOrderDialog');
const CancelOrderDialog = later(() => import('./change-order-dialog.tsx'), 'CancelOrderDialog');
// Parts that few need: the words of every kind of change are behind them.
const ChangeCard = later(() => import('../saccos/change-card.tsx'), 'ChangeCard');
const ComingRules = later(() => import('./coming-rules.tsx'), 'ComingRules');
const MarketClosed = later(() => import('./market-rules.tsx'), 'MarketClosed');
const MarkedPairs = later(() => import('./marked-pairs.tsx'), 'MarkedPairs');
const MarketRules = later(() => import('./market-rules.tsx'), 'MarketRules');
const PriceAlerts = later(() => import('./price-alerts.tsx'), 'PriceAlerts');

/** /client/share-trading: the market of the chosen sacco's shares. */
export function ShareTradingPage() {
  const sacco = useSacco();
  return sacco ? <Market key={sacco.id} sacco={sacco} /> : null;
}

function Market({ sacco }: { sacco: StoredSacco }) {
  useLiveMoney();
  const book = useOrderBook(sacco.id);
  const line = useMarketLive(sacco.id, book.data !== undefined);
  const { data: today } = useMarketStats(sacco.id, '1d');
  const { data: summary } = useSummary();
  const { data: detail } = useSaccoDetail(sacco.id);
  const { data: profile } = useProfile();
  const changes = useSaccoChanges(sacco.id).data?.results;
  const coming = openOf(changes, 'market_terms');
  const isClosed = book.data?.terms.trading === 'closed';
  const standing = summary?.saccos.find(({ id }) => id === sacco.id);
  const heldUntil = profile?.payout_held_until ?? null;
  const suspended = useClosed();
  const found = detail && summary ? traderOf(standing, detail, summary.wallet.available, heldUntil, isClosed) : null;
  const trader = found && { ...found, closed: suspended ?? found.closed };
  const { draft, change, range, setRange } = useChoices(trader?.isLeaving ?? false);
  const money = useWalletDialogs();
  const own = useMarketDialogs(sacco, book.data, detail, trader?.closed ?? null, profile, money.topUp);
  const ticket = useRef<HTMLDivElement>(null);
  const [noted, setNoted] = useState('');
  const setPrice = (shillings: number) => {
    const price = priceText(centsOf(shillings));
    change({ price });
    setNoted(say('{price} is in the ticket now', { price }));
    showIfAway(ticket.current);
  };
  // Whom it waits for finds it at the top of the page: notices lead here.
  const isAsked = coming?.may.includes('confirm') ?? false;
  const changeCard = own.mayRule && coming && (
    <LaterCard change={coming} sacco={sacco.id} effect={effectOf(coming, book.data)} />
  );
  if (isRefused(book)) return <WithoutTrading sacco={sacco.id} change={changeCard} withPairs={own.maySeePairs} />;
  return (
    <>
      <Title>{say('Share Trading')}</Title>
      <MarketHead book={book.data} today={today} />
      <SpokenPrice book={book.data} />
      <p aria-live="polite" className="sr-only">
        {noted}
      </p>
      {!book.data && book.error && (
        <div className="mt-4">
          <FailureState words={wordsFor(book.error)} again={say('Try again')} onAgain={() => void book.refetch()} />
        </div>
      )}
      <Notices {...{ changes, heldUntil, isClosed }} />
      {isAsked && <div className="mt-4 max-w-2xl">{changeCard}</div>}
      <div className="mt-4 grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_20rem] md:grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,1fr)_21.25rem]">
        <div className="min-w-0 scroll-mt-4 md:col-start-2 md:row-start-1" ref={ticket}>
          {book.data && trader ? (
            <Card role="region" aria-label={say('Order ticket')} className="overflow-hidden">
              <div className="px-4.5 pt-4.5 pb-3">
                <OrderTicket
                  sacco={sacco.id}
                  book={book.data}
                  trader={trader}
                  draft={draft}
                  change={change}
                  onPlaced={own.showPlaced}
                  onTopUp={money.topUp}
                />
              </div>
              {draft.side === 'buy' && (
                <PrimaryCard
                  book={book.data}
                  shares={shareCount(draft.shares)}
                  closed={suspended ?? primaryClosed(trader, suspendedWords(detail))}
                  waits={detail?.sales_wait ?? null}
                  onBuy={() => own.show('buy-shares')}
                />
              )}
            </Card>
          ) : (
            !book.error && <Skeletons count={1} label={say('Loading...')} className="h-173 rounded-card" />
          )}
        </div>
        <div className="grid min-w-0 gap-4 md:col-start-1 md:row-span-2 md:row-start-1">
          <PriceCard sacco={sacco.id} range={range} onRange={setRange} />
          <div className="grid min-w-0 gap-4 xl:grid-cols-2">
            {book.data ? (
              <OrderBookCard book={book.data} line={line} asOf={book.dataUpdatedAt} onPrice={setPrice} />
            ) : (
              !book.error && <Skeletons count={1} label={say('Loading...')} className="h-96 rounded-card" />
            )}
            <Suspense fallback={<Skeletons count={1} label={say('Loading...')} className="h-48 rounded-card" />}>
              <LastTrades sacco={sacco.id} onNote={own.showNote} />
            </Suspense>
          </div>
        </div>
        <div className="min-w-0 md:col-span-2 md:row-start-3">
          {book.data && (
            <MyOrders
              sacco={sacco.id}
              open={book.data.mine}
              closed={trader?.closed ?? null}
              closesAt={(order) => closesAt(order, coming, book.data, trader?.isLeaving ?? false)}
              onCancel={own.cancel}
              onChange={own.change}
            />
          )}
        </div>
        <div className="grid min-w-0 gap-4 md:col-start-2 md:row-start-2">
          <Suspense>
            <PriceAlerts sacco={sacco.id} closed={suspendedWords(detail)} />
            {!isAsked && changeCard}
            {own.mayRule && book.data && (
              <MarketRules sacco={sacco.id} terms={book.data.terms} waits={coming !== undefined} changes={changes} />
            )}
          </Suspense>
        </div>
        {own.maySeePairs && <PairsBelow sacco={sacco.id} />}
      </div>
      {money.dialogs}
      {own.dialogs}
    </>
  );
}

const LaterCard = (props: ComponentProps<typeof ChangeCard>) => (
  <Suspense>
    <ChangeCard {...props} />
  </Suspense>
);

const PairsBelow = (props: ComponentProps<typeof MarkedPairs>) => (
  <div className="min-w-0 md:col-span-2">
    <Suspense>
      <MarkedPairs {...props} />
    </Suspense>
  </div>
);

/** Notices that a member has to know before trading. */
function Notices({
  changes,
  heldUntil,
  isClosed,
}: {
  changes: readonly SaccoChange[] | undefined;
  heldUntil: string | null;
  isClosed: boolean;
}) {
  const coming = openOf(changes, 'market_terms');
  return (
    <>
      {heldUntil && <Held until={heldUntil} />}
      <Suspense>
        {isClosed && <MarketClosed changes={changes} />}
        {coming && <ComingRules change={coming} />}
      </Suspense>
    </>
  );
}

function effectOf({ after }: SaccoChange, book: Book | undefined): string | undefined {
  return book && effectInWords(book, rulesProposed(after, book.terms));
}

/** When new rules that are certain close an order, or null. */
function closesAt(order: Order, coming: SaccoChange | undefined, { terms }: Book, isLeaving: boolean): string | null {
  if (coming?.state !== 'confirmed' || !coming.effective_at) return null;
  const when = { terms, from: coming.effective_at, isLeaving };
  return closesUnder(order, rulesProposed(coming.after, terms), when) ? longDateTime(coming.effective_at) : null;
}

/** On a phone the ticket is far above the ladder that has just set its price. */
function showIfAway(ticket: HTMLElement | null): void {
  const box = ticket?.getBoundingClientRect();
  if (box && box.bottom < 120) ticket?.scrollIntoView({ block: 'start', behavior: 'smooth' });
}

/** After a reset of the password or a change of phone; buying from the sacco itself and cancelling go on. */
function Held({ until }: { until: string }) {
  return (
    <Card className="mt-4 border-clay bg-clay-tint p-4">
      <p role="status">
        {say('For your safety no shares are traded with other members after a change of password or phone until')}{' '}
        <LongDate iso={until} time />. {say('You can still cancel your orders.')}
      </p>
    </Card>
  );
}

const isRefused = ({ data, error }: ReturnType<typeof useOrderBook>) =>
  !data && error instanceof CallFailure && error.status === 403;

/** The page for a person who is no member, without trading: an official finds the changes that they decide. */
function WithoutTrading({ sacco, change, withPairs }: { sacco: string; change: ReactNode; withPairs: boolean }) {
  return (
    <>
      <Title>{say('Share Trading')}</Title>
      <h1 className="mb-4 text-head">{say('Share Trading')}</h1>
      <div className="flex max-w-2xl flex-col gap-4">
        {change}
        <NotAMember />
        {withPairs && <PairsBelow sacco={sacco} />}
      </div>
    </>
  );
}

function traderOf(
  standing: Standing | undefined,
  detail: SaccoDetail,
  available: number,
  heldUntil: string | null,
  isClosed: boolean,
): Trader {
  const { parameters, figures } = detail;
  const limit = { percentage: parameters.holding_limit_percentage, since: figures.holding_limit_since };
  return {
    availableCents: centsOf(available),
    isLeaving: standing?.membership === 'leaving',
    isProvisional: standing?.membership === 'provisional',
    minShares: parameters.min_shares,
    room: roomOf(standing?.shares ?? 0, figures.shares_issued, limit),
    closed:
      suspendedWords(detail) ??
      (isClosed ? say('The share market is closed.') : heldUntil ? say('Trading is held for your safety.') : null),
  };
}

function suspendedWords(detail: SaccoDetail | undefined): string | null {
  return detail?.status === 'inactive' ? say('The sacco is suspended: nothing is traded now.') : null;
}

function primaryClosed({ isLeaving }: Trader, suspended: string | null): string | null {
  return suspended ?? (isLeaving ? say('You have given notice, so you cannot buy or save here.') : null);
}

const SIDES = ['buy', 'sell'] as const;
const RANGES: readonly StatsRange[] = ['1d', '1w', '1m', '1y', 'all'];

/**
 * The side and the time that are shown stand in the address, the typed numbers do not. The choice itself is held here: the
 * address follows in a transition, and a switch must not wait for it.
 */
function useChoices(isLeaving: boolean) {
  const [search, setSearch] = useSearchParams();
  const [side, setSide] = useState(() => SIDES.find((one) => one === search.get('side')) ?? null);
  const [typed, setTyped] = useState<Omit<Draft, 'side'>>({ shares: '', price: null });
  // A member who has given notice may only sell.
  const draft: Draft = { ...typed, side: side ?? (isLeaving ? 'sell' : 'buy') };
  const [range, setRange] = useState(() => RANGES.find((one) => one === search.get('range')) ?? '1w');
  const put = (name: string, value: string | null) => {
    const next = new URLSearchParams(search);
    if (value === null) next.delete(name);
    else next.set(name, value);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  const change = ({ side: chosen, ...next }: Partial<Draft>) => {
    if (chosen) setSide(chosen);
    if (chosen && chosen !== draft.side) put('side', chosen);
    setTyped((old) => ({ ...old, ...next }));
  };
  const choose = (next: StatsRange) => {
    put('range', next === '1w' ? null : next);
    setRange(next);
  };
  return { draft, change, range, setRange: choose };
}

const RULERS: ReadonlySet<string> = new Set(['chair', 'secretary', 'treasurer']);
/** Offices that see which members trade to and fro. */
const READERS: ReadonlySet<string> = new Set([...RULERS, 'supervisory_committee']);

/** The dialogs of the market; the address says which is open, except for a dialog about an act that has just been. */
function useMarketDialogs(
  sacco: StoredSacco,
  book: Book | undefined,
  detail: SaccoDetail | undefined,
  closed: string | null,
  profile: ClientProfile | undefined,
  onTopUp: () => void,
) {
  const { open, value, show, close } = useOpenInAddress();
  const [placed, setPlaced] = useState<PlacedOrder | null>(null);
  const trade = value('trade');
  const order = book?.mine.find(({ id }) => id === value('order'));
  const mayRule = profile?.roles.some((role) => role.sacco === sacco.id && role.office && RULERS.has(role.office));
  const maySeePairs = profile?.roles.some(({ sacco: of, office }) => of === sacco.id && office && READERS.has(office));
  const unproven = profile?.second_factor.required && profile.second_factor.state === 'off';
  const dialogs = (
    <Suspense>
      {open === 'buy-shares' && detail && <BuySharesDialog sacco={detail} onTopUp={onTopUp} onClose={close} />}
      {open === 'contract-note' && trade && <ContractNoteDialog tradeId={trade} onClose={close} />}
      {open === 'change-order' && order && book && (
        <ChangeOrderDialog order={order} book={book} closed={closed} onClose={close} />
      )}
      {open === 'cancel-order' && order && <CancelOrderDialog order={order} onClose={close} />}
      {placed && <OrderPlacedDialog placed={placed} saccoName={sacco.name} onClose={() => setPlaced(null)} />}
    </Suspense>
  );
  return {
    dialogs,
    mayRule: mayRule ?? false,
    maySeePairs: maySeePairs === true && !unproven,
    show: (name: 'buy-shares') => show(name),
    showNote: (id: string) => show('contract-note', { trade: id }),
    showPlaced: (answer: PlacedOrder) => setPlaced(answer),
    change: ({ id }: Order) => show('change-order', { order: id }),
    cancel: ({ id }: Order) => show('cancel-order', { order: id }),
  };
}
