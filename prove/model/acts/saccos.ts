import type { NaiveBooks, NamingThatWaits, OfficeInvitation, Person, Sacco } from '../naive-books.ts';
import { newSurplus } from '../naive-dividends.ts';
import { newLoanBook } from '../naive-loans.ts';
import { newMarket } from '../naive-market.ts';
import type { Act, Planned, Simulation } from '../simulation.ts';
import { isProven, planProve } from './profile.ts';

/* Founding a sacco, naming its officials, and what operators decide about it. */

const OFFICES = [
  'chair',
  'vice_chair',
  'secretary',
  'treasurer',
  'credit_committee',
  'supervisory_committee',
  'manager',
];
const POINTS = [
  'certificate',
  'by_laws',
  'kra_pin',
  'authorisation',
  'bank_proof',
  'register_check',
  'founder_members',
  'test_deposit',
];
const THREE_YEARS = 3;
const DAY_MS = 86_400_000;

function particulars(simulation: Simulation, number: number) {
  const { random } = simulation;
  const regFee = random.pick([0, 1, 100, 250.5, 500]);
  return {
    name: `Model Sacco ${number}`,
    description: 'Savings for the model.',
    reg_no: `CS/${10_000 + number}`,
    reg_fee: regFee,
    min_shares: random.whole(1, 10),
    share_value: random.pick([1, 10, 99.99, 100, 0.33]),
    type: random.pick(['sacco', 'chama', 'investment_club']),
  };
}

function takeTerms(sacco: Sacco, terms: ReturnType<typeof particulars>): void {
  sacco.name = terms.name;
  sacco.regNo = terms.reg_no;
  sacco.type = terms.type;
  sacco.regFee = Math.round(terms.reg_fee * 100);
  sacco.minShares = terms.min_shares;
  sacco.shareValue = Math.round(terms.share_value * 100);
}

function newSacco(number: number, founder: Person, now: number): Sacco {
  return {
    number,
    id: '',
    name: '',
    regNo: '',
    type: 'sacco',
    founder,
    state: 'pending',
    confirmedBy: null,
    rejectedBy: new Set(),
    suspension: null,
    suspensionEndedAt: Number.NEGATIVE_INFINITY,
    proposal: null,
    regFee: 0,
    minShares: 1,
    shareValue: 1,
    cash: 0,
    capital: 0,
    fees: 0,
    feesOfMonth: new Map(),
    rewardsOfMonth: new Map(),
    rewardsPaid: 0,
    issued: 0,
    offices: [],
    namings: [],
    namingsThatWait: [],
    suspenders: [],
    checks: new Set(),
    ratings: new Map(),
    terms: [],
    market: newMarket(),
    lending: newLoanBook(),
    createdAt: now,
    surplus: newSurplus(),
  };
}

function threeYearsOn(time: number): number {
  const until = new Date(time);
  return until.setUTCFullYear(until.getUTCFullYear() + THREE_YEARS);
}

function planCreate(simulation: Simulation): Planned | null {
  const { books, random } = simulation;
  const founder = simulation.someone();
  const alive = books.saccos.filter(({ state }) => state !== 'rejected').length;
  if (!founder || founder.isOperator || alive >= 14) return null;
  const number = books.saccos.length + 1;
  const terms = particulars(simulation, number);
  const another = simulation.saccoIn('pending', 'active', 'suspended');
  const same = another !== null && random.chance(0.1) ? another : null;
  if (same) terms.name = same.name.toUpperCase();
  const forOther = random.chance(0.05);
  return {
    say: `person ${founder.number} registers sacco ${number}`,
    asking: {
      route: 'createSacco',
      token: founder.sessions.at(-1)?.token,
      body: { ...terms, created_by: forOther ? '00000000-0000-7000-8000-000000000000' : founder.id },
    },
    touches: [[`person ${founder.number}`], ['names of saccos'], ...(same ? [[`state ${same.number}`] as const] : [])],
    expect() {
      if (forOther) return 'not_allowed';
      if (waitingOf(simulation, founder) >= WAITING_MAX) return 'sacco_state_conflict';
      // Rejected or renamed since this was planned, it leaves its name free.
      const isTaken = same !== null && same.state !== 'rejected' && same.name.toUpperCase() === terms.name;
      if (isTaken) return 'sacco_name_taken';
      const sacco = newSacco(number, founder, simulation.now);
      takeTerms(sacco, terms);
      sacco.offices.push({
        office: 'chair',
        person: founder,
        until: threeYearsOn(simulation.now),
        isEnded: false,
      });
      books.saccos.push(sacco);
      return 'ok';
    },
    learn(reply) {
      const sacco = books.saccos[number - 1];
      if (sacco) sacco.id = reply.sacco.id;
      return reply.sacco.status === 'inactive' ? undefined : 'a sacco that is active at once';
    },
  };
}

