import { Refusal, sentenceOf } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import type { MembershipState, OfficeInvitation, SaccoState } from '@ushirika/contract/saccos';
import { longDateTime, sentence } from '@ushirika/contract/sentence';
import { z } from 'zod';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { crockfordCode, fastHash, inGroups, readCrockford } from '../identity/codes.rules.ts';
import { notify, trySendAsked } from '../notifications/notify.ts';
import { codeValue, saccoValue } from '../notifications/sms-values.ts';
import { otherOfficials, tellPeople } from './change-officials.ts';
import { lockSacco } from './lock-sacco.ts';
import { officeSaid, openOffice, refuseBarred, refuseVotedOut } from './offices.ts';
import { OFFICIALS_LEAST } from './officials-too-few.ts';
import { saccosSms } from './saccos.sms.ts';

/** 80 random bits: nobody guesses them, so that no tries are counted and a fast hash keeps them. */
const CODE_LENGTH = 16;
/** So long the officials of a sacco can refuse whom an operator names, before the office is taken up. */
const REFUSAL_MS = 86_400_000;

const payloadSchema = z.object({ id: z.uuid() });

interface NamedRow {
  readonly user_id: string;
  readonly phone: string;
  readonly office: Office;
  readonly invited_by: string;
  readonly name: string;
  readonly state: SaccoState;
  readonly expires_at: Date;
}

interface NamedOffice {
  readonly sacco_id: string;
  readonly office: Office;
  readonly invited_by: string;
  readonly confirmed_by: string | null;
  readonly code_hash: string | null;
  readonly named_as: 'founder' | 'chair' | 'operator';
  /** The time from which on the officials can refuse it. */
  readonly asked_at: Date;
  readonly is_confirmed: boolean;
}

/**
 * What becomes of a naming: whoever has that ID number is sent a code; where nobody has, nothing happens. It goes to their confirmed phone.
 * Whoever has none is asked by the phone of their registration, and confirms one before they accept.
 */
export async function sendOfficeInvitation(database: Database, payload: unknown): Promise<void> {
  const { id } = payloadSchema.parse(payload);
  await database.transaction(async (tx) => {
    const [named] = await tx.sql<NamedRow[]>`
      select u.id as user_id, case when u.phone_confirmed_at is null then u.recovery_phone else u.phone end as phone, i.office, i.invited_by, s.name, s.state, i.expires_at
      from office_invitations i join users u on u.id_number = i.id_number join saccos s on s.id = i.sacco_id
      where i.id = ${id} and i.code_hash is null and i.state = 'asked' for update of i`;
    if (!named) return;
    const code = crockfordCode(CODE_LENGTH, (length) => database.randomBytes(length));
    const { user_id: userId, phone, office, invited_by: causedBy, expires_at: sendBefore } = named;
    const sms = saccosSms.officeCode(office, saccoValue(named), codeValue(inGroups(code)));
    const until = await trySendAsked(tx, { userId, phone, sms, causedBy, sendBefore });
    // Too many were sent by this official, or to this phone: the code follows when one more may go.
    if (until === null) {
      await tx.sql`update office_invitations set code_hash = ${fastHash(`${id}:${code}`)} where id = ${id}`;
    } else if (until < sendBefore) await enqueue(tx, 'send_office_invitation', { id }, { runAt: until });
  });
}

/** The offices that a person has been sent a code for and may still accept, newest first. */
export async function invitationsOf(
  database: Pick<Database, 'sql' | 'now'>,
  { userId }: { readonly userId: string },
): Promise<OfficeInvitation[]> {
  const rows = await database.sql<
    { id: string; office: Office; sacco_id: string; sacco: string; created_at: Date; expires_at: Date }[]
  >`
    select i.id, i.office, s.id as sacco_id, s.name as sacco, i.created_at, i.expires_at
    from office_invitations i join saccos s on s.id = i.sacco_id
    where i.id_number = (select id_number from users where id = ${userId})
      and i.state = 'asked' and i.code_hash is not null and i.accepted_at is null and i.expires_at > ${database.now()} and s.state <> 'rejected'
    order by i.created_at desc, i.id desc limit 100`;
  return rows.map((row) => ({
    id: row.id,
    sacco: { id: row.sacco_id, name: row.sacco },
    office: row.office,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }));
}

