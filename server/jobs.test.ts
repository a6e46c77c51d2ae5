import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from './db/test-database.ts';
import { enqueue, type Jobs, type JobsOptions, startJobs } from './jobs.ts';

const database = await testDatabase();
const running: Jobs[] = [];

async function start(options: Omit<JobsOptions, 'databaseUrl'>): Promise<Jobs> {
  const jobs = await startJobs({ databaseUrl: database.url, ...options });
  running.push(jobs);
  return jobs;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((jobs) => jobs.stop()));
  await database.owner`delete from graphile_worker._private_jobs`;
  await database.owner`truncate job_schedules, job_workers`;
});

test('a job runs after its transaction commits, and one of a failed transaction never', async () => {
  const ran: unknown[] = [];
  await start({ tasks: { greet: async (payload) => void ran.push(payload) } });
  await database
    .transaction(async (tx) => {
      await enqueue(tx, 'greet', { name: 'nobody' });
      throw new Error('refused');
    })
    .catch(() => {});
  await database.transaction((tx) => enqueue(tx, 'greet', { name: 'Wanjiru' }));
  await expect.poll(() => ran, { timeout: 5000 }).toEqual([{ name: 'Wanjiru' }]);
});

test('a job with a key replaces the one that waits', async () => {
  const later = new Date(database.now().getTime() + 500);
  await database.transaction((tx) => enqueue(tx, 'greet', { name: 'first' }, { key: 'one', runAt: later }));
  await database.transaction((tx) => enqueue(tx, 'greet', { name: 'second' }, { key: 'one', runAt: later }));
  const ran: unknown[] = [];
  await start({ tasks: { greet: async (payload) => void ran.push(payload) } });
  await expect.poll(() => ran, { timeout: 5000 }).toEqual([{ name: 'second' }]);
});

test("a job waits as long as the transaction's clock says, whatever year that clock shows", async () => {
  await database.transaction((tx) => enqueue(tx, 'greet', {}, { runAt: new Date(tx.now.getTime() + 3_600_000) }));
  const [job] = await database.owner`
    select extract(epoch from run_at - now())::int as seconds from graphile_worker.jobs`;
  expect(job?.seconds).toBeGreaterThan(3590);
  expect(job?.seconds).toBeLessThanOrEqual(3600);
});

test('a failed try is told and tried again', async () => {
  let tries = 0;
  const told: string[] = [];
  await start({
    tasks: {
      flaky: async () => {
        tries += 1;
        if (tries === 1) throw new Error('no network');
      },
    },
    onError: (task, error) => told.push(`${task}: ${(error as Error).message}`),
  });
  await database.transaction((tx) => enqueue(tx, 'flaky', {}));
  const triedAgain = async () => {
    // The runner waits for seconds before it tries again, and so need not we.
    await database.owner`update graphile_worker._private_jobs set run_at = now() where run_at > now()`;
    return tries;
  };
  await expect.poll(triedAgain, { timeout: 15_000 }).toBe(2);
  expect(told).toEqual(['flaky: no network']);
});

test('of two processes with one schedule, one begins it in each period', async () => {
  const began: number[] = [];
  const options = {
    tasks: { sweep: async () => void began.push(Date.now()) },
    schedules: [{ task: 'sweep', everySeconds: 1 }],
  };
  await Promise.all([start(options), start(options)]);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(began.length).toBeGreaterThanOrEqual(2);
  expect(began.length).toBeLessThanOrEqual(3);
});

test('a schedule without its task does not start', async () => {
  await expect(start({ tasks: {}, schedules: [{ task: 'sweep', everySeconds: 1 }] })).rejects.toThrow('sweep');
});

test('stopping waits for the job under way', async () => {
  const said: string[] = [];
  const jobs = await start({
    tasks: {
      slow: async () => {
        said.push('begun');
        await new Promise((resolve) => setTimeout(resolve, 300));
        said.push('ended');
      },
    },
  });
  await database.transaction((tx) => enqueue(tx, 'slow', {}));
  await expect.poll(() => said, { timeout: 5000 }).toEqual(['begun']);
  await jobs.stop();
  expect(said).toEqual(['begun', 'ended']);
});