const WAITING_MAX = 5;

function waitingOf({ books }: Simulation, founder: Person): number {
  return books.saccos.filter((own) => own.founder === founder && own.state === 'pending').length;
}

function planResubmit(simulation: Simulation): Planned | null {
  const sacco = simulation.saccoIn('rejected', 'pending');
  if (!sacco) return null;
  const { founder } = sacco;
  const token = founder.sessions.at(-1)?.token;
  if (token === undefined) return null;
  const terms = { ...particulars(simulation, sacco.number), name: `${sacco.name.slice(0, 100)} again` };
  return {
    say: `sacco ${sacco.number} is submitted again`,
    asking: { route: 'resubmitSacco', token, params: { id: sacco.id }, body: terms },
    touches: [[`state ${sacco.number}`], [`person ${founder.number}`], ['names of saccos']],
    expect() {
      if (sacco.state !== 'rejected' || waitingOf(simulation, founder) >= WAITING_MAX) return 'sacco_state_conflict';
      const others = simulation.books.saccos.filter((other) => other !== sacco && other.state !== 'rejected');
      const isTaken = others.some(
        ({ name, regNo }) => name.toLowerCase() === terms.name.toLowerCase() || regNo === terms.reg_no,
      );
      if (isTaken) return 'sacco_name_taken';
      takeTerms(sacco, terms);
      sacco.checks.clear();
      sacco.state = 'pending';
      return 'ok';
    },
  };
}

function planOfficial(simulation: Simulation): Planned | null {
  const { random, books } = simulation;
  const waiting = books.saccos.flatMap((sacco) => sacco.namingsThatWait.map((naming) => ({ sacco, naming })));
  const second = waiting.length > 0 && random.chance(0.5) ? simulation.operator() : null;
  if (second) {
    if (!isProven(simulation, second) && random.chance(0.9)) return planProve(simulation, second);
    const { sacco, naming } = random.pick(waiting);
    return confirmNaming(simulation, second, sacco, naming);
  }
  const led = books.saccos.filter(
    ({ id, state, founder }) => id !== '' && state === 'pending' && founder.sessions.length > 0,
  );
  const sacco =
    led.length > 0 && random.chance(0.75) ? ripest(led) : simulation.saccoIn('pending', 'active', 'active', 'rejected');
  const founder = sacco && sacco.founder.sessions.length > 0 ? sacco.founder : null;
  const operator = sacco?.state === 'active' ? simulation.operator() : null;
  const named = random.chance(0.8) ? (operator ?? founder) : (founder ?? operator);
  const actor = named ?? (random.chance(0.2) ? simulation.someone() : null);
  if (!sacco || !actor) return null;
  if (actor.isOperator && !isProven(simulation, actor) && random.chance(0.9)) return planProve(simulation, actor);
  const people = books.people.filter(({ id, isOperator }) => id !== '' && !isOperator);
  // Once a sacco is active only members in full rights take up what they are named for: as a rule they are.
  const members = people.filter((one) => books.memberOf(one, sacco)?.state === 'active');
  const isFit = sacco.state === 'active' && members.length > 0 && random.chance(0.9);
  const confirmed = (isFit ? members : people).filter(({ isConfirmed }) => isConfirmed);
  const here = confirmed.filter(({ sessions }) => sessions.length > 0);
  const person = random.pick(here.length > 0 && random.chance(0.9) ? here : people);
  const isNobody = random.chance(0.05);
  const open = OFFICES.filter((office) => !sacco.offices.some((held) => held.office === office && !held.isEnded));
  // Those who change terms together come first.
  const leading = open.filter((office) => !office.endsWith('committee'));
  const wanted = leading.length > 0 && random.chance(0.7) ? leading : open;
  const office = random.pick(wanted.length > 0 && random.chance(0.8) ? wanted : OFFICES);
  return nameOfficial(simulation, { actor, sacco, person, office, isNobody });
}

