import { refusals } from './refusals.ts';
import { checkOffsTexts } from './texts/check-offs.ts';
import { checkTexts } from './texts/checks.ts';
import { commonTexts } from './texts/common.ts';
import { complaintsTexts } from './texts/complaints.ts';
import { dividendsTexts } from './texts/dividends.ts';
import { identityTexts } from './texts/identity.ts';
import { loanRecoveryTexts } from './texts/loan-recovery.ts';
import { loansTexts } from './texts/loans.ts';
import { marketTexts } from './texts/market.ts';
import { membershipTexts } from './texts/membership.ts';
import { notificationsTexts } from './texts/notifications.ts';
import { operatorTexts } from './texts/operator.ts';
import { poolsTexts } from './texts/pools.ts';
import { referralsTexts } from './texts/referrals.ts';
import { saccosTexts } from './texts/saccos.ts';
import { savingsTexts } from './texts/savings.ts';
import { sharesTexts } from './texts/shares.ts';
import { votingTexts } from './texts/voting.ts';
import { walletTexts } from './texts/wallet.ts';

/**
 * Every sentence that the server says to a person: the English ICU text is its key, the Swahili its value
 * (docs/decisions/174). A domain has a file of its own in `texts/`; the words of a refusal stand with it in refusals.ts.
 */
const declared = {
  ...checkOffsTexts,
  ...checkTexts,
  ...commonTexts,
  ...complaintsTexts,
  ...dividendsTexts,
  ...identityTexts,
  ...loanRecoveryTexts,
  ...loansTexts,
  ...membershipTexts,
  ...notificationsTexts,
  ...operatorTexts,
  ...poolsTexts,
  ...referralsTexts,
  ...saccosTexts,
  ...savingsTexts,
  ...sharesTexts,
  ...votingTexts,
  ...walletTexts,
  ...marketTexts,
} as const;

type RefusalText = (typeof refusals)[keyof typeof refusals]['message'];
export type Text = keyof typeof declared | RefusalText;

export const swahiliOf: Readonly<Record<Text, string>> = {
  ...declared,
  ...(Object.fromEntries(Object.values(refusals).map(({ message, swahili }) => [message, swahili])) as Record<
    RefusalText,
    string
  >),
};

export function isText(text: string): text is Text {
  return Object.hasOwn(swahiliOf, text);
}
