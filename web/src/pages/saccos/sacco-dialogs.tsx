import type { Sacco } from '@ushirika/contract/saccos';
import { Suspense, useState } from 'react';
import { later } from '../../layouts/later.tsx';
import { useSaccoDetail } from '../../saccos/saccos.queries.ts';
import { useSession } from '../../session/session.ts';
import { useOpenInAddress } from '../../wallet/open-in-address.ts';
import { useWalletDialogs } from '../../wallet/wallet-dialogs.tsx';

const JoinDialog = later(() => import('../../membership/join-dialog.tsx'), 'JoinDialog');
const NoLoansNow = later(() => import('../../loans/no-loans-now.tsx'), 'NoLoansNow');
const BuySharesDialog = later(() => import('../../market/buy-shares-dialog.tsx'), 'BuySharesDialog');
const SellSharesDialog = later(() => import('../../market/sell-shares-dialog.tsx'), 'SellSharesDialog');
const RegisterDialog = later(() => import('../../saccos/register-sacco-dialog.tsx'), 'RegisterSaccoDialog');

/**
 * The dialogs about saccos, loaded when they are first opened: joining leads on to buying shares. The address says which
 * sacco is joined, so that a top-up in between leads back to it.
 */
export function useSaccoDialogs() {
  const { open, value, show, goOn, close } = useOpenInAddress();
  const money = useWalletDialogs();
  const person = useSession()?.user.id ?? '';
  const [isRegistering, setRegistering] = useState(false);
  /** The sacco as it stood on the page. */
  const [shown, setShown] = useState<Sacco | null>(null);
  const id = value('sacco') ?? undefined;
  const isShown = shown !== null && shown.id === id;
  const { data } = useSaccoDetail(isShown ? undefined : id);
  const sacco = isShown ? shown : data;
  const openFor = (name: string) => (of: Sacco) => {
    setShown(of);
    show(name, { sacco: of.id });
  };
  const dialogs = (
    <Suspense>
      {isRegistering && <RegisterDialog onClose={() => setRegistering(false)} />}
      {sacco && open === 'join' && !sacco.members_list.includes(person) && (
        <JoinDialog
          sacco={sacco}
          before={<NoLoansNow sacco={sacco.id} />}
          onTopUp={money.topUp}
          onClose={close}
          onJoined={() => goOn({ open: 'buy-shares', sacco: sacco.id })}
        />
      )}
      {sacco && open === 'buy-shares' && <BuySharesDialog sacco={sacco} onTopUp={money.topUp} onClose={close} />}
      {sacco && open === 'sell-shares' && <SellSharesDialog sacco={sacco} onClose={close} />}
      {person && money.dialogs}
    </Suspense>
  );
  return {
    dialogs,
    join: openFor('join'),
    buyShares: openFor('buy-shares'),
    sellShares: openFor('sell-shares'),
    register: () => setRegistering(true),
  };
}
