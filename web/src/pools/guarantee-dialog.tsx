import type { GuaranteeQuote, PoolDetails, requestGuarantee } from '@ushirika/contract/pools';
import { amountToSend } from '@ushirika/contract/typed';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiForm } from '../api/api-form.tsx';
import { call, useIdempotencyKey } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { Dialog } from '../ui/dialog.tsx';
import { MoneyField, SelectField, TextArea } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { usePoolPaths } from './pool-paths.ts';
import { refreshPools, useLongestLoan, useQuote, type Wanted } from './pools.queries.ts';
import { QuoteFacts, WhatStandsAgainst } from './quote-facts.tsx';

const MONTHS = [1, 2, 3, 6, 9, 12, 18, 24, 36, 48, 60, 72, 84] as const;
const PAUSE_MS = 350;

/** Ask a pool for a guarantee: the price is live while one types; asking gives a quote that holds for 72 hours. */
export function GuaranteeDialog({ pool, onClose }: { pool: PoolDetails; onClose: () => void }) {
  const to = usePoolPaths();
  const navigate = useNavigate();
  const { keyFor, settle } = useIdempotencyKey();
  const [amount, setAmount] = useState('');
  const offered = useMonths(pool);
  const [chosen, setMonths] = useState(12);
  const months = Math.min(chosen, Math.max(...offered));
  const quote = useQuote(useSettled(wantedOf(pool.id, amount, months)));
  const shown = wantedOf(pool.id, amount, months) ? quote.data : undefined;
  const submit = async ({ purpose }: Record<'amount' | 'purpose', string>) => {
    const body = { pool: pool.id, amount: amountToSend(amount).trim(), period_months: months, purpose };
    const input = { body, idempotencyKey: keyFor(body) };
    const answer = await call<typeof requestGuarantee>('POST', '/guarantors/pools/request-guarantee', input);
    settle();
    toast.success(answer.message);
    await refreshPools();
    navigate(to.request(answer.request.id));
  };
  return (
    <Dialog title={say('Ask for a guarantee')} onClose={onClose} wide>
      <p className="mb-3 text-ink-2">
        {say('{pool} can stand behind up to {part}% of one loan. You pay its fee once, when the loan is paid out.', {
          pool: pool.name,
          part: pool.settings.max_cover,
        })}
      </p>
      <ApiForm<'amount' | 'purpose'>
        keptAs={`guarantee ${pool.id}`}
        required={['amount', 'purpose']}
        emptyMessage={say('All Fields are required')}
        submit={submit}
        settle={settle}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <MoneyField
            label={say('Amount to be guaranteed')}
            name="amount"
            value={amount}
            onChange={(event) => setAmount(event.currentTarget.value)}
          />
          <SelectField
            label={say('For')}
            name="months"
            value={months}
            onChange={(event) => setMonths(Number(event.currentTarget.value))}
          >
            {offered.map((n) => (
              <option key={n} value={n}>
                {say('{n} {n, plural, one {month} other {months}}', { n })}
              </option>
            ))}
          </SelectField>
        </div>
        <LivePrice quote={shown} error={quote.error} isOld={quote.isPlaceholderData || quote.isFetching} />
        <TextArea
          label={say('What is the loan for?')}
          name="purpose"
          rows={2}
          maxLength={200}
          hint={say('The stewards of the pool read it.')}
        />
        <SubmitButton busyLabel={say('processing...')} disabledReason={shown?.reasons[0]?.text ?? null}>
          {say('Get a quote for 72 hours')}
        </SubmitButton>
      </ApiForm>
    </Dialog>
  );
}

function LivePrice({ quote, error, isOld }: { quote: GuaranteeQuote | undefined; error: unknown; isOld: boolean }) {
  return (
    <section aria-label={say('Price')} aria-live="polite" className="min-h-44 rounded-box bg-sunken px-4 py-3.5">
      {quote ? (
        <div className={isOld ? 'opacity-60' : ''}>
          <QuoteFacts quote={quote} />
          <WhatStandsAgainst reasons={quote.reasons} />
        </div>
      ) : (
        <p className="text-ink-2">
          {error ? wordsFor(error) : say('Enter an amount: rate, fee and locks appear here.')}
        </p>
      )}
    </section>
  );
}

/** The months that a guarantee may last: no longer than the longest loan of the pool's sacco, where that is the chosen one. */
function useMonths(pool: PoolDetails): readonly number[] {
  const longest = useLongestLoan(pool.sacco?.id);
  const offered = MONTHS.filter((n) => longest === undefined || n <= longest);
  return offered.length > 0 ? offered : MONTHS;
}

function wantedOf(pool: string, typed: string, months: number): Wanted | null {
  const amount = amountToSend(typed).trim();
  return /^\d{1,9}(\.\d{1,2})?$/.test(amount) && Number(amount) > 0 ? { pool, amount, months } : null;
}

/** What is wanted, once somebody has paused: no request for each key. */
function useSettled(wanted: Wanted | null): Wanted | null {
  const [settled, setSettled] = useState(wanted);
  const text = JSON.stringify(wanted);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `text` is the whole of it
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