interface Naming {
  readonly actor: Person;
  readonly sacco: Sacco;
  readonly person: Person;
  readonly office: string;
  /** Of an ID number that nobody has. */
  readonly isNobody?: boolean;
}

export function nameOfficial(simulation: Simulation, naming: Naming): Planned {
  const { actor, sacco, person, office, isNobody = false } = naming;
  const { now } = simulation;
  const isOwn = person === actor && !isNobody && actor === sacco.founder && sacco.state === 'pending';
  const isByOperator = actor !== sacco.founder || sacco.state !== 'pending';
  return {
    say: `person ${actor.number} names ${person.number} ${office} of sacco ${sacco.number}`,
    asking: {
      route: 'recordOfficial',
      token: actor.sessions.at(-1)?.token,
      params: { id: sacco.id },
      body: { id_number: isNobody ? 'ZZ999999' : person.idNumber, office },
    },
    touches: [[`state ${sacco.number}`], [`person ${actor.number}`], [`news of ${person.number}`]],
    expect() {
      if (actor !== sacco.founder && !actor.isOperator) return sacco.state === 'rejected' ? 'not_found' : 'not_allowed';
      if (sacco.state === 'rejected' || (sacco.state !== 'pending' && !actor.isOperator)) return 'sacco_state_conflict';
      if (isOwn) return takeUp(sacco, person, office, now);
      if (!office.endsWith('committee') && holderOf(sacco, office, now)) return 'office_conflict';
      sacco.namings = sacco.namings.filter(({ at }) => at > now - DAY_MS);
      // The founder's and those of operators, each alone.
      if (sacco.namings.filter((naming) => naming.isByOperator === isByOperator).length >= 10)
        return 'too_many_requests';
      if (isByOperator && !isProven(simulation, actor)) return 'proof_required';
      if (isByOperator && hasSuspendedOfficial(sacco, actor, now)) return 'not_allowed';
      sacco.namings.push({ at: now, isByOperator });
      if (isByOperator) sacco.namingsThatWait.push({ by: actor, person, office, at: now, id: '' });
      return 'ok';
    },
    async learn(reply) {
      const is = isOwn ? 'recorded' : isByOperator ? 'proposed' : 'asked';
      if (reply.official.state !== is) return `an office that is ${reply.official.state}`;
      const naming = sacco.namingsThatWait.find((each) => each.by === actor && each.at === now && each.id === '');
      if (naming) naming.id = await proposalOf(simulation, sacco, actor);
      return undefined;
    },
  };
}

async function proposalOf({ house }: Simulation, sacco: Sacco, by: Person): Promise<string> {
  const [row] = await house.database.owner<{ id: string }[]>`
    select p.id from operator_proposals p join office_invitations i on i.id = p.about_id
    where i.sacco_id = ${sacco.id} and p.proposed_by = ${by.id} order by p.proposed_at desc, p.id desc limit 1`;
  return row?.id ?? '';
}

const hasSuspendedOfficial = ({ suspenders }: Sacco, { number }: Person, now: number): boolean =>
  suspenders.some(({ by, at }) => by.number === number && at > now - 90 * DAY_MS);

