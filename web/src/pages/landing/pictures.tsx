import { say } from '../../words/say.ts';
import { Picture } from './example.tsx';

/** Guarantor management: a pool that stands behind a loan. */
export function GuaranteePicture() {
  const members = [
    [100, 18, '--ochre-tint', '--ochre-ink'],
    [168, 48, '--indigo-tint', '--indigo'],
    [168, 112, '--clay-tint', '--clay'],
    [100, 142, '--forest-tint', '--forest'],
    [32, 112, '--ochre-tint', '--ochre-ink'],
    [32, 48, '--indigo-tint', '--indigo'],
  ] as const;
  return (
    <Picture label={say('An example of a guarantor pool: six members stand behind one loan')}>
      <div className="flex items-center gap-5 max-xs:flex-col">
        <svg viewBox="0 0 200 160" className="w-48 shrink-0" aria-hidden="true">
          {members.map(([x, y]) => (
            <path
              key={`${x}${y}`}
              d={`M100 80 ${x} ${y}`}
              stroke="var(--line-strong)"
              strokeWidth="2"
              strokeDasharray="4 5"
            />
          ))}
          <circle cx="100" cy="80" r="31" fill="var(--forest)" />
          <path d="M100 62 86 67v11c0 9 6 15 14 17 8-2 14-8 14-17V67z" fill="var(--on-forest)" />
          <path d="m93 79 5 5 9-11" fill="none" stroke="var(--forest)" strokeWidth="3" strokeLinecap="round" />
          {members.map(([x, y, back, front]) => (
            <g key={`${x}${y}`} fill={`var(${front})`}>
              <circle cx={x} cy={y} r="17" fill={`var(${back})`} />
              <circle cx={x} cy={y - 4} r="4.5" />
              <path d={`M${x - 8} ${y + 10}a8 8 0 0 1 16 0Z`} />
            </g>
          ))}
        </svg>
        <div className="w-full min-w-0">
          <p className="text-small text-ink-2">{say('Pool capacity in use')}</p>
          <p className="text-title font-bold">62%</p>
          <svg viewBox="0 0 200 8" className="my-2 w-full" aria-hidden="true">
            <rect width="200" height="8" rx="4" fill="var(--sunken)" />
            <rect width="124" height="8" rx="4" fill="var(--forest)" />
          </svg>
          <p className="text-small text-ink-2">{say('Least position')}</p>
          <p className="font-semibold whitespace-nowrap">Ksh.&nbsp;2,000.00</p>
        </div>
      </div>
    </Picture>
  );
}

/** Loan tracking: instalments, paid and to come. */
export function LoanPicture() {
  const paid = 7;
  return (
    <Picture label={say('An example of a loan: seven of twelve instalments are paid')}>
      <div className="flex items-start justify-between gap-3">
        <div>
          <p className="text-small text-ink-2">{say('Still to pay')}</p>
          <p className="text-title font-bold whitespace-nowrap">Ksh.&nbsp;43,107.15</p>
        </div>
        <span className="tag">{say('On time')}</span>
      </div>
      <svg viewBox="0 0 384 96" className="mt-4 w-full" aria-hidden="true">
        <path d="M0 92h384" stroke="var(--line)" strokeDasharray="4 5" />
        {Array.from({ length: 12 }, (_, month) => {
          const height = 78 - month * 5.6;
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: twelve months
              key={month}
              x={month * 32 + 4}
              y={92 - height}
              width="22"
              height={height}
              rx="5"
              fill={month < paid ? 'var(--forest)' : month === paid ? 'var(--ochre)' : 'var(--line)'}
            />
          );
        })}
      </svg>
      <p className="mt-2 flex justify-between gap-3 text-small">
        <span className="text-ink-2">{say('Next instalment')}</span>
        <b className="whitespace-nowrap">Ksh.&nbsp;8,884.88</b>
      </p>
    </Picture>
  );
}

/** Share trading: what is asked and bid, price by price. */
export function TradingPicture() {
  const prices = [
    ['106.00', 240, 1],
    ['105.00', 118, 1],
    ['104.00', 46, 1],
    ['103.00', 96, 0],
    ['102.00', 190, 0],
  ] as const;
  return (
    <Picture label={say('An example of an order book: shares asked and bid at five prices')}>
      <p className="mb-1 flex justify-between text-small text-ink-2">
        <span>{say('Price')}</span>
        <span>{say('Shares')}</span>
      </p>
      {prices.map(([price, shares, ask]) => (
        <div key={price} className="grid grid-cols-[5rem_1fr] items-center gap-2 py-1">
          <b className={ask ? 'text-down' : 'text-up'}>{price}</b>
          <div className="relative">
            <svg viewBox="0 0 260 26" preserveAspectRatio="none" className="h-7 w-full" aria-hidden="true">
              <path d={`M260 0H${260 - shares}v26h${shares}Z`} fill={ask ? 'var(--clay-tint)' : 'var(--forest-tint)'} />
            </svg>
            <span className="absolute inset-y-0 right-2.5 grid place-items-center">{shares}</span>
          </div>
        </div>
      ))}
      <p className="mt-2 border-t border-dashed border-line pt-2.5 text-small text-ink-2">
        {say('Last price')} <b className="text-ink">104.00</b>
      </p>
    </Picture>
  );
}

/** Voting: a result with its threshold. */
export function VotePicture() {
  const bars = [
    [say('Yes'), 68, 'var(--forest)'],
    [say('No'), 24, 'var(--clay)'],
    [say('Abstain'), 8, 'var(--line-strong)'],
  ] as const;
  return (
    <Picture label={say('An example of a vote: 68 in a hundred said yes, and it passed')}>
      <div className="flex items-start justify-between gap-3">
        <p className="font-semibold">{say('Raise the minimum shares from 10 to 20')}</p>
        <span className="tag">{say('Passed')}</span>
      </div>
      <div className="mt-3 grid gap-2.5">
        {bars.map(([words, part, colour]) => (
          <div key={words} className="grid grid-cols-[4.5rem_1fr_2.75rem] items-center gap-2">
            <span className="text-small">{words}</span>
            <svg viewBox="0 0 200 14" className="w-full" aria-hidden="true" preserveAspectRatio="none">
              <rect width="200" height="14" rx="5" fill="var(--sunken)" />
              <rect width={part * 2} height="14" rx="5" fill={colour} />
              <path d="M133 0v14" stroke="var(--ink)" strokeWidth="2" strokeDasharray="3 2" />
            </svg>
            <b className="text-right text-small">{part}%</b>
          </div>
        ))}
      </div>
      <p className="mt-3 border-t border-dashed border-line pt-2.5 text-small text-ink-2">
        {say('The dashed line is the two thirds that this change needs.')}
      </p>
    </Picture>
  );
}
