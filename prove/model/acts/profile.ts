import { letters, type Person } from '../naive-books.ts';
import { type Act, type Planned, type Simulation, totp } from '../simulation.ts';
import { maySlip, slip } from './entrance.ts';
import { learnOfName, refusalOfName, saccosLedBy, someOfficial, takeName } from './names.ts';

/* What a person changes of themselves: names, phones, passwords, the authenticator app, what they want to hear. */

const PROOF_MS = 15 * 60_000;
const PENDING_MS = 15 * 60_000;
const WRONG = 'Wrong#12345x';

interface Own {
  readonly person: Person;
  readonly token: string | undefined;
}

function own(simulation: Simulation): Own | null {
  const person = simulation.someone();
  return person ? { person, token: person.sessions.at(-1)?.token } : null;
}

/** A number that nobody has written down, confirmed or not: of two who write one down it is whose who confirms it first. */
function nobodysPhone({ books, acts }: Simulation, drawn: number): string {
  for (let number = 1_000_000 + acts + drawn; ; number += 1) {
    const phone = `25473${String(number).slice(-7)}`;
    if (!books.people.some((other) => other.phone === phone || other.recoveryPhone === phone)) return phone;
  }
}

/** The password as it is typed: now and then a wrong one. */
function typed(simulation: Simulation, person: Person): { password: string; isWrong: boolean } {
  const isWrong = maySlip(simulation, person);
  if (isWrong) slip(simulation, person);
  return { password: isWrong ? WRONG : person.password, isWrong };
}

function planChangeProfile(simulation: Simulation, asked?: Person): Planned | null {
  const found = asked ? { person: asked, token: asked.sessions.at(-1)?.token } : own(simulation);
  if (!found) return null;
  const { random, books } = simulation;
  const { person, token } = found;
  if (!isProven(simulation, person) && random.chance(0.8)) return planProve(simulation, person);
  const kind = random.next();
  const known = books.people.filter((other) => other.id !== '' && other !== person);
  const taken = kind < 0.1 && known.length > 0 ? random.pick(known) : null;
  // Three phones a day, and the product counts the claims, not the way back.
  const today = person.phoneChanges.filter((at) => at > simulation.now - 86_400_000).length;
  const isOther = kind > 0.7 && today < 3;
  const phone = isOther ? nobodysPhone(simulation, random.whole(0, 999)) : person.phone;
  const owns = (other: Person) => (other.isConfirmed && other.phone === phone) || other.recoveryPhone === phone;
  const isFree = phone === person.phone || !books.people.some((other) => other !== person && owns(other));
  const email = taken ? taken.email : person.email;
  // Nobody shares it with an operator: an official may not.
  const lastName = `${random.pick(['Achieng', 'Barasa', 'Chepkoech', 'Kariuki'])} ${letters(person.number)}`;
  let isWaiting = false;
  return {
    say: `person ${person.number} becomes ${lastName}${phone === person.phone ? '' : ' with another phone'}`,
    asking: {
      route: 'changeProfile',
      token,
      body: { first_name: person.firstName, last_name: lastName, phone_number: phone, email },
    },
    touches: [
      [`person ${person.number}`],
      ['phones'],
      ...saccosLedBy(simulation, person).map(({ number }) => [`state ${number}`, 'members'] as const),
    ],
    expect() {
      if (!isProven(simulation, person)) return 'proof_required';
      if (taken || !isFree) return 'validation_failed';
      const refusal = person.lastName === lastName ? null : refusalOfName(simulation, person, lastName);
      if (refusal) return refusal;
      if (phone !== person.phone) {
        person.isConfirmed = false;
        person.phoneChanges.push(simulation.now);
      }
      person.phone = phone;
      isWaiting = person.lastName !== lastName && takeName(simulation, person, lastName);
      return 'ok';
    },
    learn(reply) {
      if (reply.phone_confirmation_required !== !person.isConfirmed) return 'another phone state';
      if (reply.name_waits !== isWaiting || reply.user.last_name !== person.lastName) return 'another name';
      return isWaiting ? learnOfName(simulation, person, token) : undefined;
    },
  };
}

/** Somebody who is not the only official of a sacco. */
function planRenameOfficial(simulation: Simulation): Planned | null {
  const person = someOfficial(simulation);
  return person && planChangeProfile(simulation, person);
}

