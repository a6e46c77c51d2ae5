import { centsOf, formatShillings } from '@ushirika/contract/format';
import type { depositToPool, joinPool, PoolContractDetail, PoolDetails, payPoolClaim } from '@ushirika/contract/pools';
import type { Receipt } from '@ushirika/contract/receipts';
import { amountToSend } from '@ushirika/contract/typed';
import { type ReactNode, useState } from 'react';
import { ApiForm, explainFailure } from '../api/api-form.tsx';
import { call, useIdempotencyKey } from '../api/call.ts';
import { CallFailure } from '../api/failure.ts';
import { withProof } from '../api/with-proof.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { ReceiptCard } from '../receipts/receipt-card.tsx';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MoneyField } from '../ui/fields.tsx';
import { Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { AcceptField } from './accept-field.tsx';
import { WhatCouldBeLost } from './pool-loss.tsx';
import { termsFacts } from './pool-terms.tsx';
import { refreshPools } from './pools.queries.ts';

interface Props {
  pool: PoolDetails;
  onTopUp: () => void;
  onClose: () => void;
}

/** Terms that have changed under the form are fetched, so that the new ones are shown before another try. */
function explain(error: unknown) {
  const isStale = error instanceof CallFailure && ['terms_changed', 'pool_state_conflict'].includes(error.code);
  if (isStale) void refreshPools();
  return explainFailure(error);
}

/** Join a pool: its terms, what could be lost, and the first deposit from the wallet. Ends in a receipt. */
export function JoinPoolDialog({ pool, onTopUp, onClose }: Props) {
  const { keyFor, settle } = useIdempotencyKey();
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const [typed, setTyped] = useState(String(pool.min_contribution));
  const submit = async ({ amount }: Record<'amount' | 'accept_terms', string>) => {
    const body = { pool: pool.id, amount, accept_terms: true as const, terms_hash: pool.terms_hash };
    const input = { body, idempotencyKey: keyFor(body) };
    const answer = await withProof(() => call<typeof joinPool>('POST', '/guarantors/pools/join', input));
    toast.success(answer.message);
    settle();
    setReceipt(answer.receipt);
    await refreshPools();
  };
  return (
    <Dialog title={say('Join the pool')} onClose={onClose}>
      {receipt ? (
        <Done receipt={receipt} onClose={onClose} />
      ) : (
        <>
          <p className="mb-2 text-lead font-semibold">{pool.name}</p>
          <p className="mb-4 text-ink-2">
            {say(
              'Money that you put in is at stake for others from the first day. The pool guarantees a loan of yours once you have been in it for {n, plural, one {# day} other {# days}}, have a trust score of {score} or more, and an official or operator has seen your ID card.',
              { n: pool.min_member_period, score: pool.min_trust_score },
            )}
          </p>
          <ApiForm<'amount' | 'accept_terms'>
            required={['amount', 'accept_terms']}
            emptyMessage={say('Enter an amount and accept the terms.')}
            submit={submit}
            settle={settle}
            explain={explain}
          >
            <MoneyField
              label={say('Your first deposit')}
              name="amount"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              hint={<InWallet least={pool.min_contribution} />}
            />
            <WhatCouldBeLost settings={pool.settings} amount={amountWords(typed)} />
            <details className="rounded-box border border-line px-4 py-1">
              <summary className="min-h-11 cursor-pointer content-center font-semibold">
                {say('The terms of the pool')}
              </summary>
              <Facts facts={termsFacts(pool)} />
            </details>
            <AcceptField name="accept_terms">
              {say('I have read the terms and what I could lose, and I accept them.')}
              <span className="num mt-0.5 block text-small text-ink-2">
                {say('Terms {hash}', { hash: pool.terms_hash.slice(0, 12) })}
              </span>
            </AcceptField>
            <SubmitButton busyLabel={say('processing...')}>{say('Join the pool')}</SubmitButton>
          </ApiForm>
          <TopUpLink onTopUp={onTopUp} />
        </>
      )}
    </Dialog>
  );
}

/** Deposit: more of one's own money into a pool. Ends in a receipt. */
export function DepositPoolDialog({ pool, onTopUp, onClose }: Props) {
  const { keyFor, settle } = useIdempotencyKey();
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const submit = async ({ amount }: Record<'amount', string>) => {
    const body = { pool: pool.id, amount };
    const input = { body, idempotencyKey: keyFor(body) };
    const answer = await withProof(() => call<typeof depositToPool>('POST', '/guarantors/pools/deposit', input));
    toast.success(answer.message);
    settle();
    setReceipt(answer.receipt);
    await refreshPools();
  };
  return (
    <Dialog title={say('Deposit to the pool')} onClose={onClose}>
      {receipt ? (
        <Done receipt={receipt} onClose={onClose} />
      ) : (
        <>
          <Facts
            facts={[
              [say('Into'), pool.name],
              [say('My position'), <Money key="mine" shillings={pool.me?.position ?? 0} />],
            ]}
          />
          <ApiForm<'amount'>
            className="mt-4 grid gap-4"
            required={['amount']}
            emptyMessage={say('All Fields are required')}
            submit={submit}
            settle={settle}
            explain={explain}
          >
            <MoneyField label={say('Amount')} name="amount" hint={<InWallet />} />
            <p className="rounded-box bg-clay-tint px-4 py-3 text-small font-medium text-clay">
              {say('This money, too, can be locked for guarantees and lost with them, up to all of it.')}
            </p>
            <SubmitButton busyLabel={say('processing...')}>{say('Deposit')}</SubmitButton>
          </ApiForm>
          <TopUpLink onTopUp={onTopUp} />
        </>
      )}
    </Dialog>
  );
}

/** The borrower pays back from the wallet what the pool paid; those who lost get it first. Ends in a receipt. */
export function PayBackDialog({ contract, onClose }: { contract: PoolContractDetail; onClose: () => void }) {
  const { keyFor, settle } = useIdempotencyKey();
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const left = (centsOf(contract.claim) - centsOf(contract.recovered)) / 100;
  const submit = async ({ amount }: Record<'amount', string>) => {
    const body = { amount };
    const input = { params: { id: contract.id }, body, idempotencyKey: keyFor(body) };
    const answer = await withProof(() =>
      call<typeof payPoolClaim>('POST', '/guarantors/pools/contracts/{id}/repayments', input),
    );
    toast.success(answer.message);
    settle();
    setReceipt(answer.receipt);
    await refreshPools();
  };
  return (
    <Dialog title={say('Pay it back')} onClose={onClose}>
      {receipt ? (
        <Done receipt={receipt} onClose={onClose} />
      ) : (
        <>
          <Facts
            facts={[
              [say('The pool paid for you'), <Money key="claim" shillings={contract.claim} />],
              [say('You paid back'), <Money key="back" shillings={contract.recovered} />],
              [<b key="name">{say('You still owe')}</b>, <Money key="left" shillings={left} className="text-lead" />],
            ]}
          />
          <ApiForm<'amount'>
            className="mt-4 grid gap-4"
            required={['amount']}
            emptyMessage={say('All Fields are required')}
            submit={submit}
            settle={settle}
            explain={explain}
          >
            <MoneyField label={say('Amount')} name="amount" defaultValue={left.toFixed(2)} hint={<InWallet />} />
            <SubmitButton busyLabel={say('processing...')}>{say('Pay it back')}</SubmitButton>
          </ApiForm>
        </>
      )}
    </Dialog>
  );
}

function amountWords(typed: string): string | null {
  const shillings = Number(amountToSend(typed));
  return shillings > 0 ? formatShillings(centsOf(shillings) / 100) : null;
}

function InWallet({ least }: { least?: number }) {
  const wallet = useProfile().data?.wallet;
  const parts: ReactNode[] = [
    ...(least === undefined ? [] : [say('At least {amount}.', { amount: formatShillings(least) })]),
    ...(wallet ? [say('In your wallet: {amount}.', { amount: formatShillings(wallet.available) })] : []),
  ];
  return <span className="num">{parts.join(' ')}</span>;
}

function Done({ receipt, onClose }: { receipt: Receipt; onClose: () => void }) {
  return (
    <>
      <ReceiptCard receipt={receipt} />
      <Button className="mt-4 w-full" onClick={onClose}>
        {say('Done')}
      </Button>
    </>
  );
}

function TopUpLink({ onTopUp }: { onTopUp: () => void }) {
  return (
    <p className="mt-1 text-center">
      <button type="button" className="link min-h-11 cursor-pointer text-small" onClick={onTopUp}>
        {say('Deposit to your wallet')}
      </button>
    </p>
  );
}
