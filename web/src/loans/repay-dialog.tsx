import { centsOf, formatShillings } from '@ushirika/contract/format';
import type { LoanDetail, promptRepayment, repayLoan, Surplus } from '@ushirika/contract/loans';
import type { Receipt } from '@ushirika/contract/receipts';
import { nairobiDay } from '@ushirika/contract/time';
import { useState } from 'react';
import { ApiForm, explainFailure } from '../api/api-form.tsx';
import { call, useIdempotencyKey } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { withProof } from '../api/with-proof.ts';
import { now } from '../clock.ts';
import { ConfirmPhone } from '../identity/confirm-phone-dialog.tsx';
import { useProfile } from '../identity/profile.queries.ts';
import { type Details, ReceiptCard } from '../receipts/receipt-card.tsx';
import { Button } from '../ui/button.tsx';
import { Facts, FailureState } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MoneyField } from '../ui/fields.tsx';
import { Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { ToCopy } from '../ui/to-copy.tsx';
import { toast } from '../ui/toast.ts';
import { inThrees } from '../wallet/pay-by-hand.tsx';
import { ShillingsField } from '../wallet/shillings-field.tsx';
import { usePaybill } from '../wallet/wallet.queries.ts';
import { say } from '../words/say.ts';
import { centsTyped, claimedCents, dueLater, isDueAtOnce, typedCents } from './loan.rules.ts';
import { refreshLoans } from './loans.queries.ts';
import { repaymentDetails } from './movements-card.tsx';
import { FollowedPrompt } from './prompt-followed.tsx';
import { keepSurplus, RepaymentOutcome, SurplusChoice, SurplusForPaybill } from './surplus-choice.tsx';
import { usePaused } from './use-paused.ts';

type Way = 'wallet' | 'mpesa' | 'paybill';

/** The choice and the amount of the dialog, which stay when the way of paying is changed. */
interface Ahead {
  readonly loan: LoanDetail;
  readonly chosen: Surplus;
  readonly onChoose: (surplus: Surplus) => void;
  /** The amount as it is typed; null before anything is. */
  readonly typed: string | null;
  readonly onType: (typed: string) => void;
}

interface Paid {
  readonly receipt: Receipt;
  readonly details: Details;
}

/** The choice of what a payment in advance does, where more is typed than is due, and the loan as it would be after the payment. */
function WhatComesOfIt({
  ahead,
  typed,
  due,
  restStays = false,
}: {
  ahead: Ahead;
  typed: string;
  due: number;
  restStays?: boolean;
}) {
  const asked = centsTyped(usePaused(typed)) ?? 0;
  if (isDueAtOnce(ahead.loan)) return null;
  return (
    <>
      {(centsTyped(typed) ?? 0) > due && <SurplusChoice chosen={ahead.chosen} onChoose={ahead.onChoose} />}
      <RepaymentOutcome loan={ahead.loan} cents={asked} surplus={ahead.chosen} restStays={restStays} />
    </>
  );
}

/** Repaying: from the wallet, by a prompt on one's own phone, or by hand at the paybill. */
export function RepayDialog({
  loan,
  first,
  deposit,
  onPrompted,
  onTopUp,
  onClose,
}: {
  loan: LoanDetail;
  /** Shillings of overdue interest and penalty that are paid to the cent, from the wallet, before a new schedule can hold. */
  first?: number;
  /** The prompt that is waited for; it stands in the address. */
  deposit: string | null;
  onPrompted: (deposit: string) => void;
  onTopUp: () => void;
  onClose: () => void;
}) {
  const [way, setWay] = useState<Way>('wallet');
  const [surplus, setSurplus] = useState(loan.surplus);
  const [typed, setTyped] = useState<string | null>(null);
  const [paid, setPaid] = useState<Paid | null>(null);
  const choose = (next: Way) => {
    setWay(next);
    if (next === 'mpesa') setTyped(typed && wholeShillings(typed));
  };
  const ahead = { loan, chosen: surplus, onChoose: setSurplus, typed, onType: setTyped };
  return (
    <Dialog title={say('Repay')} onClose={onClose}>
      {deposit ? (
        <FollowedPrompt id={deposit} loan={loan} onAgain={() => onPrompted('')} onClose={onClose} />
      ) : paid ? (
        <>
          <ReceiptCard receipt={paid.receipt} more={paid.details} />
          <Button className="mt-4 w-full" onClick={onClose}>
            {say('Done')}
          </Button>
        </>
      ) : (
        <>
          <ClaimsFirst loan={loan} />
          {first === undefined && <Ways way={way} onChoose={choose} />}
          {way === 'wallet' && (
            <FromWallet loan={loan} first={first} ahead={ahead} onTopUp={onTopUp} onPaid={setPaid} />
          )}
          {way === 'mpesa' && <ByPrompt loan={loan} ahead={ahead} onPrompted={onPrompted} />}
          {way === 'paybill' && (
            <>
              <ByHand number={loan.number} />
              {!isDueAtOnce(loan) && <SurplusForPaybill loan={loan} chosen={surplus} onChoose={setSurplus} />}
            </>
          )}
        </>
      )}
    </Dialog>
  );
}

function Ways({ way, onChoose }: { way: Way; onChoose: (way: Way) => void }) {
  const words: Record<Way, string> = { wallet: say('Wallet'), mpesa: say('M-Pesa'), paybill: say('Paybill') };
  return (
    <fieldset className="mb-4 grid grid-cols-3 gap-1 rounded-box bg-sunken p-1">
      <legend className="sr-only">{say('How to pay')}</legend>
      {(['wallet', 'mpesa', 'paybill'] as const).map((each) => (
        <label
          key={each}
          className="relative inline-flex min-h-11 cursor-pointer items-center justify-center rounded-small px-1.5 font-semibold text-ink-2 has-checked:bg-surface has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-3 has-focus-visible:outline-[var(--focus)]"
        >
          <input
            type="radio"
            name="way"
            className="absolute inset-0 cursor-pointer opacity-0"
            checked={way === each}
            onChange={() => onChoose(each)}
          />
          {words[each]}
        </label>
      ))}
    </fieldset>
  );
}

/** An amount as M-Pesa moves it: cents are rounded up. Text that is no amount stays as it is. */
function wholeShillings(typed: string): string {
  const cents = centsTyped(typed);
  return cents === null || cents % 100 === 0 ? typed : String(Math.ceil(cents / 100));
}

/** What is due now in cents: what is overdue, else the next instalment; 0 where its month has not begun. */
function dueCents(loan: LoanDetail): number {
  const { overdue, next_due: next } = loan;
  if (isDueAtOnce(loan)) return claimedCents(loan) + centsOf(loan.owed);
  if (dueLater(loan, nairobiDay(new Date(now())))) return 0;
  return centsOf(overdue > 0 ? overdue : (next?.amount ?? 0));
}

/** Said to whoever owes guarantors or a pool: they are paid first. */
function ClaimsFirst({ loan }: { loan: LoanDetail }) {
  const claimed = claimedCents(loan);
  if (claimed === 0) return null;
  return (
    <p role="note" className="num mb-4 rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
      {say('Others have paid {amount} for you. What you pay goes to them first, then to the loan.', {
        amount: formatShillings(claimed / 100),
      })}
    </p>
  );
}

/** The choice that goes with a payment. Where nothing is paid in advance, nothing was asked, and the choice of the loan stays. */
const surplusOf = ({ loan, chosen }: Ahead, amount: string, due: number): Surplus =>
  (centsTyped(amount) ?? 0) > due && !isDueAtOnce(loan) ? chosen : loan.surplus;

function FromWallet({
  loan,
  first,
  ahead,
  onTopUp,
  onPaid,
}: {
  loan: LoanDetail;
  first: number | undefined;
  ahead: Ahead;
  onTopUp: () => void;
  onPaid: (paid: Paid) => void;
}) {
  const wallet = useProfile().data?.wallet;
  const { keyFor, settle } = useIdempotencyKey();
  const due = first === undefined ? dueCents(loan) : centsOf(first);
  const typed = ahead.typed ?? (due > 0 ? typedCents(due) : '');
  const submit = async ({ amount }: Record<'amount', string>) => {
    const surplus = surplusOf(ahead, amount, due);
    const body = { amount, surplus };
    const input = { params: { id: loan.id }, body, idempotencyKey: keyFor(body) };
    const answer = await withProof(() => call<typeof repayLoan>('POST', '/loans/{id}/repayments', input));
    toast.success(answer.message);
    settle();
    onPaid({ receipt: answer.receipt, details: repaymentDetails(answer.loan, answer.receipt.journal) });
    await keepSurplus(loan, surplus).catch((error) => toast.error(wordsFor(error)));
    await refreshLoans();
  };
  return (
    <>
      <Facts
        facts={[
          ...(due > 0
            ? [
                [
                  first !== undefined
                    ? say('Overdue interest and penalty')
                    : loan.overdue > 0 || isDueAtOnce(loan)
                      ? say('Due now')
                      : say('The next instalment'),
                  <Money key="due" shillings={due / 100} />,
                ] as const,
              ]
            : []),
          ...(wallet ? [[say('In your wallet'), <Money key="free" shillings={wallet.available} />] as const] : []),
        ]}
      />
      <ApiForm<'amount'>
        className="mt-4 grid gap-4"
        required={['amount']}
        emptyMessage={say('Enter an amount.')}
        submit={submit}
        settle={settle}
      >
        <MoneyField
          label={say('Amount')}
          name="amount"
          value={typed}
          onChange={({ currentTarget }) => ahead.onType(currentTarget.value)}
        />
        {first === undefined && <WhatComesOfIt ahead={ahead} typed={typed} due={due} />}
        <p className="text-small text-ink-2">
          {first !== undefined && (
            <b>{say('Pay exactly that: more would lower the principal, and this offer would end.')} </b>
          )}
          {say('It pays the oldest first: penalty and interest, then what you borrowed.')}{' '}
          {say('What you pay beyond what is due pays the interest up to today, then your loan gets smaller at once.')}
        </p>
        <SubmitButton busyLabel={say('processing...')}>{say('Repay from the wallet')}</SubmitButton>
      </ApiForm>
      <p className="mt-1 text-center">
        <button type="button" className="link min-h-11 cursor-pointer text-small" onClick={onTopUp}>
          {say('Deposit to your wallet')}
        </button>
      </p>
    </>
  );
}

function ByPrompt({
  loan,
  ahead,
  onPrompted,
}: {
  loan: LoanDetail;
  ahead: Ahead;
  onPrompted: (deposit: string) => void;
}) {
  const phone = useProfile().data?.phone_number;
  const { keyFor, settle } = useIdempotencyKey();
  const [isUnconfirmed, setUnconfirmed] = useState(false);
  const due = dueCents(loan);
  const asked = Math.ceil(due / 100) * 100;
  const typed = ahead.typed ?? (due > 0 ? String(asked / 100) : '');
  const submit = async ({ amount }: Record<'amount', string>) => {
    const body = { amount, surplus: surplusOf(ahead, amount, asked) };
    const input = { params: { id: loan.id }, body, idempotencyKey: keyFor(body) };
    const answer = await call<typeof promptRepayment>('POST', '/loans/{id}/prompts', input);
    toast.success(answer.message);
    settle();
    onPrompted(answer.deposit.id);
  };
  const explain = (error: unknown) => {
    if (!(error instanceof CallFailure) || error.code !== 'phone_unconfirmed') return explainFailure(error);
    setUnconfirmed(true);
    return { toasts: [] };
  };
  if (isUnconfirmed) {
    return (
      <div className="grid gap-4">
        <p className="rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
          {say('Confirm your phone first, once. Then the prompt comes to it.')}
        </p>
        <ConfirmPhone onDone={() => setUnconfirmed(false)} />
      </div>
    );
  }
  return (
    <ApiForm<'amount'>
      required={['amount']}
      emptyMessage={say('Enter an amount.')}
      submit={submit}
      settle={settle}
      explain={explain}
    >
      <ShillingsField
        label={say('Amount')}
        name="amount"
        defaultValue={typed || undefined}
        onChange={({ currentTarget }) => ahead.onType(currentTarget.value)}
        hint={say('Whole shillings, up to Ksh. 250,000 at once. Cents are rounded up.')}
      />
      <WhatComesOfIt ahead={ahead} typed={typed} due={asked} restStays />
      <p className="num rounded-box bg-ochre-tint px-4 py-3 text-small font-medium text-ochre-ink">
        {say('M-Pesa asks for the PIN on {phone}', { phone: phone ?? '' })}.{' '}
        {say('What arrives goes to this loan. Never type the PIN here.')}
      </p>
      <SubmitButton busyLabel={say('processing...')}>{say('Send the prompt')}</SubmitButton>
    </ApiForm>
  );
}

/** The paybill, with the loan's own number as the account. */
export function ByHand({ number }: { number: string }) {
  const { data, error, refetch } = usePaybill();
  if (error && !data) {
    return <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />;
  }
  return (
    <>
      <p className="mb-3 text-small text-ink-2">
        {say('On any phone open Lipa na M-PESA, then Pay Bill. Type these two numbers, the amount and the PIN.')}
      </p>
      {data ? (
        <div className="grid gap-3 rounded-box bg-paper px-4 py-3 text-lead">
          <ToCopy name={say('Business number')} text={data.paybill} what={say('Copy the business number')} />
          <ToCopy
            name={say('The number of this loan, as the account')}
            text={number}
            shown={inThrees(number)}
            what={say('Copy the number of the loan')}
          />
        </div>
      ) : (
        <Skeletons count={1} label={say('Loading...')} className="h-36 rounded-box" />
      )}
      <p className="mt-3 text-small text-ink-2">
        {say('Anybody may pay it for you. What arrives goes to this loan at once.')}
      </p>
    </>
  );
}
