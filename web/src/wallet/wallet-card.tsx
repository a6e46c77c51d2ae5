import { formatShillings } from '@ushirika/contract/format';
import type { ClientProfile } from '@ushirika/contract/identity';
import { useProfile } from '../identity/profile.queries.ts';
import { useClosed } from '../identity/use-closed.ts';
import { Button } from '../ui/button.tsx';
import { Money } from '../ui/figures.tsx';
import { KangaBand } from '../ui/kanga-band.tsx';
import { say } from '../words/say.ts';
import { ProceedsHeld } from './proceeds-held.tsx';

/** The wallet, closed by its kanga band. Without figures yet it keeps its place. */
export function WalletCard({
  wallet,
  onTopUp,
  onWithdraw,
}: {
  wallet: ClientProfile['wallet'] | undefined;
  onTopUp: () => void;
  onWithdraw: () => void;
}) {
  const kept = useProfile().data?.proceeds_held;
  const closed = useClosed();
  return (
    <section aria-label={say('Wallet')} className="card night flex flex-col overflow-hidden">
      <div className="@container flex grow flex-col px-5.5 pt-5.5 pb-3.5">
        <h2 className="text-small font-normal tracking-normal text-on-night-2">{say('Wallet')}</h2>
        {wallet ? (
          <>
            <p className={`num mt-1 leading-tight font-extrabold tracking-tight ${sizeFor(wallet.amount)}`}>
              <Money shillings={wallet.amount} />
            </p>
            <p className="num mt-1 text-small text-on-night-2">{availableWords(wallet, Boolean(kept))}</p>
            {wallet.held > 0 && (
              <p className="mt-0.5 text-small text-on-night-2">
                {say('Held for withdrawals on their way and for your open orders to buy shares.')}
              </p>
            )}
            {kept && (
              <p className="mt-0.5 text-small text-on-night-2">
                <ProceedsHeld kept={kept} />
              </p>
            )}
          </>
        ) : (
          <div role="status" className="mt-1">
            <p className="my-1.5 grid h-10 w-56 max-w-full place-items-center rounded-small bg-white/10 text-small max-sm:my-0.5 max-sm:h-9">
              {say('Loading...')}
            </p>
            <div aria-hidden="true" className="h-5 w-36 rounded-small bg-white/10" />
          </div>
        )}
        <div className="mt-auto flex gap-2.5 pt-6 max-sm:*:grow">
          <Button look="night-main" disabledReason={closed} onClick={onTopUp}>
            {say('Top Up')}
          </Button>
          <Button look="night" disabledReason={closed} onClick={onWithdraw}>
            {say('Withdraw')}
          </Button>
        </div>
      </div>
      <KangaBand isThin />
    </section>
  );
}

/** What of the wallet can be spent; of what cannot go to M-Pesa yet the next line tells. */
function availableWords({ held, available }: ClientProfile['wallet'], isKept: boolean): string {
  if (held > 0) {
    return say('{held} held, {available} available', {
      held: formatShillings(held),
      available: formatShillings(available),
    });
  }
  return isKept ? say('All of it can be spent here') : say('All of it is available');
}

/** As large as the card is wide enough for: long amounts are set smaller, so that they stay on their line. */
function sizeFor(amount: number): string {
  const characters = formatShillings(amount).length;
  if (characters > 20) return 'text-title';
  if (characters > 17) return 'text-title @min-[19rem]:text-head';
  return characters > 14 ? 'text-head @min-[21.5rem]:text-[2.5rem]' : 'text-head @min-[18rem]:text-[2.5rem]';
}