/** A second operator confirms the official whom the first has named; a job asks the person then. */
export function confirmNaming(
  simulation: Simulation,
  operator: Person,
  sacco: Sacco,
  naming: NamingThatWaits,
): Planned {
  const { now, books } = simulation;
  const { by, person, office, at } = naming;
  return {
    say: `operator ${operator.number} confirms that ${person.number} is named ${office} of sacco ${sacco.number}`,
    asking: {
      route: 'confirmProposal',
      token: operator.sessions.at(-1)?.token,
      params: { id: naming.id },
      body: { reason: 'As the model has it.' },
    },
    touches: [[`state ${sacco.number}`], [`person ${operator.number}`], [`news of ${person.number}`]],
    isKeyed: true,
    expect() {
      if (!isProven(simulation, operator)) return 'proof_required';
      if (by === operator) return 'second_operator_required';
      if (at + WEEK_MS <= now) {
        sacco.namingsThatWait = sacco.namingsThatWait.filter((each) => each !== naming);
        return 'proposal_closed';
      }
      // A notice to leave ends a naming of that person.
      if (books.memberOf(person, sacco)?.notices.some((noticed) => noticed >= at)) return 'proposal_closed';
      if (sacco.state === 'rejected') return 'sacco_state_conflict';
      if (hasSuspendedOfficial(sacco, operator, now)) return 'not_allowed';
      if (!office.endsWith('committee') && holderOf(sacco, office, now)) return 'office_conflict';
      sacco.namingsThatWait = sacco.namingsThatWait.filter((each) => each !== naming);
      return 'ok';
    },
  };
}

/** The one that is nearest to its activation: else all would stay half done. */
function ripest(saccos: readonly Sacco[]): Sacco {
  const ripeness = ({ checks, offices }: Sacco) => checks.size + offices.filter(({ isEnded }) => !isEnded).length;
  return saccos.reduce((best, sacco) => (ripeness(sacco) > ripeness(best) ? sacco : best));
}

function holderOf(sacco: Sacco, office: string, now: number, person?: Person) {
  return sacco.offices.find(
    (held) =>
      held.office === office && !held.isEnded && held.until > now && (person === undefined || held.person === person),
  );
}

/** Of the first three offices there is one each; nobody holds one twice, or examines themselves. A term that is over gives way. */
export function takeUp(sacco: Sacco, person: Person, office: string, now: number): string {
  const isSupervisory = (name: string) => name === 'supervisory_committee';
  const held = sacco.offices.filter((each) => each.person === person && !each.isEnded && each.until > now);
  if (held.some((each) => isSupervisory(each.office) !== isSupervisory(office))) return 'office_conflict';
  if (holderOf(sacco, office, now, office.endsWith('committee') ? person : undefined)) return 'office_conflict';
  for (const held of sacco.offices) if (held.office === office && held.until <= now) held.isEnded = true;
  sacco.offices.push({ office, person, until: threeYearsOn(now), isEnded: false });
  return 'ok';
}

function planAccept(simulation: Simulation): Planned | null {
  const { random, books } = simulation;
  const asked = books.officeInvitations.filter(({ person }) => person.sessions.length > 0);
  if (asked.length === 0) return null;
  const invitation = random.pick(asked);
  return takeUpOffice(simulation, invitation, random.chance(0.1));
}

