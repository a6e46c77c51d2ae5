import { NOTICES_DAYS, NOTICES_MAX, RATING_DAYS } from '@ushirika/contract/membership';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { MembershipState, SaccoState } from '@ushirika/contract/saccos';
import { daysSaid, longDate, type Sentence, sentence, sharesSaid } from '@ushirika/contract/sentence';
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
  if (sacco.state === 'rejected') return new Refusal('not_found', { message: sentence('There is no such sacco.') });
  if (sacco.state !== 'active') {
    return new Refusal('sacco_inactive', {
      message: sentence('{name} is not active: nobody can join it now.', { name: sacco.name }),
    });
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
  provisional: sentence('Buy the minimum shares first: only members in full rights rate their sacco.'),
  leaving: sentence('You have given notice: only members in full rights rate their sacco.'),
} as const;

/** The first reason against rating, or null. */
export function refusalOfRating(
  membership: { readonly state: MembershipState; readonly joinedAt: Date } | null,
  isOfficial: boolean,
  now: Date,
): Refusal | null {
  if (isOfficial) return new Refusal('not_allowed', { message: sentence('Officials do not rate their own sacco.') });
  if (!membership || membership.state === 'exited') return new Refusal('not_a_member');
  if (membership.state !== 'active' && isGuarded('full_rights_rate')) {
    return new Refusal('full_rights_required', { message: WITHOUT_RIGHTS[membership.state] });
  }
  const days = Math.floor((now.getTime() - membership.joinedAt.getTime()) / DAY_MS);
  if (days >= RATING_DAYS) return null;
  const left = RATING_DAYS - days;
  return new Refusal('rating_too_early', {
    message: sentence('Members may rate a sacco after {days} of membership: in {left}.', {
      days: daysSaid(RATING_DAYS),
      left: daysSaid(left),
    }),
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
    message: sentence('You have given notice here {n} times within {days}. You can give it again from {at} on.', {
      n: NOTICES_MAX,
      days: daysSaid(NOTICES_DAYS),
      at: longDate(next),
    }),
    retryAfterSeconds: Math.ceil((next.getTime() - now.getTime()) / 1000),
  });
}

/** What somebody is told who stays after all. */
export function stayingText(missingShares: number): Sentence {
  if (missingShares === 0) return sentence('Your notice is taken back.');
  return sentence('Your notice is taken back. Buy at least {shares} to have a member’s full rights again.', {
    shares: sharesSaid(missingShares),
  });
}

/** What becomes of the shares of somebody who leaves. */
export function sharesNote(shares: number): Sentence {
  if (shares === 0) return sentence('You hold no shares.');
  return sentence(
    'Your {n, plural, one {# share stays} other {# shares stay}} yours: share capital is not paid back. Sell them to other members on the share market.',
    { n: shares },
  );
}
