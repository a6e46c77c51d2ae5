import { type MemberResidence, type Residence, recordResidence as route } from '@ushirika/contract/dividends';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { requireProof } from '../identity/prove-password.ts';
import { otherAccountsAmong } from '../identity/second-account.ts';
import { notify } from '../notifications/notify.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';

interface Recorded {
  readonly saccoId: string;
  readonly membershipId: string;
  readonly lives: Residence;
  readonly paper: string;
}

/**
 * An official records where a member lives for the tax, by a paper that they saw. Nobody saves themselves tax: not their own account nor
 * one that may be theirs, and back to Kenya it takes another person than who recorded abroad. It holds for dividends on which
 * members begin to vote later. Runs as the platform.
 * @throws Refusal `not_allowed`, `proof_required`, `sacco_inactive`, `not_found`, `dividend_conflict`
 */
export async function recordResidence(
  tx: Tx,
  actor: { readonly userId: string; readonly sessionId: string },
  input: Recorded,
): Promise<void> {
  const { saccoId, lives, paper } = input;
  // Taken by who publishes a vote too: what is recorded from then on holds for later dividends.
  await lockSacco(tx, saccoId);
  const official = await officialNow(tx, actor.userId, saccoId);
  await requireProof(tx, actor);
  if (official.state !== 'active') throw new Refusal('sacco_inactive');
  const userId = await memberOf(tx, input);
  const isTheirs = userId === actor.userId || (await otherAccountsAmong(tx, actor.userId, [userId])).size > 0;
  if (isTheirs && isGuarded('dividends.residence_of_others')) {
    throw conflict(sentence('Another official records where you live.'));
  }
  const [last] = await tx.sql<{ lives: Residence; recorded_by: string }[]>`
    select lives, recorded_by from member_residences
    where sacco_id = ${saccoId} and user_id = ${userId} order by recorded_at desc limit 1`;
  if ((last?.lives ?? 'kenya') === lives) throw conflict(sentence('That is recorded already.'));
  const isOnePerson =
    last !== undefined &&
    (last.recorded_by === actor.userId || (await otherAccountsAmong(tx, actor.userId, [last.recorded_by])).size > 0);
  if (lives === 'kenya' && isOnePerson && isGuarded('dividends.residence_by_another')) {
    throw conflict(
      sentence('You recorded that they live abroad. Another official records that they live in Kenya again.'),
    );
  }
  if (lives === 'abroad' && (await wasCorrected(tx, actor.userId, { saccoId, userId }))) {
    throw conflict(
      sentence('You recorded that before, and another official corrected it. Another official records it.'),
    );
  }
  await tx.sql`
    insert into member_residences (id, sacco_id, user_id, lives, paper, recorded_by, recorded_at)
    select ${tx.newId()}, ${saccoId}, ${userId}, ${lives}, ${paper}, ${actor.userId}, greatest(${tx.now}::timestamptz,
      (select max(published_at) from proposals where sacco_id = ${saccoId} and change_kind = 'dividend'),
      (select max(recorded_at) from member_residences where sacco_id = ${saccoId} and user_id = ${userId}) + interval '1 millisecond')`;
  const names = { name: official.name, sacco: official.sacco };
  await notify(tx, {
    userId,
    topic: 'money',
    template: 'residence_recorded',
    causedBy: actor.userId,
    text:
      lives === 'abroad'
        ? sentence(
            '{name} of {sacco} recorded that you live abroad: dividends are taxed as the law has it for members abroad. If that is not true, write a complaint about {sacco}.',
            names,
          )
        : sentence(
            '{name} of {sacco} recorded that you live in Kenya: dividends are taxed as the law has it for members in Kenya. If that is not true, write a complaint about {sacco}.',
            names,
          ),
  });
}

/**
 * Whether this official, with any account of theirs, once recorded that the member lives abroad. Only another official can have corrected
 * that.
 */
async function wasCorrected(
  tx: Tx,
  officialId: string,
  { saccoId, userId }: { readonly saccoId: string; readonly userId: string },
): Promise<boolean> {
  const before = await tx.sql<{ by: string }[]>`
    select distinct recorded_by as by from member_residences
    where sacco_id = ${saccoId} and user_id = ${userId} and lives = 'abroad'`;
  const recorders = before.map(({ by }) => by);
  return recorders.includes(officialId) || (await otherAccountsAmong(tx, officialId, recorders)).size > 0;
}

const conflict = (message: Sentence) => new Refusal('dividend_conflict', { message });

/** The platform writes, so PostgreSQL does not ask whose office it is at that moment: we do. */
async function officialNow(tx: Tx, userId: string, saccoId: string) {
  const [held] = await tx.sql<{ name: string; sacco: string; state: string }[]>`
    select u.first_name || ' ' || u.last_name as name, s.name as sacco, s.state
    from offices o join users u on u.id = o.user_id join saccos s on s.id = o.sacco_id
    where o.sacco_id = ${saccoId} and o.user_id = ${userId} and o.ended_at is null and o.until > ${tx.now}
      and o.office = any (${texts(route.offices ?? [])}::text[]) limit 1`;
  if (!held) throw new Refusal('not_allowed');
  return held;
}

/** The membership is locked: of two records at once the second sees the first. */
async function memberOf(tx: Tx, { membershipId, saccoId }: Recorded): Promise<string> {
  const [member] = await tx.sql<{ user_id: string }[]>`
    select user_id from memberships where id = ${membershipId} and sacco_id = ${saccoId} and state <> 'exited' for no key update`;
  if (!member) throw new Refusal('not_found', { message: sentence('There is no such member.') });
  return member.user_id;
}

const LISTED_MAX = 1_000;

/** The records of where members of a sacco live, newest first. Asked as the platform, for its officials. */
export async function residencesOf({ sql }: Pick<Database, 'sql'>, saccoId: string): Promise<MemberResidence[]> {
  const rows = await sql<{ id: string; name: string; lives: Residence; paper: string; by: string; at: Date }[]>`
    select (select m.id from memberships m where m.sacco_id = r.sacco_id and m.user_id = r.user_id order by m.joined_at desc limit 1) as id,
      u.first_name || ' ' || u.last_name as name, r.lives, r.paper, b.first_name || ' ' || b.last_name as by,
      r.recorded_at as at
    from member_residences r join users u on u.id = r.user_id join users b on b.id = r.recorded_by
    where r.sacco_id = ${saccoId} order by r.recorded_at desc, r.id desc limit ${LISTED_MAX}`;
  return rows.map(({ id, name, at, ...row }) => ({ member: { id, name }, ...row, at: at.toISOString() }));
}
