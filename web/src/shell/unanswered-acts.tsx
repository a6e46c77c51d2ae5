import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import type { Unanswered } from '../api/unanswered.ts';
import { withProof } from '../api/with-proof.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { LongDate } from '../ui/figures.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

/** Acts with money whose answer was lost. Each is asked for once more under its own key, and leads to what came of it. */
export function UnansweredActs({ acts }: { acts: readonly Unanswered[] }) {
  return acts.map((act) => <UnansweredAct key={act.key} act={act} />);
}

function UnansweredAct({ act }: { act: Unanswered }) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    try {
      const input = { body: act.body, idempotencyKey: act.key, saccoId: act.saccoId };
      const answer = await withProof(() => sendAgain(act.method, act.path, input));
      if (answer.message) toast.success(answer.message);
      const to = receiptOf(answer);
      if (to) void navigate(to);
    } catch (error) {
      if (!(error instanceof CallFailure && error.kind === 'aborted')) toast.error(wordsFor(error));
    }
    setBusy(false);
    await refresh(['User', 'Chart', 'Sacco', 'Pool', 'Client']);
  };
  return (
    <div
      role="status"
      className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-box bg-ochre-tint px-4 py-3.5 text-ochre-ink"
    >
      <p className="min-w-0 grow basis-64">
        <b>{nameOf(act.path)}</b> · <LongDate iso={new Date(act.at).toISOString()} time />.{' '}
        {say('No answer came, so it may have gone through. Ask again: it counts once.')}
      </p>
      <Button look="line" busy={busy} onClick={() => void ask()}>
        {busy ? say('processing...') : say('Ask again')}
      </Button>
    </div>
  );
}

/** Its route is known by its address alone. */
const sendAgain = call as unknown as (method: string, path: string, input: object) => Promise<Answer>;

interface Answer {
  readonly message?: string;
  readonly receipt?: { readonly journal: string };
  readonly deposit?: { readonly id: string };
  readonly withdrawal?: { readonly id: string };
}

/** The receipt of what was done, or what is under way. */
function receiptOf({ receipt, deposit, withdrawal }: Answer): string | null {
  if (deposit) return `${paths.wallet()}?open=top-up&deposit=${encodeURIComponent(deposit.id)}`;
  if (withdrawal) return `${paths.wallet()}?open=withdraw&withdrawal=${encodeURIComponent(withdrawal.id)}`;
  return receipt ? `${paths.wallet()}?open=receipt&journal=${encodeURIComponent(receipt.journal)}` : null;
}

/** The act in a word or two, by the address that it was sent to. */
function nameOf(path: string): string {
  const names: readonly (readonly [RegExp, string])[] = [
    [/pay_shares_amount|buy-user-shares/, say('Buy Shares')],
    [/mpesa\/deposit$/, say('Top Up')],
    [/mpesa\/withdraw$/, say('Withdraw')],
    [/repayments|prompts/, say('Repay')],
    [/\/join$/, say('Join Sacco')],
    [/savings/, say('Savings')],
    [/order-book/, say('Share Trading')],
  ];
  return names.find(([of]) => of.test(path))?.[1] ?? say('What you sent last');
}
