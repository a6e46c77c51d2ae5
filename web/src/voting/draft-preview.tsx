import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { amountToSend } from '@ushirika/contract/typed';
import { kindOfVote } from '@ushirika/contract/vote-kinds';
import type { VoteRules } from '@ushirika/contract/voting-rules';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useOrderBook } from '../market/market.queries.ts';
import { usePoolDetails } from '../pools/pools.queries.ts';
import { meaningOf } from '../saccos/change-words.ts';
import { useSaccoDetail } from '../saccos/saccos.queries.ts';
import { useSummary } from '../wallet/summary.queries.ts';
import { say } from '../words/say.ts';
import { loanExample } from './loan-example.ts';
import { typedRate } from './loan-product-fields.tsx';
import { meansFor } from './means-for-me.tsx';
import { limitsNow, termsNow } from './pool-forms.tsx';
import { poolLimitsMean, poolTermsMean } from './pool-means.ts';
import type { TermsKind } from './terms-forms.tsx';
import { useAllProducts } from './voting.queries.ts';
import { ruleSentencesOfDraft } from './voting-words.ts';

/** Before a draft is sent: what its vote needs, and what the typed terms would come to. */
export function DraftRules({ rules, kind }: { rules: VoteRules; kind: 'change' | 'election' | 'resolution' }) {
  return (
    <div className="rounded-box bg-sunken px-4 py-3 text-small">
      <p className="font-semibold">{say('What this vote needs')}</p>
      <ul className="num mt-1.5 grid list-disc gap-1.5 pl-4.5 text-ink-2">
        {ruleSentencesOfDraft(rules, kind).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}

interface Previewed {
  readonly sacco: string;
  readonly product: string | null;
  readonly isOfficial: boolean;
}

/** The effect of what is typed, in shillings; of kinds that have none nothing is shown. */
export function DraftEffect({ kind, ...drafting }: Previewed & { kind: TermsKind }) {
  const box = useRef<HTMLDivElement>(null);
  const typed = useTyped(box);
  return (
    <div ref={box} className="empty:hidden">
      {kind === 'sacco_terms' && <SaccoTermsEffect {...drafting} typed={typed} />}
      {kind === 'loan_product' && <LoanEffect {...drafting} typed={typed} />}
      {kind === 'market_terms' && <MarketEffect {...drafting} typed={typed} />}
      {(kind === 'pool_terms' || kind === 'pool_limits') && <PoolEffect kind={kind} typed={typed} />}
    </div>
  );
}

/** What the form around has in its fields, by their names: numbers as numbers. Nothing until it is filled in. */
function useTyped(box: RefObject<HTMLElement | null>): ChangedValues {
  const [typed, setTyped] = useState<ChangedValues>({});
  useEffect(() => {
    const form = box.current?.closest('form');
    if (!form) return undefined;
    const read = () => {
      const pairs = [...new FormData(form)].flatMap(([name, value]) =>
        typeof value === 'string' && value !== '' ? [[name, toNumber(value)] as const] : [],
      );
      setTyped(Object.fromEntries(pairs));
    };
    read();
    form.addEventListener('input', read);
    // Fields appear once what holds now is known.
    const fields = new MutationObserver(read);
    fields.observe(form, { childList: true, subtree: true });
    return () => {
      form.removeEventListener('input', read);
      fields.disconnect();
    };
  }, [box]);
  return typed;
}

function toNumber(text: string): string | number {
  const number = Number(amountToSend(text));
  return Number.isFinite(number) ? number : text;
}

function Effect({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <div role="status" className="rounded-box bg-sunken px-4 py-3 text-small">
      <p className="font-semibold">{say('What it would come to')}</p>
      <ul className="num mt-1.5 grid list-disc gap-1.5 pl-4.5 text-ink-2">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}

type Typed = { readonly typed: ChangedValues };

function SaccoTermsEffect({ sacco, typed }: Previewed & Typed) {
  const { data } = useSaccoDetail(sacco);
  const { data: summary } = useSummary();
  const shares = summary?.saccos.find(({ id }) => id === sacco)?.shares;
  if (!data || shares === undefined) return null;
  const { reg_fee, min_shares, share_value } = data.parameters;
  const before = { reg_fee, min_shares, share_value };
  const of = (name: keyof typeof before) => (typeof typed[name] === 'number' ? typed[name] : before[name]);
  const after = { reg_fee: of('reg_fee'), min_shares: of('min_shares'), share_value: of('share_value') };
  const meaning = meaningOf({ kind: 'sacco_terms', before, after }, kindOfVote);
  return <Effect sentences={meaning.length === 0 ? [] : [...meaning, ...meansFor(shares, { before, after }, null)]} />;
}

function LoanEffect({ sacco, product, isOfficial, typed }: Previewed & Typed) {
  const { data: products } = useAllProducts(sacco, isOfficial);
  const now = products?.find(({ id }) => id === product);
  const isFilled = ['rate', 'fee_percentage', 'min_amount', 'max_amount', 'min_months', 'max_months'].every(
    (name) => typeof typed[name] === 'number',
  );
  if (!isFilled || typed.is_offered === 'no') return null;
  const before: ChangedValues = now
    ? { method: now.method, yearly_rate: now.yearly_rate, fee_percentage: now.fee_percentage }
    : {};
  return <Effect sentences={loanExample(before, { ...typed, ...typedRate(typed) } as ChangedValues)} />;
}

function PoolEffect({ kind, typed }: Typed & { kind: 'pool_terms' | 'pool_limits' }) {
  const { data: pool } = usePoolDetails(String(typed.pool ?? ''));
  if (!pool) return null;
  const sentences =
    kind === 'pool_terms'
      ? poolTermsMean({ before: termsNow(pool), after: typed }, pool)
      : poolLimitsMean({ before: limitsNow(pool), after: typed }, pool);
  return <Effect sentences={sentences} />;
}

/** The fee of a trade as an example. What becomes of the orders stands beside the fields. */
function MarketEffect({ sacco, typed }: Previewed & Typed) {
  const { data: book } = useOrderBook(sacco);
  if (!book || typeof typed.fee !== 'number' || typeof typed.fee_min !== 'number') return null;
  const { fee_percentage, fee_min, trading } = book.terms;
  const before = { fee_basis_points: Math.round(fee_percentage * 100), fee_min, trading };
  const after = {
    fee_basis_points: Math.round(typed.fee * 100),
    fee_min: typed.fee_min,
    trading: typed.trading ?? trading,
  };
  const [first = ''] = meaningOf({ kind: 'market_terms', before, after }, kindOfVote);
  return <Effect sentences={[first]} />;
}
