import { contract } from '@ushirika/contract/contract';
import { TotalsDiffer } from '../../server/domains/proofs/take-totals.ts';
import { allActs } from '../domains.ts';
import type { Control, Harness, Outcome, Run, Tier } from '../harness.ts';
import { HELD_ACTS } from './acts/market.ts';
import { uncovered } from './coverage.ts';
import { DEPOSIT_FATES, PAYOUT_FATES } from './naive-mpesa.ts';
import { Disagreement, Simulation } from './simulation.ts';
import { type Course, runYears } from './years.ts';

/** Of tier R: ten decades of half a million acts prove more than one of five million, and fit in between (decision 135). */
const RELEASE_PARTS = 10;

/** Ten years, as the title says; TEN_YEARS_DAYS of `years.ts` is what the jumps aim at. */
const DAYS_MIN = 3_652;

const courses: Record<Tier, Course> = {
  c: {
    acts: 2_400,
    actsAStep: 50,
    peopleMax: 50,
    checkEvery: 500,
    auditEvery: 1_500,
    faultyShare: 0,
    lending: { from: 0.6, saccos: 1, pace: 0.3, votes: 0.15 },
    days: 4_000,
  },
  n: {
    acts: 300_000,
    actsAStep: 1_000,
    peopleMax: 400,
    checkEvery: 10_000,
    auditEvery: 75_000,
    faultyShare: 0.02,
    // A hundred rounds of secret ballots in a night (P20).
    lending: { from: 0.1, saccos: 3, pace: 1, votes: 0.5 },
  },
  r: {
    acts: 500_000,
    actsAStep: 1_000,
    peopleMax: 400,
    checkEvery: 20_000,
    auditEvery: 250_000,
    faultyShare: 0.3,
    lending: { from: 0.1, saccos: 3, pace: 1, votes: 0.15 },
  },
};

const controls: Control[] = [
  {
    name: 'leg-dropped',
    breaks: 'a leg of a posting is lost',
    expected:
      /deposits \d+: the naive books have \d+, the product (\d+|nothing)|debits and credits differ|the rest of the ledger says \d+/,
  },
  {
    name: 'cents-rounded',
    breaks: 'savings are rounded to whole shillings',
    expected: /deposits \d+: the naive books have \d+, the product (\d+|nothing)$|the rest of the ledger says \d+/,
  },
  {
    name: 'payments-forgotten',
    breaks: 'M-Pesa is told that its word of a payment by hand was taken, and nobody writes it down',
    expected: /is in no book at the end/,
  },
  {
    name: 'keys-forgotten',
    breaks: 'keys of requests are forgotten, so that a repetition acts twice',
    expected:
      /, again(: the naive books say (ok, the product \w+|otherwise, the product another reply)| with something else: the naive books say idempotency_key_reused, the product \w+)/,
  },
  {
    name: 'new-key-after-doubt',
    breaks: 'whoever had no answer asks again under another key',
    // What was done twice is twice out of the wallet: it shows at once, or where the rest does not do for what comes next.
    expected:
      /the naive books (have \d+, the product|say ok, the product)|savings of \d+ were refused, and \d+ were left|of \d+ the \d+ that were left could not be saved/,
  },
  {
    name: 'rule-changed',
    breaks: 'the naive books and the product have another rule',
    expected: /buys \d+ shares of sacco \d+: the naive books say \w+, the product minimum_shares_not_met/,
  },
  {
    name: 'last-come-first',
    breaks: 'of those who wait at one price the last to come is the first to trade in the naive books',
    expected:
      /order of person|(order|trade \d+) in sacco|(queues|market) of sacco|(wallet|holding)(_hold)? \d+: the naive books have|shares of (sacco|the offer)/,
  },
  {
    name: 'interest-first',
    breaks: 'a payment of a loan pays interest and principal before the penalty in the naive books',
    expected: /(penalty_receivable|interest_receivable|loan_principal \d+): the naive books have|paid and owed/,
  },
  {
    name: 'pledges-kept',
    breaks: 'a payment of a loan sets nothing of what is pledged free in the naive books',
    expected: /deposits(_hold)? \d+: the naive books have/,
  },
  {
    name: 'no-grace',
    breaks: 'a penalty runs from the first day on in the naive books',
    // An instalment that is paid by itself takes the penalty with it, and then the wallet shows it too.
    expected:
      /(penalty_(receivable|income)|settlement \d+|wallet \d+|sacco \d+ cash): the naive books have|pays \d+ of loan|pays loan \d+ off|paid and owed/,
  },
  {
    name: 'ballots-logged',
    breaks: 'a log keeps when each secret ballot came',
    expected: /secret ballots stand in ballot_log too$/,
  },
];

