import type { Sacco } from '@ushirika/contract/saccos';
import { Suspense, useState } from 'react';
import { later } from '../../layouts/later.tsx';

const JoinDialog = later(() => import('../../membership/join-dialog.tsx'), 'JoinDialog');
const NoLoansNow = later(() => import('../../loans/no-loans-now.tsx'), 'NoLoansNow');
const BuySharesDialog = later(() => import('../../market/buy-shares-dialog.tsx'), 'BuySharesDialog');
const SellSharesDialog = later(() => import('../../market/sell-shares-dialog.tsx'), 'SellSharesDialog');
const RegisterDialog = later(() => import('../../saccos/register-sacco-dialog.tsx'), 'RegisterSaccoDialog');

type Shown = { dialog: 'register' } | { dialog: 'join' | 'buy' | 'sell'; sacco: Sacco };

/** The dialogs about saccos, loaded when they are first opened: joining leads on to buying shares. */
export function useSaccoDialogs() {
  const [shown, setShown] = useState<Shown | null>(null);
  const close = () => setShown(null);
  const dialogs = shown && (
    <Suspense>
      {shown.dialog === 'register' && <RegisterDialog onClose={close} />}
      {shown.dialog === 'join' && (
        <JoinDialog
          sacco={shown.sacco}
          before={<NoLoansNow sacco={shown.sacco.id} />}
          onClose={close}
          onJoined={() => setShown({ dialog: 'buy', sacco: shown.sacco })}
        />
      )}
      {shown.dialog === 'buy' && <BuySharesDialog sacco={shown.sacco} onClose={close} />}
      {shown.dialog === 'sell' && <SellSharesDialog sacco={shown.sacco} onClose={close} />}
    </Suspense>
  );
  return {
    dialogs,
    join: (sacco: Sacco) => setShown({ dialog: 'join', sacco }),
    buyShares: (sacco: Sacco) => setShown({ dialog: 'buy', sacco }),
    sellShares: (sacco: Sacco) => setShown({ dialog: 'sell', sacco }),
    register: () => setShown({ dialog: 'register' }),
  };
}
