import type { NoticePages } from '../layouts/notice-page.ts';
import { paths } from '../paths.ts';
import { say } from '../words/say.ts';

export const noticePages: NoticePages = {
  deposit_: { words: () => say('Wallet'), to: paths.wallet },
  claim_: { words: () => say('Wallet'), to: paths.wallet },
  paybill_: { words: () => say('Wallet'), to: paths.wallet },
  money_: { words: () => say('Wallet'), to: paths.wallet },
  withdrawal_: { words: () => say('Wallet'), to: paths.wallet },
  payment_: { words: () => say('Wallet'), to: paths.wallet },
};
