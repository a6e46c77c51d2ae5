import type { Person } from '../naive-books.ts';
import { dayOf } from '../naive-books.ts';
import { isProven } from '../naive-proof.ts';
import type { Act, Planned, Simulation } from '../simulation.ts';
import { saccosLedBy } from './names.ts';

/*
 * Registering, signing in and out. Every harness of its own watches throttles and hashes; here a person slips at most
 * twice before a day of quiet, and what counts is whose session, wallet and referral it is afterwards.
 */

const SLIPS_MAX = 2;

/** Whether somebody may mistype once more before the throttles would have their say. */
export function maySlip({ random }: Simulation, person: Person): boolean {
  return person.slips < SLIPS_MAX && random.chance(0.15);
}

/** Somebody types something wrong: it counts until a day of quiet is over. */
export function slip({ now }: Simulation, person: Person): void {
  person.slips += 1;
  person.slippedAt = now;
}

function registerFields(person: Person, referralCode: string | null): Record<string, unknown> {
  return {
    first_name: person.firstName,
    last_name: person.lastName,
    id_number: person.idNumber,
    phone_number: person.phone,
    email: person.email,
    password: person.password,
    user_type: 'client',
    ...(referralCode === null ? {} : { referal_code: referralCode }),
  };
}

function planRegister(simulation: Simulation): Planned {
  const { random, books } = simulation;
  const kind = random.next();
  const known = books.people.filter(({ id }) => id !== '');
  const taken = known.length > 0 && kind < 0.06 ? random.pick(known) : null;
  const referrer = known.length > 0 && random.chance(0.6) ? random.pick(known) : null;
  const person = simulation.newPerson();
  const isNear = referrer !== null && random.chance(0.5);
  if (isNear) person.address = referrer.address;
  const isWeak = kind > 0.97;
  const fields = registerFields(person, referrer?.referralCode ?? null);
  if (taken) fields.id_number = taken.idNumber;
  if (isWeak) fields.password = 'onlyletters';
  return {
    say: `person ${person.number} registers${referrer ? ` by ${referrer.number}` : ''}`,
    asking: { route: 'register', body: fields, address: person.address },
    touches: [[`person ${person.number}`], ...(referrer ? [[`referrals of ${referrer.number}`] as const] : [])],
    expect() {
      if (isWeak) return 'password_too_weak';
      if (taken) return 'validation_failed';
      if (referrer) noteReferral(simulation, referrer, person);
      keepTraces(simulation, person);
      return 'ok';
    },
    async learn(reply) {
      person.id = reply.user.id;
      person.sessions.push({ token: reply.token, provenAt: simulation.now, seenAt: simulation.now });
      simulation.active.push(person);
      const { owner } = simulation.house.database;
      const [drawn] = await owner<{ code: string; account_number: string }[]>`
        select code, account_number from referral_codes join users on id = user_id where user_id = ${person.id}`;
      person.referralCode = drawn?.code ?? '';
      person.account = drawn?.account_number ?? '';
      const [row] = await owner<{ id: string; review: string }[]>`
        select id, review from referrals where referred_id = ${person.id}`;
      const referral = books.referrals.find(({ referred }) => referred === person);
      if ((row?.review ?? 'no referral') !== (referral?.review ?? 'no referral')) {
        return `a referral that is ${row?.review}, not ${referral?.review}`;
      }
      if (referral && row) referral.id = row.id;
      return;
    },
  };
}

function keepTraces({ books, now }: Simulation, person: Person): void {
  const of = (kind: 'phone' | 'id' | 'address', value: string) => books.traces.push({ person, kind, value, at: now });
  of('phone', person.phone);
  of('id', person.idNumber);
  if (!person.address.startsWith('10.')) of('address', person.address);
}

function noteReferral({ books, now }: Simulation, referrer: Person, person: Person): void {
  const isPublic = !person.address.startsWith('10.');
  const theirs = books.traces.filter((trace) => trace.person === referrer && trace.kind !== 'confirmed_phone');
  const shares = theirs.some(
    ({ kind, value }) =>
      value === (kind === 'phone' ? person.phone : kind === 'id' ? person.idNumber : isPublic ? person.address : ''),
  );
  const since = now - 30 * 86_400_000;
  const near = books.referrals.filter(
    ({ referrer: other, referred, at }) =>
      other === referrer &&
      at > since &&
      books.traces.some((t) => t.person === referred && t.kind === 'address' && t.value === person.address),
  );
  const isHeld = shares || (isPublic && near.length + 1 >= 3);
  const review = isHeld ? 'held' : 'none';
  books.referrals.push({
    id: '',
    referrer,
    referred: person,
    at: now,
    status: 'lead',
    review,
    reward: 'not_yet',
    sacco: null,
    cents: 0,
  });
}

