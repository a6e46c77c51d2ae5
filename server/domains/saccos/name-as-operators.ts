import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { sentence, stateSaid } from '@ushirika/contract/sentence';
import type { Fragment } from 'postgres';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { lockSacco } from './lock-sacco.ts';
import { INVITATION_MS, refuseHeldOffice } from './record-official.ts';
import { refuseOwnSacco } from './refuse-own-sacco.ts';
import { tellOfNamings } from './tell-of-namings.ts';

/** Locks the sacco for whose office somebody is named. @throws Refusal `not_found` */
export async function lockSaccoOfNaming(tx: Tx, namingId: string) {
  const [named] = await tx.sql<{ sacco_id: string }[]>`select sacco_id from office_invitations where id = ${namingId}`;
  if (!named) throw new Refusal('not_found');
  return lockSacco(tx, named.sacco_id);
}

interface Named {
  readonly invited_by: string;
  readonly office: Office;
  readonly id_number: string;
  readonly state: string;
  readonly expires_at: Date;
}

/**
 * Judges a naming for the operator who proposes it, or for the one who confirms it, and then for both: whoever confirms reads at once what a
 * job would refuse a moment later.
 * @throws Refusal `not_found`, `not_allowed` for oneself, for one's own sacco and where one has suspended an official lately,
 * `sacco_state_conflict`, `proposal_closed`, `office_conflict`
 */
export async function examineNaming(tx: Tx, actor: { readonly userId: string }, namingId: string): Promise<void> {
  const sacco = await lockSaccoOfNaming(tx, namingId);
  const [named] = await tx.sql<Named[]>`
    select invited_by, office, id_number, state, expires_at from office_invitations where id = ${namingId}`;
  if (named?.state !== 'waiting' || named.expires_at <= tx.now) throw new Refusal('proposal_closed');
  if (sacco.state === 'rejected') {
    throw new Refusal('sacco_state_conflict', {
      message: sentence('The sacco is {state}: nobody is named there.', { state: stateSaid(sacco.state) }),
    });
  }
  await refuseNamer(tx, actor, sacco);
  if (named.invited_by !== actor.userId) await refuseProposer(tx, { userId: named.invited_by }, sacco);
  const [self] = await tx.sql`select from users where id = ${actor.userId} and id_number = ${named.id_number}`;
  if (self)
    throw new Refusal('not_allowed', { message: sentence('You name somebody else: that is your own ID number.') });
  await refuseHeldOffice(tx, sacco.id, named.office);
}

type SaccoOfNaming = Awaited<ReturnType<typeof lockSaccoOfNaming>>;

async function refuseNamer(tx: Tx, operator: { readonly userId: string }, sacco: SaccoOfNaming): Promise<void> {
  await refuseOwnSacco(tx, operator, sacco);
  await refuseWhoSuspended(tx, operator, sacco);
}

/** The same of whoever proposed it, in words for whoever confirms it. */
async function refuseProposer(tx: Tx, proposer: { readonly userId: string }, sacco: SaccoOfNaming): Promise<void> {
  await refuseNamer(tx, proposer, sacco).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal('not_allowed', {
      message: sentence('The operator who proposed it may name nobody in this sacco now. Nobody was asked.'),
    });
  });
}

/**
 * Carries out a naming that the second operator has confirmed: a job asks the person with that ID number, and the officials of an active
 * sacco are told. Runs as the platform.
 * @throws Refusal as `examineNaming`, of either operator
 */
export async function carryOutNaming(
  tx: Tx,
  { namingId, confirmedBy }: { readonly namingId: string; readonly confirmedBy: string },
): Promise<void> {
  await examineNaming(tx, { userId: confirmedBy }, namingId);
  const sacco = await lockSaccoOfNaming(tx, namingId);
  const [named] = await tx.sql<{ office: Office }[]>`
    update office_invitations set state = 'asked', confirmed_by = ${confirmedBy}, confirmed_at = ${tx.now},
      expires_at = ${new Date(tx.now.getTime() + INVITATION_MS)}
    where id = ${namingId} and state = 'waiting' returning office`;
  if (!named) throw new Refusal('proposal_closed');
  await enqueue(tx, 'send_office_invitation', { id: namingId });
  if (sacco.state === 'active') await tellOfNamings(tx, { userId: confirmedBy }, { sacco, offices: [named.office] });
}

/** Whether an operator has suspended an official of a sacco, now or in the last 90 days. @param saccoId a column or value of type uuid */
export const hasSuspendedOfficial = (
  { sql, now }: { readonly sql: Tx['sql'] | Database['sql']; readonly now: Date },
  saccoId: Fragment,
  userId: string,
) => (sql as Tx['sql'])`has_suspended_official(${saccoId}, ${userId}::uuid, ${now})`;

/**
 * Refuses an operator who has suspended an official of the sacco lately.
 * @throws Refusal `not_allowed`
 */
async function refuseWhoSuspended(
  { sql, now }: Tx,
  { userId }: { readonly userId: string },
  sacco: { readonly id: string },
): Promise<void> {
  const [row] = await sql<{ is_so: boolean }[]>`
    select ${hasSuspendedOfficial({ sql, now }, sql`${sacco.id}::uuid`, userId)} as is_so`;
  if (row?.is_so !== true || !isGuarded('saccos.suspender_names_nobody')) return;
  throw new Refusal('not_allowed', {
    message: sentence(
      'You have suspended an official of this sacco. Until 90 days after that, other operators name its officials.',
    ),
  });
}
