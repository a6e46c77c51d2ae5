import type { User } from '@ushirika/contract/identity';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { notify } from '../notifications/notify.ts';
import { phoneValue } from '../notifications/sms-values.ts';
import { type DUPLICATES, refuseDuplicates } from './create-person.ts';
import { identitySms } from './identity.sms.ts';
import type { IdentityDependencies, PersonRow } from './identity.types.ts';
import { userOnWire } from './open-session.ts';
import { refuseOperatorsName } from './operators.ts';
import { requireProof } from './prove-password.ts';
import { refuseUnreachedPhone } from './refuse-phone.ts';
import { refuseReservedPerson } from './reserved-names.ts';
import { TAKEN_RULE } from './throttle.rules.ts';
import { countTaken } from './throttles.ts';

type Needs = Pick<IdentityDependencies, 'database' | 'smsCountries' | 'officialNames' | 'renaming'>;

export interface ProfileChange {
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly email: string;
}

interface Session {
  readonly userId: string;
  readonly sessionId: string;
}

interface Changed {
  readonly user: User;
  readonly isPhoneConfirmed: boolean;
  /** The name that was asked for waits for another official: the person has the one before. */
  readonly isNameWaiting: boolean;
}

const DAY_MS = 86_400_000;
const PHONE_CHANGES_PER_DAY = 3;

/**
 * Changes names, e-mail and phone. A changed phone is unconfirmed: no money goes to it, and reset codes go on going to
 * the phone before it, until an SMS code has confirmed it. The phone before it, if it was confirmed, is told. The name of
 * an official waits for another official; the rest holds at once. A new name ends what was asked for under the one before.
 * @throws Refusal `proof_required`, `validation_failed` when the phone or e-mail is another account's, no SMS reaches the phone or the name
 *   may not be theirs, `too_many_requests` when that has been asked too often, or for a fourth phone in a day,
 *   `changes_limit_reached` and `second_official_required` for the name of an official
 */
export async function changeProfile(needs: Needs, actor: Session, input: ProfileChange): Promise<Changed> {
  const { database } = needs;
  return countTaken(database, `taken:${actor.userId}`, TAKEN_RULE, () =>
    database.transaction((tx) => change(tx, needs, actor, input)),
  );
}

async function change(
  tx: Tx,
  { smsCountries, officialNames, renaming }: Needs,
  actor: Session,
  input: ProfileChange,
): Promise<Changed> {
  const { userId } = actor;
  await requireProof(tx, actor);
  const endUnderName = (await isNamed(tx, userId, input)) ? null : await renaming(tx, userId);
  const [before] = await tx.sql<Before[]>`
    select phone, recovery_phone, first_name, last_name,
      exists (select from offices o where o.user_id = u.id and o.ended_at is null and o.until > ${tx.now}) as is_official
    from users u where id = ${userId} for no key update`;
  if (!before) throw new Refusal('session_ended');
  const fate = await fateOfName(tx, officialNames, { ...before, userId }, input);
  const isOtherPhone = before.phone !== input.phone;
  if (isOtherPhone) refuseUnreachedPhone(input.phone, smsCountries);
  const taken = (await takenFields(tx, userId, input)).filter((field) => field === 'email' || isOtherPhone);
  if (taken.length > 0) throw refuseDuplicates(taken);
  // Back to the phone that one had is no new claim.
  if (isOtherPhone && before.recovery_phone !== input.phone) await countPhoneChange(tx, userId);
  const kept = { firstName: before.first_name, lastName: before.last_name };
  const after = await write(tx, userId, fate === 'waits' ? { ...input, ...kept } : input);
  if (fate === 'waits') await officialNames.propose(tx, { ...input, userId });
  if (fate === 'changes') {
    await officialNames.withdraw(tx, userId);
    await endUnderName?.();
  }
  const sms = identitySms.phoneChanged(phoneValue(input.phone));
  if (isOtherPhone) await notify(tx, { userId, sms, causedBy: userId });
  const user = userOnWire(after);
  return { user, isPhoneConfirmed: after.phone_confirmed_at !== null, isNameWaiting: fate === 'waits' };
}

/** Whether somebody has that name already. */
async function isNamed(tx: Tx, userId: string, { firstName, lastName }: ProfileChange): Promise<boolean> {
  const rows = await tx.sql`
    select from users where id = ${userId} and first_name = ${firstName} and last_name = ${lastName}`;
  return rows.length > 0;
}

/** Each phone may be texted a code: one account reaches only so many strangers a day. Its own row is locked. */
async function countPhoneChange(tx: Tx, userId: string): Promise<void> {
  const [lately] = await tx.sql<{ changes: number; first: Date | null }[]>`
    select count(*)::int as changes, min(changed_at) as first from phone_changes
    where user_id = ${userId} and changed_at > ${new Date(tx.now.getTime() - DAY_MS)}`;
  if (lately?.first && lately.changes >= PHONE_CHANGES_PER_DAY && isGuarded('phone_changes')) {
    throw new Refusal('too_many_requests', {
      message: sentence('You have changed your phone {n} times in a day. Try again tomorrow.', {
        n: PHONE_CHANGES_PER_DAY,
      }),
      retryAfterSeconds: Math.ceil((lately.first.getTime() + DAY_MS - tx.now.getTime()) / 1000),
    });
  }
  await tx.sql`
    insert into phone_changes (id, user_id, changed_at) values (${tx.newId()}, ${userId}, ${tx.now})`;
}

interface Before {
  readonly phone: string;
  readonly recovery_phone: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly is_official: boolean;
}

/** What becomes of the name that was asked for; refuses one that may not be theirs. */
async function fateOfName(
  tx: Tx,
  officialNames: Needs['officialNames'],
  before: Before & { readonly userId: string },
  { firstName, lastName }: ProfileChange,
): Promise<'stays' | 'changes' | 'waits'> {
  if (before.first_name === firstName && before.last_name === lastName) return 'stays';
  const name = { userId: before.userId, firstName, lastName };
  refuseReservedPerson(name);
  if (before.is_official) await refuseOperatorsName(tx, name);
  await officialNames.refuseOfficialsName(tx, name);
  const waits = before.is_official && (await officialNames.isHeld(tx, name.userId)) && isGuarded('official_names');
  return waits ? 'waits' : 'changes';
}

type ChangedRow = Omit<PersonRow, 'password_hash' | 'recovery_phone'>;

/** Two people who take one e-mail at once meet at the unique key: the savepoint keeps the transaction for the answer. */
async function write(tx: Tx, userId: string, input: ProfileChange): Promise<ChangedRow> {
  try {
    const rows = await tx.sql.savepoint(
      (sql) => sql<ChangedRow[]>`
        update users
        set first_name = ${input.firstName}, last_name = ${input.lastName},
            recovery_phone_confirmed_at = coalesce(recovery_phone_confirmed_at,
                                                   case when phone = recovery_phone then phone_confirmed_at end),
            phone_confirmed_at = case when phone = ${input.phone} then phone_confirmed_at end,
            phone = ${input.phone},
            email_confirmed_at = case when email = ${input.email} then email_confirmed_at end,
            email = ${input.email},
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
