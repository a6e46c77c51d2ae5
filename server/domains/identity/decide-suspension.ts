import type { SuspensionAction } from '@ushirika/contract/operator';
import { Refusal } from '@ushirika/contract/refusal';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { notify } from '../notifications/notify.ts';
import { supportPhoneValue } from '../notifications/sms-values.ts';
import { identitySms } from './identity.sms.ts';
import {
  hasLapsed,
  isLiftedBy,
  type OpenSuspension,
  refusalOfSuspension,
  SAME_OPERATOR_MS,
  SUSPENSION_MS,
  SUSPENSIONS_PER_DAY,
} from './suspension.rules.ts';

const DAY_MS = 86_400_000;

/**
 * An operator suspends an account for 14 days; another one upholds that until it is lifted. An operator who alone suspended the account
 * lifts it alone. Otherwise one operator asks, and another lifts it. The database signs the suspended person out, and an SMS tells them in
 * fixed words.
 * @returns true once it is done, and not only asked for
 * @throws Refusal `not_found`, `suspension_not_allowed`, `suspension_conflict`, `second_operator_required`, `suspension_limit_reached`
 */
export async function decideSuspension(
  tx: Tx,
  actor: { readonly userId: string },
  input: {
    readonly userId: string;
    readonly action: SuspensionAction;
    readonly reason: string;
    readonly supportPhone: string | null;
  },
): Promise<boolean> {
  const { userId, action, reason } = input;
  await lockSuspension(tx, userId);
  const person = await readPerson(tx, actor.userId, userId);
  if (!person) throw new Refusal('not_found');
  const refusal = refusalOfSuspension(action, actor.userId, person, tx.now);
  if (refusal) throw refusal;
  if (action === 'suspend') {
    await refuseMany(tx, actor.userId);
    if (person.open && hasLapsed(person.open, tx.now)) await noteLapsed(tx, person.open.id);
    await suspend(tx, actor.userId, { userId, reason });
  } else if (action === 'uphold') {
    await tx.sql`
      update account_suspensions set upheld_by = ${actor.userId}, upheld_at = ${tx.now}, upheld_reason = ${reason}
      where user_id = ${userId} and ended_at is null`;
  } else if (person.open && !isLiftedBy(actor.userId, person.open) && isGuarded('lifted_by_two')) {
    await tx.sql`
      update account_suspensions set lift_asked_by = ${actor.userId}, lift_asked_at = ${tx.now}
      where user_id = ${userId} and ended_at is null`;
    return false;
  } else {
    await tx.sql`
      update account_suspensions
      set ended_at = ${tx.now}, end_kind = 'lifted', lifted_by = ${actor.userId}, lifted_reason = ${reason}
      where user_id = ${userId} and ended_at is null`;
  }
  const told = {
    suspend: () => identitySms.suspended(input.supportPhone ? supportPhoneValue(input.supportPhone) : null),
    uphold: identitySms.suspensionUpheld,
    lift: identitySms.suspensionLifted,
  };
  await notify(tx, { userId, sms: told[action](), causedBy: actor.userId });
  return true;
}

/** The first half of the advisory locks under which suspensions of a person are decided. */
const suspending = 7243;
/** The same of those under which an operator's suspensions are counted: taken after the person's. */
const countingSuspensions = 7247;

/** Two who decide about one person take turns; a person's own role cannot lock another's row. */
export async function lockSuspension(tx: Tx, userId: string): Promise<void> {
  await tx.sql`select pg_advisory_xact_lock(${suspending}, hashtext(${userId}))`;
}

interface PersonRow {
  readonly is_operator: boolean;
  readonly id: string | null;
  readonly suspended_by: string | null;
  readonly upheld_by: string | null;
  readonly lift_asked_by: string | null;
  readonly lapses_at: Date | null;
  readonly was_lately_theirs: boolean;
}

async function readPerson(tx: Tx, operatorId: string, userId: string) {
  const [row] = await tx.sql<PersonRow[]>`
    select o.user_id is not null as is_operator, a.id, a.suspended_by, a.upheld_by, a.lift_asked_by, a.lapses_at,
      exists (select from account_suspensions l where l.user_id = u.id and l.suspended_by = ${operatorId}
                and l.ended_at > ${new Date(tx.now.getTime() - SAME_OPERATOR_MS)}
                and (l.end_kind = 'lapsed' or ${operatorId}::uuid in (l.lifted_by, l.lift_asked_by))) as was_lately_theirs
    from users u left join operators o on o.user_id = u.id and o.revoked_at is null
    left join account_suspensions a on a.user_id = u.id and a.ended_at is null
    where u.id = ${userId}`;
  if (!row) return null;
  const { id, suspended_by: suspendedBy, upheld_by: upheldBy, lift_asked_by: liftAskedBy, lapses_at: lapsesAt } = row;
  const open: (OpenSuspension & { id: string }) | null =
    id !== null && suspendedBy !== null && lapsesAt !== null
      ? { id, suspendedBy, upheldBy, liftAskedBy, lapsesAt }
      : null;
  return { userId, isOperator: row.is_operator, open, wasLatelyTheirs: row.was_lately_theirs };
}

/** Counts under a lock of the operator's, which is held until the transaction ends: requests sent at once take turns. */
async function refuseMany(tx: Tx, operatorId: string): Promise<void> {
  await tx.sql`select pg_advisory_xact_lock(${countingSuspensions}, hashtext(${operatorId}))`;
  const since = new Date(tx.now.getTime() - DAY_MS);
  const [row] = await tx.sql<{ count: number }[]>`
    select count(*)::int as count from account_suspensions
    where suspended_by = ${operatorId} and suspended_at > ${since}`;
  if ((row?.count ?? 0) >= SUSPENSIONS_PER_DAY) throw new Refusal('suspension_limit_reached');
}

async function noteLapsed(tx: Tx, id: string): Promise<void> {
  await tx.sql`update account_suspensions set ended_at = lapses_at, end_kind = 'lapsed' where id = ${id}`;
}

async function suspend(tx: Tx, operatorId: string, input: { userId: string; reason: string }): Promise<void> {
  const lapsesAt = new Date(tx.now.getTime() + SUSPENSION_MS);
  await tx.sql`
    insert into account_suspensions (id, user_id, suspended_by, suspended_at, reason, lapses_at)
    values (${tx.newId()}, ${input.userId}, ${operatorId}, ${tx.now}, ${input.reason}, ${lapsesAt})`;
}
