import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { EXIT_DAYS } from '@ushirika/contract/membership';
import { Refusal } from '@ushirika/contract/refusal';
import type { MembershipState } from '@ushirika/contract/saccos';
import { longDate, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { notify } from '../notifications/notify.ts';
import { nameOf } from '../saccos/change-officials.ts';
import type { About, ChangeExecutor } from '../saccos/changes.types.ts';
import type { OnLeaving } from './request-exit.ts';

const DAY_MS = 86_400_000;

interface MemberRow {
  readonly user_id: string;
  readonly state: MembershipState;
}

/**
 * How members expel somebody: by a vote alone (docs/decisions/195). It is an exit that nobody takes back: the savings are paid within 60
 * days, the shares stay theirs to sell. A loan, a guarantee or money in a pool delays the refund, as with any exit, and defeats no vote; nor
 * does a notice of theirs. It is about the person: whoever has left meanwhile, or left and joined again, does not join any more either.
 */
export const expulsionChange = (onLeaving: OnLeaving): ChangeExecutor => ({
  offices: [],
  isDelayed: false,
  words: sentence('the expulsion of a member'),
  async current(tx, about, payload): Promise<ChangedValues> {
    const member = await memberOf(tx, about, payload);
    const isIn = member && !(await expulsionOf(tx, about, member.user_id));
    return isIn ? { member: String(payload.member), expelled: 'no' } : {};
  },
  async refusalOf(tx, about, payload) {
    const member = await memberOf(tx, about, payload);
    if (member && !(await expulsionOf(tx, about, member.user_id))) return null;
    return new Refusal('change_conflict', { message: NO_MEMBER });
  },
  personOf: async (tx, about, payload) => (await memberOf(tx, about, payload))?.user_id ?? null,
  announce: async () => {},
  recall: async () => {},
  apply: (tx, about, payload) => expel(tx, about, payload, onLeaving),
});

const NO_MEMBER = sentence('This is no member of the sacco, or members have expelled them already.');

/** How members admit again whom they have expelled; whoever it is then joins like everybody else. */
export const admissionChange: ChangeExecutor = {
  offices: [],
  isDelayed: false,
  words: sentence('the admission of a member'),
  async current(tx, about, payload): Promise<ChangedValues> {
    const member = await memberOf(tx, about, payload);
    const expulsion = member && (await expulsionOf(tx, about, member.user_id));
    return expulsion ? { member: String(payload.member), expulsion } : {};
  },
  async refusalOf(tx, about, payload) {
    const member = await memberOf(tx, about, payload);
    if (member && (await expulsionOf(tx, about, member.user_id))) return null;
    return new Refusal('change_conflict', { message: sentence('Members have not expelled this person.') });
  },
  personOf: async (tx, about, payload) => (await memberOf(tx, about, payload))?.user_id ?? null,
  announce: async () => {},
  recall: async () => {},
  apply: admit,
};

async function memberOf(tx: Tx, { saccoId }: About, { member }: ChangedValues): Promise<MemberRow | null> {
  const [row] = await tx.sql<MemberRow[]>`
    select user_id, state from memberships where id = ${String(member)}::uuid and sacco_id = ${saccoId}::uuid`;
  return row ?? null;
}

/** The vote by which somebody was expelled, where that stands. */
async function expulsionOf(tx: Tx, { saccoId }: About, userId: string): Promise<string | null> {
  const [row] = await tx.sql<{ proposal_id: string }[]>`
    select proposal_id from expulsions where sacco_id = ${saccoId}::uuid and user_id = ${userId} and admitted_at is null`;
  return row?.proposal_id ?? null;
}

/** The sacco's lock is held. With the state of the membership a trigger ends the offices, and the open invitations to some. */
async function expel(tx: Tx, about: About, payload: ChangedValues, onLeaving: OnLeaving): Promise<void> {
  const { saccoId, proposalId } = about;
  const member = await memberOf(tx, about, payload);
  if (!member || saccoId === null || proposalId === undefined) throw new Error('A member is expelled by a vote.');
  const { user_id: userId } = member;
  const exit = (await exitOf(tx, saccoId, member)) ?? (await beginExit(tx, saccoId, member, onLeaving));
  await tx.sql`
    insert into expulsions (proposal_id, sacco_id, user_id, exit_id, expelled_at)
    values (${proposalId}, ${saccoId}, ${userId}, ${exit.id}, ${tx.now})`;
  const name = await nameOf(tx, about);
  await notify(tx, {
    userId,
    topic: 'saccos',
    template: 'member_expelled',
    causedBy: about.proposedBy,
    text:
      member.state === 'exited'
        ? sentence('{name}: members have voted that you join again only once they have voted to admit you.', { name })
        : sentence(
            '{name}: members have voted that you leave. Your savings are paid back by {at}, and not before what you owe, guarantee or have in a pool is settled. Your shares stay yours to sell.',
            { name, at: longDate(exit.due_at) },
          ),
  });
}

interface Exit {
  readonly id: string;
  readonly due_at: Date;
}

/** The exit that runs, or the one by which somebody has left. */
async function exitOf(tx: Tx, saccoId: string, { user_id, state }: MemberRow): Promise<Exit | undefined> {
  const [exit] = await tx.sql<Exit[]>`
    select id, due_at from exit_requests
    where sacco_id = ${saccoId} and user_id = ${user_id} and (state in ('requested', 'shares_to_sell')
      or state = 'completed' and ${state} = 'exited')
    order by id desc limit 1 for update`;
  return exit;
}

async function beginExit(
  tx: Tx,
  saccoId: string,
  { user_id: userId, state }: MemberRow,
  onLeaving: OnLeaving,
): Promise<Exit> {
  const exit = { id: tx.newId(), due_at: new Date(tx.now.getTime() + EXIT_DAYS * DAY_MS) };
  await tx.sql`
    insert into exit_requests (id, sacco_id, user_id, state, state_before, reason, requested_at, due_at)
    values (${exit.id}, ${saccoId}, ${userId}, 'requested', ${state}, null, ${tx.now}, ${exit.due_at})`;
  await tx.sql`
    update memberships set state = 'leaving', state_at = ${tx.now} where sacco_id = ${saccoId} and user_id = ${userId}`;
  await onLeaving(tx, { userId, saccoId });
  await enqueue(tx, 'tell_of_ended_offices', { user: userId, sacco: saccoId, cause: 'vote' });
  return exit;
}

async function admit(tx: Tx, about: About, payload: ChangedValues): Promise<void> {
  const member = await memberOf(tx, about, payload);
  if (!member || about.proposalId === undefined) throw new Error('Somebody is admitted by a vote.');
  await tx.sql`
    update expulsions set admitted_at = ${tx.now}, admitted_by = ${about.proposalId}
    where sacco_id = ${about.saccoId}::uuid and user_id = ${member.user_id} and admitted_at is null`;
  await notify(tx, {
    userId: member.user_id,
    topic: 'saccos',
    template: 'member_admitted',
    causedBy: about.proposedBy,
    text: sentence('{name}: members have voted that you may join again.', { name: await nameOf(tx, about) }),
  });
}
