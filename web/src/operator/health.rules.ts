import { formatShillings } from '@ushirika/contract/format';
import type { platformHealth } from '@ushirika/contract/operator';
import { DESK_QUEUES, type DeskQueue, deskQueues } from '@ushirika/contract/operator-acts';
import type { ReplyOf } from '@ushirika/contract/route';
import { paths } from '../paths.ts';
import { say } from '../words/say.ts';

export type Health = ReplyOf<typeof platformHealth>;

/** What the desk around it gives each of its pages. */
export interface DeskContext {
  /** The page on which something that waits is dealt with. */
  readonly pathOfQueue: (queue: DeskQueue) => string | undefined;
}

export interface HealthPoint {
  readonly name: string;
  readonly figure: string;
  /** `bad`: look now. `look`: something waits. `good`: nothing to do. */
  readonly state: 'good' | 'look' | 'bad';
  readonly detail: string;
  /** Since when, where something waits. */
  readonly since?: string | null;
  readonly to?: string;
}

/** A deposit is asked about after a minute or so; one that is open for longer than this is stuck. */
const DEPOSIT_STUCK_MS = 15 * 60_000;
/** A due job that nobody took for so long means that nobody works. */
const JOB_LATE_MS = 5 * 60_000;

/** M-Pesa is asked once a day what it holds; a comparison that is older than two says that it does not answer. */
const FLOAT_OLD_MS = 48 * 3_600_000;

/** A movement is in a signed head within a minute or so. */
const UNSIGNED_MS = 5 * 60_000;
/** Logs grow, and no anchor was confirmed for so long. */
const UNANCHORED_MS = 24 * 3_600_000;

/**
 * The platform at a glance: what is well, what waits, what is wrong; worst first.
 */
export function healthPoints(health: Health, pathOf: DeskContext['pathOfQueue']): readonly HealthPoint[] {
  const points = [
    jobsPoint(health),
    depositsPoint(health),
    exceptionsPoint(health),
    floatPoint(health),
    auditPoint(health),
    logsPoint(health),
    chainPoint(health),
  ];
  points.push(
    ...DESK_QUEUES.map((queue) => {
      const { name, detail } = deskQueues[queue];
      return waiting(say(name[0]), health.waiting[queue], say(detail[0]), pathOf(queue));
    }),
    waiting(say('Unsent messages'), health.messages_unsent, say('SMS that are on their way.')),
    refusedPoint(health),
  );
  const order = { bad: 0, look: 1, good: 2 };
  return points.sort((one, other) => order[one.state] - order[other.state]);
}

/** A few numbers are always refused. Many at once mean that the provider takes none of ours. */
const REFUSED_LOOK = 20;

function refusedPoint({ messages_refused: count }: Health): HealthPoint {
  const name = say('SMS refused in 24 hours');
  const detail = say('The provider refused them for good, or did not say whether they went.');
  return { name, figure: `${count}`, state: count >= REFUSED_LOOK ? 'look' : 'good', detail };
}

function jobsPoint({ jobs, at }: Health): HealthPoint {
  const failing = jobs.reduce((sum, job) => sum + job.failing, 0);
  const count = jobs.reduce((sum, job) => sum + job.waiting, 0);
  const oldest = earliest(jobs.map((job) => job.oldest_due_at));
  const isLate = oldest !== null && Date.parse(at) - Date.parse(oldest) > JOB_LATE_MS;
  const name = say('Jobs');
  if (failing > 0)
    return { name, figure: `${failing}`, state: 'bad', detail: say('Failing; see below.'), since: oldest };
  if (isLate)
    return { name, figure: `${count}`, state: 'bad', detail: say('Due, and nobody does them.'), since: oldest };
  return { name, figure: `${count}`, state: 'good', detail: say('Waiting for their time.') };
}

function depositsPoint({ deposits_pending: { count, oldest_at }, at }: Health): HealthPoint {
  const isStuck = oldest_at !== null && Date.parse(at) - Date.parse(oldest_at) > DEPOSIT_STUCK_MS;
  return {
    name: say('Top-ups under way'),
    figure: `${count}`,
    state: isStuck ? 'bad' : 'good',
    detail: isStuck ? say('The oldest should have been settled.') : say('Prompts that are still open.'),
    since: oldest_at,
  };
}

function exceptionsPoint({ exceptions_open: { count, amount, oldest_at } }: Health): HealthPoint {
  return {
    name: say('Money exceptions'),
    figure: `${count}`,
    state: count > 0 ? 'look' : 'good',
    detail: say('{amount} in suspense.', { amount: formatShillings(amount) }),
    since: oldest_at,
    to: paths.operatorMoney(),
  };
}

