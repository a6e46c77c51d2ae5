import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { lockSacco, noSuchSacco } from './lock-sacco.ts';
import { officeSaid, openOffice, refuseBarred } from './offices.ts';

export const INVITATION_MS = 7 * 86_400_000;
const DAY_MS = 86_400_000;
/**
 * So many a day for a sacco by its founder, by its chair and by operators, each alone: each may send somebody an SMS, and none of them
 * uses up what another one has.
 */
const INVITATIONS_PER_DAY = 10;
const ASKED_OFTEN = 3;
const ASKED_OFTEN_MS = 30 * DAY_MS;

/**
 * The founder names an official while the sacco waits for its activation. Once it is active, offices change hands by the members' vote, or
 * by two operators on the strength of the minutes; not by its founder alone. The named person is asked by SMS and takes the office up in
 * person; founders record their own office at once. It writes the same rows whether or not anybody has that ID number, and looks nobody up:
 * a job does. Runs as the platform.
 * @returns the state of the naming; an operator’s is `proposed`, for a second one to confirm (`name-as-operators.ts`)
 * @throws Refusal `not_found`, to others also for a rejected sacco, `not_allowed`, `sacco_state_conflict`, `office_conflict`,
 * `too_many_requests`
 */
export async function recordOfficial(
  tx: Tx,
  actor: { readonly userId: string; readonly isOperator: boolean },
  input: { readonly saccoId: string; readonly idNumber: string; readonly office: Office },
): Promise<{ readonly state: 'recorded' | 'asked' | 'proposed'; readonly namingId: string | null }> {
  const sacco = await lockSacco(tx, input.saccoId);
  if (sacco.created_by !== actor.userId && !actor.isOperator) {
    if (sacco.state === 'rejected') throw noSuchSacco();
    throw new Refusal('not_allowed', { message: sentence('Only the founder names the first officials.') });
  }
  if (sacco.state === 'rejected' || (sacco.state !== 'pending' && !actor.isOperator)) {
    throw new Refusal('sacco_state_conflict', {
      message: sentence('Officials are named here only while the sacco waits for its activation.'),
    });
  }
  const isByOperator = sacco.created_by !== actor.userId || sacco.state !== 'pending';
  const { saccoId, idNumber, office } = input;
  const [self] = await tx.sql`select 1 from users where id = ${actor.userId} and id_number = ${idNumber}`;
  if (self && sacco.created_by === actor.userId && sacco.state === 'pending') {
    await refuseBarred(tx, { saccoId, office }, actor.userId);
    await openOffice(tx, actor, { saccoId, userId: actor.userId, office });
    return { state: 'recorded', namingId: null };
  }
  await refuseHeldOffice(tx, saccoId, office);
  const namedAs = isByOperator ? 'operator' : 'founder';
  await refuseTooManyInvitations(tx, saccoId, namedAs);
  if (!isByOperator) await refuseAskedOften(tx, actor, idNumber);
  const id = tx.newId();
  await tx.sql`
    insert into office_invitations (id, sacco_id, office, id_number, invited_by, created_at, expires_at, named_as, state)
    values (${id}, ${saccoId}, ${office}, ${idNumber}, ${actor.userId}, ${tx.now},
            ${new Date(tx.now.getTime() + INVITATION_MS)}, ${namedAs}, ${isByOperator ? 'waiting' : 'asked'})`;
  if (isByOperator) return { state: 'proposed', namingId: id };
  await enqueue(tx, 'send_office_invitation', { id });
  return { state: 'asked', namingId: id };
}

/**
 * One founder names one person three times in 30 days, in all saccos of theirs: each naming is an SMS. Namings are counted, also of a number
 * that nobody has, so that this tells nothing.
 */
async function refuseAskedOften(tx: Tx, founder: { readonly userId: string }, idNumber: string): Promise<void> {
  const [named] = await tx.sql<{ times: number; first: Date | null }[]>`
    select count(*)::int as times, min(created_at) as first from office_invitations
    where invited_by = ${founder.userId} and named_as = 'founder' and id_number = ${idNumber}
      and created_at > ${new Date(tx.now.getTime() - ASKED_OFTEN_MS)}`;
  if (!named?.first || named.times < ASKED_OFTEN) return;
  throw new Refusal('too_many_requests', {
    message: sentence('You have named this person three times in 30 days. Talk to them instead.'),
    retryAfterSeconds: Math.ceil((named.first.getTime() + ASKED_OFTEN_MS - tx.now.getTime()) / 1000),
  });
}

/** Who holds an office is published, so this tells nothing. */
export async function refuseHeldOffice(tx: Tx, saccoId: string, office: Office): Promise<void> {
  if (office === 'credit_committee' || office === 'supervisory_committee') return;
  const [held] = await tx.sql`
    select 1 from offices
    where sacco_id = ${saccoId} and office = ${office} and ended_at is null and until > ${tx.now}`;
  if (held)
    throw new Refusal('office_conflict', {
      message: sentence('The office of {office} is already held.', { office: officeSaid(office) }),
    });
}

export async function refuseTooManyInvitations(
  tx: Tx,
  saccoId: string,
  namedAs: 'founder' | 'chair' | 'operator',
): Promise<void> {
  const since = new Date(tx.now.getTime() - DAY_MS);
  const [sent] = await tx.sql<{ count: number }[]>`
    select count(*)::int as count from office_invitations
    where sacco_id = ${saccoId} and named_as = ${namedAs} and created_at > ${since}`;
  if ((sent?.count ?? 0) < INVITATIONS_PER_DAY) return;
  throw new Refusal('too_many_requests', {
    message: sentence('You have named ten people in a day. Go on tomorrow.'),
    retryAfterSeconds: DAY_MS / 1000,
  });
}