function planChangePassword(simulation: Simulation): Planned | null {
  const found = own(simulation);
  if (!found) return null;
  const { person, token } = found;
  const { password, isWrong } = typed(simulation, person);
  const isWeak = simulation.random.chance(0.1);
  const next = isWeak ? 'short1!' : `Ch${simulation.random.whole(100_000, 999_999)}#zvw`;
  return {
    say: `person ${person.number} changes the password`,
    asking: { route: 'changePassword', token, body: { current_password: password, password: next } },
    touches: [[`person ${person.number}`]],
    expect() {
      if (isWrong) return 'current_password_wrong';
      if (isWeak) return 'password_too_weak';
      person.password = next;
      if (!person.factor?.isOn) person.factor = null;
      person.resetCodes = [];
      simulation.endSessions(person, (session) => session.token === token);
      return 'ok';
    },
  };
}

export function planProve(simulation: Simulation, asked?: Person): Planned | null {
  const found = asked ? { person: asked, token: asked.sessions.at(-1)?.token } : own(simulation);
  if (!found) return null;
  const { person, token } = found;
  const { password, isWrong } = typed(simulation, person);
  return {
    say: `person ${person.number} enters the password once more`,
    asking: { route: 'provePassword', token, body: { current_password: password } },
    touches: [[`person ${person.number}`]],
    expect() {
      if (isWrong) return 'current_password_wrong';
      for (const session of person.sessions) if (session.token === token) session.provenAt = simulation.now;
      return 'ok';
    },
  };
}

/** `asked`: somebody in particular. */
export function planAskForCode(simulation: Simulation, asked?: Person): Planned | null {
  const open = simulation.active.filter(({ isConfirmed }) => !isConfirmed);
  const drawn = () =>
    open.length > 0 ? simulation.random.pick(open) : simulation.random.chance(0.1) ? simulation.someone() : null;
  const person = asked ?? drawn();
  if (!person) return null;
  const token = person.sessions.at(-1)?.token;
  const since = simulation.now - 86_400_000;
  if (person.phoneCodes.filter(({ at }) => at > since).length >= 9) return null;
  const anHourAgo = simulation.now - 3_600_000;
  if (person.phoneCodes.filter(({ at, phone }) => phone === person.phone && at > anHourAgo).length >= 3) return null;
  return {
    say: `person ${person.number} asks for a code to the phone`,
    asking: { route: 'requestPhoneConfirmation', token, body: {} },
    touches: [[`person ${person.number}`]],
    expect() {
      if (person.isConfirmed) return 'phone_already_confirmed';
      return person.phone !== person.recoveryPhone && isHeld(simulation, person) ? 'account_held' : 'ok';
    },
  };
}

/** `asked`: somebody in particular. */
export function planConfirmPhone(simulation: Simulation, asked?: Person): Planned | null {
  const { books, random, now } = simulation;
  const ready = simulation.active.filter(
    ({ isConfirmed, phoneCodes, phone }) =>
      !isConfirmed && phoneCodes.some((code) => code.phone === phone && code.expiresAt > now),
  );
  const drawn = () => (ready.length > 0 ? random.pick(ready) : random.chance(0.1) ? simulation.someone() : null);
  const person = asked ?? drawn();
  if (!person) return null;
  const code = person.phoneCodes.filter(({ phone }) => phone === person.phone).at(-1);
  const isGood = code !== undefined && code.expiresAt > now;
  const isWrong = random.chance(0.1);
  const isReplacement = person.phone !== person.recoveryPhone;
  const proof = isReplacement ? typed(simulation, person) : null;
  return {
    say: `person ${person.number} confirms the phone`,
    asking: {
      route: 'confirmPhone',
      token: person.sessions.at(-1)?.token,
      body: {
        code: isGood && !isWrong ? code.code : '0000 0000',
        ...(proof ? { current_password: proof.password } : {}),
      },
    },
    touches: [[`person ${person.number}`], ['phones']],
    expect() {
      if (person.isConfirmed) return 'phone_already_confirmed';
      if (isReplacement && isHeld(simulation, person)) return 'account_held';
      if (proof?.isWrong) return 'current_password_wrong';
      if (!isGood || isWrong) return 'phone_code_invalid';
      person.isConfirmed = true;
      if (isReplacement && person.isRecoveryConfirmed) {
        books.traces.push({ person, kind: 'confirmed_phone', value: person.recoveryPhone, at: now });
      }
      person.recoveryPhone = person.phone;
      person.isRecoveryConfirmed = true;
      person.phoneCodes = person.phoneCodes.map((used) => ({ ...used, expiresAt: 0 }));
      if (isReplacement) person.payoutHeldUntil = Math.max(person.payoutHeldUntil, now + 86_400_000);
      return 'ok';
    },
  };
}

