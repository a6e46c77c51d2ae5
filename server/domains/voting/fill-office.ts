import { isHeldByOne } from '@ushirika/contract/elections';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { hasOperatorsName } from '../identity/operators.ts';
import { tellPeople } from '../saccos/change-officials.ts';
import { BARRED, isBarred, officeSaid, openOffice } from '../saccos/offices.ts';
import type { ProposalRow } from './proposal-rows.ts';
import { isCardSeen } from './stand-for-election.ts';

/** Why whoever was elected cannot take the office up now; null where they can. The sacco's lock is held. */
export async function whyNotInOffice(tx: Tx, row: ProposalRow): Promise<Sentence | null> {
  const userId = await electedMember(tx, row);
  const [member] = await tx.sql<{ first_name: string; last_name: string; is_suspended: boolean }[]>`
    select u.first_name, u.last_name, exists (select from account_suspensions s
      where s.user_id = m.user_id and s.ended_at is null and s.upheld_at is not null) as is_suspended
    from memberships m join users u on u.id = m.user_id where m.sacco_id = ${row.sacco_id} and m.user_id = ${userId} and m.state = 'active'`;
  if (!member) return sentence('Whoever was elected is no member in full rights any more.');
  if (member.is_suspended) return sentence('The account of whoever was elected is suspended.');
  const name = { userId, firstName: member.first_name, lastName: member.last_name };
  if (await hasOperatorsName(tx, name)) {
    return sentence('Somebody who works for Ushirika has the name of whoever was elected.');
  }
  const { sacco_id: saccoId, office } = row;
  const isExcluded = office !== null && (await isBarred(tx, { saccoId, office }, userId));
  return (await whyUnproved(tx, saccoId, userId)) ?? (isExcluded ? BARRED : null);
}

/** What standing asked for is asked once more: who was elected is who takes the office up. */
async function whyUnproved(tx: Tx, saccoId: string, userId: string): Promise<Sentence | null> {
  const [person] = await tx.sql`select from users where id = ${userId} and phone_confirmed_at is not null`;
  if (!person) return sentence('Whoever was elected has not confirmed their phone.');
  if (await isCardSeen(tx, saccoId, userId)) return null;
  return sentence('No official has seen the ID card of whoever was elected under their present name.');
}

/**
 * Puts whoever was elected into the office, for three years, in the place of whoever holds it. A committee has several members: there
 * nobody gives way. The sacco's lock is held.
 * @throws Refusal `validation_failed` where they have the name of an operator
 */
export async function fillOffice(tx: Tx, row: ProposalRow): Promise<void> {
  const office = row.office as Office;
  const userId = await electedMember(tx, row);
  const isSingle = isHeldByOne(office);
  const before = await tx.sql<{ user_id: string }[]>`
    update offices set ended_at = greatest(since, ${tx.now}), end_told_at = ${tx.now}
    where sacco_id = ${row.sacco_id} and office = ${office} and ended_at is null and (${isSingle} or user_id = ${userId})
    returning user_id`;
  await openOffice(tx, { userId: row.drafted_by }, { saccoId: row.sacco_id, userId, office });
  const [sacco] = await tx.sql<{ name: string }[]>`select name from saccos where id = ${row.sacco_id}`;
  const values = { name: sacco?.name ?? '', office: officeSaid(office) };
  await tellPeople(tx, row.drafted_by, [userId], {
    template: 'office_by_election',
    text: sentence('{name}: members have elected you. You are now recorded as {office}.', values),
  });
  const gone = before.map(({ user_id }) => user_id).filter((each) => each !== userId);
  const text = sentence('{name}: members have elected somebody else as {office}. Your office has ended.', values);
  await tellPeople(tx, row.drafted_by, gone, { template: 'office_by_election', text });
}

async function electedMember(tx: Tx, { id, elected }: ProposalRow): Promise<string> {
  const [found] = await tx.sql<{ member_id: string }[]>`
    select member_id from election_candidates where proposal_id = ${id} and id = ${elected}`;
  if (!found) throw new Refusal('not_found');
  return found.member_id;
}