/** Signs in somebody who is not here. */
export function planLogin(simulation: Simulation, person: Person): Planned {
  const isWrong = maySlip(simulation, person);
  if (isWrong) slip(simulation, person);
  const otp = person.factor?.isOn ? simulation.otpOf(person) : null;
  const leavesOut = otp !== null && simulation.random.chance(0.1);
  return {
    say: `person ${person.number} signs in${isWrong ? ' with a wrong password' : ''}`,
    asking: {
      route: 'login',
      address: person.address,
      body: {
        id_number: person.idNumber,
        password: isWrong ? 'Wrong#12345x' : person.password,
        user_type: 'client',
        ...(otp === null || leavesOut ? {} : { otp: otp.code }),
      },
    },
    touches: [[`person ${person.number}`]],
    expect() {
      if (isWrong) return 'invalid_credentials';
      if (leavesOut) return 'second_factor_required';
      otp?.use();
      return 'ok';
    },
    learn(reply) {
      person.sessions.push({ token: reply.token, provenAt: simulation.now, seenAt: simulation.now });
      if (!simulation.active.includes(person)) simulation.active.push(person);
      return reply.user.id === person.id ? undefined : 'somebody else signed in';
    },
  };
}

function planLoginAgain(simulation: Simulation): Planned | null {
  const person = simulation.someone();
  return person ? planLogin(simulation, person) : null;
}

function planLogout(simulation: Simulation): Planned | null {
  const person = simulation.someone();
  if (!person || simulation.active.length < 4) return null;
  const session = person.sessions.at(-1);
  return {
    say: `person ${person.number} signs out`,
    asking: { route: 'logout', token: session?.token, body: {} },
    touches: [[`person ${person.number}`]],
    expect() {
      simulation.endSessions(person, (other) => other !== session);
      return 'ok';
    },
  };
}

function planStale(simulation: Simulation): Planned | null {
  const { stale } = simulation;
  if (stale === null) return null;
  return {
    say: 'somebody comes with a session that has ended',
    asking: { route: 'readNotifications', token: stale, body: {} },
    touches: [],
    expect: () => 'session_ended',
  };
}

function planLogoutAll(simulation: Simulation): Planned | null {
  const person = simulation.someone();
  if (!person || simulation.active.length < 4) return null;
  const isWrong = maySlip(simulation, person);
  if (isWrong) slip(simulation, person);
  const password = isWrong ? 'Wrong#12345x' : person.password;
  return {
    say: `person ${person.number} signs out everywhere`,
    asking: { route: 'logoutAll', address: person.address, body: { id_number: person.idNumber, password } },
    touches: [[`person ${person.number}`]],
    expect() {
      if (isWrong) return 'invalid_credentials';
      simulation.endSessions(person, () => false);
      return 'ok';
    },
  };
}

/** `who`: somebody in particular. */
export function planForgot(simulation: Simulation, who?: Person): Planned | null {
  const { random, books } = simulation;
  const known = who ? [who] : books.people.filter(({ id, resetCodes }) => id !== '' && resetCodes.length === 0);
  if (known.length === 0) return null;
  const person = random.pick(known);
  const isRight = random.chance(0.8);
  return {
    say: `person ${person.number} forgot the password${isRight ? '' : ' and names another phone'}`,
    asking: {
      route: 'forgotPassword',
      body: { id_number: person.idNumber, phone_number: isRight ? person.recoveryPhone : '254799999999' },
    },
    touches: [[`person ${person.number}`]],
    expect: () => 'ok',
  };
}

/** `who`: somebody in particular. */
export function planReset(simulation: Simulation, who?: Person): Planned | null {
  const { random, books, now } = simulation;
  const waiting = (who ? [who] : books.people).filter(({ resetCodes }) =>
    resetCodes.some(({ expiresAt }) => expiresAt > now),
  );
  const person = waiting.length > 0 ? random.pick(waiting) : simulation.someone();
  if (!person) return null;
  const code = person.resetCodes.find(({ expiresAt }) => expiresAt > now);
  const isWrong = !code || maySlip(simulation, person);
  if (isWrong && person.slips >= SLIPS_MAX) return null;
  if (isWrong) slip(simulation, person);
  const password = `Re${random.whole(100_000, 999_999)}#zvw`;
  return {
    say: `person ${person.number} resets the password with ${isWrong ? 'a wrong' : 'the'} code`,
    asking: {
      route: 'resetPassword',
      address: person.address,
      body: { reset_code: isWrong ? 'AAAA-AAAA' : (code?.code ?? ''), password },
    },
    touches: [[`person ${person.number}`]],
    expect() {
      if (isWrong) return 'reset_code_invalid';
      person.password = password;
      if (!person.factor?.isOn) person.factor = null;
      person.payoutHeldUntil = now + 86_400_000;
      person.resetCodes = [];
      if (person.phone === person.recoveryPhone) person.isConfirmed = true;
      person.isRecoveryConfirmed = true;
      simulation.endSessions(person, () => false);
      return 'ok';
    },
  };
}

