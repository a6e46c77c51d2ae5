import type { Cents } from '@ushirika/contract/money';
import type { ReferralStatus, RewardState } from '@ushirika/contract/referrals';
import { daysSaid, type Sentence, sentence } from '@ushirika/contract/sentence';
import { CROCKFORD, readCrockford } from '../identity/codes.rules.ts';

/** What a sacco pays until it says otherwise (domain.md 4.7). */
export const DEFAULT_REWARD_CENTS: Cents = 500_00;
/** Rewards that one referrer may earn from one sacco in a calendar month; more wait for the next. */
export const DEFAULT_MONTHLY_REWARDS_MAX = 10;

/** Days that a member must have been active, the minimum shares paid, to be Fully Paid. */
export const FULLY_PAID_AFTER_DAYS = 60;

/** So many registrations with one code from one address in 30 days are looked at by a person. */
export const CLUSTER_SIZE = 3;
export const CLUSTER_DAYS = 30;

/** How long what was shown at registration is kept for comparison. */
export const TRACES_KEPT_DAYS = 365;

export const CODE_LENGTH = 8;

/** A code from the random end of a fresh UUIDv7: 40 bits, eight symbols. */
export function codeFromId(id: string): string {
  let bits = BigInt(`0x${id.replaceAll('-', '').slice(-10)}`);
  let code = '';
  for (let symbol = 0; symbol < CODE_LENGTH; symbol += 1) {
    code = `${CROCKFORD[Number(bits & 31n)]}${code}`;
    bits >>= 5n;
  }
  return code;
}

/** What was typed or linked as the code that was meant; null when it can be none. A whole link is forgiven. */
export function readReferralCode(typed: string): string | null {
  return readCrockford(typed.slice(typed.lastIndexOf('=') + 1), CODE_LENGTH);
}

/** The link that the spec's register page understands: the text after the equals sign is the code. */
export function referralLink(publicUrl: string, code: string): string {
  return publicUrl + referralPath(code);
}

export const referralPath = (code: string): string => `/auth/register?referal_code=${code}`;

const words: Record<string, ReferralStatus> = { lead: 'Lead', joined: 'Joined', fully_paid: 'Fully Paid' };

export function statusInWords(status: string): ReferralStatus {
  const word = words[status];
  if (!word) throw new Error(`A referral has no status ${status}.`);
  return word;
}

export function statusFromWords(word: ReferralStatus): string {
  return word.toLowerCase().replace(' ', '_');
}

/** What the referrer is told of the reward; a review shows as soon as it holds something back. */
export function rewardStateInWords(state: string, review: string): RewardState {
  if (state === 'paid' || state === 'none') return state;
  if (review === 'held') return 'in_review';
  return state === 'waiting' ? 'waiting' : 'not_yet';
}

/** Whether an address says anything of who uses it: those of this machine and of private networks do not. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '').toLowerCase();
  return !/^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|0\.|::1?$|f[cd]|fe80:)/.test(plain);
}

/** The calendar month of a day of Nairobi, `2026-11`. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

/** A reward that is due, as far as paying it goes. */
export interface DueReward {
  readonly referrer_id: string;
  readonly sacco_id: string;
  readonly reward_cents: Cents;
  /** Rewards that this referrer may still have from this sacco this month. */
  readonly left_this_month: number;
}

/** What a sacco may still spend on rewards, in cents. */
export interface RewardsLeft {
  /** Of what it earned in fees and has not spent on rewards, in all. */
  readonly ofIncome: Cents;
  /** Of what it earned in fees in the calendar month before, less what it has paid in rewards this month. */
  readonly ofMonth: Cents;
}

/**
 * Which rewards are paid now, those before it in the list counted: both limits of the sacco cover it, and the referrer's
 * cap of the month allows it. One that cannot be paid takes nothing from those after it.
 */
export function payable<Reward extends DueReward>(
  due: readonly Reward[],
  leftOf: (saccoId: string) => RewardsLeft,
): Reward[] {
  const spent = new Map<string, Cents>();
  const taken = new Map<string, number>();
  return due.filter(({ referrer_id, sacco_id, reward_cents, left_this_month }) => {
    const referrer = `${referrer_id} ${sacco_id}`;
    const before = taken.get(referrer) ?? 0;
    const spentBefore = spent.get(sacco_id) ?? 0;
    const { ofIncome, ofMonth } = leftOf(sacco_id);
    if (before >= left_this_month || spentBefore + reward_cents > Math.min(ofIncome, ofMonth)) return false;
    taken.set(referrer, before + 1);
    spent.set(sacco_id, spentBefore + reward_cents);
    return true;
  });
}

/** A name as an SMS shows it: letters only, so that nobody's name becomes a link in somebody else's phone. */
export function nameForMessage(name: string): string {
  return name
    .replace(/[^\p{L}\p{M}\s'’-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 40);
}

export const causesInWords: Record<string, Sentence> = {
  same_phone: sentence('The new account has a phone number that the referrer registered with.'),
  same_id: sentence('The new account has an ID number that the referrer registered with.'),
  same_address: sentence('Both accounts were registered from one network address.'),
  many_from_one_address: sentence(
    '{n} or more people registered with this code from one network address within {days}.',
    { n: CLUSTER_SIZE, days: daysSaid(CLUSTER_DAYS) },
  ),
};
