import { audit } from '../../server/audit.ts';
import { allActs } from '../domains.ts';
import { planLogin } from './acts/entrance.ts';
import { loanActs } from './acts/loans.ts';
import { poolActs } from './acts/pools.ts';
import { endOwnSession } from './acts/profile.ts';
import { lapseSuspensions } from './acts/saccos.ts';
import { voteActs } from './acts/votes.ts';
import { assemble, shareOut } from './assembly.ts';
import { LATE_MS } from './clock-jobs.ts';
import { compare } from './compare.ts';
import { tradeAfterReset } from './held.ts';
import { by } from './in-order.ts';
import { isBeginning, lend } from './lend.ts';
import type { Person } from './naive-books.ts';
import { applyChanges } from './naive-changes.ts';
import { noteDay, payDividends } from './naive-dividends.ts';
import { runLoanDays, runStandingRepayments, tendLoans } from './naive-loans.ts';
import { expireOrders, leaveMarkets, tellAlerts } from './naive-market.ts';
import { advanceReferrals, forgetKeys, runStandingOrders, settleExits } from './naive-nightly.ts';
import { payNotices } from './naive-pools.ts';
import { noteSaccosThatVote, tendVotes } from './naive-votes.ts';
import { race } from './races.ts';
import { readMessages } from './read-messages.ts';
import { type Act, Disagreement, isNew, type Planned, type Simulation } from './simulation.ts';
import { ballotsLead } from './untied.ts';

/* Ten years: the clock jumps, schedules and jobs run, people come, act and go; and now and then all is compared. */

