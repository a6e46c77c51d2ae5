import { checkOffsContract } from './check-offs.ts';
import { complaintsContract } from './complaints.ts';
import { dividendsContract } from './dividends.ts';
import { identityContract } from './identity.ts';
import { loanRecoveryContract } from './loan-recovery.ts';
import { loansContract } from './loans.ts';
import { marketContract } from './market.ts';
import { membershipContract } from './membership.ts';
import { notificationsContract } from './notifications.ts';
import { operatorContract } from './operator.ts';
import { poolsContract } from './pools.ts';
import { proofsContract } from './proofs.ts';
import { proposalsContract } from './proposals.ts';
import { publicContract } from './public.ts';
import { referralsContract } from './referrals.ts';
import type { Route } from './route.ts';
import { saccoChangesContract } from './sacco-changes.ts';
import { saccosContract } from './saccos.ts';
import { savingsContract } from './savings.ts';
import { sharesContract } from './shares.ts';
import { summaryContract } from './summary.ts';
import { votingContract } from './voting.ts';
import { walletContract } from './wallet.ts';

/** Every route there is. A route that is not here is not served; one that is here and bound by nobody does not start. */
export const contract: readonly Route[] = [
  ...publicContract,
  ...identityContract,
  ...notificationsContract,
  ...walletContract,
  ...saccosContract,
  ...saccoChangesContract,
  ...membershipContract,
  ...sharesContract,
  ...dividendsContract,
  ...marketContract,
  ...savingsContract,
  ...summaryContract,
  ...referralsContract,
  ...poolsContract,
  ...loansContract,
  ...loanRecoveryContract,
  ...checkOffsContract,
  ...operatorContract,
  ...proposalsContract,
  ...complaintsContract,
  ...votingContract,
  ...proofsContract,
];
