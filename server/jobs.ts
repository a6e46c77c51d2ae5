import { randomInt } from 'node:crypto';
import { EventEmitter } from 'node:events';
import {
  type EnhancedWithPgClient,
  Logger,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker';
import postgres from 'postgres';
import { poolSockets, STARTUP_PADDING } from './db/pool-socket.ts';
import type { Tx } from './db/tx.ts';
import { waitAtMost } from './wait-at-most.ts';

/** The first half of the advisory locks by which processes that run jobs show that they live. */
const presence = 7241;
/** Jobs under way have so long to end when the process does. */
const STOP_MS_MAX = 5_000;

export interface EnqueueOptions {
  /** Not before this instant of the transaction's clock. */
  readonly runAt?: Date;
  /** A waiting job with the same key is replaced by this one. */
  readonly key?: string;
  /** Tries before the job is given up; 25 unless told, spread over about three days. */
  readonly attemptsMax?: number;
  /** Nobody stands there waiting for it: it runs when no other job is due. */
  readonly canWait?: boolean;
}

/** What a job does. It may run more than once (a process died in the middle), so it looks at the rows before it acts. */
export type Task = (payload: unknown) => Promise<void>;

/** A task begun every so many seconds, by one process of all. */
export interface Schedule {
  readonly task: string;
  readonly everySeconds: number;
}

export interface JobsOptions {
  /** The owner's connection. */
  readonly databaseUrl: string;
  readonly tasks: Readonly<Record<string, Task>>;
  readonly schedules?: readonly Schedule[];
  /** Jobs at once in this process. */
  readonly concurrency?: number;
  /** Between two looks for jobs of dead processes; 5 unless told. */
  readonly lookEverySeconds?: number;
  /** Told of every failed try and of trouble with the machinery itself. */
  readonly onError?: (task: string, error: unknown) => void;
}

export interface Jobs {
  /** Whether this process takes jobs: false once it stops, or when its runner has fallen over. */
  readonly isRunning: boolean;
  /** Takes no more jobs, lets those under way end for a while, and resolves. One that takes longer is given back. */
  stop(): Promise<void>;
}

/** Adds a job in the caller's transaction: it is there when the transaction commits, and not at all when it does not. */
export async function enqueue(tx: Tx, task: string, payload: object, options: EnqueueOptions = {}): Promise<void> {
  await enqueueAll(tx, task, [payload], options);
}

/** Adds many jobs of one task in one statement; a key is for one job alone. */
export async function enqueueAll(
  tx: Tx,
  task: string,
  payloads: readonly object[],
  options: EnqueueOptions = {},
): Promise<void> {
  if (payloads.length === 0) return;
  // The database's clock decides when jobs run, so that the injected one tells how long to wait, not until when.
  const waitSeconds = options.runAt ? Math.max(0, (options.runAt.getTime() - tx.now.getTime()) / 1000) : 0;
  await tx.sql`
    select enqueue_jobs(
      ${task}, ${payloads.map((payload) => JSON.stringify(payload))}::text[]::json[], now() + make_interval(secs => ${waitSeconds}),
      ${options.key ?? null}, ${options.attemptsMax ?? null}, ${options.canWait ?? false}
    )`;
}

/** Runs this process's share of the jobs, and begins the scheduled ones. */
export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const onError = options.onError ?? ((task, error) => console.error(`The job ${task} failed:`, error));
  assertTasksOf(options);
  const processes = new JobProcesses(options.databaseUrl);
  const events: WorkerEvents = new EventEmitter();
  // graphile_worker locks jobs in the name of the pool of workers, not of a single one.
  const workerIds: string[] = [];
  const underWay = new Set<string>();
  events.on('pool:create', ({ workerPool }) => {
    workerIds.push(workerPool.id);
    bePatient(workerPool, { isOver: () => stopping !== null, onError });
  });
  events.on('job:start', ({ job }) => void underWay.add(job.id));
  events.on('job:complete', ({ job }) => void underWay.delete(job.id));
  const timers: NodeJS.Timeout[] = [];
  let runner: Runner | null = null;
  let stopping: Promise<void> | null = null;
  let alive: Alive | null = null;
  const shutDown = async () => {
    for (const timer of timers) clearInterval(timer);
    // A job that is not done by then ends with the process; the next one finds it by its lock (decision 013).
    await waitAtMost(STOP_MS_MAX, runner?.stop());
    await processes.leave();
  };
  const stop = () => {
    stopping ??= shutDown();
    return stopping;
  };
  const regularly = (seconds: number, name: string, work: () => Promise<unknown>) => {
    const guarded = () =>
      void work().catch((error: unknown) => {
        if (!stopping) onError(name, error);
      });
    guarded();
    timers.push(setInterval(guarded, seconds * 1000));
  };
  try {
    runner = await startRunner(options, events, onError);
    alive = watch(runner, onError);
    regularly(options.lookEverySeconds ?? 5, 'looking for jobs of dead processes', () =>
      processes.keep(workerIds, underWay),
    );
    for (const schedule of options.schedules ?? []) {
      // A long period is looked at every minute, so that a restart neither skips nor doubles it.
      regularly(Math.min(schedule.everySeconds, 60), schedule.task, () => processes.beginWhenDue(schedule));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stop,
    get isRunning() {
      return stopping === null && alive?.is === true;
    },
  };
}

type OnError = (task: string, error: unknown) => void;

function assertTasksOf({ schedules = [], tasks }: JobsOptions): void {
  for (const { task } of schedules) {
    if (!(task in tasks)) throw new Error(`The schedule of ${task} has no such task.`);
  }
}

function startRunner(options: JobsOptions, events: WorkerEvents, onError: OnError): Promise<Runner> {
  return run({
    connectionString: options.databaseUrl,
    concurrency: options.concurrency ?? 4,
    maxPoolSize: 4,
    pollInterval: 1000,
    noHandleSignals: true,
    crontab: '',
    taskList: taskListOf(options.tasks, onError),
    logger: new Logger(() => () => {}),
    events,
  });
}

interface Alive {
  is: boolean;
}

function watch(runner: Runner, onError: OnError): Alive {
  const alive = { is: true };
  const ended = () => {
    alive.is = false;
  };
  runner.promise.then(ended, (error: unknown) => {
    ended();
    onError('the job runner', error);
  });
  return alive;
}

function taskListOf(tasks: JobsOptions['tasks'], onError: OnError): TaskList {
  const guarded = Object.entries(tasks).map(([name, task]) => [
    name,
    async (payload: unknown) => {
      try {
        await task(payload);
      } catch (error) {
        onError(name, error);
        throw error;
      }
    },
  ]);
  return Object.fromEntries(guarded) as TaskList;
}

interface Patience {
  readonly isOver: () => boolean;
  readonly onError: (task: string, error: unknown) => void;
}

/** Between two tries to reach PostgreSQL again. */
const PATIENCE_MS = 500;

/**
 * graphile_worker 0.17.3 does not wait for the statement that notes how a job ended: where PostgreSQL is away or its disk
 * full just then, nobody catches the error and it ends the process. So its own statements are tried until they go
 * through. Its types do not show the function that all of them go through; jobs.test.ts sees that it is still there.
 */
function bePatient(workerPool: WorkerPool, { isOver, onError }: Patience): void {
  const run = workerPool._withPgClient as EnhancedWithPgClient;
  const once = run.withRetries;
  run.withRetries = async (callback) => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await once(callback);
      } catch (error) {
        // What is not noted now is given back by `keep`, or by the next process.
        if (isOver()) return { rows: [] } as never;
        if (tries === 0) onError('the notes of the job runner', error);
        await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
      }
    }
  };
}