export function takeUpOffice(simulation: Simulation, invitation: OfficeInvitation, isWrong = false): Planned {
  const { books, now } = simulation;
  const { person, sacco, office } = invitation;
  return {
    say: `person ${person.number} takes up ${office} of sacco ${sacco.number}`,
    asking: {
      route: 'acceptOffice',
      token: person.sessions.at(-1)?.token,
      params: { id: invitation.id },
      body: { code: isWrong ? 'AAAA-AAAA-AAAA-AAAA' : invitation.code },
    },
    touches: [[`person ${person.number}`], [`state ${sacco.number}`]],
    expect() {
      if (invitation.expiresAt <= now) return 'not_found';
      // Whoever gives notice holds no office there, and takes none up with a code of before.
      if (books.memberOf(person, sacco)?.notices.some((at) => at >= invitation.createdAt)) return 'not_found';
      if (!person.isConfirmed) return 'phone_unconfirmed';
      if (isWrong) return 'otp_not_accepted';
      const isOpen = sacco.state === 'pending' || (sacco.state === 'active' && invitation.isByOperator);
      if (!isOpen) return 'sacco_state_conflict';
      if (sacco.state !== 'pending' && books.memberOf(person, sacco)?.state !== 'active') return 'full_rights_required';
      if (mustWait(books, invitation, now)) return 'office_conflict';
      const taken = takeUp(sacco, person, office, now);
      if (taken === 'ok') books.officeInvitations = books.officeInvitations.filter((other) => other !== invitation);
      return taken;
    },
  };
}

/**
 * A person whom an operator names for an active sacco with a chair and a second official waits a day, so that they can refuse.
 * The day begins once no official is suspended by one operator alone.
 */
export function mustWait(books: NaiveBooks, { sacco, createdAt }: OfficeInvitation, now: number): boolean {
  if (sacco.state !== 'active') return false;
  const people = [...new Set(sacco.offices.map(({ person }) => person))];
  const officials = people.filter((person) => books.officesOf(person, sacco, now).length > 0);
  const heardFrom = Math.max(createdAt, ...officials.map(({ suspensions }) => suspensions.at(-1)?.at ?? 0));
  if (heardFrom + DAY_MS <= now) return false;
  return officials.length >= 2 && holderOf(sacco, 'chair', now) !== undefined;
}

function planCheck(simulation: Simulation): Planned | null {
  const operator = simulation.operator() ?? simulation.someone();
  const pending = simulation.books.saccos.filter(({ id, state }) => id !== '' && state === 'pending');
  const isRipe = pending.length > 0 && simulation.random.chance(0.8);
  const sacco = isRipe ? ripest(pending) : simulation.saccoIn('active', 'rejected');
  if (!operator || !sacco) return null;
  const open = POINTS.filter((point) => !sacco.checks.has(point));
  const point = simulation.random.pick(open.length > 0 ? open : POINTS);
  return {
    say: `person ${operator.number} notes ${point} of sacco ${sacco.number}`,
    asking: {
      route: 'recordSaccoCheck',
      token: operator.sessions.at(-1)?.token,
      params: { id: sacco.id, point },
      body: { note: 'Seen.' },
    },
    touches: [[`state ${sacco.number}`], [`person ${operator.number}`]],
    expect() {
      if (!operator.isOperator) return 'not_allowed';
      if (sacco.state === 'rejected') return 'sacco_state_conflict';
      sacco.checks.add(point);
      return 'ok';
    },
  };
}

function isChecklistMet(sacco: Sacco): boolean {
  const held = sacco.offices.filter(({ isEnded }) => !isEnded);
  const people = new Set(held.map(({ person }) => person));
  const isWaived = (point: string) =>
    sacco.type !== 'sacco' && (point === 'authorisation' || point === 'founder_members');
  return (
    people.size >= 3 &&
    ['chair', 'secretary', 'treasurer'].every((office) => held.some((other) => other.office === office)) &&
    held.every(({ person }) => person.isConfirmed) &&
    POINTS.every((point) => sacco.checks.has(point) || isWaived(point))
  );
}