function planInvitation(simulation: Simulation): Planned | null {
  const { random, now, books } = simulation;
  const person = simulation.someone();
  if (!person) return null;
  const phone = `25472${random.whole(1_000_000, 1_000_030)}`;
  return {
    say: `person ${person.number} invites ${phone}`,
    asking: { route: 'sendInvitation', token: person.sessions.at(-1)?.token, body: { phone_number: phone } },
    touches: [[`person ${person.number}`], [`phone ${phone}`]],
    isKeyed: true,
    expect() {
      const today = person.invitations.filter(({ day }) => day === dayOf(now));
      if (today.length >= 5) return 'invitation_limit_reached';
      if (today.some((sent) => sent.phone === phone)) return 'invitation_already_sent';
      const since = now - 30 * 86_400_000;
      const toPhone = books.people.flatMap(({ invitations }) =>
        invitations.filter((sent) => sent.phone === phone && sent.at > since),
      );
      if (toPhone.length >= 3) return 'invitation_limit_reached';
      person.invitations.push({ day: dayOf(now), phone, at: now });
      return 'ok';
    },
  };
}

const SAME_OPERATOR_MS = 90 * 86_400_000;

/** Whether somebody holds an office in a sacco that the operator founded, is a member of or holds an office in. */
function isOfficialOfOwnSacco({ books, now }: Simulation, operator: Person, person: Person): boolean {
  return books.saccos.some((sacco) => {
    if (sacco.state !== 'active' && sacco.state !== 'suspended') return false;
    if (books.officesOf(person, sacco, now).length === 0) return false;
    const held = sacco.offices.some((office) => office.person === operator && !office.isEnded);
    const member = books.memberOf(operator, sacco);
    return sacco.founder === operator || held || (member !== null && member.state !== 'exited');
  });
}

/**
 * An operator suspends an account and lifts that at once: its sessions are over, and its password is. The way by the code of a reset is
 * another act's, so here the password counts as set anew.
 */
function planSuspension(simulation: Simulation): Planned | null {
  const operator = simulation.operator();
  const person = simulation.someone();
  if (!operator || !person) return null;
  const asking = {
    route: 'decideSuspension',
    token: operator.sessions.at(-1)?.token,
    params: { id: person.id },
  };
  const reason = 'As the model has it.';
  return {
    say: `operator ${operator.number} suspends person ${person.number}, and lifts it`,
    asking: { ...asking, body: { action: 'suspend', reason } },
    // Meanwhile no other official can count on this one.
    touches: [
      [`person ${person.number}`],
      [`person ${operator.number}`],
      ...saccosLedBy(simulation, person).map(({ number }) => [`state ${number}`] as const),
    ],
    isKeyed: true,
    expect() {
      if (!isProven(operator, simulation.now)) return 'proof_required';
      if (isOfficialOfOwnSacco(simulation, operator, person)) return 'not_allowed';
      if (person.isOperator) return 'suspension_not_allowed';
      const since = simulation.now - SAME_OPERATOR_MS;
      if (person.suspensions.some(({ by, at }) => by === operator && at > since)) return 'second_operator_required';
      person.suspensions.push({ by: operator, at: simulation.now });
      for (const sacco of simulation.books.saccos) {
        const isOfficial = simulation.books.officesOf(person, sacco, simulation.now).length > 0;
        if (isOfficial) sacco.suspenders.push({ by: operator, at: simulation.now });
      }
      simulation.endSessions(person, () => false);
      return 'ok';
    },
    async learn() {
      const key = `lift-${simulation.seed}-${simulation.acts}-${person.number}`;
      const lifted = await simulation.ask(
        { ...asking, key, body: { action: 'lift', reason } },
        `${key} of a suspension`,
      );
      if (!lifted.ok) return `a suspension that is not lifted: ${lifted.code}`;
      const body = { id_number: person.idNumber, password: person.password, user_type: 'client' };
      const old = await simulation.ask({ route: 'login', address: person.address, body }, `${key} and a sign-in`);
      await simulation.house.database.owner`
        update users set password_changed_at = (select max(suspended_at) + interval '1 millisecond' from account_suspensions
                                                where user_id = ${person.id}) where id = ${person.id}`;
      return old.ok ? 'a password of before a suspension signed in' : undefined;
    },
  };
}

export const entranceActs: readonly Act[] = [
  { name: 'register', routes: ['register'], weight: 3, plan: planRegister },
  { name: 'sign in', routes: ['login'], weight: 1, plan: planLoginAgain },
  { name: 'sign out', routes: ['logout'], weight: 1, plan: planLogout },
  { name: 'ended session', routes: [], weight: 1, plan: planStale },
  { name: 'sign out everywhere', routes: ['logoutAll'], weight: 1, plan: planLogoutAll },
  { name: 'forgot password', routes: ['forgotPassword'], weight: 1, plan: (simulation) => planForgot(simulation) },
  { name: 'reset password', routes: ['resetPassword'], weight: 3, plan: (simulation) => planReset(simulation) },
  { name: 'suspend and lift', routes: ['decideSuspension'], weight: 1, plan: planSuspension },
  { name: 'invite', routes: ['sendInvitation'], weight: 3, plan: planInvitation },
];