/** What becomes of one course; `acts` other than the tier's are for seeing that a seed replays. */
export async function simulate(
  settings: { serverUrl: string; seed: number; broken?: string | undefined },
  course: Course,
  tell: (line: string) => void = () => {},
): Promise<{ simulation: Simulation; violation: string | null; trace: string }> {
  const simulation = await Simulation.open(settings);
  try {
    await runYears(simulation, course, tell);
    return { simulation, violation: null, trace: simulation.traceSoFar() };
  } catch (error) {
    // The job that takes the totals of a day finds books that do not add up, as the controls break them.
    const found = error instanceof Error && error.cause instanceof TotalsDiffer ? error.cause : error;
    if (!(found instanceof Disagreement || found instanceof TotalsDiffer)) {
      throw new Error(`${simulation.whereabouts()}: ${error}`, { cause: error });
    }
    return { simulation, violation: found.message, trace: simulation.traceSoFar() };
  } finally {
    await simulation.house.close();
  }
}

async function run({ tier, seed, serverUrl, broken, tell }: Run): Promise<Outcome> {
  const missing = uncovered(contract);
  const course = broken === undefined ? courses[tier] : controlCourse(broken);
  const { simulation, violation, trace } = await simulate({ serverUrl, seed, broken }, course, tell);
  const { fired, jobs, acts, refusals, books } = simulation;
  const mustHappen = isLong(course) ? thingsThatMustHappen(simulation, course) : actsAsked(simulation);
  // What happens of its own accord is missed in a long run only, as what is rare is.
  const ofItself = Object.entries(books.happened).filter(([, times]) => isLong(course) || times > 0);
  const happened = { ...fired, ...Object.fromEntries(ofItself) };
  const kinds = Object.keys(refusals).length;
  const years = Math.round(simulation.days / 365.25);
  // A run that found something has not come to its end.
  const isShort = broken === undefined && violation === null && simulation.days < DAYS_MIN;
  const short = isShort ? [`only ${Math.floor(simulation.days)} of the ${DAYS_MIN} days of ten years were lived`] : [];
  return {
    violations: [...(violation ? [violation] : []), ...missing, ...short],
    fired: broken === undefined ? { ...mustHappen, ...happened, ...Object.fromEntries(jobs.ran) } : {},
    figures: {
      P1: `${acts.toLocaleString('en')} random acts in ${years} years, ${kinds} kinds of refusal, 0 differences (trace ${trace})`,
      P20: `${fired['secret round that leads to nobody'] ?? 0} rounds of ${fired['secret ballots'] ?? 0} secret ballots and ${fired['double votes'] ?? 0} double votes at once: each counted once, 0 lead to a voter; ${fired['vote recounted'] ?? 0} recounts, 0 wrong`,
    },
  };
}

/** Why orders are closed, apart from their members and the time. */
const CLOSED_SELDOM = ['left', 'terms_changed', 'one_fifth', 'minimum_holding'];

/** Fates of prompts of which nothing but the money tells. */
const CREDITED_SELDOM = ['paid_late', 'lost_paid', 'lost_paid_silent', 'wrong_amount_told'];

/**
 * An act that is asked for and seldom done; the jobs of what `leftOut` leaves out (coverage.ts); anchors, which need a chain; and payments under
 * a loan's number, which nobody makes here.
 */
const NEVER_HERE = ['end session done', 'tell_payer', 'publish_anchors', 'repay_by_mpesa'];

