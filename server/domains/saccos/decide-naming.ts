import { Refusal } from '@ushirika/contract/refusal';
import { OFFICES, type Office } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { otherAccountsAmong, refuseSecondAccount } from '../identity/second-account.ts';
import { otherOfficialsAndSuspended, tellPeople } from './change-officials.ts';
import { lockSacco, lockSaccos } from './lock-sacco.ts';
import { officeSaid } from './offices.ts';
import { refuseWithoutOffice } from './propose-change.ts';
import { INVITATION_MS, refuseHeldOffice } from './record-official.ts';

/** So long after an official alone refused somebody for an office, they refuse nobody for it alone. */
const REFUSED_LATELY_MS = 90 * 86_400_000;

interface Deciding {
  readonly namingId: string;
  readonly saccoId: string;
}

interface NamingRow {
  readonly id: string;
  readonly office: Office;
  readonly id_number: string;
  readonly invited_by: string;
  readonly sacco_id: string;
  readonly created_at: Date;
  readonly first_no_by: string | null;
  readonly state: 'waiting' | 'asked' | 'refused' | 'withdrawn';
  readonly accepted_at: Date | null;
  readonly expires_at: Date;
  readonly sacco_state: string;
  readonly sacco: string;
}

/**
 * A second official says yes to whom the chair invites: from then on a job looks for the person, and sends them a code.
 * @throws Refusal `not_found`, `sacco_inactive`, `second_official_required` for one's own invitation, `not_allowed` for
 *   whoever is invited and for another account of who invited them, `change_conflict` where it is decided or has lapsed, `office_conflict`
 */
export async function confirmNaming(tx: Tx, actor: { readonly userId: string }, input: Deciding): Promise<void> {
  const naming = await lockNaming(tx, actor, input);
  if (naming.sacco_state !== 'active') throw new Refusal('sacco_inactive');
  if (naming.invited_by === actor.userId && isGuarded('saccos.office_by_two')) {
    throw new Refusal('second_official_required', {
      message: sentence('You have invited them: another official confirms it.'),
    });
  }
  const [self] = await tx.sql`select from users where id = ${actor.userId} and id_number = ${naming.id_number}`;
  if (self) {
    throw new Refusal('not_allowed', { message: sentence('It is you who is invited: another official confirms it.') });
  }
  await refuseSecondAccount(tx, actor.userId, [naming.invited_by], SECOND_ACCOUNT);
  refuseDecided(tx, naming, ['waiting']);
  await refuseHeldOffice(tx, input.saccoId, naming.office);
  await tx.sql`
    update office_invitations set state = 'asked', confirmed_by = ${actor.userId}, confirmed_at = ${tx.now},
      expires_at = ${new Date(tx.now.getTime() + INVITATION_MS)}
    where id = ${naming.id}`;
  await enqueue(tx, 'send_office_invitation', { id: naming.id });
  const values = { name: naming.sacco, office: officeSaid(naming.office) };
  await tellPeople(tx, actor.userId, [naming.invited_by], {
    template: 'office_naming_confirmed',
    text: sentence('{name}: your invitation to be {office} was confirmed.', values),
  });
}

/** What is told to another account of who invited them. */
export const SECOND_ACCOUNT = sentence(
  'Your account and that of the official who invited them look like one person’s. Another official must confirm it.',
);

/**
 * Another official says no, also to a person that operators name, until the office is taken up. The chair's no takes the invitation back.
 * An official alone refuses one person for an office in 90 days: their next no needs a second official. Only their own refusals count.
 * @returns whether it is refused now; `waits` for a second no
 * @throws Refusal `not_found`, `not_allowed` for another account of who said the first no, `change_conflict`
 */
export async function refuseNaming(
  tx: Tx,
  actor: { readonly userId: string },
  input: Deciding & { readonly reason: string },
): Promise<'refused' | 'waits'> {
  const naming = await lockNaming(tx, actor, input);
  refuseDecided(tx, naming, ['waiting', 'asked']);
  const { userId } = actor;
  const { reason } = input;
  if (naming.invited_by === userId) {
    await withdraw(tx, actor, naming);
    return 'refused';
  }
  const first = naming.first_no_by;
  if (first === userId) throw new Refusal('change_conflict', { message: SAID_NO });
  if (first === null && (await hasRefusedBefore(tx, userId, naming))) {
    await tx.sql`
      update office_invitations set first_no_by = ${userId}, first_no_at = ${tx.now}, first_no_reason = ${reason}
      where id = ${naming.id}`;
    await tellOfNo(tx, actor, naming, { reason, isFirst: true });
    return 'waits';
  }
  if (first !== null) await refuseSecondAccount(tx, userId, [first], ONE_NO);
  await tx.sql`
    update office_invitations set state = 'refused', ended_by = ${userId}, ended_at = ${tx.now}, end_reason = ${reason}
    where id = ${naming.id}`;
  await tellOfNo(tx, actor, naming, { reason, isFirst: false });
  return 'refused';
}

const SAID_NO = sentence('You have said no already. Another official must say no too.');
const ONE_NO = sentence(
  'Your account and that of the official who said no first look like one person’s. Another official must say no too.',
);

