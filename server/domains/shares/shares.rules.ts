import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { MembershipState, SaccoState } from '@ushirika/contract/saccos';
import { type Sentence, sentence, sharesSaid } from '@ushirika/contract/sentence';
import { HOLDING_LIMIT_FROM, HOLDING_LIMIT_PERCENTAGE } from '@ushirika/contract/shares';
import { isGuarded } from '#faults';

/** A sacco as a purchase finds it; a purchase that goes through changes it for the next. */
export interface SaccoNow {
  readonly name: string;
  readonly state: SaccoState;
  readonly minShares: number;
  readonly shareValueCents: Cents;
  /** Why it sells none for some days: members vote on the share value. Null where they do not. */
  readonly salesWait: Sentence | null;
  issued: number;
  readonly limit: LimitNow;
}

/** Whether a sacco is large enough for the limit of one fifth: whoever changes who holds how much keeps it. */
export interface LimitNow {
  /** Those who hold the minimum shares. */
  qualified: number;
  /** Whether there have ever been enough of them: it stays so when some leave (decision 155). */
  isReached: boolean;
}

/** A member as a purchase finds them. */
export interface MemberNow {
  membership: MembershipState | null;
  /** All that are theirs, those in open orders included: the limits are of what a member owns. */
  shares: number;
  /** Of these, what open orders hold. */
  readonly held: number;
}

export interface Purchase {
  readonly shares: number;
  readonly amountCents: Cents;
}

/** The first reason against buying shares from the sacco, or null. What the wallet holds comes after all of these. */
export function refusalOfPurchase(sacco: SaccoNow | undefined, member: MemberNow, purchase: Purchase): Refusal | null {
  if (!sacco || sacco.state === 'rejected')
    return new Refusal('not_found', { message: sentence('There is no such sacco.') });
  if (member.membership === null || member.membership === 'exited') {
    return new Refusal('not_a_member', {
      message: sentence('Join {name} before you buy its shares.', { name: sacco.name }),
    });
  }
  if (sacco.state !== 'active') {
    return new Refusal('sacco_inactive', {
      message: sentence('{name} is not active: it sells no shares now.', { name: sacco.name }),
    });
  }
  if (member.membership === 'leaving') {
    return new Refusal('exit_conflict', {
      message: sentence('You have given notice to {name}. Cancel the exit to buy shares there again.', {
        name: sacco.name,
      }),
    });
  }
  if (sacco.salesWait !== null) return new Refusal('sacco_inactive', { message: sacco.salesWait });
  const cost = purchase.shares * sacco.shareValueCents;
  if (purchase.amountCents !== cost) {
    return new Refusal('amount_mismatch', {
      message: sentence('The price of {shares} of {name} is {cost} now. Look again and confirm.', {
        shares: sharesSaid(purchase.shares),
        name: sacco.name,
        cost: formatShillings(shillingsFromCents(cost)),
      }),
      extra: { amount: shillingsFromCents(cost), share_value: shillingsFromCents(sacco.shareValueCents) },
    });
  }
  if (member.membership === 'provisional' && member.shares + purchase.shares < sacco.minShares) {
    return new Refusal('minimum_shares_not_met', {
      message: sentence('The first purchase in {name} is at least {shares}.', {
        name: sacco.name,
        shares: sharesSaid(sacco.minShares - member.shares),
      }),
    });
  }
  return refusalOfHolding(sacco, member, purchase);
}

/** What a sacco's row says of the limit. */
export function limitNow(row: {
  readonly qualified_holders: number;
  readonly holding_limit_since: Date | null;
}): LimitNow {
  return { qualified: row.qualified_holders, isReached: row.holding_limit_since !== null };
}

/** Once ten members have held the minimum shares, nobody comes to hold more than one fifth (section 15 of the Act). */
export function isLimited({ qualified, isReached }: LimitNow): boolean {
  return qualified >= HOLDING_LIMIT_FROM || (isReached && isGuarded('one_fifth_stays'));
}

/** Who holds fewer than the minimum is no holder that counts for the limit. */
export function isQualified(shares: number, minShares: number): boolean {
  return shares >= Math.max(1, minShares);
}

/** Counts who has come to hold the minimum shares and who has ceased to, at once: the two sides of one trade are one event. */
export function countQualified(limit: LimitNow, change: number): void {
  limit.qualified += change;
  limit.isReached ||= limit.qualified >= HOLDING_LIMIT_FROM;
}

/** Of one member whose shares move: 1, 0 or -1. */
export function qualifiedChange(before: number, after: number, minShares: number): number {
  return Number(isQualified(after, minShares)) - Number(isQualified(before, minShares));
}

/** No member holds more than one fifth of the issued shares, where the limit holds. */
function refusalOfHolding(sacco: SaccoNow, member: MemberNow, purchase: Purchase): Refusal | null {
  if (!isLimited(sacco.limit)) return null;
  const after = member.shares + purchase.shares;
  const issuedAfter = sacco.issued + purchase.shares;
  if (after * 100 <= issuedAfter * HOLDING_LIMIT_PERCENTAGE) return null;
  // 100 (held + x) ≤ limit (issued + x), solved for x.
  const room = (sacco.issued * HOLDING_LIMIT_PERCENTAGE - member.shares * 100) / (100 - HOLDING_LIMIT_PERCENTAGE);
  const most = Math.max(0, Math.floor(room));
  return new Refusal('one_fifth_exceeded', {
    message: tooLargeAHolding(most),
  });
}

/** @param most how many shares they can still buy */
export function tooLargeAHolding(most: number): Sentence {
  return most === 0
    ? sentence('No member may hold more than one fifth of the shares. You can buy none now.')
    : sentence('No member may hold more than one fifth of the shares. You can buy at most {most} now.', { most });
}

/** What a purchase that went through leaves behind for the next. */
export function applyPurchase(sacco: SaccoNow, member: MemberNow, purchase: Purchase): void {
  countQualified(sacco.limit, qualifiedChange(member.shares, member.shares + purchase.shares, sacco.minShares));
  sacco.issued += purchase.shares;
  member.shares += purchase.shares;
  if (member.membership === 'provisional' && member.shares >= sacco.minShares) member.membership = 'active';
}
