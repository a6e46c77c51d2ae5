import { API_BASE } from '@ushirika/contract/constants';
import { shillingsFromCents } from '@ushirika/contract/money';
import {
  changeReferralTerms,
  listReferrals,
  readReferralTerms,
  referralSummary,
  sendInvitation as sendInvitationRoute,
} from '@ushirika/contract/referrals';
import { sentence } from '@ushirika/contract/sentence';
import { linker } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { type Binding, bindHandler, bindVerb } from '../../http/bind.ts';
import { changeById } from '../saccos/changes.queries.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { proposeChange } from '../saccos/propose-change.ts';
import { referralTermsToKeep } from './change-referral-terms.ts';
import { referralCounts, referralFigures, referralsOf, referralTermsOf, rewardsOfMonth } from './referrals.queries.ts';
import { sendInvitation } from './send-invitation.ts';

export interface ReferralsDependencies {
  readonly database: Database;
  /** The origin that links lead to, without a slash at its end. */
  readonly publicUrl: string;
  readonly changes: ChangeExecutors;
}

export function referralsRoutes(deps: ReferralsDependencies): Binding[] {
  const { database, publicUrl, changes } = deps;
  return [
    bindHandler(listReferrals, async ({ actor, query }) => {
      const linkTo = linker(`${publicUrl}${API_BASE}${listReferrals.path}`, query);
      const { results, count, next } = await referralsOf(database.sql, actor.userId, query, linkTo);
      return { data: { referals: results, count, next } };
    }),
    bindHandler(referralSummary, async ({ actor }) => {
      const { code, link, points, rewardCents } = await referralFigures(deps, actor.userId);
      return {
        referal_code: code,
        referal_link: link,
        referal_count: points,
        referal_amount: shillingsFromCents(rewardCents),
        ...(await referralCounts(database, actor.userId)),
      };
    }),
    bindVerb(sendInvitationRoute, async (tx, { actor, body }) => {
      const input = { phone: body.phone_number, message: body.message, publicUrl };
      const { invitationsLeftToday } = await sendInvitation(tx, actor, input);
      return {
        success: true as const,
        message: sentence('Your invitation is on its way.'),
        invitations_left_today: invitationsLeftToday,
      };
    }),
    bindHandler(readReferralTerms, async ({ actor, saccoId }) => ({
      ...(await referralTermsOf(database, saccoId)),
      month: actor.offices.length > 0 ? await asSystem(() => rewardsOfMonth(database, saccoId)) : null,
    })),
    bindHandler(changeReferralTerms, async ({ actor, saccoId, body }) => {
      const { reward: rewardCents, monthly_rewards_max: monthlyRewardsMax } = body;
      const payload = referralTermsToKeep({ rewardCents, monthlyRewardsMax });
      const about = { saccoId, proposedBy: actor.userId };
      const executor = changes.referral_terms;
      // The platform writes: it tells the other officials.
      const id = await asSystem(() =>
        database.transaction((tx) => proposeChange(tx, about, { kind: 'referral_terms', payload }, executor)),
      );
      const message = sentence('Proposed. It takes effect 24 hours after a second official confirms it.');
      return { success: true as const, message, change: await changeById(database, actor, { id, saccoId }, changes) };
    }),
  ] as Binding[];
}