function planActivate(simulation: Simulation, isStrict: boolean): Planned | null {
  const operator = simulation.operator();
  const pending = simulation.books.saccos.filter(({ id, state }) => id !== '' && state === 'pending');
  const isAnyActive = simulation.books.saccos.filter(({ state }) => state === 'active').length > 2;
  const met = pending.filter(isChecklistMet);
  // Where the checklist is complete the strict way is taken the more often, so that it is taken at all.
  const unripe = pending.filter(({ checks }) => checks.size < 4);
  const others = isStrict ? pending : isAnyActive ? unripe : pending;
  const from = isStrict && met.length > 0 ? met : others;
  const isOdd = simulation.random.chance(0.1) || from.length === 0;
  const sacco = isOdd ? simulation.saccoIn('active') : simulation.random.pick(from);
  if (!operator || !sacco || (!isStrict && isAnyActive && pending.length > 0 && pending.length < 3)) return null;
  if (!isStrict && isAnyActive && isLeftToTwo(simulation)) return null;
  if (!isProven(simulation, operator) && simulation.random.chance(0.8)) return planProve(simulation, operator);
  return {
    say: `operator ${operator.number} activates sacco ${sacco.number}${isStrict ? ' strictly' : ''}`,
    asking: {
      route: isStrict ? 'activateSacco strict' : 'activateSacco',
      token: operator.sessions.at(-1)?.token,
      params: { id: sacco.id },
      body: { reason: 'All of it is there.' },
    },
    touches: [[`state ${sacco.number}`], [`person ${operator.number}`], ['phones']],
    isKeyed: true,
    expect() {
      if (!isProven(simulation, operator)) return 'proof_required';
      if (sacco.state !== 'pending') return 'sacco_state_conflict';
      if (isStrict && !isChecklistMet(sacco)) return 'sacco_state_conflict';
      if (isStrict && sacco.confirmedBy === operator) return 'second_operator_required';
      if (isStrict && sacco.confirmedBy === null) {
        sacco.confirmedBy = operator;
        return 'ok';
      }
      sacco.state = 'active';
      sacco.confirmedBy = null;
      return 'ok';
    },
    learn(reply) {
      if (reply.sacco.state === 'active' && isStrict) simulation.count('activated by two operators');
      return reply.sacco.state === sacco.state ? undefined : `a sacco that is ${reply.sacco.state}`;
    },
  };
}

/** A long run in which no two operators have activated a sacco yet leaves those that wait to them. */
function isLeftToTwo({ acts, fired }: Simulation): boolean {
  return acts > 100_000 && fired['activated by two operators'] === undefined;
}

const DECISIONS = {
  rejectSacco: { from: 'pending', to: 'rejected' },
  suspendSacco: { from: 'active', to: 'suspended' },
  upholdSaccoSuspension: { from: 'suspended', to: 'suspended' },
} as const;

/** One operator suspends for 14 days, three at a time; within 90 days after it, and for a fourth, that is only proposed. Another one upholds it. */
function judgeSuspension(
  route: keyof typeof DECISIONS,
  { sacco, operator, now, saccos }: { sacco: Sacco; operator: Person; now: number; saccos: readonly Sacco[] },
) {
  if (route === 'suspendSacco') {
    const alone = saccos.filter(({ suspension }) => suspension?.by === operator && (suspension.until ?? 0) > now);
    if (sacco.suspensionEndedAt > now - 90 * DAY_MS || alone.length >= 3)
      return judgeProposal(sacco, 'suspended', operator, now);
    sacco.suspension = { by: operator, until: now + 14 * DAY_MS };
  }
  if (route === 'upholdSaccoSuspension') {
    const { suspension } = sacco;
    if (suspension === null || suspension.until === null || suspension.until <= now) return 'sacco_state_conflict';
    if (suspension.by === operator) return 'second_operator_required';
    suspension.until = null;
    if (sacco.proposal?.by === operator && sacco.proposal.to === 'active') sacco.proposal = null;
  }
  return 'ok';
}

