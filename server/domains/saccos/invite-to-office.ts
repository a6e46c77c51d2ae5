import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import type { INVITED_OFFICES } from '@ushirika/contract/saccos';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { otherOfficials, tellPeople } from './change-officials.ts';
import { lockSacco } from './lock-sacco.ts';
import { officeSaid } from './offices.ts';
import { refuseWithoutOffice } from './propose-change.ts';
import { INVITATION_MS, refuseHeldOffice, refuseTooManyInvitations } from './record-official.ts';

interface Naming {
  readonly saccoId: string;
  readonly idNumber: string;
  readonly office: (typeof INVITED_OFFICES)[number];
}

/**
 * The chair of an active sacco invites somebody to an office. It writes the same row whether or not anybody has the ID
 * number; once a second official has confirmed it, a job looks and asks by SMS. Runs as the platform.
 * @throws Refusal `not_allowed` without the office of chair and for oneself, `sacco_inactive`, `office_conflict`,
 *   `second_official_required` where nobody else could confirm, `too_many_requests`
 */
export async function inviteToOffice(tx: Tx, actor: { readonly userId: string }, input: Naming): Promise<string> {
  const { saccoId, idNumber, office } = input;
  const sacco = await lockSacco(tx, saccoId);
  await refuseWithoutOffice(tx, { saccoId, userId: actor.userId }, { offices: ['chair'] });
  if (sacco.state !== 'active') throw new Refusal('sacco_inactive');
  const [self] = await tx.sql`select from users where id = ${actor.userId} and id_number = ${idNumber}`;
  if (self) {
    throw new Refusal('not_allowed', { message: sentence('You invite somebody else: that is your own ID number.') });
  }
  if (office === 'supervisory_committee') await refuseWhereElected(tx, saccoId);
  await refuseHeldOffice(tx, saccoId, office);
  await refuseInvitedAlready(tx, saccoId, office, idNumber);
  await refuseTooManyInvitations(tx, saccoId, 'chair');
  const others = await otherOfficials(tx, { saccoId, proposedBy: actor.userId });
  if (others.length === 0) {
    throw new Refusal('second_official_required', {
      message: sentence(
        'Another official confirms an invitation, and your sacco has none besides you who may act now.',
      ),
    });
  }
  const id = tx.newId();
  await tx.sql`
    insert into office_invitations (id, sacco_id, office, id_number, invited_by, created_at, expires_at, state, named_as)
    values (${id}, ${saccoId}, ${office}, ${idNumber}, ${actor.userId}, ${tx.now},
            ${new Date(tx.now.getTime() + INVITATION_MS)}, 'waiting', 'chair')`;
  const text = sentence(
    '{name}: the chair wants to invite somebody as {office}. Look at it under Members and say yes or no within 7 days.',
    { name: sacco.name, office: officeSaid(office) },
  );
  await tellPeople(tx, actor.userId, others, { template: 'office_naming_waits', text });
  return id;
}

/** The board does not choose who examines it: once members can vote they elect the supervisory committee. */
async function refuseWhereElected(tx: Tx, saccoId: string): Promise<void> {
  const [votes] = await tx.sql`select from saccos_that_vote where sacco_id = ${saccoId}`;
  if (!votes) return;
  throw new Refusal('office_conflict', {
    message: sentence(
      'Members elect the supervisory committee, since it examines the others. Draft an election under Voting.',
    ),
  });
}

/**
 * One open invitation for each office of one holder, and for each person where a committee has several. The naming of one operator alone is
 * not counted.
 */
async function refuseInvitedAlready(tx: Tx, saccoId: string, office: Office, idNumber: string): Promise<void> {
  const isCommittee = office === 'credit_committee' || office === 'supervisory_committee';
  const [open] = await tx.sql`
    select from office_invitations
    where sacco_id = ${saccoId} and office = ${office} and accepted_at is null
      and (state = 'asked' or state = 'waiting' and named_as <> 'operator')
      and expires_at > ${tx.now} and (${!isCommittee} or id_number = ${idNumber})`;
  if (!open) return;
  throw new Refusal('office_conflict', {
    message: sentence('Somebody is invited to that office already. Take that back first.'),
  });
}
