import { dividendPaths } from '../dividends/dividend-paths.ts';
import { loanPaths } from '../loans/loan-paths.ts';
import { paths } from '../paths.ts';
import { votingPaths } from '../voting/voting-paths.ts';

/** The pages of the client area that members alone have: an official who is no member of the chosen sacco is led elsewhere. */
export const MEMBERS_PAGES: ReadonlySet<string> = new Set([
  loanPaths.loans(),
  loanPaths.apply(),
  `${loanPaths.loans()}/guarantees/:id`,
  `${loanPaths.loans()}/:id`,
  votingPaths.votes(),
  dividendPaths.dividends(),
  `${dividendPaths.dividends()}/:year`,
  paths.clientReferrals(),
]);
