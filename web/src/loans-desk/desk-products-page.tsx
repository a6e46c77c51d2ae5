import type { ChangeKind } from '@ushirika/contract/change-kinds';
import type { LoanProduct } from '@ushirika/contract/loans';
import type { Office } from '@ushirika/contract/route';
import type { SaccoChange } from '@ushirika/contract/sacco-changes';
import { useState } from 'react';
import { wordsFor } from '../api/failure.ts';
import { wholeShillings } from '../loans/loan-words.ts';
import { percentWords } from '../loans/true-rate.ts';
import { paths } from '../paths.ts';
import { ChangeCard } from '../saccos/change-card.tsx';
import { openAll, openOf, useSaccoChanges } from '../saccos/changes.queries.ts';
import { ClosingNote } from '../saccos/closing-note.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card, EmptyState, Facts, FailureState, Tag } from '../ui/card.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { Fold } from '../ui/fold.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { AuthorityCard } from './authority-card.tsx';
import { type AtDesk, DeskHead, OfficialsOnly } from './desk-frame.tsx';
import { interestWords } from './desk-words.ts';
import { useDeskProducts } from './loans-desk.queries.ts';
import { StopDialog } from './stop-dialog.tsx';

const KIND: ChangeKind = 'loan_product';
/** As the contract has it for `changeLoanProduct`. */
const PROPOSERS: readonly Office[] = ['chair', 'secretary', 'treasurer'];

/** /client/desk/products: the loans that the sacco gives, what is to change of them, and what holds for every loan. */
export function DeskProductsPage() {
  return <OfficialsOnly>{(at) => <Products at={at} />}</OfficialsOnly>;
}

