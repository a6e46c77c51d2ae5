import type { MarketStats } from '@ushirika/contract/market';
import { wordsFor } from '../api/failure.ts';
import { sharesInWords } from '../shares/shares-in-words.ts';
import { Card, Facts, FailureState } from '../ui/card.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { FeeBounds } from './fee-name.tsx';
import { useMarketStats } from './market.queries.ts';
import { SharePrice } from './share-price.tsx';
import { timeToSell } from './time-to-sell.ts';

/** What anyone may know of the market in a sacco's shares: it names nobody. */
export function MarketFigures({ sacco }: { sacco: string }) {
  const { data: stats, error, refetch } = useMarketStats(sacco, '1m');
  return (
    <Card className="p-5">
      <h2 className="mb-2 text-lead">{say('Share market')}</h2>
      {stats?.terms.trading === 'closed' && (
        <p className="mb-4 rounded-box bg-clay-tint px-4 py-3 text-small">
          <b>{say('The share market is closed.')}</b>{' '}
          {say('Members buy and sell no shares of one another. The sacco itself sells shares.')}
        </p>
      )}
      {stats && (
        <div className="grid items-start gap-x-10 gap-y-4 lg:grid-cols-[1fr_1.15fr]">
          <div>
            <SharePrice stats={stats} />
          </div>
          <InFigures stats={stats} />
        </div>
      )}
      {!stats && error && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {!stats && !error && <Skeletons count={1} label={say('Loading...')} className="h-60 rounded-box" />}
    </Card>
  );
}

function InFigures({ stats }: { stats: MarketStats }) {
  const price = (shillings: number | null, none: string) =>
    shillings === null ? <span className="font-normal text-ink-2">{none}</span> : <Money shillings={shillings} />;
  return (
    <div className="grid gap-x-8 sm:grid-cols-2">
      <Facts
        facts={[
          [say('Best bid'), price(stats.best_bid, say('nobody bids'))],
          [say('Best ask'), price(stats.best_ask, say('nobody sells'))],
          [say('Shares wanted'), formatCount(stats.bid_depth)],
          [say('Shares offered'), formatCount(stats.ask_depth)],
        ]}
      />
      <Facts
        facts={[
          [say('Traded in 24 hours'), sharesInWords(stats.volume_24h)],
          [say('Traded in 30 days'), sharesInWords(stats.volume_30d)],
          [
            say('Time to sell'),
            timeToSell(stats.days_to_sell, stats.terms.trading) ?? (
              <span className="font-normal text-ink-2">{say('none sold yet')}</span>
            ),
          ],
          [
            <span key="fee">
              {say('Transfer fee')}
              <FeeBounds terms={stats.terms} />
            </span>,
            `${stats.terms.fee_percentage}%`,
          ],
        ]}
      />
    </div>
  );
}
