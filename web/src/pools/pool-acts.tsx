import type { PoolDetails } from '@ushirika/contract/pools';
import { Suspense } from 'react';
import { useClosed } from '../identity/use-closed.ts';
import { later } from '../layouts/later.tsx';
import { Button } from '../ui/button.tsx';
import { useOpenInAddress } from '../wallet/open-in-address.ts';
import { useWalletDialogs } from '../wallet/wallet-dialogs.tsx';
import { say } from '../words/say.ts';
import { stewardWords } from './pool-words.ts';

const JoinPoolDialog = later(() => import('./pool-money-dialogs.tsx'), 'JoinPoolDialog');
const DepositPoolDialog = later(() => import('./pool-money-dialogs.tsx'), 'DepositPoolDialog');
const WithdrawPoolDialog = later(() => import('./withdraw-pool-dialog.tsx'), 'WithdrawPoolDialog');
const GuaranteeDialog = later(() => import('./guarantee-dialog.tsx'), 'GuaranteeDialog');
const PoolStateDialog = later(() => import('./pool-state-dialog.tsx'), 'PoolStateDialog');

/** What one may do with a pool; a button that does nothing now says why. The address says which dialog is open. */
export function PoolActs({ pool }: { pool: PoolDetails }) {
  const { open, show, close } = useOpenInAddress();
  const money = useWalletDialogs();
  const closed = useClosed();
  const isMember = (pool.me?.position ?? 0) > 0;
  const stewards = (['suspend', 'reopen', 'close'] as const).filter((act) => pool.may.includes(act));
  const act = stewards.find((one) => open === `${one}-pool`);
  return (
    <>
      <div className="mt-5 flex flex-wrap gap-2.5 max-sm:*:grow">
        {isMember ? (
          <>
            <Button disabledReason={whyNot(pool, 'request_guarantee', closed)} onClick={() => show('guarantee')}>
              {say('Ask for a guarantee')}
            </Button>
            <Button look="soft" disabledReason={whyNot(pool, 'deposit', closed)} onClick={() => show('pool-deposit')}>
              {say('Deposit')}
            </Button>
            <Button look="line" disabledReason={whyNot(pool, 'withdraw', closed)} onClick={() => show('pool-withdraw')}>
              {say('Withdraw')}
            </Button>
          </>
        ) : (
          <Button disabledReason={whyNot(pool, 'join', closed)} onClick={() => show('join-pool')}>
            {say('Join the pool')}
          </Button>
        )}
        {stewards.map((one) => (
          <Button key={one} look="quiet" onClick={() => show(`${one}-pool`)}>
            {stewardWords(one)}
          </Button>
        ))}
      </div>
      <Suspense>
        {open === 'join-pool' && <JoinPoolDialog pool={pool} onTopUp={money.topUp} onClose={close} />}
        {open === 'pool-deposit' && isMember && <DepositPoolDialog pool={pool} onTopUp={money.topUp} onClose={close} />}
        {open === 'pool-withdraw' && isMember && <WithdrawPoolDialog pool={pool} onClose={close} />}
        {open === 'guarantee' && isMember && <GuaranteeDialog pool={pool} onClose={close} />}
        {act && <PoolStateDialog pool={pool} act={act} onClose={close} />}
      </Suspense>
      {money.dialogs}
    </>
  );
}

/** Why something cannot be done with the pool now, in a sentence, or null. */
function whyNot(
  pool: PoolDetails,
  act: 'join' | 'deposit' | 'withdraw' | 'request_guarantee',
  closed: string | null,
): string | null {
  if (closed) return closed;
  if (act === 'withdraw' && pool.me && pool.me.free === 0 && pool.me.position > 0)
    return say('All of your money here is locked for guarantees or under notice.');
  if (pool.may.includes(act)) return null;
  if (act === 'request_guarantee') {
    if (pool.state === 'FORMING') return say('The pool is still forming. It guarantees loans once it is open.');
    if (pool.state === 'OPEN' && pool.deciders_count === 0)
      return say('No steward has money in the pool that is not under notice: nobody decides for it.');
    if (pool.state === 'OPEN')
      return say(
        'You are a steward here, and nobody decides about their own request. Too few other stewards are left.',
      );
    if (pool.state === 'SUSPENDED')
      return say('A steward has suspended the pool: it gives no new guarantees. That ends by itself after 30 days.');
  }
  if (pool.state === 'CLOSING' || pool.state === 'CLOSED')
    return say('The pool is closing: it pays its members out and takes nothing new.');
  if (act === 'join') return say('This pool is for members of {sacco}.', { sacco: pool.sacco?.name ?? '' });
  return say('That cannot be done with the pool now.');
}
