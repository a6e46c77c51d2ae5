import type { House } from './house.ts';
import { by } from './in-order.ts';
import { type Delivery, type NaiveMpesa, SECRET, thingOf } from './naive-mpesa.ts';
import type { SimulatedWorld } from './simulated-world.ts';

interface Job {
  readonly task: string;
  readonly payload: unknown;
  /** Names it in every run of a seed alike: the job table's own numbers hang on who commits first. */
  readonly name: string;
  readonly attempt: number;
  readonly dueAt: number;
}

const PASSING = new Set(['unknown_outcome', 'unavailable', 'connection_lost']);
const AT_ONCE = 8;
const ROUNDS_MAX = 200;
/** The product tries a job 25 times, each time later. */
const ATTEMPTS_MAX = 25;
/** Whoever leaves has their orders looked at late, so that others meet them before. */
export const LATE_MS = 5 * 60_000;
const LATE_TASK = 'leave_market';
const LIST_TASK = 'read_payment_list';
/** They find out about payments, and one payment in many ways: what they find would hang on who is faster. */
const IN_ORDER = new Set([LIST_TASK, 'ask_status', 'settle_status', 'verify_deposit']);

/**
 * Runs jobs and schedules by the simulated clock, in one order for a seed, where the product's own machinery goes by the
 * database's clock. Jobs are taken from the product's table, and what they enqueue is run in its turn.
 */
export class ClockJobs {
  readonly #house: House;
  readonly #world: SimulatedWorld;
  readonly #mpesa: NaiveMpesa;
  /** How often each task has run to its end. */
  readonly ran = new Map<string, number>();
  /** A failed try, such as one whose COMMIT was in doubt. */
  failedTries = 0;
  readonly #waiting: Job[] = [];
  #turn = 0;
  /** Of this turn, by job: others that run at the same time change nothing in how its runs are named. */
  readonly #runs = new Map<string, number>();

  constructor(house: House, world: SimulatedWorld, mpesa: NaiveMpesa) {
    this.#house = house;
    this.#world = world;
    this.#mpesa = mpesa;
  }

  /** Begins these schedules once each, one after the other: what they do to one wallet is done in one order. */
  async runSchedules(tasks: readonly string[]): Promise<void> {
    this.#beginTurn();
    for (const task of tasks) await this.#runSchedule(task);
  }

  #beginTurn(): void {
    this.#turn += 1;
    this.#runs.clear();
  }

  async #runSchedule(task: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const job = { task, payload: {}, name: task, attempt, dueAt: 0 };
      if (await this.#run(job)) return;
      if (attempt === ATTEMPTS_MAX) throw new Error(`The schedule ${task} fails again and again.`);
    }
  }

  /** Lets jobs run and M-Pesa's messages arrive until all is quiet. */
  async settle(): Promise<void> {
    this.#beginTurn();
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const due = await this.#takeJobs();
      const messages = this.#mpesa.takeDue();
      if (due.length === 0 && messages.length === 0) return;
      await this.#runAll(due);
      await apart(messages, thingOf, (message, index) =>
        this.#deliver(message, `callback ${this.#turn} ${round} ${index}`),
      );
    }
    throw new Error('Jobs and messages do not come to rest.');
  }

  async #deliver(message: Delivery, name: string): Promise<void> {
    const params = { secret: SECRET, ...message.params };
    const answered = await this.#world.doing(name, () =>
      this.#house.ask({ route: message.route, params, body: message.body }),
    );
    // As M-Pesa does where its message was not taken: it is sent once. Whoever must know asks.
    if (answered.ok && message.payment) message.payment.isTold = true;
    if (answered.ok || PASSING.has(answered.code)) return;
    throw new Error(`M-Pesa's ${message.route} was answered by ${answered.code}.`);
  }

  async #takeJobs(): Promise<Job[]> {
    const rows = await this.#house.database.owner<{ task: string; payload: { id?: string }; wait: string }[]>`
      delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id
      returning t.identifier as task, j.payload, extract(epoch from j.run_at - j.updated_at) * 1000 as wait`;
    const now = this.#world.time;
    for (const { task, payload, wait } of rows) {
      const name = `${task} ${payload.id ?? JSON.stringify(payload)}`;
      const late = task === LATE_TASK ? LATE_MS : Math.max(0, Number(wait));
      this.#waiting.push({ task, payload, name, attempt: 1, dueAt: now + late });
    }
    const due = this.#waiting.filter(({ dueAt }) => dueAt <= now);
    for (const job of due) this.#waiting.splice(this.#waiting.indexOf(job), 1);
    return due.sort(by(({ name }) => name));
  }

  async #runAll(jobs: readonly Job[]): Promise<void> {
    const isOrdered = ({ task }: Job) => IN_ORDER.has(task);
    for (const job of jobs.filter(isOrdered)) await this.#runOrPutBack(job);
    const others = jobs.filter((job) => !isOrdered(job));
    await apart(
      others,
      ({ name }) => name,
      (job) => this.#runOrPutBack(job),
    );
  }

  async #runOrPutBack(job: Job): Promise<void> {
    if (!(await this.#run(job))) this.#waiting.push({ ...job, attempt: job.attempt + 1 });
  }

  /** Whether it went through; if not, whoever began it tries again. */
  async #run(job: Job): Promise<boolean> {
    const task = this.#house.tasks[job.task];
    if (!task) throw new Error(`There is no task ${job.task}.`);
    const run = (this.#runs.get(job.name) ?? 0) + 1;
    this.#runs.set(job.name, run);
    try {
      if (job.task === LIST_TASK) this.#mpesa.beginList();
      await this.#world.doing(`${job.name} turn ${this.#turn} run ${run}`, () => task(job.payload));
      this.ran.set(job.task, (this.ran.get(job.task) ?? 0) + 1);
      if (job.task === LIST_TASK) this.#mpesa.noteListRead();
      return true;
    } catch (error) {
      if (!isPassing(error) || job.attempt >= ATTEMPTS_MAX) {
        throw new Error(`the job ${job.name} threw at its try ${job.attempt}: ${error}`, { cause: error });
      }
      this.failedTries += 1;
      return false;
    }
  }
}

/** A few at once, but those of one thing one after the other: who came first would draw the ids of what follows. */
async function apart<T>(
  all: readonly T[],
  thingOf: (one: T) => string,
  work: (one: T, index: number) => Promise<unknown>,
): Promise<void> {
  for (let left = [...all.entries()]; left.length > 0; ) {
    const things = left.map(([, one]) => thingOf(one));
    const isFirst = (_: unknown, index: number) => things.indexOf(things[index] as string) === index;
    await inChunks(left.filter(isFirst), ([index, one]) => work(one, index));
    left = left.filter((entry, index) => !isFirst(entry, index));
  }
}

/** A few at once, begun in their order. */
async function inChunks<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE) {
    await Promise.all(all.slice(from, from + AT_ONCE).map(work));
  }
}

/** What a fault that we made looks like to a job, which the product tries again. */
function isPassing(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isPassing);
  const code = String((error as { code?: unknown }).code ?? '');
  return ['unknown_outcome', 'unavailable'].includes(code) || code.startsWith('CONNECTION_');
}
