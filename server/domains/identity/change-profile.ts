import type { User } from '@ushirika/contract/identity';
import { Refusal } from '@ushirika/contract/refusals';
import type { Database, Tx } from '../../db/tx.ts';
import { notify } from '../notifications/notify.ts';
import { type DUPLICATES, refuseDuplicates } from './create-person.ts';
import { messages } from './identity.messages.ts';
import type { PersonRow } from './identity.types.ts';
import { userOnWire } from './open-session.ts';
import { TAKEN_RULE } from './throttle.rules.ts';
import { countTaken } from './throttles.ts';

export interface ProfileChange {
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly email: string;
}

/**
 * Changes names, e-mail and phone. A changed phone is unconfirmed: no money goes to it, and reset codes go on going to
 * the phone before it, until an SMS code has confirmed it. The phone before it is told.
 * @throws Refusal `validation_failed` when the phone or e-mail is another account's, `too_many_requests` when that has
 *   been asked too often
 */
export async function changeProfile(
  database: Database,
  actor: { readonly userId: string },
  input: ProfileChange,
): Promise<{ user: User; isPhoneConfirmed: boolean }> {
  return countTaken(database, `taken:${actor.userId}`, TAKEN_RULE, () =>
    database.transaction((tx) => change(tx, actor, input)),
  );
}

async function change(
  tx: Tx,
  actor: { readonly userId: string },
  input: ProfileChange,
): Promise<{ user: User; isPhoneConfirmed: boolean }> {
  const [before] = await tx.sql<{ phone: string }[]>`
    select phone from users where id = ${actor.userId} for no key update`;
  if (!before) throw new Refusal('session_ended');
  const after = await write(tx, actor.userId, input);
  if (before.phone !== input.phone) {
    const text = messages.phoneChanged(input.phone);
    await notify(tx, { userId: actor.userId, phone: before.phone, template: 'phone_changed', text });
  }
  return { user: userOnWire(after), isPhoneConfirmed: after.phone_confirmed_at !== null };
}

type ChangedRow = Omit<PersonRow, 'password_hash' | 'recovery_phone'>;

/** Two people who take one phone at once meet at the unique key: the savepoint keeps the transaction for the answer. */
async function write(tx: Tx, userId: string, input: ProfileChange): Promise<ChangedRow> {
  try {
    const rows = await tx.sql.savepoint(
      (sql) => sql<ChangedRow[]>`
        update users
        set first_name = ${input.firstName}, last_name = ${input.lastName},
            phone_confirmed_at = case when phone = ${input.phone} then phone_confirmed_at end,
            phone = ${input.phone},
            email_confirmed_at = case when email = ${input.email} then email_confirmed_at end,
            email = ${input.email},
            id_verified_at = case when first_name = ${input.firstName} and last_name = ${input.lastName}
                                  then id_verified_at end,
            updated_at = ${tx.now}
        where id = ${userId}
        returning id, id_number, first_name, last_name, phone, email, phone_confirmed_at`,
    );
    const [row] = rows;
    if (!row) throw new Refusal('session_ended');
    return row;
  } catch (error) {
    if ((error as { code?: unknown }).code === '23505') throw refuseDuplicates(await takenFields(tx, userId, input));
    throw error;
  }
}

async function takenFields(tx: Tx, userId: string, input: ProfileChange): Promise<(keyof typeof DUPLICATES)[]> {
  const [taken] = await tx.sql<{ phone_number: boolean; email: boolean }[]>`
    select phone_number, email from taken_by_others(${userId}, ${input.phone}, ${input.email})`;
  return (['phone_number', 'email'] as const).filter((field) => taken?.[field]);
}
