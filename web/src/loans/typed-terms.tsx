import { centsOf } from '@ushirika/contract/format';
import type { LoanProduct } from '@ushirika/contract/loans';
import { amountToSend } from '@ushirika/contract/typed';
import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useSacco } from '../session/session.ts';
import { MoneyField, SelectField, TextField } from '../ui/fields.tsx';
import { Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { centsTyped, keptTerms, typedCents } from './loan.rules.ts';
import type { TypedTerms } from './loan-paths.ts';
import { methodWords } from './loan-words.ts';
import { type QuoteTerms, useLoanName } from './loans.queries.ts';
import { stoppedWords, useStoppedLoans } from './stopped-loans.tsx';

const PAUSE_MS = 350;

/**
 * Product, amount and months as they are typed; `isOffered` is false for a product that the address names and the sacco has stopped. The address has them once the person pauses, so that going back, loading
 * again and a link to somebody else show the same.
 */
export function useTypedTerms(products: readonly LoanProduct[], limit: number) {
  const { pathname } = useLocation();
  const [search, setSearch] = useSearchParams();
  const kept = keptTerms(search, products, limit);
  const [typed, setTyped] = useState<TypedTerms>(kept);
  const text = JSON.stringify(typed);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed is written once, and not again for each new address
  useEffect(() => {
    if (text === JSON.stringify(kept)) return;
    const timer = setTimeout(() => {
      // Somebody has gone on to another page, which is still on its way.
      if (location.pathname !== pathname) return;
      // The browser's address, as the next step may be on its way, too.
      const next = new URLSearchParams(location.search);
      for (const [name, value] of Object.entries(typed)) next.set(name, value);
      setSearch(next, { replace: true });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return { typed, setTyped, kept, isOffered: products.some(({ id }) => id === kept.product) };
}

/** The terms as a quote is asked for; null while one of them is not there. */
export function quoteTermsOf({ product, amount, months }: TypedTerms, netIncome = '', poolFee = 0): QuoteTerms | null {
  const count = /^\d{1,3}$/.test(months.trim()) ? Number(months) : 0;
  if (!product || centsTyped(amount) === null || count === 0) return null;
  const income = centsTyped(netIncome) === null ? {} : { net_income: amountToSend(netIncome.trim()) };
  const fee = poolFee > 0 ? { pool_fee: String(poolFee) } : {};
  return { product, amount: amountToSend(amount.trim()), months: count, ...income, ...fee };
}

export function TermsFields({
  products,
  typed,
  onType,
}: {
  products: readonly LoanProduct[];
  typed: TypedTerms;
  onType: (typed: TypedTerms) => void;
}) {
  const product = products.find(({ id }) => id === typed.product);
  return (
    <div className="grid gap-4 sm:grid-cols-[1.4fr_1.2fr_0.8fr]">
      <SelectField
        label={say('Product')}
        name="product"
        value={typed.product}
        onChange={({ currentTarget }) => onType({ ...typed, product: currentTarget.value })}
        hint={product ? methodWords(product.method) : undefined}
      >
        {!product && <option value={typed.product}>{say('Choose a loan')}</option>}
        {products.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <MoneyField
        label={say('Amount')}
        name="amount"
        value={typed.amount}
        onChange={({ currentTarget }) => onType({ ...typed, amount: currentTarget.value })}
        hint={
          product && (
            <>
              <Money shillings={product.min_amount} /> {say('to')} <Money shillings={product.max_amount} />
            </>
          )
        }
      />
      <TextField
        label={say('Months')}
        name="months"
        inputMode="numeric"
        autoComplete="off"
        className="num"
        value={typed.months}
        onChange={({ currentTarget }) => onType({ ...typed, months: currentTarget.value })}
        hint={product && say('{least} to {most}', { least: product.min_months, most: product.max_months })}
      />
      {!product && <NotOffered products={products} asked={typed.product} />}
    </div>
  );
}

/** Of the loan that an address names: that it is not offered now. Nothing is chosen in its place. */
function NotOffered({ products, asked }: { products: readonly LoanProduct[]; asked: string }) {
  const stopped = useStoppedLoans(useSacco()?.id, products).find(({ id }) => id === asked);
  const name = useLoanName(asked);
  const loan = stopped ?? (name === undefined ? undefined : { name, until: null });
  return (
    <p
      role="status"
      className="num rounded-box bg-ochre-tint px-4 py-3 font-medium break-words text-ochre-ink sm:col-span-3"
    >
      {loan ? stoppedWords(loan) : say('The loan of this address is not offered now.')}{' '}
      {say('No other is chosen for you: choose one, if you want it.')}
    </p>
  );
}

/** Another product, with amount and months brought within what it allows. */
export function termsWithin(product: LoanProduct, { amount, months }: TypedTerms): TypedTerms {
  const shillings = Math.min(product.max_amount, Math.max(product.min_amount, (centsTyped(amount) ?? 0) / 100));
  const count = Math.min(product.max_months, Math.max(product.min_months, Number(months) || 0));
  return { product: product.id, amount: typedCents(centsOf(shillings)), months: String(count) };
}
