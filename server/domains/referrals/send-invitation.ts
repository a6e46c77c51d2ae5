import { isKenyanMobile } from '@ushirika/contract/phone';
import { INVITATIONS_PER_DAY } from '@ushirika/contract/referrals';
import { Refusal } from '@ushirika/contract/refusals';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { notify } from '../notifications/notify.ts';
import { giveReferralCode } from './note-registration.ts';
import { nameForMessage, referralLink } from './referrals.rules.ts';

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
  input: { readonly phone: string; readonly message?: string | undefined; readonly publicUrl: string },
): Promise<{ invitationsLeftToday: number }> {
  if (!isKenyanMobile(input.phone)) {
    const sentence = 'Invitations go to Kenyan mobile numbers only, such as 254712345678.';
    throw new Refusal('validation_failed', { message: sentence, errors: { phone_number: [sentence] } });
  }
  const code = await giveReferralCode(tx, actor.userId);
  const sentToday = await countToday(tx, actor.userId, input.phone);
  await tx.sql`
    insert into invitations (id, inviter_id, day, number_of_day, phone, created_at)
    values (${tx.newId()}, ${actor.userId}, ${nairobiDay(tx.now)}, ${sentToday + 1}, ${input.phone}, ${tx.now})`;
  await notify(tx, {
    phone: input.phone,
    topic: 'referrals',
    template: 'invitation',
    text: textOf(await nameOf(tx, actor.userId), input.message, referralLink(input.publicUrl, code)),
  });
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
      message: 'That number has had enough invitations this month.',
      retryAfterSeconds: DAY_MS / 1_000,
    });
  }
  return sentToday;
}

function secondsToMidnight(now: Date): number {
  const nairobi = now.getTime() + 3 * 3_600_000;
  return Math.ceil((DAY_MS - (nairobi % DAY_MS)) / 1_000);
}

async function nameOf(tx: Tx, userId: string): Promise<string> {
  const [user] = await tx.sql<{ first_name: string; last_name: string }[]>`
    select first_name, last_name from users where id = ${userId}`;
  return nameForMessage(`${user?.first_name ?? ''} ${user?.last_name ?? ''}`);
}

function textOf(inviter: string, message: string | undefined, link: string): string {
  const words = message ? ` "${message}"` : ' Save together, own shares and see every shilling.';
  return `${inviter} invites you to Ushirika.${words} Sign up: ${link}`;
}
