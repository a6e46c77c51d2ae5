import type { MarkedPair } from '@ushirika/contract/market';
import { useState } from 'react';
import { wordsFor } from '../api/failure.ts';
import { sharesInWords } from '../shares/shares-in-words.ts';
import { Card, FailureState } from '../ui/card.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { useMarkedPairs } from './market.queries.ts';

/** Pairs, the latest first, until all are asked for. */
const FIRST = 5;

/** For officials: members who sold back to one another within a week, by name. Nobody else sees who they are. */
export function MarkedPairs({ sacco }: { sacco: string }) {
  const pairs = useMarkedPairs(sacco);
  const [isAll, setAll] = useState(false);
  return (
    <Card role="region" aria-label={say('Trades to and fro')} className="px-4.5 py-4">
      <h2 className="text-body">{say('Trades to and fro')}</h2>
      <p className="mt-1 mb-2 text-small text-ink-2">
        {say('Members who sold shares back to one another within a week. These trades do not move the price.')}
      </p>
      {pairs.isPending && <Skeletons count={2} label={say('Loading...')} className="mb-2 h-12" />}
      {pairs.isError && !pairs.data && (
        <FailureState words={wordsFor(pairs.error)} again={say('Try again')} onAgain={() => void pairs.refetch()} />
      )}
      {pairs.data?.length === 0 && <p className="py-2 text-small">{say('None so far.')}</p>}
      {pairs.data && pairs.data.length > 0 && (
        <ul>
          {pairs.data.slice(0, isAll ? undefined : FIRST).map((pair) => (
            <Pair key={pair.id} pair={pair} />
          ))}
        </ul>
      )}
      {pairs.data && pairs.data.length > FIRST && (
        <button
          type="button"
          aria-expanded={isAll}
          className="btn btn-quiet mt-1 w-full text-small"
          onClick={() => setAll(!isAll)}
        >
          {isAll ? say('Show fewer') : say('Show all {n}', { n: formatCount(pairs.data.length) })}
        </button>
      )}
    </Card>
  );
}

function Pair({ pair: { members, trades, shares, value, last_at } }: { pair: MarkedPair }) {
  const count = trades === 1 ? say('1 trade') : say('{n} trades', { n: formatCount(trades) });
  return (
    <li className="border-t border-dashed border-line py-2.5 first:border-t-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="min-w-0 font-semibold">{members.map(({ name }) => name).join(' · ')}</span>
        <Money shillings={value} className="num text-small font-medium" />
      </p>
      <p className="flex flex-wrap justify-between gap-x-3 text-small text-ink-2">
        <span>
          {members.map(({ handle }) => handle).join(' · ')} · {count}, {sharesInWords(shares)}
        </span>
        <LongDate iso={last_at} />
      </p>
    </li>
  );
}