export interface Course {
  readonly acts: number;
  /** Acts from one jump of the clock to the next, about. */
  readonly actsAStep: number;
  readonly peopleMax: number;
  readonly checkEvery: number;
  readonly auditEvery: number;
  /** Which part of the steps runs with faults armed, from 0 to 1. */
  readonly faultyShare: number;
  /**
   * From which part of the acts on so many saccos lend, and to what the far jumps shrink then: each day of such a sacco is run.
   * `votes`: of the steps from then on, those in which members vote on something. Left out, none lends.
   */
  readonly lending?: {
    readonly from: number;
    readonly saccos: number;
    readonly pace: number;
    readonly votes: number;
  };
  /** How long it goes on; ten years, unless told. */
  readonly days?: number;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const TEN_YEARS_DAYS = 3_652;
/** So many days are made up for at once. */
const MADE_UP_DAYS = 20;
const WAVES = 4;
/** Of the steps, those that end with somebody who resets the password and goes to market. */
const HELD_SHARE = 0.3;
/** And those in which a sacco shares out what it has earned. */
const SHARED_OUT = 0.05;
const NEVER_DONE_OFTEN = 0.8;
/** Money first, in this order, as the naive books have it; the others move no wallet of their own accord. */
const MONEY_TASKS = [
  'lapse_sacco_suspensions',
  'expire_orders',
  'apply_changes',
  'settle_exits',
  'run_standing_orders',
  'advance_referrals',
  'tell_traders',
];
/** Reads every row there is: it runs where the harness audits anyway. */
const AUDIT_TASK = 'audit_books';
const APART = [...MONEY_TASKS, AUDIT_TASK];

/**
 * How long the clock jumps each time: every other time to the next day, however short the run, so that what waits a few days
 * for somebody is still there; else over as much as makes ten years in all.
 */
export function jumps(simulation: Simulation, steps: number, days = TEN_YEARS_DAYS): number[] {
  const { random } = simulation;
  const weights = Array.from({ length: steps }, () => {
    if (random.chance(0.5)) return null;
    return random.chance(0.7) ? 1 + random.next() * 10 : 10 + random.next() * 60;
  });
  const sum = weights.reduce<number>((total, weight) => total + (weight ?? 0), 0);
  const far = days * DAY_MS - weights.filter((weight) => weight === null).length * DAY_MS;
  return weights.map((weight) => (weight === null ? DAY_MS : Math.max(2 * HOUR_MS, Math.floor((weight / sum) * far))));
}

export async function runYears(simulation: Simulation, course: Course, tell: (line: string) => void): Promise<void> {
  await beginWith(simulation);
  const lendFrom = course.acts * (course.lending?.from ?? 2);
  const steps = Math.max(20, Math.ceil(course.acts / course.actsAStep));
  let [checkAt, auditAt, tellAt] = [course.checkEvery, course.auditEvery, 0];
  const ahead = jumps(simulation, steps, course.days);
  let saved = 0;
  for (let step = 0; simulation.acts < course.acts; step += 1) {
    simulation.isLending = simulation.acts >= lendFrom;
    const jump = ahead[step % ahead.length] as number;
    // Every day of a sacco that lends is run.
    const pace = simulation.isLending ? (course.lending?.pace ?? 1) : 1;
    const paced = jump > DAY_MS ? Math.max(DAY_MS, Math.floor(jump * pace)) : jump;
    // Day by day while a sacco begins to lend; what that saves is lived later.
    const isSlow = simulation.isLending && isBeginning(simulation);
    const lived = isSlow ? Math.min(paced, DAY_MS) : paced + Math.min(saved, MADE_UP_DAYS * DAY_MS);
    saved += paced - lived;
    await liveOneStep(simulation, course, lived);
    if (simulation.acts >= checkAt) {
      hold(simulation, await compare(simulation));
      simulation.count('compared');
      checkAt = simulation.acts + course.checkEvery;
    }
    if (simulation.acts >= auditAt) {
      await auditAll(simulation);
      auditAt = simulation.acts + course.auditEvery;
    }
    if (simulation.acts >= tellAt) {
      tell(`${simulation.acts} acts, ${new Date(simulation.now).toISOString().slice(0, 10)}`);
      tellAt = simulation.acts + Math.ceil(course.acts / 20);
    }
  }
  await finish(simulation);
}

/** Two operators, a dozen people, and three saccos that are active, so that there is something to do from the first day. */
async function beginWith(simulation: Simulation): Promise<void> {
  const { books } = simulation;
  await doUntil(simulation, 'register', () => books.people.filter(({ id }) => id !== '').length >= 14);
  const people = books.people.filter(({ id }) => id !== '');
  for (const operator of people.slice(0, 2)) {
    await simulation.house.makeOperator(operator.id);
    operator.isOperator = true;
  }
  await doUntil(simulation, 'register a sacco', () => books.saccos.length >= 3);
  await doUntil(simulation, 'activate', () => books.saccos.every(({ state }) => state === 'active'));
}

async function doUntil(simulation: Simulation, name: string, isEnough: () => boolean): Promise<void> {
  const act = allActs.find((other) => other.name === name) as Act;
  while (!isEnough()) {
    simulation.world.advance(1);
    const planned = act.plan(simulation);
    if (planned) await simulation.wave([planned], [name]);
  }
}

async function liveOneStep(simulation: Simulation, course: Course, jump: number): Promise<void> {
  await passTime(simulation, jump);
  await signIn(simulation, course);
  simulation.isFaulty = simulation.random.chance(course.faultyShare);
  const faults = simulation.isFaulty ? await armFaults(simulation) : null;
  try {
    await fourWaves(simulation, course);
  } finally {
    if (faults) simulation.count('faults', faults.end());
    simulation.isFaulty = false;
  }
  hold(simulation, await race(simulation));
  if (simulation.isLending && course.lending)
    await lend(simulation, course.lending.saccos, () => settle(simulation, false));
  const calendar = {
    pass: (ms: number) => passTime(simulation, ms),
    settle: () => settle(simulation, false),
  };
  if (simulation.isLending && isVotingDue(simulation, course.lending?.votes ?? 0))
    hold(simulation, await assemble(simulation, calendar));
  if (simulation.isLending && simulation.random.chance(SHARED_OUT))
    hold(simulation, await shareOut(simulation, calendar));
  if (simulation.random.chance(HELD_SHARE)) await tradeAfterReset(simulation, () => settle(simulation, false));
}

/** A short run comes to all of it, too. */
function isVotingDue({ broken, fired, random }: Simulation, share: number): boolean {
  const isUntried = voteActs.some((act) => isNew(act, fired));
  return random.chance(isUntried || broken === 'ballots-logged' ? 1 : share);
}

async function fourWaves(simulation: Simulation, course: Course): Promise<void> {
  const size = Math.ceil((course.actsAStep * 0.85) / WAVES);
  // A slow day: whoever does nothing for a wave or two finds the session ended.
  const isSlow = simulation.random.chance(0.05);
  for (let wave = 0; wave < WAVES; wave += 1) {
    simulation.world.advance(simulation.random.whole(61, 170) * 1000);
    if (isSlow) simulation.world.advance(21 * 60_000);
    else if (simulation.random.chance(0.1)) simulation.world.advance(16 * 60_000);
    simulation.endIdleSessions();
    await oneWave(simulation, course, size);
  }
}

/** The clock jumps: sessions are over, what is scheduled runs, M-Pesa is asked what was left open. */
async function passTime(simulation: Simulation, jump: number): Promise<void> {
  const { books, jobs, house, judge, world } = simulation;
  world.advance(jump);
  noteDay(books, simulation.now);
  for (const person of books.people) {
    if (person.sessions.length > 0) simulation.endSessions(person, () => false);
    if (simulation.now - person.slippedAt >= DAY_MS) person.slips = 0;
    person.resetCodes = [];
    person.phoneCodes = person.phoneCodes.filter(({ at }) => at > simulation.now - DAY_MS);
  }
  judge.forget();
  const others = house.schedules.map(({ task }) => task).filter((task) => !APART.includes(task));
  await jobs.runSchedules([...MONEY_TASKS, ...others]);
  lapseSuspensions(books, simulation.now);
  expireOrders(books, simulation.now);
  applyChanges(books, simulation.now);
  settleExits(books, simulation.now);
  runStandingOrders(books, simulation.now);
  advanceReferrals(books, simulation.now, { fullyPaidDays: 60 });
  tellAlerts(books);
  payDividends(books, simulation.now);
  payNotices(books, simulation.now);
  runLoanDays(books, simulation.now, simulation.broken);
  tendLoans(books, simulation.now);
  runStandingRepayments(books, simulation.now);
  tendVotes(books, simulation.now);
  noteSaccosThatVote(books, simulation.now);
  forgetKeys(books, simulation.now);
  await settle(simulation, true);
}

async function settle(simulation: Simulation, isSweep: boolean): Promise<void> {
  await simulation.jobs.settle();
  leaveMarkets(simulation.books, simulation.now);
  await readMessages(simulation);
  hold(simulation, await simulation.judge.look(isSweep));
}

async function signIn(simulation: Simulation, { actsAStep }: Course): Promise<void> {
  const { books, random } = simulation;
  const people = books.people.filter(({ id }) => id !== '');
  const here = new Set<Person>(people.filter(({ isOperator }) => isOperator && random.chance(0.8)));
  const founders = books.saccos.filter(({ state }) => state === 'pending').map(({ founder }) => founder);
  for (const founder of founders) if (random.chance(0.5)) here.add(founder);
  // Whoever was asked to take up an office comes, as a rule: most of what officials do takes two of them.
  for (const { person } of books.officeInvitations) if (random.chance(0.7)) here.add(person);
  // Who may end what was agreed with a payer comes, until one has: a short run comes to it, too.
  if (simulation.fired['end a payer done'] === undefined) for (const { person } of books.agreements) here.add(person);
  // Two officials have to meet: one proposes a change, and another confirms it.
  for (const sacco of books.saccos.filter(({ state }) => state === 'active')) {
    if (!random.chance(0.3)) continue;
    for (const { person, isEnded } of sacco.offices) if (!isEnded && person.id !== '') here.add(person);
  }
  const wanted = Math.min(people.length, Math.max(6, Math.ceil(actsAStep * 0.15)));
  while (here.size < wanted) here.add(random.pick(people));
  const planned = [...here].map((person) => planLogin(simulation, person));
  await simulation.wave(
    planned,
    planned.map(() => 'sign in'),
  );
}

async function oneWave(simulation: Simulation, course: Course, size: number): Promise<void> {
  if (simulation.broken === 'keys-forgotten') await simulation.house.database.owner`delete from idempotency_keys`;
  if (simulation.active.some(({ isOperator }) => isOperator)) await readExceptions(simulation);
  const { planned, names } = planWave(simulation, course, size);
  if (simulation.random.chance(0.1) && !simulation.isFaulty) await endOne(simulation, planned, names);
  await simulation.wave(planned, names);
  await breakBooks(simulation);
  const isSweep = simulation.random.chance(0.3);
  if (isSweep) {
    await simulation.jobs.runSchedules(['sweep_deposits', 'sweep_withdrawals', 'sweep_claims']);
  }
  await settle(simulation, isSweep);
}

async function endOne(simulation: Simulation, planned: Planned[], names: string[]): Promise<void> {
  const touched = new Set(planned.flatMap(({ touches }) => touches.map(([thing]) => thing)));
  const person = simulation.active.find(({ number }) => !touched.has(`person ${number}`));
  const ending = person && simulation.active.length > 4 ? await endOwnSession(simulation, person) : null;
  if (!ending) return;
  planned.push(ending);
  names.push('end own session');
}

/**
 * What the operators see now. That they looked is written down, so that a fault may lose the list: then it is asked for
 * again, since what an old list shows the product may have settled meanwhile.
 */
export async function readExceptions(simulation: Simulation): Promise<void> {
  const operator = simulation.operator();
  if (!operator) return;
  const token = operator.sessions.at(-1)?.token;
  const asking = { route: 'listMoneyExceptions', token, query: { limit: '100' } };
  const listed = await simulation.ask(asking, `exceptions at ${simulation.acts}`);
  if (!listed.ok) return hold(simulation, `the operators are not shown the exceptions: ${listed.code}`);
  // Jobs that ran at once opened them in any order.
  simulation.exceptions = listed.reply.results.sort(by<{ id: string }>(({ id }) => id));
}

/** Draws acts until there are enough that do not get in each other's way. */
function planWave(simulation: Simulation, course: Course, size: number) {
  const taken = new Map<string, string | undefined>();
  const planned: Planned[] = [];
  const names: string[] = [];
  // People come over the years, not all in the first.
  const isCrowded = simulation.books.people.length >= 20 + (course.peopleMax - 20) * (simulation.acts / course.acts);
  const first = [
    ...allActs.filter(({ firstOften }) => firstOften !== undefined && simulation.random.chance(firstOften)),
    ...neverDone(simulation),
  ];
  for (let draw = 0; draw < size * 3 && planned.length < size; draw += 1) {
    const act = first.shift() ?? pickAct(simulation);
    if (isCrowded && act.name === 'register') continue;
    const plan = act.plan(simulation);
    if (!plan || (simulation.isFaulty && plan.isKeyed !== true)) continue;
    const isFree = plan.touches.every(
      // An act that is asked again after a fault comes later than it was planned: then no order is sure.
      ([thing, queue]) =>
        !taken.has(thing) || (queue !== undefined && !simulation.isFaulty && taken.get(thing) === queue),
    );
    if (!isFree) continue;
    for (const [thing, queue] of plan.touches) taken.set(thing, queue);
    planned.push(plan);
    names.push(act.name);
  }
  return { planned, names };
}

/** What nobody has done so far is looked for first now and then: a short run comes to what hangs on it, too. */
function neverDone({ fired, random }: Simulation): Act[] {
  return everyday.filter((act) => isNew(act, fired) && random.chance(NEVER_DONE_OFTEN));
}

/** The acts that some negative controls are about, which are drawn more often then, so that they show soon. */
const CONTROL_ACTS: Readonly<Record<string, string>> = {
  'last-come-first': 'place an order',
  'rule-changed': 'buy shares',
  'new-key-after-doubt': 'save',
};
/** Where nobody lends, nothing of lending is drawn. */
const lending = [...loanActs, ...poolActs];
const everyday = allActs.filter((act) => !lending.includes(act));
/** Of the acts while somebody lends. */
const LOAN_SHARE = 0.1;

function pickAct({ random, broken, isLending }: Simulation): Act {
  const wanted = broken === undefined ? undefined : CONTROL_ACTS[broken];
  if (wanted !== undefined && random.chance(0.6)) return allActs.find(({ name }) => name === wanted) as Act;
  const from = isLending && random.chance(LOAN_SHARE) ? lending : everyday;
  let at = random.next() * from.reduce((sum, { weight }) => sum + weight, 0);
  for (const act of from) {
    at -= act.weight;
    if (at < 0) return act;
  }
  return from[0] as Act;
}

/** Faults in the database's adapter, where this process was started for proving. */
async function armFaults({ seed, acts, world }: Simulation): Promise<{ end(): number }> {
  const { arm, disarm } = await import('../../server/faults.proving.ts');
  const rates = { commit_reply_lost: 0.03, commit_never_sent: 0.02, begin_lost: 0.02 };
  arm({ seed: seed + acts, rates, whose: () => world.doingNow() });
  return { end: () => Object.values(disarm()).reduce((sum, times) => sum + (times ?? 0), 0) };
}

/** The negative controls that break the books themselves: by the owner's hands, as a fault of the ledger would. */
async function breakBooks({ broken, house, acts }: Simulation): Promise<void> {
  const { owner } = house.database;
  if (broken === 'leg-dropped' && acts > 150) {
    await owner.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      const [leg] = await sql<{ id: string; credit: string; amount: string }[]>`
        select t.id, t.credit_account_id as credit, t.amount from transfers t join journals j on j.id = t.journal_id
        where j.kind = 'savings_deposited' and t.position = 1 order by t.id desc limit 1`;
      if (!leg) return;
      await sql`delete from transfers where id = ${leg.id}`;
      await sql`update accounts set balance = balance - ${leg.amount} where id = ${leg.credit}`;
    });
  }
  if (broken === 'payments-forgotten') {
    await owner.unsafe(`
      create or replace function forget_payment() returns trigger language plpgsql as 'begin return null; end';
      create or replace trigger forgets before insert on paybill_payments for each row execute function forget_payment()`);
  }
  if (broken === 'ballots-logged') {
    await owner.unsafe(`
      create table if not exists ballot_log (serial bytea, cast_at timestamptz default clock_timestamp());
      create or replace function log_ballot() returns trigger language plpgsql security definer set search_path = public
        as 'begin insert into ballot_log (serial) values (new.serial); return null; end';
      create or replace trigger logs after insert on secret_ballots for each row execute function log_ballot()`);
  }
  if (broken === 'cents-rounded' && acts > 150) {
    await owner.unsafe('update accounts set balance = round(balance / 100.0) * 100 where book_id <> $1 and kind = $2', [
      '00000000-0000-7000-8000-000000000001',
      'deposits',
    ]);
  }
}

