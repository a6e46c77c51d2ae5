import { isKenyanMobile } from '@ushirika/contract/phone';
import { INVITATIONS_PER_DAY } from '@ushirika/contract/referrals';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { sendAsked } from '../notifications/notify.ts';
import { linkValue, personValue, type SmsValue } from '../notifications/sms-values.ts';
import { giveReferralCode } from './note-registration.ts';
import { referralPath } from './referrals.rules.ts';
import { referralsSms } from './referrals.sms.ts';

const DAY_MS = 86_400_000;
/** Nobody's phone gets more invitations than this in 30 days, whoever sends them. */
const TO_ONE_PHONE_MAX = 3;

/**
 * Sends an SMS with the inviter's link: five a day of Nairobi, one a day to the same number. Whether that number
 * belongs to somebody already is not told.
 */
export async function sendInvitation(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly phone: string; readonly publicUrl: string },
): Promise<{ invitationsLeftToday: number }> {
  if (!isKenyanMobile(input.phone)) {
    const message = sentence('Invitations go to Kenyan mobile numbers only, such as 254712345678 or 0712345678.');
    throw new Refusal('validation_failed', { message, errors: { phone_number: [message] } });
  }
  const code = await giveReferralCode(tx, actor.userId);
  const sentToday = await countToday(tx, actor.userId, input.phone);
  await tx.sql`
    insert into invitations (id, inviter_id, day, number_of_day, phone, created_at)
    values (${tx.newId()}, ${actor.userId}, ${nairobiDay(tx.now)}, ${sentToday + 1}, ${input.phone}, ${tx.now})`;
  const link = linkValue(input.publicUrl, referralPath(code));
  const sms = referralsSms.invitation(await nameOf(tx, actor.userId), link);
  await sendAsked(tx, { phone: input.phone, sms, causedBy: actor.userId });
  return { invitationsLeftToday: INVITATIONS_PER_DAY - sentToday - 1 };
}

/** Locks the inviter's own row, so that two invitations at once are counted one after the other. */
async function countToday(tx: Tx, userId: string, phone: string): Promise<number> {
  await tx.sql`select from referral_codes where user_id = ${userId} for update`;
  const [counts] = await tx.sql<{ today: number; same: number; phone: number }[]>`
    select count(*)::int as today, count(*) filter (where phone = ${phone})::int as same,
      invitations_to(${phone}, ${new Date(tx.now.getTime() - 30 * DAY_MS)}) as phone
    from invitations where inviter_id = ${userId} and day = ${nairobiDay(tx.now)}`;
  const sentToday = counts?.today ?? 0;
  if (sentToday >= INVITATIONS_PER_DAY) {
    throw new Refusal('invitation_limit_reached', { retryAfterSeconds: secondsToMidnight(tx.now) });
  }
  if ((counts?.same ?? 0) > 0) throw new Refusal('invitation_already_sent');
  if ((counts?.phone ?? 0) >= TO_ONE_PHONE_MAX) {
    throw new Refusal('invitation_limit_reached', {
      message: sentence('That number has had enough invitations this month.'),
      retryAfterSeconds: DAY_MS / 1_000,
    });
  }
  return sentToday;
}

function secondsToMidnight(now: Date): number {
  const nairobi = now.getTime() + 3 * 3_600_000;
  return Math.ceil((DAY_MS - (nairobi % DAY_MS)) / 1_000);
}

async function nameOf(tx: Tx, userId: string): Promise<SmsValue | null> {
  const [user] = await tx.sql<{ first_name: string; last_name: string }[]>`
    select first_name, last_name from users where id = ${userId}`;
  return user ? personValue(user) : null;
}