const SECRET = ['secret ballots', 'double votes', 'secret round that leads to nobody', 'vote recounted'];
/** Where terms have changed behind a vote, it is given up for good. */
const VOTES_SEEN = ['rejected', 'no_candidates', 'queued', 'recorded', 'executed', 'given_up'];

/** Rare things come to pass in a long run only. */
function isLong({ acts }: Course): boolean {
  return acts >= 100_000;
}

/** How often each act was asked for, done or refused; and that each job ran. For a short run that is enough. */
function actsAsked({ house, fired }: Simulation): Record<string, number> {
  const asked = allActs
    .filter(({ routes }) => routes.length > 0)
    .map(({ name }) => [`${name} asked`, (fired[`${name} done`] ?? 0) + (fired[`${name} refused`] ?? 0)] as const);
  const always = [
    ...['credited by hand', 'into suspense', 'race for one wallet', 'race with one key', 'race to join'],
    ...SECRET,
  ];
  const jobs = Object.keys(house.tasks).filter((name) => !NEVER_HERE.includes(name));
  return {
    ...Object.fromEntries(asked),
    ...Object.fromEntries(
      [...always, 'compared', 'audited', 'repeat done', 'repeat refused', ...jobs].map((name) => [name, 0]),
    ),
  };
}

/** Every act, fate and job that there is, so that one which never happened is missed. */
function thingsThatMustHappen({ house }: Simulation, { faultyShare }: Course): Record<string, number> {
  const names = [
    ...allActs.filter(({ routes }) => routes.length > 0).map(({ name }) => `${name} done`),
    ...DEPOSIT_FATES.map((fate) => `deposit ${fate}`),
    ...PAYOUT_FATES.map((fate) => `settled ${fate}`),
    ...['credited by hand', 'into suspense', 'credited by a claim', 'activated by two operators', 'member by a trade'],
    ...CREDITED_SELDOM.map((fate) => `credited ${fate}`),
    ...HELD_ACTS.map((what) => `${what} while held`),
    ...[
      ...SECRET,
      ...VOTES_SEEN.map((state) => `vote seen ${state}`),
      'terms changed behind a vote',
      'dividend paid out',
    ],
    ...['order ended', 'offer dearer than seen', 'offer cheaper than seen'],
    ...CLOSED_SELDOM.map((why) => `order closed: ${why}`),
    ...[
      'race for one wallet',
      'race with one key',
      'race to join',
      'session idle for too long',
      'compared',
      'audited',
      'repeat done',
      'repeat refused',
    ],
    ...(faultyShare > 0 ? ['faults', 'answer lost and found again by its key'] : []),
    ...Object.keys(house.tasks),
  ].filter((name) => !NEVER_HERE.includes(name));
  return Object.fromEntries(names.map((name) => [name, 0]));
}

/** Where a sacco lends, there soon are members with shares and savings; and its days are few. */
const CONTROLS_WITH_LENDERS = [
  'new-key-after-doubt',
  'last-come-first',
  'interest-first',
  'pledges-kept',
  'no-grace',
  'ballots-logged',
];

/** Small: a control needs to be seen once, and its run ends with that. */
function controlCourse(broken: string): Course {
  // Faults fall on what many do at once, and not on what a loan needs.
  const faulty = broken === 'new-key-after-doubt' ? { acts: 4_000, actsAStep: 200, faultyShare: 1 } : {};
  const acts = broken === 'rule-changed' ? 6_000 : 2_000;
  const small = { ...courses.c, acts, actsAStep: 60, checkEvery: 60, ...faulty };
  if (CONTROLS_WITH_LENDERS.includes(broken))
    return { ...small, days: 1_000, lending: { from: 0, saccos: 1, pace: 1, votes: 0.15 } };
  const { lending: _, ...course } = small;
  // What nobody wrote down is missed at the end.
  return broken === 'payments-forgotten' ? { ...course, acts: 1_000 } : course;
}

export const harness: Harness = {
  name: 'model',
  title: 'Ten years of everything that the domains do agree with the naive books, to the cent',
  promises: ['P1', 'P20'],
  tiers: ['c', 'n', 'r'],
  parts: { r: RELEASE_PARTS },
  isPatient: true,
  controls,
  run,
};