function planDecide(simulation: Simulation, route: keyof typeof DECISIONS): Planned | null {
  const { now } = simulation;
  const operator = simulation.operator();
  const { from, to } = DECISIONS[route];
  // One that is nearly there is left for the two operators to activate.
  const fit = simulation.books.saccos.filter(({ id, state, checks }) => id !== '' && state === from && checks.size < 4);
  const isFit = route !== 'rejectSacco' || fit.length > 0;
  const some = route === 'rejectSacco' && isFit ? simulation.random.pick(fit) : simulation.saccoIn(from);
  const sacco = simulation.random.chance(0.85) && isFit ? some : simulation.saccoIn('active');
  const active = simulation.books.saccos.filter(({ state }) => state === 'active').length;
  // The first of them soon, so that a short run comes to it; later enough of them stay.
  const least = simulation.fired['suspend done'] === undefined ? 3 : 4;
  if (!operator || !sacco || (route === 'suspendSacco' && active < least)) return null;
  if (route === 'rejectSacco' && isLeftToTwo(simulation)) return null;
  if (!isProven(simulation, operator) && simulation.random.chance(0.8)) return planProve(simulation, operator);
  return {
    say: `operator ${operator.number}: sacco ${sacco.number} to ${to}`,
    asking: {
      route,
      token: operator.sessions.at(-1)?.token,
      params: { id: sacco.id },
      body: { reason: 'As the model has it.' },
    },
    touches: [[`state ${sacco.number}`], [`person ${operator.number}`]],
    isKeyed: true,
    expect() {
      if (!isProven(simulation, operator)) return 'proof_required';
      if (sacco.state !== from) return 'sacco_state_conflict';
      if (route === 'rejectSacco') {
        if (sacco.rejectedBy.has(operator)) return 'second_operator_required';
        sacco.rejectedBy.add(operator);
      }
      const { proposal } = sacco;
      const refusal = judgeSuspension(route, { sacco, operator, now, saccos: simulation.books.saccos });
      if (refusal !== 'ok' || sacco.proposal !== proposal) return refusal;
      sacco.state = to;
      sacco.confirmedBy = null;
      return 'ok';
    },
    learn: () => learnProposal(simulation, sacco),
  };
}

/** Every second time that one waits for it. */
function isToUphold({ books, now, random }: Simulation): boolean {
  return books.saccos.some(({ suspension }) => (suspension?.until ?? 0) > now) && random.chance(0.5);
}

const WEEK_MS = 7 * DAY_MS;

function endSuspension(sacco: Sacco, now: number): void {
  sacco.state = 'active';
  sacco.suspension = null;
  sacco.suspensionEndedAt = now;
}

/** Those that no second operator upheld end by themselves. */
export function lapseSuspensions(books: NaiveBooks, now: number): void {
  for (const sacco of books.saccos) {
    const until = sacco.suspension?.until ?? null;
    if (until === null || until > now) continue;
    books.note('suspension of a sacco lapsed');
    endSuspension(sacco, now);
  }
}

/** One operator proposes something about a sacco; what was proposed before lapses after a week. */
function judgeProposal(sacco: Sacco, to: 'active' | 'suspended', by: Person, now: number) {
  // What was proposed otherwise cannot be done any more, and lapses.
  if (openProposal(sacco, now)?.to === to) return 'second_operator_required';
  sacco.proposal = { to, by, at: now, id: '' };
  return 'ok';
}

const openProposal = ({ proposal }: Sacco, now: number) => (proposal && proposal.at + WEEK_MS > now ? proposal : null);

async function learnProposal({ house }: Simulation, sacco: Sacco): Promise<undefined> {
  if (sacco.proposal?.id !== '') return;
  const [row] = await house.database.owner<{ id: string }[]>`
    select id from operator_proposals where about_id = ${sacco.id} and state = 'proposed'`;
  sacco.proposal.id = row?.id ?? '';
}

/** One operator proposes to reinstate a sacco, another confirms it. */
function planReinstate(simulation: Simulation): Planned | null {
  const { random, now } = simulation;
  const sacco = random.chance(0.85) ? simulation.saccoIn('suspended') : simulation.saccoIn('active');
  const operator = simulation.operator();
  if (!sacco || !operator) return null;
  if (!isProven(simulation, operator) && random.chance(0.8)) return planProve(simulation, operator);
  const isSecond = openProposal(sacco, now)?.to === 'active' && sacco.state === 'suspended' && random.chance(0.8);
  if (isSecond) return planConfirm(simulation, operator, sacco);
  return {
    say: `operator ${operator.number} proposes to reinstate sacco ${sacco.number}`,
    asking: {
      route: 'reinstateSacco',
      token: operator.sessions.at(-1)?.token,
      params: { id: sacco.id },
      body: { reason: 'As the model has it.' },
    },
    touches: [[`state ${sacco.number}`], [`person ${operator.number}`]],
    isKeyed: true,
    expect() {
      if (!isProven(simulation, operator)) return 'proof_required';
      if (sacco.state !== 'suspended') return 'sacco_state_conflict';
      return judgeProposal(sacco, 'active', operator, now);
    },
    learn: () => learnProposal(simulation, sacco),
  };
}

