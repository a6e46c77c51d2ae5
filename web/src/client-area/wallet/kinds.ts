import type { TransactionKind } from '@ushirika/contract/wallet';
import type { IconName } from '../../ui/icon.tsx';
import { say } from '../../words/say.ts';

/** What the history can be narrowed to, in words; kinds whose feature does not exist yet have no line here. */
export function historyKinds(): readonly (readonly [TransactionKind, string])[] {
  return [
    ['top_up', say('Top-ups')],
    ['withdrawal', say('Withdrawals')],
    ['shares', say('Shares')],
    ['savings', say('Savings')],
    ['fees', say('Registration fees')],
    ['rewards', say('Referral rewards')],
    ['other', say('Other')],
  ];
}

/** A movement of the wallet by its event (docs/postings.md), in words and with a sign; `amount` is below zero for money out. */
export function eventShown(kind: string, amount = 0): { words: string; icon: IconName } {
  const shown: Readonly<Record<string, { words: string; icon: IconName }>> = {
    wallet_topped_up: { words: say('M-Pesa top-up'), icon: 'device' },
    receipt_claimed: { words: say('M-Pesa deposit, confirmed by its receipt'), icon: 'device' },
    paybill_received: { words: say('M-Pesa paybill payment'), icon: 'device' },
    suspense_credited: { words: say('M-Pesa payment, credited after a check'), icon: 'device' },
    withdrawal_reserved: { words: say('Withdrawal to your phone'), icon: 'out' },
    withdrawal_returned: { words: say('Withdrawal not paid, money back'), icon: 'back' },
    sacco_joined: { words: say('Registration fee'), icon: 'people' },
    shares_bought: { words: say('Shares bought'), icon: 'chart' },
    shares_traded:
      amount > 0
        ? { words: say('Shares sold to a member'), icon: 'chart' }
        : { words: say('Shares bought from a member'), icon: 'chart' },
    order_placed: { words: say('Held for an order to buy shares'), icon: 'chart' },
    order_changed:
      amount > 0
        ? { words: say('Order changed, money back'), icon: 'back' }
        : { words: say('Held for a changed order'), icon: 'chart' },
    order_closed: { words: say('Order closed, money back'), icon: 'back' },
    savings_deposited: { words: say('Saved'), icon: 'pig' },
    deposits_refunded: { words: say('Savings refunded'), icon: 'back' },
    referral_rewarded: { words: say('Referral reward'), icon: 'share' },
    reversal: { words: say('Correction'), icon: 'swap' },
  };
  return shown[kind] ?? { words: say('Movement of your wallet'), icon: 'wallet' };
}
