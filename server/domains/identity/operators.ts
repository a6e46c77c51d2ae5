import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { nameSkeleton } from './name-skeleton.rules.ts';
import { endSessions } from './open-session.ts';
import { forgetSecondFactor } from './second-factor.ts';

export interface OperatorRow {
  readonly user_id: string;
  readonly id_number: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly phone: string;
  readonly granted_at: Date;
  readonly revoked_at: Date | null;
  readonly has_second_factor: boolean;
}

/** Makes a person an operator of the platform. False when they are one already. */
export async function grantOperator(tx: Tx, userId: string): Promise<boolean> {
  const granted = await tx.sql`
    insert into operators (user_id, granted_at) values (${userId}, ${tx.now})
    on conflict (user_id) do update set granted_at = excluded.granted_at, revoked_at = null
    where operators.revoked_at is not null`;
  return granted.count > 0;
}

/** Takes the office away and ends the person's sessions. False when they were none. */
export async function revokeOperator(tx: Tx, userId: string): Promise<boolean> {
  const revoked = await tx.sql`
    update operators set revoked_at = ${tx.now} where user_id = ${userId} and revoked_at is null`;
  if (revoked.count > 0) await endSessions(tx, userId, 'operator_revoked');
  return revoked.count > 0;
}

/**
 * Officials and operators speak to members: nobody takes an official for an operator by the name.
 * @throws Refusal `validation_failed`, under the names, when an operator's name looks the same
 */
export async function refuseOperatorsName(
  tx: Tx,
  official: { readonly userId: string; readonly firstName: string; readonly lastName: string },
): Promise<void> {
  if (!(await hasOperatorsName(tx, official))) return;
  const message = sentence(
    'Somebody who works for Ushirika has that name, and officials must not be mistaken for them. Add a further name of yours.',
  );
  throw new Refusal('validation_failed', { message, errors: { first_name: [message] } });
}

/** Whether an official's name looks like that of an operator. */
export async function hasOperatorsName(
  tx: Tx,
  { userId, firstName, lastName }: { readonly userId: string; readonly firstName: string; readonly lastName: string },
): Promise<boolean> {
  if (!isGuarded('operators_names')) return false;
  const operators = await tx.sql<{ user_id: string; name: string }[]>`select user_id, name from operators_names()`;
  const skeleton = nameSkeleton(`${firstName} ${lastName}`);
  return operators.some(({ user_id, name }) => user_id !== userId && nameSkeleton(name) === skeleton);
}

/** For a person who has lost both phone and recovery codes, once they have proved themselves by other means. */
export async function resetSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const removed = await forgetSecondFactor(tx, userId);
  if (removed) await endSessions(tx, userId, 'second_factor_changed');
  return removed;
}

export async function listOperators(tx: Tx): Promise<OperatorRow[]> {
  return tx.sql<OperatorRow[]>`
    select o.user_id, u.id_number, u.first_name, u.last_name, u.phone, o.granted_at, o.revoked_at,
      exists (select 1 from second_factors f where f.user_id = u.id and f.state = 'on') as has_second_factor
    from operators o join users u on u.id = o.user_id
    order by o.granted_at, u.id_number`;
}
