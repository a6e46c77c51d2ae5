import { IDENTITY_WITHDRAWALS_PER_DAY } from '@ushirika/contract/identity';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { refuseNonOperator } from './record-identity-check.ts';
import { otherAccountsAmong } from './second-account.ts';

const DAY_MS = 86_400_000;
/** The first half of the advisory lock under which withdrawals are counted: there are few, so all take turns. */
const countingWithdrawals = 7254;

/**
 * A record that an ID card was seen is taken back: it was a mistake, or is not true. It stays, with who, when and why.
 * @param input.saccoId the sacco whose official takes it back; null for an operator, who takes any back
 * One person takes a few back in a day, and of one member once: whose card counts decides who may vote, and one official alone had taken all of
 * them off in a minute, or an opponent's again and again.
 * @returns whose card it was, and which sacco had recorded it
 * @throws Refusal `not_allowed`, `not_found`, `own_card`, `identity_check_conflict`, `identity_checks_limit_reached`
 */
export async function withdrawIdentityCheck(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly checkId: string; readonly saccoId: string | null; readonly reason: string },
): Promise<{ readonly userId: string; readonly saccoId: string | null }> {
  const { checkId, saccoId, reason } = input;
  await (saccoId === null ? refuseNonOperator(tx, actor.userId) : refuseNonOfficial(tx, actor.userId, saccoId));
  await tx.sql`select pg_advisory_xact_lock(${countingWithdrawals}, 0)`;
  const [check] = await tx.sql<{ user_id: string; sacco_id: string | null; ended_at: Date | null }[]>`
    select user_id, sacco_id, ended_at from identity_checks
    where id = ${checkId} and (${saccoId}::uuid is null or sacco_id = ${saccoId}::uuid) for update`;
  if (!check) throw new Refusal('not_found');
  if (check.user_id === actor.userId) {
    throw new Refusal('own_card', { message: sentence('Somebody else decides about the record of your own card.') });
  }
  if (check.ended_at !== null) {
    throw new Refusal('identity_check_conflict', { message: sentence('That record counts no more already.') });
  }
  await refuseAgain(tx, actor.userId, check.user_id);
  await refuseMany(tx, actor.userId);
  await tx.sql`
    update identity_checks
    set ended_at = ${tx.now}, end_kind = 'withdrawn', ended_by = ${actor.userId}, end_reason = ${reason}
    where id = ${checkId}`;
  return { userId: check.user_id, saccoId: check.sacco_id };
}

/** One person takes back the record of another person's card once, with all accounts of theirs; the next one is others' to take back. */
async function refuseAgain(tx: Tx, userId: string, ofUserId: string): Promise<void> {
  const before = await tx.sql`
    select from identity_checks where user_id = ${ofUserId} and end_kind = 'withdrawn'
      and (ended_by = ${userId} or share_identity(ended_by, ${userId}))`;
  if (before.length === 0) return;
  throw new Refusal('identity_check_conflict', {
    message: sentence(
      'You have taken back a record of this card once. Another official takes this one back, if it is wrong.',
    ),
  });
}

/** Counts those of all accounts that look like one person's. */
async function refuseMany(tx: Tx, userId: string): Promise<void> {
  const withdrawn = await tx.sql<{ by: string; count: number }[]>`
    select ended_by as by, count(*)::int as count from identity_checks
    where end_kind = 'withdrawn' and ended_at > ${new Date(tx.now.getTime() - DAY_MS)} group by ended_by`;
  const theirs = await otherAccountsAmong(
    tx,
    userId,
    withdrawn.map(({ by }) => by),
  );
  const counted = withdrawn.filter(({ by }) => by === userId || theirs.has(by));
  if (counted.reduce((sum, { count }) => sum + count, 0) < IDENTITY_WITHDRAWALS_PER_DAY) return;
  throw new Refusal('identity_checks_limit_reached', {
    message: sentence('You have taken back {n} records of ID cards in a day. Go on tomorrow.', {
      n: IDENTITY_WITHDRAWALS_PER_DAY,
    }),
  });
}

/** The platform writes, so PostgreSQL does not ask whose office it is at that moment: we do. */
async function refuseNonOfficial(tx: Tx, userId: string, saccoId: string): Promise<void> {
  const [held] = await tx.sql`
    select from offices
    where sacco_id = ${saccoId} and user_id = ${userId} and ended_at is null and until > ${tx.now}`;
  if (!held) throw new Refusal('not_allowed');
}
