import { Refusal } from '@ushirika/contract/refusals';
import type { Tx } from '../../db/tx.ts';
import { type ExceptionAction, resolveException } from '../wallet/resolve-exception.ts';
import { noteAction } from './note-action.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const names = { credit: 'credited', return_note: 'returned', dismiss: 'dismissed' } as const;

/** An operator resolves a money exception, once. Nobody decides about money that is or would be their own. */
export async function resolveMoneyException(
  tx: Tx,
  actor: { readonly userId: string },
  input: {
    readonly exceptionId: string;
    readonly action: ExceptionAction;
    /** A user id or an ID number. */
    readonly user: string | undefined;
    readonly reason: string;
  },
): Promise<void> {
  const { exceptionId, action, user, reason } = input;
  const userId = action === 'credit' && user !== undefined ? await memberOf(tx, user) : undefined;
  if (userId === actor.userId || (await ownerOfReserve(tx, exceptionId)) === actor.userId) {
    throw new Refusal('not_allowed', { message: 'Another operator must decide about money of yours.' });
  }
  await resolveException(tx, actor, { exceptionId, action, userId, reason });
  const about = { type: 'money_exception', id: exceptionId };
  await noteAction(tx, actor, { action: `exception_${names[action]}`, about, reason });
}

async function ownerOfReserve(tx: Tx, exceptionId: string): Promise<string | null> {
  const [withdrawal] = await tx.sql<{ user_id: string }[]>`
    select w.user_id from money_exceptions e join withdrawals w on w.id = e.about_id
    where e.id = ${exceptionId} and e.held_in = 'reserve'`;
  return withdrawal?.user_id ?? null;
}

async function memberOf(tx: Tx, named: string): Promise<string> {
  const [member] = await tx.sql<{ id: string }[]>`
    select id from users where id = ${UUID.test(named) ? named : null}::uuid or id_number = ${named.toUpperCase()}`;
  if (member) return member.id;
  const message = 'Nobody has that ID number.';
  throw new Refusal('not_found', { message, errors: { user: [message] } });
}
