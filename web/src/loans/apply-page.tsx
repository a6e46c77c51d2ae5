import { centsOf } from '@ushirika/contract/format';
import type { applyForLoan, LoanProduct, LoanQuote } from '@ushirika/contract/loans';
import { amountToSend } from '@ushirika/contract/typed';
import { type ReactNode, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { call, useIdempotencyKey } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { useClosed } from '../identity/use-closed.ts';
import { Title } from '../layouts/title.tsx';
import { useSacco } from '../session/session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Button } from '../ui/button.tsx';
import { Card, EmptyState, Facts, FailureState } from '../ui/card.tsx';
import { MoneyField, SelectField, TextArea } from '../ui/fields.tsx';
import { Money, Steps } from '../ui/figures.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { termsRefused } from './calculator.tsx';
import { coveredBy, GuarantorsStep, guarantorsMissing } from './guarantors-step.tsx';
import { type Rest, useKeptApplication } from './kept-application.ts';
import { Against } from './limit-card.tsx';
import { centsForGuarantors, centsTyped, isOwed } from './loan.rules.ts';
import { loanPaths } from './loan-paths.ts';
import { daysInWords, guarantorsToSignWords, monthsInWords } from './loan-words.ts';
import { refreshLoans, useLoanProducts, useOpenLoans, useQuote } from './loans.queries.ts';
import { PoolGuaranteeField, useFreePoolGuarantees } from './pool-guarantee-field.tsx';
import { QuoteCover, QuoteFigures } from './quote-figures.tsx';
import { ScheduleChart } from './schedule-chart.tsx';
import { ScheduleTable } from './schedule-table.tsx';
import { StoppedLoans } from './stopped-loans.tsx';
import { quoteTermsOf, TermsFields, useTypedTerms } from './typed-terms.tsx';
import { usePaused } from './use-paused.ts';

const STEPS = ['terms', 'purpose', 'guarantors', 'check'] as const;
type Step = (typeof STEPS)[number];

/** /client/loans/apply: an application in four steps, each with an address of its own. The server keeps nothing before it is sent. */
export function ApplyPage() {
  const sacco = useSacco();
  const { data, error, refetch } = useLoanProducts();
  const offered = data?.products.filter(({ is_offered }) => is_offered);
  return (
    <div className="max-w-[860px]">
      <Title>{say('Apply for a loan')}</Title>
      <BackLink to={loanPaths.loans('calculator')}>{say('Loans')}</BackLink>
      <h1 className="mb-4 text-head">{say('Apply for a loan')}</h1>
      {!data && error && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {!data && !error && <Skeletons count={2} label={say('Loading...')} className="mb-4 h-48 rounded-card" />}
      {offered?.length === 0 && (
        <>
          <EmptyState
            title={say('This sacco offers no loans yet')}
            next={say('Its officials set up what it lends and on which terms. Then it can be worked out here.')}
          />
          <StoppedLoans sacco={sacco?.id} offered={offered} />
        </>
      )}
      {data && offered && offered.length > 0 && (
        <Application products={offered} limit={data.limit.against.length > 0 ? 0 : data.limit.limit} />
      )}
    </div>
  );
}

function Application({ products, limit }: { products: readonly LoanProduct[]; limit: number }) {
  const { typed, setTyped, kept, isOffered } = useTypedTerms(products, limit);
  const { rest, keep: setRest, forget } = useKeptApplication(useSacco()?.id);
  const { step, go } = useStep();
  const free = useFreePoolGuarantees();
  const pool = free.find(({ id }) => id === rest.poolGuarantee);
  const poolCents = centsOf(pool?.amount ?? 0);
  const income = usePaused(rest.income);
  const terms = isOffered ? quoteTermsOf(kept, income, pool?.fee) : null;
  const { data: quote, error, isPlaceholderData, refetch } = useQuote(terms);
  const shown = error || terms === null ? undefined : quote;
  const closed = useClosed();
  const found = isOffered ? missingIn(shown, rest, error) : chooseFirst();
  const missing = closed ? { ...found, terms: closed } : found;
  const before = STEPS.slice(0, STEPS.indexOf(step));
  // Without an answer no step is wrong: the page keeps its step, and asks again.
  const isCut = Boolean(error) && !(error instanceof CallFailure && error.isFinal);
  const first = isCut ? undefined : before.find((each) => missing[each]);
  return (
    <>
      <Steps steps={STEPS.map(stepWords)} current={STEPS.indexOf(step)} />
      <Card className="mt-4 p-5" aria-busy={isPlaceholderData}>
        <h2 className="mb-3 text-title">{stepWords(step)}</h2>
        {step === 'terms' && (
          <TermsStep products={products} typed={typed} onType={setTyped} quote={shown} error={isCut ? null : error} />
        )}
        {step === 'purpose' && <PurposeStep rest={rest} onChange={setRest} quote={shown} />}
        {step === 'guarantors' && shown && (
          <GuarantorsStep
            quote={shown}
            poolCents={poolCents}
            asked={rest.asked}
            onChange={(asked) => setRest({ ...rest, asked })}
          >
            <PoolGuaranteeField
              free={free}
              value={rest.poolGuarantee}
              onChange={(poolGuarantee) => setRest({ ...rest, poolGuarantee })}
            />
          </GuarantorsStep>
        )}
        {step === 'check' && shown && !first && (
          <CheckStep quote={shown} poolCents={poolCents} rest={rest} onSent={forget} onBack={() => go('guarantors')} />
        )}
        {first && <Back words={missing[first] ?? ''} onGo={() => go(first)} />}
        {isCut && (
          <div className={step === 'guarantors' || step === 'check' ? '' : 'mt-4'}>
            <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
          </div>
        )}
        {!first && (step !== 'check' || isCut) && (
          <Onward step={step} reason={isCut ? wordsFor(error) : missing[step]} onGo={go} />
        )}
      </Card>
    </>
  );
}

/** Without a loan that is offered no step goes on. */
const chooseFirst = (): Record<Step, string | null> => ({
  ...{ terms: say('Choose a loan first.'), purpose: null, guarantors: null, check: null },
});

/** What is missing at each step, in a sentence. */
function missingIn(quote: LoanQuote | undefined, rest: Rest, error: unknown): Record<Step, string | null> {
  const terms = error
    ? termsRefused(error)
    : !quote
      ? say('Enter an amount and a number of months first.')
      : (quote.limit.against[0] ??
        (quote.amount > quote.limit.limit ? say('That is more than you can borrow now. Lower the amount.') : null));
  const income = centsTyped(rest.income) === null ? say('Enter what is left of a month’s income.') : null;
  const purpose = rest.purpose.trim().length < 3 ? say('Say what the loan is for.') : income;
  const isWrong = rest.asked.some(({ amount }) => centsTyped(amount) === null);
  return { terms, purpose, guarantors: isWrong ? say('Enter an amount for each guarantor.') : null, check: null };
}

function stepWords(step: Step): string {
  const words: Record<Step, string> = {
    terms: say('Terms'),
    purpose: say('Purpose and income'),
    guarantors: say('Guarantors'),
    check: say('Check it all'),
  };
  return words[step];
}

/** The step stands in the address: going back goes a step back. */
function useStep() {
  const [search, setSearch] = useSearchParams();
  const step = STEPS.find((each) => each === search.get('step')) ?? 'terms';
  const go = (next: Step) => {
    setSearch((now) => {
      const changed = new URLSearchParams(now);
      changed.set('step', next);
      return changed;
    });
    scrollTo(0, 0);
  };
  return { step, go };
}

function Onward({ step, reason, onGo }: { step: Step; reason: string | null; onGo: (step: Step) => void }) {
  const at = STEPS.indexOf(step);
  const [previous, next] = [STEPS[at - 1], STEPS[at + 1]];
  return (
    <div className="mt-5 grid gap-2.5 sm:grid-cols-2">
      {previous && (
        <Button look="line" className="max-sm:order-last" onClick={() => onGo(previous)}>
          {say('Back')}
        </Button>
      )}
      {next && (
        <Button disabledReason={reason} className={previous ? '' : 'sm:col-span-2'} onClick={() => onGo(next)}>
          {say('Next: {step}', { step: stepWords(next) })}
        </Button>
      )}
    </div>
  );
}

/** An earlier step is not done: the address was opened by itself, or loaded again. */
function Back({ words, onGo }: { words: string; onGo: () => void }) {
  return (
    <div className="grid gap-3">
      <p className="rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">{words}</p>
      <Button look="line" onClick={onGo}>
        {say('Go back to it')}
      </Button>
    </div>
  );
}

function TermsStep({
  quote,
  error,
  ...fields
}: Parameters<typeof TermsFields>[0] & { quote: LoanQuote | undefined; error: unknown }) {
  return (
    <>
      <TermsFields {...fields} />
      <div role="status">
        {error ? (
          <p className="mt-4 rounded-box bg-clay-tint px-4 py-3 font-medium text-clay">{termsRefused(error)}</p>
        ) : null}
      </div>
      {quote && (
        <div className="mt-5">
          <QuoteFigures quote={quote} />
          <Against against={quote.limit.against} />
          {quote.limit.against.length === 0 && quote.amount > quote.limit.limit && (
            <p className="mt-3 font-medium text-clay">
              {say('That is more than you can borrow now. Lower the amount.')} {say('Your limit is')}{' '}
              <Money shillings={quote.limit.limit} />.
            </p>
          )}
        </div>
      )}
    </>
  );
}

function PurposeStep({
  rest,
  onChange,
  quote,
}: {
  rest: Rest;
  onChange: (rest: Rest) => void;
  quote: LoanQuote | undefined;
}) {
  const sacco = useSacco();
  const { data: loans } = useOpenLoans(sacco?.id);
  const owed = loans?.filter((loan) => isOwed(loan)) ?? [];
  const isTooMuch = quote && centsTyped(rest.income) !== null && quote.amount > quote.limit.limit;
  return (
    <div className="grid gap-4">
      <TextArea
        label={say('What is the loan for?')}
        name="purpose"
        required
        rows={3}
        maxLength={500}
        value={rest.purpose}
        onChange={({ currentTarget }) => onChange({ ...rest, purpose: currentTarget.value })}
        hint={say('The committee and your guarantors read it.')}
      />
      <MoneyField
        label={say('What is left of your income each month?')}
        name="net_income"
        required
        value={rest.income}
        onChange={({ currentTarget }) => onChange({ ...rest, income: currentTarget.value })}
        hint={say('After tax and what you pay already, before this loan. The instalments may take two thirds of it.')}
      />
      {isTooMuch && (
        <p role="status" className="rounded-box bg-clay-tint px-4 py-3 font-medium text-clay">
          {say('With this income you can borrow at most')} <Money shillings={quote.limit.limit} />.
        </p>
      )}
      {owed.length > 0 && (
        <SelectField
          label={say('Does it pay off another loan of yours? (optional)')}
          name="refinances"
          value={rest.refinances}
          onChange={({ currentTarget }) => onChange({ ...rest, refinances: currentTarget.value })}
          hint={say('Then that loan is paid off out of this one in the same moment, and you get the rest.')}
        >
          <option value="">{say('No')}</option>
          {owed.map((loan) => (
            <option key={loan.id} value={loan.id}>
              {loan.product} · {loan.number}
            </option>
          ))}
        </SelectField>
      )}
    </div>
  );
}

/** All of it once more, what happens next, and the buttons for it. */
function CheckStep({
  quote,
  poolCents,
  rest,
  onSent,
  onBack,
}: {
  quote: LoanQuote;
  poolCents: number;
  rest: Rest;
  onSent: () => void;
  onBack: () => void;
}) {
  const { keyFor, settle } = useIdempotencyKey();
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  const neededCents = centsForGuarantors(quote, poolCents);
  const isCovered = coveredBy(rest.asked) >= neededCents;
  const missing = guarantorsMissing({ quote, neededCents, asked: rest.asked });
  const ends = rest.asked.length > 0 ? 'asks' : neededCents === 0 ? 'whole' : 'draft';
  /** Keeps the application, and opens it; `goOn` with the question whether the committee is to have it now. */
  const keep = async (goOn: boolean) => {
    const body = {
      product: quote.product.id,
      amount: quote.amount,
      months: quote.months,
      purpose: rest.purpose.trim(),
      net_income: amountToSend(rest.income.trim()),
      guarantors: rest.asked.map(({ id, amount }) => ({ member: id, amount: amountToSend(amount.trim()) })),
      ...(rest.refinances ? { refinances: rest.refinances } : {}),
      ...(rest.poolGuarantee ? { pool_guarantee: rest.poolGuarantee } : {}),
    };
    setBusy(true);
    try {
      const answer = await call<typeof applyForLoan>('POST', '/loans', { body, idempotencyKey: keyFor(body) });
      settle();
      onSent();
      toast.success(answer.message);
      void navigate(`${loanPaths.loan(answer.loan.id)}${goOn ? '?open=submit' : ''}`, { replace: true });
      await refreshLoans();
    } catch (error) {
      settle(error);
      toast.error(error instanceof CallFailure ? termsRefused(error) : wordsFor(error));
      setBusy(false);
    }
  };
  return (
    <div className="grid gap-5">
      <div>
        <QuoteFigures quote={quote} />
      </div>
      <details className="rounded-box border border-line px-4">
        <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
          {say('The whole schedule: {months}', { months: monthsInWords(quote.months) })}
        </summary>
        <div className="mb-4">
          <ScheduleChart schedule={quote.schedule} />
          <ScheduleTable schedule={quote.schedule} />
        </div>
      </details>
      <Part title={say('Guarantors')}>
        <QuoteCover quote={quote} poolCents={poolCents} />
        {rest.asked.length > 0 && (
          <Facts
            facts={rest.asked.map(
              ({ id, name, amount }) => [name, <Money key={id} shillings={(centsTyped(amount) ?? 0) / 100} />] as const,
            )}
          />
        )}
        {!isCovered && (
          <p className="mt-2 text-small font-medium text-ochre-ink">
            {say('That does not cover the loan yet. You can ask more members on the next page.')}
          </p>
        )}
        {isCovered && missing > 0 && (
          <p className="mt-2 text-small font-medium text-ochre-ink">
            {guarantorsToSignWords({ missing, all: quote.guarantors_needed })}{' '}
            {say('You can ask more members on the next page.')}
          </p>
        )}
      </Part>
      <Part title={say('Purpose and income')}>
        <p className="max-w-[70ch] break-words whitespace-pre-line">{rest.purpose.trim()}</p>
        <p className="num mt-1 text-small text-ink-2">
          {say('Left of a month’s income:')} <Money shillings={(centsTyped(rest.income) ?? 0) / 100} />
        </p>
      </Part>
      <WhatHappens ends={ends} hasPool={rest.poolGuarantee !== ''} />
      <div className="grid gap-2.5 sm:grid-cols-2">
        {ends === 'whole' && (
          <Button className="sm:col-span-2" busy={busy} onClick={() => void keep(true)}>
            {busy ? say('processing...') : say('Go on to the committee')}
          </Button>
        )}
        <Button
          look={ends === 'whole' ? 'line' : 'main'}
          className="sm:order-2"
          busy={busy}
          onClick={() => void keep(false)}
        >
          {busy ? say('processing...') : ends === 'asks' ? say('Ask the guarantors') : say('Keep it as a draft')}
        </Button>
        <Button look="line" className="sm:order-1" onClick={onBack}>
          {say('Back')}
        </Button>
      </div>
    </div>
  );
}

/** What the buttons below it do: who gets the application, and who does not yet. */
function WhatHappens({ ends, hasPool }: { ends: 'asks' | 'whole' | 'draft'; hasPool: boolean }) {
  const words = {
    asks: say(
      'Your guarantors are asked now and have {days} to answer. The committee does not get the application yet: you send it there from its own page once they have signed.',
      { days: daysInWords(7) },
    ),
    whole: say(
      'It is covered. “Go on to the committee” asks you once more, and then hands it in. As a draft it waits for you for 30 days, and nobody decides about it.',
    ),
    draft: say(
      'It is not covered yet, so it stays a draft for 30 days, and nobody decides about it. On its page you ask guarantors, and then send it to the committee.',
    ),
  };
  const held = hasPool
    ? say('The pool’s money stays locked for this loan. Give the guarantee back if you do not go on.')
    : ends === 'asks'
      ? null
      : say('As long as it is a draft, nothing is held.');
  return (
    <section
      aria-label={say('What happens now')}
      className="rounded-box bg-ochre-tint px-4 py-3 text-small font-medium text-ochre-ink"
    >
      <p>{words[ends]}</p>
      {held && <p className="mt-1.5">{held}</p>}
      <p className="mt-1.5">
        {say('None of this signs anything: you accept the key facts only after the committee has approved the loan.')}
      </p>
    </section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-t border-dashed border-line pt-4">
      <h3 className="mb-1 text-lead">{title}</h3>
      {children}
    </section>
  );
}
