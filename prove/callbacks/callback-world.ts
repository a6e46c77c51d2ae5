import type { Replaced } from '../../server/app.ts';
import type { Run } from '../harness.ts';
import { Random } from '../random.ts';
import { jobRunner, type Person, type Product, productOn } from '../support/product.ts';

/** The whole product, its simulated M-Pesa, the people, and what was seen to go wrong. */
export interface CallbackWorld {
  readonly run: Run;
  readonly random: Random;
  readonly product: Product;
  readonly people: readonly Person[];
  /** How often each thing really happened. */
  readonly fired: Record<string, number>;
  readonly violations: string[];
  count(name: string, times?: number): void;
  /** Says what did not hold, with what is needed to see it again. */
  violate(sentence: string): void;
  /** The simulator's control: `control('faults', {...})`; without a body it is asked. */
  control(path: string, body?: object): Promise<Record<string, unknown>>;
  /** Clears every fault that lies ready, and counts those that befell somebody. */
  clearFaults(): Promise<void>;
  /** One look of the simulator, or one turn of the jobs: less than `quiet`, so that things lie about half done. */
  stir(): Promise<void>;
  /** Lets jobs, the simulator and its callbacks run until nothing is left to do at this time. */
  quiet(): Promise<void>;
  /** Moves the clock on in steps of at most half a minute, with every sweeper at its time. */
  pass(ms: number, stepMs?: number): Promise<void>;
  close(): Promise<void>;
}

const STEP_MS = 30_000;
const SWEEPERS: readonly (readonly [task: string, everyMs: number])[] = [
  ['sweep_deposits', 10_000],
  ['sweep_withdrawals', 30_000],
  ['sweep_claims', 15_000],
  ['read_payment_list', 120_000],
  ['prune_callback_log', 600_000],
];

export async function callbackWorld(run: Run, size: { people: number }, replaced: Replaced): Promise<CallbackWorld> {
  const product = await productOn(run.serverUrl, {}, replaced);
  const people: Person[] = [];
  for (let made = 0; made < size.people; made += 1) {
    const person = await product.person('Akinyi');
    await product.confirmPhone(person);
    people.push(person);
  }
  const world = worldOf(run, product, people);
  await product.app.tasks.register_paybill?.({});
  return world;
}

function worldOf(run: Run, product: Product, people: readonly Person[]): CallbackWorld {
  const fired: Record<string, number> = {};
  const violations: string[] = [];
  const { database } = product;
  const violate = (sentence: string) => void violations.push(`${sentence} (seed ${run.seed})`);
  const count = (name: string, times = 1) => {
    fired[name] = (fired[name] ?? 0) + times;
  };
  const control = controlOf(product);
  const jobs = noticingRunner(product, violate);
  let stirred = 0;
  const quiet = async () => {
    for (let round = 0; round < 200; round += 1) {
      // The simulator's results come half a second after they were asked for.
      database.world.advance(501);
      const { sent } = (await control('tick', {})) as { sent: number };
      if ((await jobs.runAll()) === 0 && sent === 0 && round > 0) return;
    }
    throw new Error('It does not come to rest.');
  };
  return {
    run,
    random: new Random(run.seed),
    product,
    people,
    fired,
    violations,
    count,
    violate,
    control,
    quiet,
    async stir() {
      stirred += 1;
      if (stirred % 2 === 1) await control('tick', {});
      else await jobs.runAll();
    },
    async clearFaults() {
      const rows = await database.owner<{ call: string; faults: string }[]>`
        select call, faults from simulator.fault where times_left = 0`;
      const befell = rows.flatMap(({ call, faults }) => faults.split(',').map((part) => [call, part] as const));
      for (const [call, part] of befell) {
        const name = part.split('=')[0]?.trim();
        count(`${call} ${name}`);
        count(`bad luck: ${name}`);
      }
      await product.call('DELETE', '//simulator/__control/faults');
    },
    pass: passing(product, jobs, quiet),
    async close() {
      await jobs.end();
      await product.close();
    },
  };
}

function controlOf(product: Product): CallbackWorld['control'] {
  return async (path, body) => {
    const answer = await product.call(body ? 'POST' : 'GET', `//simulator/__control/${path}`, body ? { body } : {});
    if (answer.status !== 200) throw new Error(`The simulator refused ${path}: ${answer.text}`);
    return answer.body as Record<string, unknown>;
  };
}

function passing(
  { database, app }: Product,
  jobs: { tryFailedAgain(): Promise<void> },
  quiet: () => Promise<void>,
): CallbackWorld['pass'] {
  const sweptAt = new Map<string, number>();
  return async (ms, stepMs = STEP_MS) => {
    for (let left = ms; left > 0; left -= stepMs) {
      database.world.advance(Math.min(left, stepMs));
      await jobs.tryFailedAgain();
      await quiet();
      const now = database.now().getTime();
      for (const [task, everyMs] of SWEEPERS) {
        if (now - (sweptAt.get(task) ?? 0) < everyMs) continue;
        sweptAt.set(task, now);
        await app.tasks[task]?.({});
      }
      await quiet();
    }
  };
}

/** Runs the product's jobs, several at once, and notices one that fails for a reason of our own. */
function noticingRunner(product: Product, violate: (sentence: string) => void) {
  const tasks = Object.entries(product.app.tasks).map(([name, task]) => [name, noticing(name, task, violate)]);
  // SMS are another promise's matter.
  const taskList = { ...Object.fromEntries(tasks), send_sms: async () => {} };
  const { owner, url } = product.database;
  const runner = jobRunner(taskList, url, 4);
  return {
    async runAll(): Promise<number> {
      const [row] = await owner<{ waiting: number }[]>`
        select count(*)::int as waiting from graphile_worker.jobs where run_at <= now() and locked_at is null`;
      if (!row?.waiting) return 0;
      await runner.run();
      return row.waiting;
    },
    /** A failed job waits in real time; here its time has come when the clock moves. */
    async tryFailedAgain(): Promise<void> {
      await owner`update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null`;
    },
    end: () => runner.end(),
  };
}

function noticing(name: string, task: (payload: unknown) => Promise<void>, violate: (sentence: string) => void) {
  return async (payload: unknown) => {
    try {
      await task(payload);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      // No token, and so nothing was sent: the job is to run again.
      if (!/No token could be had/.test(message)) violate(`the job ${name} failed: ${message}`);
      throw error;
    }
  };
}
