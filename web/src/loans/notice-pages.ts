import type { NoticePages } from '../layouts/notice-page.ts';
import { paths } from '../paths.ts';
import { say } from '../words/say.ts';
import { checkOffPaths } from './check-off-paths.ts';
import { loanPaths } from './loan-paths.ts';

export const noticePages: NoticePages = {
  loan_: { words: () => say('Loans'), to: loanPaths.loans, isOfSacco: true },
  schedule_: { words: () => say('Loans'), to: loanPaths.loans, isOfSacco: true },
  loan_guarantor_: { words: () => say('Guarantees'), to: () => loanPaths.loans('guarantees'), isOfSacco: true },
  loan_pledge_: { words: () => say('Guarantees'), to: () => loanPaths.loans('guarantees'), isOfSacco: true },
  check_off_: { words: () => say('Check-offs'), to: checkOffPaths.profile },
  check_off_paid: { words: () => say('Wallet'), to: paths.wallet },
};