/** What M-Pesa holds for us, against the books. */
function floatPoint({ float, at }: Health): HealthPoint {
  const name = say('Money at M-Pesa');
  const to = paths.operatorMoney();
  if (!float) return { name, figure: '–', state: 'good', detail: say('Not compared with the books yet.'), to };
  const { state, agreed_at, compared_at } = float;
  if (state === 'differs') {
    const detail = say('M-Pesa says {mpesa}; the books say {books}.', {
      mpesa: formatShillings(float.mpesa),
      books: formatShillings(float.books),
    });
    return { name, figure: say('Differs'), state: 'bad', detail, since: compared_at, to };
  }
  const isOld = Date.parse(at) - Date.parse(compared_at) > FLOAT_OLD_MS;
  if (isOld) {
    const detail = say('M-Pesa has not answered since.');
    return { name, figure: '–', state: 'look', detail, since: compared_at, to };
  }
  if (state === 'under_way') {
    const detail = say('Payments under way may explain a difference; M-Pesa is asked again.');
    return { name, figure: '–', state: 'good', detail, since: compared_at, to };
  }
  return {
    name,
    figure: say('Equal'),
    state: 'good',
    detail: say('M-Pesa and the books agree.'),
    since: agreed_at,
    to,
  };
}

function auditPoint({ audit }: Health): HealthPoint {
  const name = say('Last audit');
  if (!audit) return { name, figure: '–', state: 'look', detail: say('None ran on this database yet.') };
  return {
    name,
    figure: audit.passed ? say('Passed') : `${audit.breaches}`,
    state: audit.passed ? 'good' : 'bad',
    detail: audit.passed ? say('Every invariant of the books holds.') : say('Breaches of the books’ invariants.'),
    since: audit.ran_at,
  };
}

/** The logs of the books: a halted one stands before everything else. */
function logsPoint({ logs: { count, halted, last_signed_at, unsigned_since }, at }: Health): HealthPoint {
  const name = say('Logs of the books');
  const to = paths.log();
  const [first] = halted;
  if (first) {
    const log = first.sacco ?? say('the platform');
    const figure = say('{n} halted', { n: halted.length });
    return { name, figure, state: 'bad', detail: haltWords(first.by, log), since: first.since, to };
  }
  if (unsigned_since !== null && Date.parse(at) - Date.parse(unsigned_since) > UNSIGNED_MS) {
    const detail = say('Movements are in no signed head yet. See the jobs below.');
    return { name, figure: `${count}`, state: 'bad', detail, since: unsigned_since, to };
  }
  if (last_signed_at === null)
    return { name, figure: `${count}`, state: 'good', detail: say('Nothing signed yet.'), to };
  return { name, figure: `${count}`, state: 'good', detail: say('Signed last:'), since: last_signed_at, to };
}

/** What happened, and what an operator does. */
function haltWords(by: Health['logs']['halted'][number]['by'], log: string): string {
  if (by === 'file') {
    return say(
      'A server has signed a newer history of {log} than the database has. Restore the newest copy, then: npm run operator -- log continue.',
      { log },
    );
  }
  if (by === 'chain') {
    return say(
      'The chain has another history of {log} than the database. Restore the newest copy, then: npm run operator -- log continue.',
      { log },
    );
  }
  return say('Entries of {log} were changed after they were signed. Find them with npm run audit.', { log });
}

/** The chain that anchors are on. */
function chainPoint({ chain, logs }: Health): HealthPoint {
  const name = say('Anchors on the chain');
  if (!chain) return { name, figure: '–', state: 'good', detail: say('No chain is set.') };
  const { looked_at, is_silent, funds, last_anchor_at } = chain;
  if (looked_at === null) {
    return { name, figure: '–', state: 'look', detail: say('The chain has not answered yet.') };
  }
  if (is_silent) {
    return {
      name,
      figure: say('Silent'),
      state: 'bad',
      detail: say('The chain has not answered since.'),
      since: looked_at,
    };
  }
  if (funds === 'short') {
    const detail = say('The key pays for fewer than 20 anchors. Send coins to its account.');
    return { name, figure: say('Low funds'), state: 'bad', detail, since: looked_at };
  }
  if (last_anchor_at === null) return { name, figure: '–', state: 'good', detail: say('Nothing anchored yet.') };
  const isOld =
    logs.last_signed_at !== null && Date.parse(logs.last_signed_at) - Date.parse(last_anchor_at) > UNANCHORED_MS;
  const detail = isOld ? say('Logs have grown, and were not anchored since.') : say('Anchored last:');
  return {
    name,
    figure: isOld ? say('Late') : say('Up to date'),
    state: isOld ? 'bad' : 'good',
    detail,
    since: last_anchor_at,
  };
}

function waiting(name: string, count: number, detail: string, to?: string): HealthPoint {
  return { name, figure: `${count}`, state: to && count > 0 ? 'look' : 'good', detail, to };
}

function earliest(instants: readonly (string | null)[]): string | null {
  return instants.filter((instant) => instant !== null).sort()[0] ?? null;
}