function Products({ at: { sacco, offices } }: { at: AtDesk }) {
  const products = useDeskProducts(sacco.id);
  const { data: changes } = useSaccoChanges(sacco.id);
  const [asked, setAsked] = useState<LoanProduct | null>(null);
  const open = openAll(changes?.results, KIND);
  const reason = whyNot(offices, open.length > 0);
  const authority = openOf(changes?.results, 'lending_authority');
  return (
    <>
      <DeskHead
        lead={say('The terms of the sacco’s loans. Members vote on a change, and it holds for loans that come later.')}
      >
        <LinkButton to={paths.clientDraftTerms('loan_product')}>{say('Draft a product')}</LinkButton>
      </DeskHead>
      <div className="mt-5 grid gap-4">
        {open.length > 0 && (
          <div className="grid items-start gap-4 md:grid-cols-2">
            {open.map((change) => (
              <ChangeCard key={change.id} change={change} sacco={sacco.id} />
            ))}
          </div>
        )}
        {products.isPending && <Skeletons count={2} label={say('Loading...')} className="h-56 rounded-card" />}
        {products.error && !products.data && (
          <FailureState
            words={wordsFor(products.error)}
            again={say('Try again')}
            onAgain={() => void products.refetch()}
          />
        )}
        {products.data?.products.length === 0 && (
          <EmptyState
            title={say('The sacco gives no loans yet')}
            next={say('Draft the first product. Members can apply once it has passed.')}
          />
        )}
        <div className="grid items-start gap-4 lg:grid-cols-2">
          {products.data?.products.map((product) => (
            <ProductCard
              key={product.id}
              product={product}
              reason={reason}
              closing={
                product.is_offered
                  ? undefined
                  : changes?.results.find(
                      ({ undo_at, vote, after }) => (undo_at || vote) && after.product === product.id,
                    )
              }
              onStop={() => setAsked(product)}
            />
          ))}
        </div>
        <div className="grid items-start gap-4 lg:grid-cols-2">
          {products.data && <AuthorityCard authority={products.data.authority} change={authority} sacco={sacco.id} />}
          <EveryLoan />
        </div>
      </div>
      {asked && <StopDialog product={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function whyNot(offices: readonly Office[], waits: boolean): string | null {
  if (!offices.some((office) => PROPOSERS.includes(office)))
    return say('Chair, secretary or treasurer stop offering a loan.');
  return waits ? say('Another change is already waiting. Decide on that first.') : null;
}

function ProductCard({
  product,
  reason,
  closing,
  onStop,
}: {
  product: LoanProduct;
  /** Why whoever reads cannot stop offering it. */
  reason: string | null;
  /** How officials have stopped it for a time. */
  closing: SaccoChange | undefined;
  onStop: () => void;
}) {
  return (
    <Card className="min-w-0 p-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lead">{product.name}</h2>
        <Tag tone={product.is_offered ? 'forest' : 'plain'}>
          {product.is_offered ? say('Open for applications') : say('Not offered')}
        </Tag>
      </div>
      <div className="mt-1">
        <Facts facts={factsOf(product)} />
      </div>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <p className="num text-small text-ink-2">
          {say('In force since {day}', { day: longDate(product.valid_from) })}
        </p>
        <div className="flex flex-wrap gap-2.5">
          {product.is_offered && (
            <Button look="line" disabledReason={reason} onClick={onStop}>
              {say('Stop offering it')}
              <span className="sr-only">: {product.name}</span>
            </Button>
          )}
          <LinkButton look="line" to={paths.clientDraftTerms('loan_product', product.id)}>
            {say('Change the terms')}
            <span className="sr-only">: {product.name}</span>
          </LinkButton>
        </div>
      </div>
      {closing && (
        <div className="mt-4">
          <ClosingNote change={closing} />
        </div>
      )}
    </Card>
  );
}

const trueRateWords = ({ least, most }: LoanProduct['true_monthly_rate']): string =>
  least === most
    ? percentWords(least)
    : say('{from} to {until}', { from: percentWords(least), until: percentWords(most) });

function factsOf(product: LoanProduct) {
  const isFlat = product.method === 'flat';
  return [
    [
      say('Interest a month'),
      <span key="rate">
        {percentWords(product.monthly_rate)} · {say('{rate} a year', { rate: percentWords(product.yearly_rate) })}{' '}
        <span className="font-normal text-ink-2">
          {interestWords(product.method)}
          {isFlat && `, ${say('truly {rate}', { rate: trueRateWords(product.true_monthly_rate) })}`}
        </span>
      </span>,
    ],
    [
      say('Amount'),
      <span key="amount">
        <Money shillings={product.min_amount} /> – <Money shillings={product.max_amount} />
      </span>,
    ],
    [say('Months'), `${formatCount(product.min_months)} – ${formatCount(product.max_months)}`],
    [say('Limit by savings'), `${product.multiplier} ×`],
    [say('Member for at least'), say('{n, plural, one {1 day} other {# days}}', { n: product.min_member_days })],
    [say('Guarantors at least'), formatCount(product.min_guarantors)],
    ...wholeShillings(product),
    [say('Fee'), percentWords(product.fee_percentage)],
    [say('Penalty a month on what is late'), percentWords(product.penalty_rate)],
  ] as const;
}

/** What no product changes. */
function EveryLoan() {
  return (
    <Fold title={say('What holds for every loan')} openWhenWide>
      <ul className="num grid list-disc gap-y-1.5 pl-5 text-ink-2">
        {[
          say('Savings, signed pledges or a pool cover the whole amount before the committee sees it.'),
          say('The committee answers within 14 days, a guarantor within 7.'),
          say('Nobody decides about their own loan or one that they guarantee.'),
          say('One official orders a payout, and another one checks it.'),
          say('All instalments together take two thirds of the declared income at most.'),
          say('A penalty begins on the sixth day. Interest and penalty after a default never pass the principal.'),
          say(
            'New savings count for the limit once they are 90 days old. But of the savings of every 30 days so much counts at once as the member saved at least in each of the three 30-day periods before the last 90 days.',
          ),
        ].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Fold>
  );
}
