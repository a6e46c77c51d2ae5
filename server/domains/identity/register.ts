import { passwordSatisfies } from '@ushirika/contract/constants';
import type { register as registerRoute, SignedIn } from '@ushirika/contract/identity';
import type { Language } from '@ushirika/contract/notifications';
import { Refusal, sentenceOf } from '@ushirika/contract/refusal';
import type { BodyOf } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { networkOf } from '../../network-of.ts';
import { notify } from '../notifications/notify.ts';
import { setLanguage } from '../notifications/set-preferences.ts';
import { isCommonPassword } from './common-passwords.rules.ts';
import { createPerson } from './create-person.ts';
import { messages } from './identity.messages.ts';
import type { IdentityDependencies, Origin } from './identity.types.ts';
import { openSession, signedInReply } from './open-session.ts';
import type { Passwords } from './passwords.ts';
import { refuseUnreachedPhone } from './refuse-phone.ts';
import { refuseReservedPerson } from './reserved-names.ts';
import { TAKEN_IN_NETWORK_RULE } from './throttle.rules.ts';
import { countTaken } from './throttles.ts';

/**
 * Signs a person up and in. Notices and SMS are in the language of the sign-up. It has to say what another account has already: from one network only so often.
 * @throws Refusal `user_type_not_allowed`, `password_too_weak`, `too_many_requests`, `validation_failed` (duplicates, a
 *   phone that no SMS reaches), `unavailable`
 */
export async function register(
  deps: Pick<IdentityDependencies, 'database' | 'passwords' | 'afterRegistration' | 'smsCountries'>,
  input: BodyOf<typeof registerRoute>,
  origin: Origin,
  language: Language = 'en',
): Promise<Unsaid<SignedIn>> {
  if (input.user_type !== 'client') throw new Refusal('user_type_not_allowed', userTypeErrors());
  refuseUnreachedPhone(input.phone_number, deps.smsCountries);
  refuseReservedPerson({ firstName: input.first_name, lastName: input.last_name });
  refuseWeakPassword(input.password);
  const passwordHash = await deps.passwords.hash(input.password);
  const signUp = async (tx: Tx): Promise<Unsaid<SignedIn>> => {
    const person = {
      idNumber: input.id_number,
      firstName: input.first_name,
      lastName: input.last_name,
      phone: input.phone_number,
      email: input.email,
    };
    const userId = await createPerson(tx, { ...person, passwordHash });
    await setLanguage(tx, { userId }, language);
    const referralCode = input.referal_code?.trim() || null;
    await deps.afterRegistration(tx, { ...person, userId, referralCode, address: origin.address });
    const session = await openSession(tx, { userId, origin, hasSecondFactor: false });
    const text = messages.welcome(person.firstName);
    await notify(tx, { userId, template: 'welcome', text, topic: 'saccos', causedBy: userId });
    const user = {
      id: userId,
      first_name: person.firstName,
      last_name: person.lastName,
      id_number: person.idNumber,
      phone_number: person.phone,
      email: person.email,
    };
    return signedInReply(sentence('Registration Successfull'), session, user, false);
  };
  const key = `taken:${networkOf(origin.address)}`;
  return countTaken(deps.database, key, TAKEN_IN_NETWORK_RULE, () => deps.database.transaction(signUp));
}

const COMMON = sentence('That password is among those that are guessed first. Choose another one.');

/** @throws Refusal `password_too_weak`, with the spec's sentence, or why it is too common, under the field too. */
export function refuseWeakPassword(password: string): void {
  const isStrong = passwordSatisfies(password);
  if (isStrong && !isCommonPassword(password)) return;
  const message = isStrong ? COMMON : sentenceOf('password_too_weak');
  throw new Refusal('password_too_weak', { message, errors: { password: [message] } });
}

const SAME = sentence('That is the password you have now. Choose another one.');

/**
 * The hash of a password that replaces another: the one place that refuses the same again, since a thief who had it knows it still.
 * @throws Refusal `password_too_weak`, also where it is the one of `currentHash`; `unavailable`
 */
export async function hashOfNewPassword(passwords: Passwords, password: string, currentHash: string): Promise<string> {
  refuseWeakPassword(password);
  if (await passwords.verify(password, currentHash))
    throw new Refusal('password_too_weak', { message: SAME, errors: { password: [SAME] } });
  return passwords.hash(password);
}

function userTypeErrors() {
  return { errors: { user_type: [sentenceOf('user_type_not_allowed')] } };
}