/**
 * Takes an office up with the code of the SMS. Runs as the platform: what allows it is the code, and that the person has
 * the ID number that was named. Their phone is confirmed, so that it is no other official's: two accounts with one SIM are one person
 * (docs/decisions/189). While the sacco is active they are a member in full rights; otherwise nobody can join or buy shares.
 * @throws Refusal `not_found`, `phone_unconfirmed`, `otp_not_accepted`, `sacco_state_conflict`, `full_rights_required`, `office_conflict`
 */
export async function acceptOffice(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly invitationId: string; readonly code: string },
): Promise<{ readonly saccoName: string; readonly office: Office }> {
  const [found] = await tx.sql<NamedOffice[]>`
    select i.sacco_id, i.office, i.invited_by, i.confirmed_by, i.code_hash, i.named_as, coalesce(i.confirmed_at, i.created_at) as asked_at,
      u.phone_confirmed_at is not null as is_confirmed
    from office_invitations i join users u on u.id_number = i.id_number
    where i.id = ${input.invitationId} and u.id = ${actor.userId} and i.accepted_at is null
      and i.state = 'asked' and i.expires_at > ${tx.now}`;
  if (!found) throw new Refusal('not_found');
  const sacco = await lockSacco(tx, found.sacco_id);
  if (!found.is_confirmed) throw new Refusal('phone_unconfirmed');
  const code = readCrockford(input.code, CODE_LENGTH);
  if (code === null || fastHash(`${input.invitationId}:${code}`) !== found.code_hash) throw codeInvalid();
  await refuseUnbacked(tx, sacco.state, found);
  if (sacco.state === 'active') {
    await refuseWithoutFullRights(tx, { saccoId: sacco.id, userId: actor.userId });
    if (found.named_as === 'operator') await refuseUnseen(tx, found);
  }
  await refuseBarred(tx, { saccoId: sacco.id, office: found.office }, actor.userId);
  await refuseVotedOut(tx, { saccoId: sacco.id, userId: actor.userId });
  // Under the sacco's lock: an official may have said no meanwhile.
  const used = await tx.sql`
    update office_invitations set accepted_at = ${tx.now}
    where id = ${input.invitationId} and accepted_at is null and state = 'asked'`;
  if (used.count === 0) throw new Refusal('not_found');
  const { office } = found;
  await openOffice(tx, { userId: found.invited_by }, { saccoId: found.sacco_id, userId: actor.userId, office });
  await notify(tx, {
    userId: actor.userId,
    topic: 'saccos',
    template: 'office_recorded',
    causedBy: actor.userId,
    text: sentence('You are now recorded as {office} of {name}.', { office: officeSaid(office), name: sacco.name }),
  });
  if (sacco.state !== 'pending') await tellOfficials(tx, actor, { saccoId: found.sacco_id, name: sacco.name, office });
  return { saccoName: sacco.name, office };
}

/**
 * Before the activation the founder or two operators name officials. After it two operators name them by the minutes, or the chair with a
 * second official. Nobody takes an office of a suspended sacco up, since its officials can refuse nobody. The naming of a person who is no
 * operator any more does not count.
 */
async function refuseUnbacked(tx: Tx, state: SaccoState, named: NamedOffice): Promise<void> {
  const operators = await tx.sql`
    select from operators where user_id in (${named.invited_by}, ${named.confirmed_by}) and revoked_at is null`;
  const isBacked = named.named_as === 'operator' ? operators.length === 2 : named.confirmed_by !== null;
  if (state === 'pending' || (state === 'active' && isBacked)) return;
  if (state === 'suspended') {
    throw new Refusal('sacco_state_conflict', {
      message: sentence('The sacco is suspended. Take the office up once it is active again.'),
    });
  }
  throw new Refusal('sacco_state_conflict', {
    message: sentence('This sacco takes up no officials in this way any more.'),
  });
}

