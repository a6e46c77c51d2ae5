import type { publicFigures } from '@ushirika/contract/public';
import type { ReplyOf } from '@ushirika/contract/route';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { now } from '../../clock.ts';
import { formatCount } from '../../ui/figures.tsx';
import { longDateTime } from '../../words/dates.ts';
import { currentLanguage, say } from '../../words/say.ts';

type Figures = ReplyOf<typeof publicFigures>;

/** The platform's figures: undefined while they are on their way, null when they could not be had. */
function usePublicFigures(): Figures | null | undefined {
  const [figures, setFigures] = useState<Figures | null>();
  useEffect(() => {
    const leaving = new AbortController();
    call<typeof publicFigures>('GET', '/public/figures', { signal: leaving.signal })
      .then(setFigures)
      .catch(() => leaving.signal.aborted || setFigures(null));
    return () => leaving.abort();
  }, []);
  return figures;
}

type Cells = readonly (readonly [value: React.ReactNode, name: string])[];

/** Four figures in a row, counted from the books at this moment. */
export function FiguresBand() {
  const figures = usePublicFigures();
  return (
    <Band
      isLoading={figures === undefined}
      cells={[
        [figures && formatCount(figures.saccos), say('saccos')],
        [figures && formatCount(figures.members), say('members, truly counted')],
        [figures && shortShillings(figures.shillings_in_books), say('in the books')],
        [figures && <Ago iso={figures.last_entry_at} />, say('last entry')],
      ]}
    />
  );
}

/** What members have traded among themselves, in the same place. */
export function MarketBand() {
  const figures = usePublicFigures();
  const market = figures?.market;
  return (
    <Band
      isLoading={figures === undefined}
      cells={[
        [market && formatCount(market.shares_traded), say('shares traded between members')],
        [market && shortShillings(market.turnover), say('paid for them')],
        [market && formatCount(market.trades), say('trades settled')],
        [market && formatCount(market.markets_open), say('markets open')],
      ]}
    />
  );
}

function Band({ cells, isLoading }: { cells: Cells; isLoading: boolean }) {
  return (
    <dl className="num grid grid-cols-2 gap-px border-y border-line bg-line md:grid-cols-4">
      {cells.map(([value, name]) => (
        <div key={name} className="flex flex-col-reverse justify-end bg-paper px-[clamp(16px,3vw,40px)] py-5.5">
          <dt className="text-ink-2">{name}</dt>
          <dd className="min-h-[2.6rem] text-[clamp(1.0625rem,4.75vw,1.75rem)] font-semibold tracking-tight whitespace-nowrap">
            {isLoading ? <span className="skeleton block h-8 w-24" /> : (value ?? '–')}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Whole shillings in a few characters, `Ksh. 1.9M`; below a million in full. */
function shortShillings(shillings: number): string {
  const style =
    shillings < 1_000_000 ? { maximumFractionDigits: 0 } : { notation: 'compact' as const, maximumFractionDigits: 1 };
  return `Ksh.\u00a0${new Intl.NumberFormat('en-KE', style).format(shillings)}`;
}

/** How long ago, with the date on hover and for a tap. */
function Ago({ iso }: { iso: string | null }) {
  const [isExact, setExact] = useState(false);
  if (!iso) return '–';
  const minutes = Math.round((Date.parse(iso) - now()) / 60_000);
  const [amount, unit] =
    minutes > -60
      ? ([minutes, 'minute'] as const)
      : minutes > -1440
        ? ([Math.round(minutes / 60), 'hour'] as const)
        : ([Math.round(minutes / 1440), 'day'] as const);
  const exact = longDateTime(iso);
  const words = new Intl.RelativeTimeFormat(currentLanguage(), { style: 'short' }).format(Math.min(0, amount), unit);
  return (
    <button
      type="button"
      className="cursor-help text-left leading-tight"
      title={exact}
      onClick={() => setExact(!isExact)}
    >
      <time dateTime={iso} className={`whitespace-normal ${isExact ? 'text-small' : ''}`}>
        {isExact ? exact : words}
      </time>
    </button>
  );
}
