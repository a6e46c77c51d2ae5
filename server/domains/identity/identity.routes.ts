import { API_BASE } from '@ushirika/contract/constants';
import * as contract from '@ushirika/contract/identity';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { asSystem } from '../../db/person.ts';
import { type Binding, bindHandler, bindVerb, type Call, type CountedBy } from '../../http/bind.ts';
import { networkOf } from '../../network-of.ts';
import { changePassword } from './change-password.ts';
import { changeProfile } from './change-profile.ts';
import { confirmPhone, requestPhoneConfirmation } from './confirm-phone.ts';
import { deviceCookieIn, setDeviceCookie } from './device.rules.ts';
import { endSession } from './end-session.ts';
import { forgotPassword } from './forgot-password.ts';
import { profileOf, sessionsOf } from './identity.queries.ts';
import type { IdentityDependencies, Origin } from './identity.types.ts';
import { logIn } from './log-in.ts';
import { logOut, logOutEverywhere } from './log-out.ts';
import { provePassword } from './prove-password.ts';
import { register } from './register.ts';
import { resetPassword } from './reset-password.ts';
import { confirmSecondFactor, enrolSecondFactor, removeSecondFactor, renewRecoveryCodes } from './second-factor.ts';

const done = (message: Sentence) => ({ success: true as const, message });

type Asking = Pick<Call<never>, 'address' | 'headers' | 'answerHeaders'>;

function originOf(call: Asking, { hasSecureCookies }: Pick<IdentityDependencies, 'hasSecureCookies'>): Origin {
  const userAgent = call.headers['user-agent'];
  return {
    address: call.address,
    userAgent: typeof userAgent === 'string' ? userAgent.slice(0, 1000) : '',
    deviceCookie: deviceCookieIn(call.headers.cookie),
    keepDevice(cookie) {
      call.answerHeaders['Set-Cookie'] = setDeviceCookie(cookie, API_BASE, hasSecureCookies);
    },
  };
}

/** Sign-ins count for the account that is typed, in one network: neighbours and strangers elsewhere take none of them. */
const accountTyped: CountedBy = async ({ ip, body }) => {
  const typed = (body as { id_number?: unknown } | null)?.id_number;
  return `${typeof typed === 'string' ? contract.foldId(typed).slice(0, 40) : ''}@${networkOf(ip)}`;
};

export function identityRoutes(deps: IdentityDependencies): Binding[] {
  return [...entranceRoutes(deps), ...profileRoutes(deps), ...sessionRoutes(deps), ...secondFactorRoutes(deps)];
}

function entranceRoutes(deps: IdentityDependencies): Binding[] {
  return [
    bindHandler(contract.register, (call) => register(deps, call.body, originOf(call, deps), call.language)),
    bindHandler(contract.login, (call) => logIn(deps, call.body, originOf(call, deps)), accountTyped),
    bindVerb(contract.logout, async (tx, { actor }) => {
      await logOut(tx, actor);
      return done(sentence('You been logged out '));
    }),
    bindHandler(contract.logoutAll, async (call) => {
      const { id_number: idNumber, password } = call.body;
      await logOutEverywhere(deps, { idNumber, password }, originOf(call, deps));
      return done(sentence('You have been signed out on every device.'));
    }),
    bindVerb(contract.forgotPassword, async (tx, call) => {
      const { id_number: idNumber, phone_number: phone } = call.body;
      await forgotPassword(tx, { idNumber, phone }, originOf(call, deps));
      return done(sentence('If those details belong to an account, a reset code is on its way to that phone.'));
    }),
    bindHandler(contract.resetPassword, async (call) => {
      const { reset_code: resetCode, password } = call.body;
      await resetPassword(deps, { resetCode, password }, originOf(call, deps));
      return done(sentence('Your password has been reset. Sign in with the new one.'));
    }),
  ] as Binding[];
}

function profileRoutes(deps: IdentityDependencies): Binding[] {
  return [
    bindHandler(contract.getProfile, ({ actor }) => profileOf(deps, actor.userId)),
    bindHandler(contract.changeProfile, async ({ actor, body }) => {
      const change = {
        firstName: body.first_name,
        lastName: body.last_name,
        phone: body.phone_number,
        email: body.email,
      };
      // The platform writes: other officials are told of an official's new name, and it is compared with other people's.
      const { user, isPhoneConfirmed, isNameWaiting } = await asSystem(() => changeProfile(deps, actor, change));
      const message = isNameWaiting
        ? sentence('Saved. Your new name waits for another official.')
        : sentence('Update was Successfull');
      return { ...done(message), user, phone_confirmation_required: !isPhoneConfirmed, name_waits: isNameWaiting };
    }),
    bindHandler(contract.changePassword, async ({ actor, body }) => {
      await changePassword(deps, actor, { currentPassword: body.current_password, password: body.password });
      return done(sentence('Your password is changed. Your other devices have been signed out.'));
    }),
    bindHandler(contract.provePassword, async ({ actor, body }) => {
      const provenUntil = await provePassword(deps, actor, { currentPassword: body.current_password });
      return { ...done(sentence('Thank you. You can go on.')), proven_until: provenUntil.toISOString() };
    }),
    bindHandler(contract.requestPhoneConfirmation, async ({ actor }) => {
      const { expiresAt, isPasswordRequired } = await requestPhoneConfirmation(deps, actor);
      const message = sentence('A code is on its way to your phone.');
      return { ...done(message), expires_at: expiresAt.toISOString(), password_required: isPasswordRequired };
    }),
    bindHandler(contract.confirmPhone, async ({ actor, body }) => {
      await confirmPhone(deps, actor, { code: body.code, currentPassword: body.current_password });
      return done(sentence('Your phone number is confirmed.'));
    }),
  ] as Binding[];
}

function sessionRoutes({ database }: IdentityDependencies): Binding[] {
  return [
    bindHandler(contract.listSessions, async ({ actor }) => {
      const results = await sessionsOf(database, actor);
      return { count: results.length, next: null, previous: null, results };
    }),
    bindVerb(contract.endSession, async (tx, { actor, params }) => {
      await endSession(tx, actor, params);
      return done(sentence('That device has been signed out.'));
    }),
  ] as Binding[];
}

function secondFactorRoutes(deps: IdentityDependencies): Binding[] {
  return [
    bindHandler(contract.enrolSecondFactor, async ({ actor, body }) => {
      const enrolment = await enrolSecondFactor(deps, actor, { currentPassword: body.current_password });
      return { ...done(sentence('Add this to your authenticator app, then enter its code.')), ...enrolment };
    }),
    bindHandler(contract.confirmSecondFactor, async ({ actor, body }) => {
      const codes = await confirmSecondFactor(deps, actor, body);
      return { ...done(sentence('Your authenticator app is on. Keep these recovery codes.')), recovery_codes: codes };
    }),
    bindHandler(contract.renewRecoveryCodes, async ({ actor, body }) => {
      const codes = await renewRecoveryCodes(deps, actor, { currentPassword: body.current_password, otp: body.otp });
      return { ...done(sentence('These are your new recovery codes.')), recovery_codes: codes };
    }),
    bindHandler(contract.removeSecondFactor, async ({ actor, body }) => {
      await removeSecondFactor(deps, actor, { currentPassword: body.current_password, otp: body.otp });
      return done(sentence('Your authenticator app is off.'));
    }),
  ] as Binding[];
}