/**
 * Where a sacco has a chair and a second official, a person named by operators takes the office up a day later at the earliest. The
 * officials can refuse until then. The day begins once the sacco is active and no official's account is suspended by one operator alone.
 */
async function refuseUnseen(tx: Tx, { sacco_id, asked_at }: NamedOffice): Promise<void> {
  const [sacco] = await tx.sql<{ state_at: Date; heard_from: Date | null }[]>`
    select state_at, (
      select max(coalesce(a.ended_at, a.lapses_at)) from account_suspensions a
      join offices o on o.user_id = a.user_id and o.sacco_id = s.id and o.ended_at is null and o.until > ${tx.now}
      where a.upheld_at is null) as heard_from
    from saccos s where s.id = ${sacco_id}`;
  const seenFrom = Math.max(
    asked_at.getTime(),
    sacco?.state_at.getTime() ?? 0,
    isGuarded('saccos.heard_before_named') ? (sacco?.heard_from?.getTime() ?? 0) : 0,
  );
  const from = new Date(seenFrom + REFUSAL_MS);
  if (from <= tx.now) return;
  const [held] = await tx.sql<{ has_chair: boolean; officials: number }[]>`
    select coalesce(bool_or(office = 'chair'), false) as has_chair, count(distinct user_id)::int as officials
    from offices where sacco_id = ${sacco_id} and ended_at is null and until > ${tx.now}`;
  if (!held?.has_chair || held.officials < OFFICIALS_LEAST) return;
  throw new Refusal('office_conflict', {
    message: sentence(
      'The officials of the sacco may refuse this for a day, as an operator named you. Take the office up from {when} on.',
      { when: longDateTime(from) },
    ),
  });
}

const JOIN_FIRST = sentence(
  'Join the sacco first, and buy the minimum shares: only members in full rights hold an office.',
);
const WITHOUT_RIGHTS = {
  exited: JOIN_FIRST,
  provisional: sentence('Buy the minimum shares first: only members in full rights hold an office.'),
  leaving: sentence('You have given notice: only members in full rights hold an office.'),
} as const;

/** The sacco's lock is held, under which memberships change. The code stays good: who buys the shares takes the office up with it. */
async function refuseWithoutFullRights(
  tx: Tx,
  { saccoId, userId }: { readonly saccoId: string; readonly userId: string },
): Promise<void> {
  const [member] = await tx.sql<{ state: MembershipState }[]>`
    select state from memberships where sacco_id = ${saccoId} and user_id = ${userId}`;
  if (member?.state === 'active') return;
  throw new Refusal('full_rights_required', { message: WITHOUT_RIGHTS[member?.state ?? 'exited'] });
}

/** The other officials hear who is one of them now; members read it on the sacco's page. */
async function tellOfficials(
  tx: Tx,
  { userId }: { readonly userId: string },
  { saccoId, name, office }: { readonly saccoId: string; readonly name: string; readonly office: Office },
): Promise<void> {
  const [person] = await tx.sql<{ name: string }[]>`
    select first_name || ' ' || last_name as name from users where id = ${userId}`;
  const values = { name, person: person?.name ?? '', office: officeSaid(office) };
  const others = await otherOfficials(tx, { saccoId, proposedBy: userId });
  const text = sentence('{name}: {person} is now {office}.', values);
  await tellPeople(tx, userId, others, { template: 'office_taken_up', text });
}

function codeInvalid(): Refusal {
  return new Refusal('otp_not_accepted', { errors: { code: [sentenceOf('otp_not_accepted')] } });
}