/** What the processes that run jobs know of each other, through the database. */
class JobProcesses {
  readonly #sql: postgres.Sql;
  readonly #lock = randomInt(1, 2 ** 31 - 1);

  constructor(databaseUrl: string) {
    // One connection: the lock belongs to its session, and says that this process lives.
    this.#sql = postgres(databaseUrl, {
      max: 1,
      max_lifetime: null,
      onnotice: () => {},
      connection: { application_name: 'ushirika jobs', options: STARTUP_PADDING },
      // Missing from its types.
      ...({ socket: poolSockets() } as object),
    });
  }

  /** Says that we live and which workers are ours; gives back the jobs of those who do not, and what we lost sight of. */
  async keep(workerIds: readonly string[], underWay: ReadonlySet<string>): Promise<void> {
    // Again and again, since a lost connection loses the lock; held already, it is only counted up.
    await this.#sql`
      select pg_advisory_lock(${presence}::integer, ${this.#lock}::integer)
      where not exists (
        select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and classid = ${presence}::oid
      )`;
    await this.#sql`
      insert into job_workers (worker_id, process_lock)
      select worker_id, ${this.#lock}::integer from unnest(${[...workerIds]}::text[]) as worker_id
      on conflict (worker_id) do nothing`;
    await this.#sql`
      delete from job_workers where not exists (
        select from pg_locks
        where locktype = 'advisory' and classid = ${presence}::oid and objid = process_lock::oid
          and database = (select oid from pg_database where datname = current_database())
      )`;
    // A process that begins has a moment to name its workers.
    await this.#sql`
      select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
      from graphile_worker.jobs
      where locked_at < now() - interval '10 seconds'
        and not exists (select from job_workers where worker_id = locked_by)
      having count(*) > 0`;
    await this.#giveBackForgotten(workerIds, underWay);
  }

  /**
   * A job that was handed to us in an answer that never came is nobody's: no other worker may take it, and ours has not.
   * What is under way is looked at after PostgreSQL has told the time: however long it lets us wait, a job that was begun
   * meanwhile was taken after that.
   */
  async #giveBackForgotten(workerIds: readonly string[], underWay: ReadonlySet<string>): Promise<void> {
    const [told] = await this.#sql<{ before: Date }[]>`select now() - interval '10 seconds' as before`;
    await this.#sql`
      with forgotten as (
        update graphile_worker._private_jobs set locked_by = null, locked_at = null
        where locked_by = any(${[...workerIds]}::text[]) and not id = any(${[...underWay]}::bigint[])
          and locked_at < ${told?.before ?? null}
        returning job_queue_id
      )
      update graphile_worker._private_job_queues as queue set locked_by = null, locked_at = null
      from forgotten where queue.id = forgotten.job_queue_id and queue.locked_by = any(${[...workerIds]}::text[])`;
  }

  /** Of all processes, the first to see that the time has come adds the job; never beside one that still runs. */
  async beginWhenDue({ task, everySeconds }: Schedule): Promise<void> {
    await this.#sql`
      with begun as (
        insert into job_schedules as schedule (task, begun_at) values (${task}, now())
        on conflict (task) do update set begun_at = now()
          where schedule.begun_at <= now() - make_interval(secs => ${everySeconds * 0.9})
            -- Begun in the future: by a clock that was wrong then, and would else keep it from beginning until that day.
            or schedule.begun_at > now() + interval '1 minute'
        returning task
      )
      select graphile_worker.add_job(
        identifier => task, payload => '{}', queue_name => 'schedule ' || task,
        max_attempts => 1, job_key => 'schedule ' || task
      )
      from begun`;
  }

  async leave(): Promise<void> {
    await this.#sql.end({ timeout: 5 });
  }
}