test('a job of a killed process goes back within seconds, one of a living process does not', async () => {
  const program = fileURLToPath(new URL('./jobs.program.ts', import.meta.url));
  const child = spawn(process.execPath, [program, database.url], { stdio: ['ignore', 'pipe', 'inherit'] });
  await database.transaction((tx) => enqueue(tx, 'stall', {}));
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  // The worker that took it is named (rows of earlier processes may still stand there); only then may the lock look old.
  const takers = () => database.owner`
    select from graphile_worker.jobs join job_workers on worker_id = locked_by where task_identifier = 'stall'`;
  await expect.poll(async () => (await takers()).length, { timeout: 10_000 }).toBe(1);
  await database.owner`update graphile_worker._private_jobs set locked_at = now() - interval '1 minute'`;
  const ran: string[] = [];
  await start({ lookEverySeconds: 0.3, tasks: { stall: async () => void ran.push('run here') } });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(ran).toEqual([]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await expect.poll(() => ran, { timeout: 15_000 }).toEqual(['run here']);
});

test('a job that is begun while PostgreSQL lets us wait is not taken for a forgotten one', async () => {
  const begun: string[] = [];
  const ended = Promise.withResolvers<void>();
  onTestFinished(() => ended.resolve());
  const held = await database.owner.reserve();
  await held`begin`;
  await held`lock table job_workers in exclusive mode`;
  await start({
    lookEverySeconds: 0.3,
    tasks: {
      long: async () => {
        begun.push('begun');
        await ended.promise;
      },
    },
  });
  await database.transaction((tx) => enqueue(tx, 'long', {}));
  await expect.poll(() => begun, { timeout: 5_000 }).toEqual(['begun']);
  await database.owner`update graphile_worker._private_jobs set locked_at = now() - interval '1 minute'`;
  await held`commit`;
  held.release();
  await expect.poll(async () => (await database.owner`select from job_workers`).length).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(begun).toEqual(['begun']);
  ended.resolve();
});

test('the application may add jobs and read none', async () => {
  await expect(database.sql`select * from graphile_worker.jobs`).rejects.toMatchObject({ code: '42501' });
  await expect(database.sql`select * from job_workers`).rejects.toMatchObject({ code: '42501' });
});

test('PostgreSQL may break every connection while jobs begin and end: the process lives on, and each job is done', async () => {
  const done = new Set<number>();
  const troubles: string[] = [];
  const pauses = [30, 60, 120, 240];
  await start({
    tasks: {
      work: async (payload) => {
        const { place } = payload as { place: number };
        await new Promise((resolve) => setTimeout(resolve, pauses[place % pauses.length]));
        done.add(place);
      },
    },
    onError: (task) => void troubles.push(task),
  });
  let places = 0;
  // Until a break has met the note of a job's end, which is when it used to end the process.
  for (let round = 0; round < 8 || (!troubles.includes('the notes of the job runner') && round < 150); round += 1) {
    await database.transaction(async (tx) => {
      for (let job = 0; job < 3; job += 1) await enqueue(tx, 'work', { place: places + job });
    });
    places += 3;
    await new Promise((resolve) => setTimeout(resolve, 110));
    await database.owner`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name <> 'ushirika' and pid <> pg_backend_pid()
        and query like '%graphile_worker%'`;
  }
  await database.owner`update graphile_worker._private_jobs set run_at = now()`;
  await expect.poll(() => done.size, { timeout: 20_000 }).toBe(places);
  const left = async () => (await database.owner`select from graphile_worker._private_jobs`).length;
  // What was cut off is noted, or given back by us within seconds and done once more.
  await expect.poll(left, { timeout: 25_000 }).toBe(0);
  expect(troubles).toContain('the notes of the job runner');
}, 90_000);
