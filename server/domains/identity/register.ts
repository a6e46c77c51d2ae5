import { passwordSatisfies } from '@ushirika/contract/constants';
import type { register as registerRoute, SignedIn } from '@ushirika/contract/identity';
import { Refusal } from '@ushirika/contract/refusals';
import type { BodyOf } from '@ushirika/contract/route';
import { notify } from '../notifications/notify.ts';
import { createPerson } from './create-person.ts';
import { messages } from './identity.messages.ts';
import type { IdentityDependencies, Origin } from './identity.types.ts';
import { openSession, signedInReply } from './open-session.ts';

/**
 * Signs a person up and in.
 * @throws Refusal `user_type_not_allowed`, `password_too_weak`, `validation_failed` (duplicates), `unavailable`
 */
export async function register(
  deps: Pick<IdentityDependencies, 'database' | 'passwords' | 'afterRegistration'>,
  input: BodyOf<typeof registerRoute>,
  origin: Origin,
): Promise<SignedIn> {
  if (input.user_type !== 'client') throw new Refusal('user_type_not_allowed', userTypeErrors());
  refuseWeakPassword(input.password);
  const passwordHash = await deps.passwords.hash(input.password);
  return deps.database.transaction(async (tx) => {
    const person = {
      idNumber: input.id_number,
      firstName: input.first_name,
      lastName: input.last_name,
      phone: input.phone_number,
      email: input.email,
    };
    const userId = await createPerson(tx, { ...person, passwordHash });
    const referralCode = input.referal_code?.trim() || null;
    await deps.afterRegistration(tx, { ...person, userId, referralCode, address: origin.address });
    const session = await openSession(tx, { userId, origin, hasSecondFactor: false });
    await notify(tx, { userId, template: 'welcome', text: messages.welcome(person.firstName), topic: 'saccos' });
    const user = {
      id: userId,
      first_name: person.firstName,
      last_name: person.lastName,
      id_number: person.idNumber,
      phone_number: person.phone,
      email: person.email,
    };
    return signedInReply('Registration Successfull', session, user, false);
  });
}

/** @throws Refusal `password_too_weak`, with the spec's sentence under the field too. */
export function refuseWeakPassword(password: string): void {
  if (passwordSatisfies(password)) return;
  const { message } = new Refusal('password_too_weak');
  throw new Refusal('password_too_weak', { errors: { password: [message] } });
}

function userTypeErrors() {
  return { errors: { user_type: [new Refusal('user_type_not_allowed').message] } };
}