function planEndSession(simulation: Simulation): Planned | null {
  const found = own(simulation);
  if (!found) return null;
  const { person, token } = found;
  const strange = '00000000-0000-7000-8000-000000000000';
  return {
    say: `person ${person.number} ends a session that is nobody's`,
    asking: { route: 'endSession', token, params: { id: strange } },
    touches: [[`person ${person.number}`]],
    expect: () => 'not_found',
  };
}

/** Ends one's own: the id is looked up first, as the page does. */
export async function endOwnSession(simulation: Simulation, person: Person): Promise<Planned | null> {
  const token = person.sessions.at(-1)?.token;
  const listed = await simulation.house.ask({ route: 'listSessions', token });
  if (!listed.ok) return null;
  const current = listed.reply.results.find((session: { current: boolean }) => session.current);
  return {
    say: `person ${person.number} ends the session of this device`,
    asking: { route: 'endSession', token, params: { id: current.id } },
    touches: [[`person ${person.number}`]],
    expect() {
      simulation.endSessions(person, (session) => session.token !== token);
      return 'ok';
    },
  };
}

function planEnrol(simulation: Simulation): Planned | null {
  const found = own(simulation);
  if (!found) return null;
  const { person, token } = found;
  const { password, isWrong } = typed(simulation, person);
  return {
    say: `person ${person.number} begins to set up the app`,
    asking: { route: 'enrolSecondFactor', token, body: { current_password: password } },
    touches: [[`person ${person.number}`]],
    expect() {
      if (isHeld(simulation, person)) return 'account_held';
      if (isWrong) return 'current_password_wrong';
      return person.factor?.isOn ? 'second_factor_conflict' : 'ok';
    },
    learn(reply) {
      person.factor = { isOn: false, begunAt: simulation.now, secret: fromBase32(reply.secret), lastStep: 0 };
      return undefined;
    },
  };
}

function planConfirmFactor(simulation: Simulation): Planned | null {
  const waiting = simulation.active.filter(({ factor }) => factor !== null);
  const fresh = waiting.filter(({ factor }) => factor && !factor.isOn && !isOver(simulation, factor));
  const among = fresh.length > 0 && simulation.random.chance(0.9) ? fresh : waiting;
  if (among === waiting && simulation.random.chance(0.8)) return null;
  const person = among.length > 0 ? simulation.random.pick(among) : null;
  if (!person?.factor || person.slips > 1) return null;
  const { factor } = person;
  const token = person.sessions.at(-1)?.token;
  const isWrong = !factor.isOn && maySlip(simulation, person);
  if (isWrong) slip(simulation, person);
  const step = Math.floor(simulation.now / 30_000);
  // A code of long ago: within the drift no neighbour of this moment has it but by one chance in a million.
  const otp = totp(factor.secret, isWrong ? step - 1_000 : step);
  return {
    say: `person ${person.number} turns the app on`,
    asking: { route: 'confirmSecondFactor', token, body: { otp } },
    touches: [[`person ${person.number}`]],
    expect() {
      if (isHeld(simulation, person)) return 'account_held';
      if (factor.isOn || isOver(simulation, factor)) {
        slip(simulation, person);
        return 'second_factor_conflict';
      }
      if (isWrong) return 'otp_not_accepted';
      factor.isOn = true;
      factor.lastStep = step;
      simulation.endSessions(person, (session) => session.token === token);
      return 'ok';
    },
    learn(reply) {
      person.recoveryCodes = reply.recovery_codes;
      return person.recoveryCodes.length === 10 ? undefined : 'not ten recovery codes';
    },
  };
}

