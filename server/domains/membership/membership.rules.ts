import { sharesInWords } from '@ushirika/contract/format';
import { NOTICES_DAYS, NOTICES_MAX, RATING_DAYS } from '@ushirika/contract/membership';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusals';
import type { MembershipState, SaccoState } from '@ushirika/contract/saccos';
import { formatLongDate } from '@ushirika/contract/time';
import { isGuarded } from '#faults';

const DAY_MS = 86_400_000;

export interface Terms {
  readonly regFeeCents: Cents;
  readonly minShares: number;
  readonly shareValueCents: Cents;
}

/** The first reason against joining, or null. `asked` is what the person saw and agreed to. */
export function refusalOfJoining(
  sacco: { readonly state: SaccoState; readonly name: string } & Terms,
  membership: MembershipState | null,
  asked: Terms & { readonly totalCents: Cents },
): Refusal | null {
  if (sacco.state === 'rejected') return new Refusal('not_found', { message: 'There is no such sacco.' });
  if (sacco.state !== 'active') {
    return new Refusal('sacco_inactive', { message: `${sacco.name} is not active: nobody can join it now.` });
  }
  if (membership !== null && membership !== 'exited') return new Refusal('already_a_member');
  const isAsShown =
    asked.regFeeCents === sacco.regFeeCents &&
    asked.minShares === sacco.minShares &&
    asked.shareValueCents === sacco.shareValueCents &&
    asked.totalCents === sacco.regFeeCents;
  return isAsShown ? null : new Refusal('terms_changed', { extra: { terms: wireTerms(sacco) } });
}

function wireTerms(terms: Terms) {
  return {
    reg_fee: shillingsFromCents(terms.regFeeCents),
    min_shares: terms.minShares,
    share_value: shillingsFromCents(terms.shareValueCents),
    total: shillingsFromCents(terms.regFeeCents),
  };
}

const WITHOUT_RIGHTS = {
  provisional: 'Buy the minimum shares first: only members in full rights rate their sacco.',
  leaving: 'You have given notice: only members in full rights rate their sacco.',
} as const;

/** The first reason against rating, or null. */
export function refusalOfRating(
  membership: { readonly state: MembershipState; readonly joinedAt: Date } | null,
  isOfficial: boolean,
  now: Date,
): Refusal | null {
  if (isOfficial) return new Refusal('not_allowed', { message: 'Officials do not rate their own sacco.' });
  if (!membership || membership.state === 'exited') return new Refusal('not_a_member');
  if (membership.state !== 'active' && isGuarded('full_rights_rate')) {
    return new Refusal('full_rights_required', { message: WITHOUT_RIGHTS[membership.state] });
  }
  const days = Math.floor((now.getTime() - membership.joinedAt.getTime()) / DAY_MS);
  if (days >= RATING_DAYS) return null;
  const left = RATING_DAYS - days;
  return new Refusal('rating_too_early', {
    message: `Members may rate a sacco after ${RATING_DAYS} days of membership: in ${left} ${left === 1 ? 'day' : 'days'}.`,
  });
}

/**
 * The refusal of one notice too many, or null: each is told to the member and closes orders.
 * @param earlier when the latest notices of this membership were given, newest first
 */
export function refusalOfNotice(earlier: readonly Date[], now: Date): Refusal | null {
  const oldest = earlier[NOTICES_MAX - 1];
  if (!oldest || !isGuarded('notices_bounded')) return null;
  const next = new Date(oldest.getTime() + NOTICES_DAYS * DAY_MS);
  if (next <= now) return null;
  return new Refusal('too_many_notices', {
    message: `You have given notice here ${NOTICES_MAX} times within ${NOTICES_DAYS} days. You can give it again from ${formatLongDate(next)} on.`,
    retryAfterSeconds: Math.ceil((next.getTime() - now.getTime()) / 1000),
  });
}

/** Whole days until an instant, counting a begun one; 0 once it has come. */
export function daysUntil(due: Date, now: Date): number {
  return Math.max(0, Math.ceil((due.getTime() - now.getTime()) / DAY_MS));
}

/** What somebody is told who stays after all. */
export function stayingText(missingShares: number): string {
  if (missingShares === 0) return 'Your notice is taken back.';
  return `Your notice is taken back. Buy at least ${sharesInWords(missingShares)} to have a member’s full rights again.`;
}

/** What becomes of the shares of somebody who leaves. */
export function sharesNote(shares: number): string {
  if (shares === 0) return 'You hold no shares.';
  const count = shares === 1 ? '1 share stays' : `${shares} shares stay`;
  return `Your ${count} yours: share capital is not paid back. Sell them to other members on the share market.`;
}
