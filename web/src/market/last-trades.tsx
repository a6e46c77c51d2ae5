import { useState } from 'react';
import { wordsFor } from '../api/failure.ts';
import { Card, FailureState } from '../ui/card.tsx';
import { formatCount } from '../ui/figures.tsx';
import { FoldedPart } from '../ui/fold.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { useTrades } from './market.queries.ts';
import { formatPrice, shortTime } from './market-words.ts';

/** Trades on a phone, where the list does not scroll by itself, until more are asked for. */
const FIRST = 8;

/** In the colour of who came; in grey where the trade moves no figure. */
function TradePrice({ trade: { price, taker, counts } }: { trade: { price: number; taker: string; counts: boolean } }) {
  if (!counts) {
    return (
      <span className="text-ink-2">
        {formatPrice(price)}
        <span className="sr-only"> ({say('does not count for the last price')})</span>
      </span>
    );
  }
  return <span className={`font-semibold ${taker === 'buy' ? 'text-up' : 'text-down'}`}>{formatPrice(price)}</span>;
}

/** The market's latest trades; one's own open their contract notes. */
export function LastTrades({ sacco, onNote }: { sacco: string; onNote: (trade: string) => void }) {
  const trades = useTrades(sacco);
  const [isAll, setAll] = useState(false);
  return (
    <Card role="region" aria-label={say('Last trades')} className="flex min-w-0 flex-col px-4.5 py-4">
      <h2 className="mb-1 flex min-h-8 items-center text-body">{say('Last trades')}</h2>
      {trades.isPending && <Skeletons count={6} label={say('Loading...')} className="mb-2 h-7" />}
      {trades.isError && !trades.rows && (
        <FailureState words={wordsFor(trades.error)} again={say('Try again')} onAgain={() => void trades.refetch()} />
      )}
      {trades.rows?.length === 0 && (
        <div className="grid grow place-content-center gap-1.5 py-10 text-center">
          <p className="font-semibold">{say('No trades yet')}</p>
          <p className="mx-auto max-w-[34ch] text-small text-ink-2">
            {say('Place an order that matches one in the book.')}
          </p>
        </div>
      )}
      {trades.rows && trades.rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area is reached by keyboard
        <div className="grow md:-mr-2 md:max-h-120 md:min-h-60 md:overflow-y-auto md:pr-2 xl:basis-0" tabIndex={0}>
          <table className="num w-full text-small">
            <caption className="sr-only">{say('Last trades')}</caption>
            <thead className="sticky top-0 z-10 bg-surface">
              <tr className="text-ink-2 *:py-1.5 *:font-medium">
                <th scope="col" className="text-left">
                  {say('Price')}
                </th>
                <th scope="col" className="text-right">
                  {say('Shares')}
                </th>
                <th scope="col" className="w-18 text-right">
                  {say('When')}
                </th>
              </tr>
            </thead>
            <tbody>
              {trades.rows.map((trade, index) => (
                <tr
                  key={trade.id}
                  className={`${trade.mine ? 'bg-indigo-tint/60' : ''} ${isAll || index < FIRST ? '' : 'max-md:hidden'}`}
                >
                  <td className="h-8 py-0.5 pr-2 whitespace-nowrap max-md:h-9">
                    <TradePrice trade={trade} />
                    {trade.mine && (
                      <button
                        type="button"
                        className="ml-2 min-h-6 cursor-pointer rounded-full bg-indigo-tint px-2 text-tiny font-semibold text-indigo underline decoration-1 underline-offset-2"
                        onClick={() => onNote(trade.id)}
                      >
                        {trade.mine === 'bought' ? say('You bought') : say('You sold')}
                        <span className="sr-only">: {say('contract note')}</span>
                      </button>
                    )}
                  </td>
                  <td className="text-right font-medium">{formatCount(trade.shares)}</td>
                  <td className="text-right whitespace-nowrap text-ink-2">
                    <time dateTime={trade.at} title={longDateTime(trade.at)}>
                      {shortTime(trade.at)}
                    </time>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {!isAll && trades.rows.length > FIRST && (
            <button type="button" className="btn btn-quiet w-full text-small md:hidden" onClick={() => setAll(true)}>
              {say('Older trades')}
            </button>
          )}
          {trades.hasNextPage && (
            <button
              type="button"
              className={`btn btn-quiet w-full text-small ${isAll ? '' : 'max-md:hidden'}`}
              onClick={() => void trades.fetchNextPage()}
            >
              {trades.isFetchingNextPage ? say('Loading...') : say('Older trades')}
            </button>
          )}
        </div>
      )}
      {trades.rows && trades.rows.length > 0 && (
        <FoldedPart title={<span className="text-small">{say('How this works')}</span>}>
          <p className="text-small text-ink-2">
            {say('The price is the middle of what the latest five pairs of members paid: no pair makes it alone.')}{' '}
            {trades.rows.some(({ counts }) => !counts) &&
              say('Prices in grey do not count for the last price: small trades, or members who trade to and fro.')}
          </p>
        </FoldedPart>
      )}
    </Card>
  );
}