function planWithFactor(simulation: Simulation, route: 'renewRecoveryCodes' | 'removeSecondFactor'): Planned | null {
  const on = simulation.active.filter(({ factor }) => factor?.isOn);
  const person = on.length > 0 ? simulation.random.pick(on) : null;
  if (!person?.factor) return null;
  const { password, isWrong } = typed(simulation, person);
  const byCode = person.recoveryCodes.length > 0 && simulation.random.chance(0.4);
  const recovery = byCode ? person.recoveryCodes[0] : undefined;
  const otp = simulation.otpOf(person);
  return {
    say: `person ${person.number} ${route === 'removeSecondFactor' ? 'turns the app off' : 'asks for new recovery codes'}`,
    asking: {
      route,
      token: person.sessions.at(-1)?.token,
      body: { current_password: password, otp: recovery ?? otp.code },
    },
    touches: [[`person ${person.number}`]],
    expect() {
      if (isWrong) return 'current_password_wrong';
      if (recovery === undefined) otp.use();
      person.recoveryCodes = person.recoveryCodes.filter((code) => code !== recovery);
      if (route === 'removeSecondFactor') {
        person.factor = null;
        person.recoveryCodes = [];
      }
      return 'ok';
    },
    learn(reply) {
      if (route === 'renewRecoveryCodes') person.recoveryCodes = reply.recovery_codes;
      return undefined;
    },
  };
}

function planPreferences(simulation: Simulation): Planned | null {
  const found = own(simulation);
  if (!found) return null;
  const { random } = simulation;
  const sms = {
    money: random.chance(0.5),
    saccos: random.chance(0.5),
    pools: true,
    loans: true,
    referrals: random.chance(0.5),
  };
  const body = { language: random.pick(['en', 'sw']), sms };
  return {
    say: `person ${found.person.number} chooses ${body.language}`,
    asking: { route: 'setPreferences', token: found.token, body },
    touches: [[`person ${found.person.number}`]],
    expect: () => 'ok',
  };
}

function planRead(simulation: Simulation): Planned | null {
  const found = own(simulation);
  if (!found) return null;
  return {
    say: `person ${found.person.number} reads all notifications`,
    asking: { route: 'readNotifications', token: found.token, body: {} },
    touches: [[`person ${found.person.number}`], [`news of ${found.person.number}`]],
    expect: () => 'ok',
    // Somebody else's act of the same moment may have told them something meanwhile: few, then.
    learn: (reply) => (reply.unread <= 5 ? undefined : `${reply.unread} are still unread`),
  };
}

/** Whether a secret was shown too long ago to be confirmed. */
function isOver({ now }: Simulation, factor: { readonly begunAt: number }): boolean {
  return factor.begunAt <= now - PENDING_MS;
}

/** Whether phone and app stay as they are, as withdrawals rest. */
function isHeld({ now }: Simulation, person: Person): boolean {
  return person.payoutHeldUntil > now;
}

/** Whether the password was entered lately enough for money to leave. */
export function isProven(simulation: Simulation, person: Person): boolean {
  return (person.sessions.at(-1)?.provenAt ?? 0) > simulation.now - PROOF_MS;
}

function fromBase32(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...text].map((symbol) => alphabet.indexOf(symbol).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

export const profileActs: readonly Act[] = [
  { name: 'change profile', routes: ['changeProfile'], weight: 3, plan: (simulation) => planChangeProfile(simulation) },
  { name: 'rename an official', routes: ['changeProfile'], weight: 3, firstOften: 0.05, plan: planRenameOfficial },
  { name: 'change password', routes: ['changePassword'], weight: 1, plan: planChangePassword },
  { name: 'prove password', routes: ['provePassword'], weight: 2, plan: (simulation) => planProve(simulation) },
  {
    name: 'ask for phone code',
    routes: ['requestPhoneConfirmation'],
    weight: 3,
    plan: (simulation) => planAskForCode(simulation),
  },
  { name: 'confirm phone', routes: ['confirmPhone'], weight: 5, plan: (simulation) => planConfirmPhone(simulation) },
  { name: 'end session', routes: ['endSession'], weight: 1, plan: planEndSession },
  { name: 'set up app', routes: ['enrolSecondFactor'], weight: 4, plan: planEnrol },
  { name: 'turn app on', routes: ['confirmSecondFactor'], weight: 2, firstOften: 0.5, plan: planConfirmFactor },
  {
    name: 'new recovery codes',
    routes: ['renewRecoveryCodes'],
    weight: 1,
    plan: (simulation) => planWithFactor(simulation, 'renewRecoveryCodes'),
  },
  {
    name: 'turn app off',
    routes: ['removeSecondFactor'],
    weight: 1,
    plan: (simulation) => planWithFactor(simulation, 'removeSecondFactor'),
  },
  { name: 'set preferences', routes: ['setPreferences'], weight: 1, plan: planPreferences },
  { name: 'read notifications', routes: ['readNotifications'], weight: 1, plan: planRead },
];
