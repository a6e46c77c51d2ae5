import { askStories } from './abuse/stories/asks.ts';
import { checkOffStories } from './abuse/stories/check-offs.ts';
import { complaintStories } from './abuse/stories/complaints.ts';
import { dividendStories } from './abuse/stories/dividends.ts';
import { identityStories } from './abuse/stories/identity.ts';
import { loanStories } from './abuse/stories/loans.ts';
import { memberStories } from './abuse/stories/members.ts';
import { messageStories } from './abuse/stories/messages.ts';
import { mobileMoneyStories } from './abuse/stories/mobile-money.ts';
import { nameStories } from './abuse/stories/names.ts';
import { operatorStories } from './abuse/stories/operators.ts';
import { poolStories } from './abuse/stories/pools.ts';
import { priceStories } from './abuse/stories/prices.ts';
import { proofStories } from './abuse/stories/proofs.ts';
import { sessionStories } from './abuse/stories/sessions.ts';
import { signInStories } from './abuse/stories/sign-in.ts';
import { termsStories } from './abuse/stories/terms.ts';
import { tradeStories } from './abuse/stories/trades.ts';
import { votingStories } from './abuse/stories/voting.ts';
import type { Story } from './abuse/story.ts';
import type { DomainPart } from './matrix/domain-part.ts';
import { checkOffs } from './matrix/domains/check-offs.ts';
import { complaints } from './matrix/domains/complaints.ts';
import { dividends } from './matrix/domains/dividends.ts';
import { identity } from './matrix/domains/identity.ts';
import { loanRecovery } from './matrix/domains/loan-recovery.ts';
import { loans } from './matrix/domains/loans.ts';
import { pools } from './matrix/domains/pools.ts';
import { proofs } from './matrix/domains/proofs.ts';
import { referrals } from './matrix/domains/referrals.ts';
import { voting } from './matrix/domains/voting.ts';
import { changeActs } from './model/acts/changes.ts';
import { dividendActs } from './model/acts/dividends.ts';
import { entranceActs } from './model/acts/entrance.ts';
import { loanActs } from './model/acts/loans.ts';
import { marketActs } from './model/acts/market.ts';
import { membershipActs } from './model/acts/membership.ts';
import { moneyActs } from './model/acts/money.ts';
import { nameActs } from './model/acts/names.ts';
import { payerActs } from './model/acts/payers.ts';
import { poolActs } from './model/acts/pools.ts';
import { profileActs } from './model/acts/profile.ts';
import { otherActs } from './model/acts/referrals-and-pools.ts';
import { saccoActs } from './model/acts/saccos.ts';
import { voteActs } from './model/acts/votes.ts';
import type { Act } from './model/simulation.ts';

/*
 * What each domain brings to the harnesses: to the matrix its policies, parameters and objects, to the model its acts, to abuse
 * its stories. A new one has its lines here, and all it has to say in files of its own.
 */

export const matrixParts: readonly DomainPart[] = [
  checkOffs,
  complaints,
  dividends,
  identity,
  loanRecovery,
  loans,
  pools,
  proofs,
  referrals,
  voting,
];

/** Everything that can happen in the model, with how often. */
export const allActs: readonly Act[] = [
  ...entranceActs,
  ...profileActs,
  ...saccoActs,
  ...membershipActs,
  ...moneyActs,
  ...payerActs,
  ...otherActs,
  ...changeActs,
  ...nameActs,
  ...marketActs,
  ...loanActs,
  ...poolActs,
  ...voteActs,
  ...dividendActs,
];

export const stories: readonly Story[] = [
  ...askStories,
  ...checkOffStories,
  ...complaintStories,
  ...dividendStories,
  ...identityStories,
  ...loanStories,
  ...memberStories,
  ...messageStories,
  ...mobileMoneyStories,
  ...nameStories,
  ...operatorStories,
  ...poolStories,
  ...priceStories,
  ...proofStories,
  ...sessionStories,
  ...signInStories,
  ...termsStories,
  ...tradeStories,
  ...votingStories,
];
