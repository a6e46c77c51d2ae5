import type { TrustScore } from '@ushirika/contract/pools';
import { wordsFor } from '../api/failure.ts';
import { Card, FailureState } from '../ui/card.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { trustPartWords } from './pool-words.ts';
import { useTrustScore } from './pools.queries.ts';

/** The trust score with its parts, and what would raise it. */
export function TrustCard() {
  const { data: trust, error, refetch } = useTrustScore();
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Trust score')}</h2>
      {trust && <Trust trust={trust} />}
      {!trust && error && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {!trust && !error && <Skeletons count={3} label={say('Loading...')} className="mt-3 h-12" />}
    </Card>
  );
}

function Trust({ trust }: { trust: TrustScore }) {
  return (
    <>
      <p className="num mt-1 flex items-baseline gap-2">
        <span className="text-[2.5rem] leading-tight font-extrabold tracking-tight">{trust.score}</span>
        <span className="text-ink-2">{say('of 100')}</span>
      </p>
      <p className="text-small text-ink-2">
        {say('The higher it is, the less a guarantee costs. It is made of these parts and of nothing else.')}
      </p>
      {trust.caps.map((text) => (
        <p key={text} className="mt-2 rounded-box bg-clay-tint px-4 py-2.5 text-small font-medium text-clay">
          {text}
        </p>
      ))}
      <TrustParts parts={trust.parts} />
      {trust.raises.length > 0 && (
        <>
          <h3 className="mt-4 mb-1 text-body font-semibold">{say('What would raise it')}</h3>
          <ul>
            {trust.raises.map(({ part, points, text }) => (
              <li key={`${part}${text}`} className="rule flex items-baseline justify-between gap-4 py-2">
                <span className="text-small">{text}</span>
                <span className="tag num shrink-0">+ {points.toFixed(2)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** Each part as a bar of the most that it can give. A part without a most takes points away. What it was reckoned from is said to its owner. */
export function TrustParts({ parts, isOwn = true }: { parts: TrustScore['parts']; isOwn?: boolean }) {
  return (
    <ul className="mt-3 grid gap-3">
      {parts.map(({ part, points, most, text }) => (
        <li key={part}>
          <p className="num flex items-baseline justify-between gap-3">
            <span className="font-semibold">{trustPartWords(part)}</span>
            <span className={points < 0 ? 'font-semibold text-clay' : ''}>
              {most > 0
                ? say('{points} of {most}', { points: points.toFixed(2), most })
                : points === 0
                  ? points.toFixed(2)
                  : `− ${Math.abs(points).toFixed(2)}`}
            </span>
          </p>
          {most > 0 && (
            <progress className="bar mt-1" value={Math.max(0, points)} max={most} aria-label={trustPartWords(part)} />
          )}
          {isOwn && <p className="mt-1 text-small text-ink-2">{text}</p>}
        </li>
      ))}
    </ul>
  );
}
