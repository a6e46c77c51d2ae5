import type { LoanProduct, LoanQuote } from '@ushirika/contract/loans';
import { useRef } from 'react';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { useClosed } from '../identity/use-closed.ts';
import { useSacco } from '../session/session.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card, EmptyState, FailureState } from '../ui/card.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { Against, LimitCard } from './limit-card.tsx';
import { loanPaths } from './loan-paths.ts';
import { useLoanProducts, useQuote } from './loans.queries.ts';
import { ProductCards } from './product-cards.tsx';
import { QuoteCover, QuoteFigures } from './quote-figures.tsx';
import { ScheduleChart } from './schedule-chart.tsx';
import { ScheduleTable } from './schedule-table.tsx';
import { StoppedLoans } from './stopped-loans.tsx';
import { quoteTermsOf, TermsFields, termsWithin, useTypedTerms } from './typed-terms.tsx';

/** What a loan would cost before one applies: figures, schedule and what one may borrow. Nothing is kept. */
export function CalculatorView() {
  const sacco = useSacco();
  const { data, error, refetch } = useLoanProducts();
  if (!data && error) {
    return <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />;
  }
  if (!data) return <Skeletons count={2} label={say('Loading...')} className="mb-4 h-64 rounded-card" />;
  const offered = data.products.filter(({ is_offered }) => is_offered);
  if (offered.length === 0) {
    return (
      <>
        <EmptyState
          title={say('This sacco offers no loans yet')}
          next={say('Its officials set up what it lends and on which terms. Then it can be worked out here.')}
        />
        <StoppedLoans sacco={sacco?.id} offered={offered} />
      </>
    );
  }
  return (
    <div className="grid gap-4">
      <Calculator products={offered} limit={data.limit.against.length > 0 ? 0 : data.limit.limit} />
    </div>
  );
}

function Calculator({ products, limit }: { products: readonly LoanProduct[]; limit: number }) {
  const sacco = useSacco()?.id;
  const { typed, setTyped, kept, isOffered } = useTypedTerms(products, limit);
  const terms = isOffered ? quoteTermsOf(kept) : null;
  const { data: quote, error, isPlaceholderData, isFetching } = useQuote(terms);
  const shown = error || terms === null ? undefined : quote;
  const top = useRef<HTMLDivElement>(null);
  const choose = (product: LoanProduct) => {
    setTyped(termsWithin(product, typed));
    top.current?.scrollIntoView({ block: 'center' });
    top.current?.querySelector('input')?.focus({ preventScroll: true });
  };
  return (
    <>
      <Card className="p-5">
        <h2 className="mb-3 text-lead">{say('Work out a loan')}</h2>
        <div ref={top}>
          <TermsFields products={products} typed={typed} onType={setTyped} />
        </div>
        {isOffered && <StoppedLoans sacco={sacco} offered={products} />}
        <div role="status">
          {terms === null && isOffered && (
            <p className="mt-4 text-ink-2">{say('Enter an amount and a number of months: the rest follows.')}</p>
          )}
          {error && (
            <p className="mt-4 rounded-box bg-clay-tint px-4 py-3 font-medium text-clay">{termsRefused(error)}</p>
          )}
        </div>
      </Card>
      {!shown && isFetching && <Skeletons count={1} label={say('Loading...')} className="h-96 rounded-card" />}
      {shown && (
        <div
          className={`grid items-start gap-4 lg:grid-cols-2 ${isPlaceholderData ? 'opacity-60' : ''}`}
          aria-busy={isPlaceholderData}
        >
          <Card className="p-5">
            <QuoteFigures quote={shown} />
            <ApplyButton quote={shown} />
          </Card>
          <div className="grid gap-4">
            <Card className="p-5">
              <h2 className="mb-1 text-lead">{say('What stands behind it')}</h2>
              <QuoteCover quote={shown} />
            </Card>
            <LimitCard limit={shown.limit} />
          </div>
          <Card className="min-w-0 p-5 lg:col-span-2">
            <h2 className="mb-1 text-lead">{say('Schedule')}</h2>
            <p className="mb-3 text-small text-ink-2">{say('As if it were paid out today.')}</p>
            <ScheduleChart schedule={shown.schedule} />
            <div className="mt-4">
              <ScheduleTable schedule={shown.schedule} />
            </div>
          </Card>
        </div>
      )}
      <ProductCards products={products} onChoose={choose} />
    </>
  );
}

function ApplyButton({ quote }: { quote: LoanQuote }) {
  const { amount, months, limit, product } = quote;
  const terms = { product: product.id, amount: String(amount), months: String(months) };
  const closed = useClosed();
  const reason =
    closed ??
    limit.against[0] ??
    (amount > limit.limit ? say('That is more than you can borrow now. Lower the amount.') : null);
  if (reason) {
    return (
      <>
        <Button className="mt-4 w-full" disabledReason={reason}>
          {say('Apply for this loan')}
        </Button>
        {closed ? null : limit.against.length > 0 ? (
          <Against against={limit.against} />
        ) : (
          <p className="mt-2 text-small font-medium text-clay">{reason}</p>
        )}
      </>
    );
  }
  return (
    <LinkButton className="mt-4 w-full" to={loanPaths.apply(terms)}>
      {say('Apply for this loan')}
    </LinkButton>
  );
}

/** Why a quote was refused: the sentences beside its fields where there are any. */
export function termsRefused(error: unknown): string {
  const beside = error instanceof CallFailure ? Object.values(error.errors).flat() : [];
  return beside.length > 0 ? beside.join(' ') : wordsFor(error);
}
