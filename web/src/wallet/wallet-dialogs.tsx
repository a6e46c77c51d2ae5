import { Suspense } from 'react';
import { later } from '../layouts/later.tsx';
import { useOpenInAddress } from './open-in-address.ts';

const TopUpDialog = later(() => import('./top-up-dialog.tsx'), 'TopUpDialog');
const ConfirmDepositDialog = later(() => import('./confirm-deposit-dialog.tsx'), 'ConfirmDepositDialog');
const WithdrawDialog = later(() => import('./withdraw-dialog.tsx'), 'WithdrawDialog');
const ReceiptDialog = later(() => import('./money-receipt.tsx'), 'ReceiptDialog');
const ConfirmPhoneDialog = later(() => import('../identity/confirm-phone-dialog.tsx'), 'ConfirmPhoneDialog');

/** The dialogs about one's money, each loaded when it is first opened. The address says which is open. */
export function useWalletDialogs() {
  const { open, value, showBetween: show, goOn, close } = useOpenInAddress();
  const journal = value('journal');
  const dialogs = (
    <Suspense>
      {open === 'top-up' && (
        <TopUpDialog
          depositId={value('deposit')}
          againId={value('again')}
          onAsked={(deposit) => goOn({ deposit })}
          onAgain={() => goOn({ again: value('deposit') ?? '' })}
          onConfirm={() => show('confirm')}
          onClose={close}
        />
      )}
      {open === 'confirm' && (
        <ConfirmDepositDialog
          claimId={value('claim')}
          againId={value('again')}
          onAsked={(claim) => goOn({ claim })}
          onAgain={() => goOn({ again: value('claim') ?? '' })}
          onClose={close}
        />
      )}
      {open === 'withdraw' && (
        <WithdrawDialog
          withdrawalId={value('withdrawal')}
          againId={value('again')}
          onAsked={(withdrawal) => goOn({ withdrawal })}
          onAgain={() => goOn({ again: value('withdrawal') ?? '' })}
          onConfirmPhone={() => show('confirm-phone')}
          onClose={close}
        />
      )}
      {open === 'receipt' && journal && <ReceiptDialog journal={journal} onClose={close} />}
      {open === 'confirm-phone' && <ConfirmPhoneDialog onClose={close} />}
    </Suspense>
  );
  return {
    dialogs,
    topUp: () => show('top-up'),
    followTopUp: (deposit: string) => show('top-up', { deposit }),
    confirmDeposit: () => show('confirm'),
    withdraw: () => show('withdraw'),
    receipt: (journalId: string) => show('receipt', { journal: journalId }),
    confirmPhone: () => show('confirm-phone'),
  };
}