/** Those of which an operator has proposed that they be suspended again. */
const toSuspendAgain = ({ books, now }: Simulation): Sacco | undefined =>
  books.saccos.find((sacco) => sacco.state === 'active' && openProposal(sacco, now)?.to === 'suspended');

function planSuspend(simulation: Simulation): Planned | null {
  if (isToUphold(simulation)) return planDecide(simulation, 'upholdSaccoSuspension');
  const again = toSuspendAgain(simulation);
  const operator = again && simulation.operator();
  return again && operator ? planConfirm(simulation, operator, again) : planDecide(simulation, 'suspendSacco');
}

/** What one operator has proposed about a sacco is confirmed by another. */
function planConfirm(simulation: Simulation, operator: Person, sacco: Sacco): Planned | null {
  const { now } = simulation;
  const { proposal } = sacco;
  if (!proposal) return null;
  if (!isProven(simulation, operator) && simulation.random.chance(0.8)) return planProve(simulation, operator);
  return {
    say: `operator ${operator.number} confirms that sacco ${sacco.number} becomes ${proposal.to}`,
    asking: {
      route: 'confirmProposal',
      token: operator.sessions.at(-1)?.token,
      params: { id: proposal.id },
      body: { reason: 'As the model has it.' },
    },
    touches: [[`state ${sacco.number}`], [`person ${operator.number}`]],
    isKeyed: true,
    expect() {
      if (!isProven(simulation, operator)) return 'proof_required';
      if (proposal.by === operator) return 'second_operator_required';
      if (sacco.state !== (proposal.to === 'active' ? 'suspended' : 'active')) return 'sacco_state_conflict';
      sacco.proposal = null;
      if (proposal.to === 'active') endSuspension(sacco, now);
      else suspendByTwo(simulation.books, sacco, proposal.by);
      return 'ok';
    },
  };
}

function suspendByTwo(books: NaiveBooks, sacco: Sacco, by: Person): void {
  books.note('sacco suspended again by two operators');
  sacco.state = 'suspended';
  sacco.suspension = { by, until: null };
  sacco.confirmedBy = null;
}

export const saccoActs: readonly Act[] = [
  { name: 'register a sacco', routes: ['createSacco'], weight: 4, plan: planCreate },
  { name: 'submit again', routes: ['resubmitSacco'], weight: 2, plan: planResubmit },
  { name: 'name an official', routes: ['recordOfficial'], weight: 5, firstOften: 0.2, plan: planOfficial },
  { name: 'take up an office', routes: ['acceptOffice'], weight: 9, firstOften: 0.6, plan: planAccept },
  { name: 'note a check', routes: ['recordSaccoCheck'], weight: 7, plan: planCheck },
  {
    name: 'activate',
    routes: ['activateSacco'],
    weight: 1,
    plan: (simulation) => planActivate(simulation, false),
  },
  { name: 'activate strictly', routes: [], weight: 5, plan: (simulation) => planActivate(simulation, true) },
  { name: 'reject', routes: ['rejectSacco'], weight: 1, plan: (simulation) => planDecide(simulation, 'rejectSacco') },
  {
    name: 'suspend',
    routes: ['suspendSacco', 'upholdSaccoSuspension'],
    weight: 1,
    plan: planSuspend,
  },
  {
    name: 'reinstate',
    routes: ['reinstateSacco', 'confirmProposal'],
    weight: 5,
    plan: planReinstate,
  },
];