/** Whether this official alone refused somebody for the office lately, with this account or with one that looks like theirs. */
async function hasRefusedBefore(tx: Tx, userId: string, { id, sacco_id, office }: NamingRow): Promise<boolean> {
  const refusals = await tx.sql<{ by: string }[]>`
    select distinct ended_by as by from office_invitations
    where sacco_id = ${sacco_id} and office = ${office} and id <> ${id} and state = 'refused' and first_no_by is null
      and ended_at > ${new Date(tx.now.getTime() - REFUSED_LATELY_MS)}`;
  const refusers = refusals.map(({ by }) => by);
  return refusers.includes(userId) || (await otherAccountsAmong(tx, userId, refusers)).size > 0;
}

/** Whoever named them and the other officials read who said no, and why. */
async function tellOfNo(
  tx: Tx,
  { userId }: { readonly userId: string },
  naming: NamingRow,
  { reason, isFirst }: { readonly reason: string; readonly isFirst: boolean },
): Promise<void> {
  const others = await otherOfficialsAndSuspended(tx, { saccoId: naming.sacco_id, proposedBy: userId });
  const [official] = await tx.sql<{ name: string }[]>`
    select first_name || ' ' || last_name as name from users where id = ${userId}`;
  const values = { name: naming.sacco, person: official?.name ?? '', office: officeSaid(naming.office), reason };
  await tellPeople(tx, userId, [...new Set([naming.invited_by, ...others])], {
    template: 'office_naming_refused',
    text: isFirst
      ? sentence(
          '{name}: {person} says no to whoever is named as {office}. Another official must say no too. The reason: “{reason}”',
          values,
        )
      : sentence('{name}: {person} has said no to whoever is named as {office}. The reason: “{reason}”', values),
  });
}

/** The chair takes an invitation back, until the office is taken up. @throws Refusal `not_found`, `change_conflict` */
export async function withdrawNaming(tx: Tx, actor: { readonly userId: string }, input: Deciding): Promise<void> {
  const naming = await lockNaming(tx, actor, input);
  if (naming.invited_by !== actor.userId) throw new Refusal('not_found');
  refuseDecided(tx, naming, ['waiting', 'asked']);
  await withdraw(tx, actor, naming);
}

async function withdraw(tx: Tx, { userId }: { readonly userId: string }, { id }: Pick<NamingRow, 'id'>): Promise<void> {
  await tx.sql`
    update office_invitations set state = 'withdrawn', ended_by = ${userId}, ended_at = ${tx.now} where id = ${id}`;
}

/**
 * A founder or an operator takes back whom they have named, until the office is taken up. Of an active sacco the officials hear it.
 * @returns whether they had named them as an operator
 * @throws Refusal `not_found` where they have named nobody so
 */
export async function takeBackOfficial(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly idNumber: string; readonly office: Office },
): Promise<{ readonly isByOperator: boolean }> {
  const { saccoId, idNumber, office } = input;
  const sacco = (await lockSaccos(tx, [saccoId])).get(saccoId);
  const [named] = await tx.sql<{ id: string; named_as: string }[]>`
    select id, named_as from office_invitations
    where sacco_id = ${saccoId} and office = ${office} and id_number = ${idNumber} and invited_by = ${actor.userId}
      and named_as <> 'chair' and state = 'asked' and accepted_at is null and expires_at > ${tx.now}
    order by created_at desc limit 1 for update`;
  // One answer, so that nobody learns whether a rejected sacco is there.
  if (!sacco || !named) throw new Refusal('not_found');
  await withdraw(tx, actor, named);
  const isByOperator = named.named_as === 'operator';
  if (!isByOperator || sacco.state !== 'active') return { isByOperator };
  const officials = await otherOfficialsAndSuspended(tx, { saccoId, proposedBy: actor.userId });
  const text = sentence('{name}: an operator of Ushirika has taken back whom they named as {office}.', {
    name: sacco.name,
    office: officeSaid(office),
  });
  await tellPeople(tx, actor.userId, officials, { template: 'office_naming_withdrawn', text });
  return { isByOperator };
}

/** The platform writes, so PostgreSQL does not ask whose office it is at that moment: we do. Its sacco's lock comes first. */
async function lockNaming(tx: Tx, { userId }: { readonly userId: string }, input: Deciding): Promise<NamingRow> {
  const { saccoId, namingId } = input;
  await lockSacco(tx, saccoId);
  await refuseWithoutOffice(tx, { saccoId, userId }, { offices: OFFICES });
  // Whom founders name is not decided here. Whom an operator names needs no yes of an official; of a suspended sacco none refuses it.
  const [naming] = await tx.sql<NamingRow[]>`
    select i.id, i.office, i.id_number, i.invited_by, i.sacco_id, i.created_at, i.first_no_by, i.state, i.accepted_at,
      i.expires_at, s.state as sacco_state, s.name as sacco
    from office_invitations i join saccos s on s.id = i.sacco_id
    where i.id = ${namingId} and i.sacco_id = ${saccoId}
      and (i.named_as = 'chair' or i.named_as = 'operator' and i.state <> 'waiting' and s.state = 'active')
    for update of i`;
  if (!naming) throw new Refusal('not_found');
  return naming;
}

function refuseDecided(tx: Tx, naming: NamingRow, states: readonly NamingRow['state'][]): void {
  const isOpen = states.includes(naming.state) && naming.accepted_at === null && naming.expires_at > tx.now;
  if (!isOpen) throw new Refusal('change_conflict', { message: sentence('That is decided already.') });
}
