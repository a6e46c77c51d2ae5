import { plainId } from '@ushirika/contract/identity';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { requireProof } from '../identity/prove-password.ts';
import { whoseId } from '../identity/whose-id.ts';
import { type ExceptionAction, resolveException } from '../wallet/resolve-exception.ts';
import { noteAction } from './note-action.ts';
import { propose } from './proposals.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const KINDS = { credit: 'money_exception_credit', return_note: 'money_exception_return' } as const;

/**
 * An operator dismisses a money exception that holds no money. Where money would move, it is a proposal: soon after the
 * password, and a second operator confirms it. Nobody decides about money that is or would be their own.
 * @returns the proposal's id, or null
 */
export async function resolveMoneyException(
  tx: Tx,
  actor: { readonly userId: string; readonly sessionId: string },
  input: {
    readonly exceptionId: string;
    readonly action: ExceptionAction;
    /** A user id or an ID number. */
    readonly user: string | undefined;
    readonly reason: string;
  },
): Promise<string | null> {
  const { exceptionId, action, user, reason } = input;
  if (action === 'dismiss') {
    await resolveException(tx, actor, { exceptionId, action, reason, proposalId: null });
    const about = { type: 'money_exception', id: exceptionId } as const;
    await noteAction(tx, actor, { action: 'exception_dismissed', about, reason });
    return null;
  }
  await requireProof(tx, actor);
  const userId = action === 'credit' && user !== undefined ? await memberOf(tx, user) : undefined;
  return propose(tx, actor, { kind: KINDS[action], aboutId: exceptionId, userId, reason });
}

async function memberOf(tx: Tx, named: string): Promise<string> {
  const [member] = UUID.test(named)
    ? await tx.sql<{ id: string }[]>`select id from users where id = ${named}`
    : await tx.sql<{ id: string }[]>`select u.id from users u ${whoseId(tx, plainId(named))}`;
  if (member) return member.id;
  const message = sentence('Nobody has that ID number.');
  throw new Refusal('not_found', { message, errors: { user: [message] } });
}