async function auditAll(simulation: Simulation): Promise<void> {
  // The jobs of those who have just given notice are late here, and no longer in the table in which the audit looks for them.
  simulation.world.advance(LATE_MS);
  await settle(simulation, true);
  if (AUDIT_TASK in simulation.house.tasks) await simulation.jobs.runSchedules([AUDIT_TASK]);
  const lines = await audit(simulation.house.database.url);
  const broken = lines
    .filter(({ breach }) => breach)
    .map(({ name, breach }) => `${name}: ${JSON.stringify(breach?.rows[0])}`);
  simulation.count('audited');
  hold(simulation, broken[0] && `the audit says that this is broken: ${broken[0]}`);
}

/** The end: what M-Pesa knows is known here too, or an operator sees it; and everything is compared once more. */
async function finish(simulation: Simulation): Promise<void> {
  for (let look = 0; look < 8; look += 1) await passTime(simulation, 13 * HOUR_MS);
  hold(simulation, await simulation.judge.leftOver());
  await signIn(simulation, { actsAStep: 0 } as Course);
  hold(simulation, await compare(simulation));
  await auditAll(simulation);
  hold(simulation, await ballotsLead(simulation));
}

function hold(simulation: Simulation, wrong: string | undefined): void {
  if (!wrong) return;
  throw new Disagreement(`${simulation.whereabouts()}: ${wrong}`);
}
