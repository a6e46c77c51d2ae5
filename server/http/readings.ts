import type { LimiterFigures } from '../concurrency-limiter.ts';
import type { DatabaseHealth } from '../db/database-health.ts';
import type { Database } from '../db/tx.ts';
import type { Connections } from './connections.ts';
import type { Reading } from './figures.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Requests } from './requests.ts';
import type { RouteHandler } from './route-handler.ts';
import type { OpenStreams } from './stream.ts';

export interface Watched {
  readonly lifecycle: Lifecycle;
  readonly requests: Requests;
  readonly connections: Connections;
  readonly openStreams: OpenStreams;
  readonly handlers: readonly RouteHandler[];
  readonly database: Database;
}

/** The metrics that are read on request. docs/operation.md lists them. */
export function readingsOf(watched: Watched): Reading[] {
  return [...ofTheProcess(watched), ...ofBatchQueues(watched), ...ofThePool(watched)];
}

function ofTheProcess({ lifecycle, requests, connections, openStreams }: Watched): Reading[] {
  const { nowMs, maxMs } = requests.lag();
  const memory = process.memoryUsage();
  const isReady = lifecycle.reasonsAgainst().length === 0;
  return [
    gauge('ushirika_ready', '1 while the process should be sent requests.', isReady ? 1 : 0),
    counter('ushirika_drains_total', 'How often the process was told to end.', lifecycle.drains),
    gauge('ushirika_http_requests_under_way', 'Requests that are not answered yet.', requests.count),
    gauge('ushirika_http_connections', 'Connections that are open.', connections.count),
    counter(
      'ushirika_http_connections_refused_total',
      'Connections that were not taken: too many were open.',
      connections.refused,
    ),
    gauge('ushirika_http_streams', 'Event streams that are open.', openStreams.size),
    gauge('ushirika_event_loop_lag_seconds', 'How late the event loop was at the last look.', nowMs / 1000),
    gauge('ushirika_event_loop_lag_max_seconds', 'How late it was at worst since the last reading.', maxMs / 1000),
    gauge('process_resident_memory_bytes', 'Memory of the process.', memory.rss),
    gauge('nodejs_heap_used_bytes', 'Memory that holds values.', memory.heapUsed),
    counter('process_cpu_seconds_total', 'Processor time that was used.', cpuSeconds()),
    gauge('process_uptime_seconds', 'How long the process has lived.', process.uptime()),
  ];
}

function ofBatchQueues({ handlers }: Watched): Reading[] {
  const figures = handlers.flatMap((handler) => handler.figures() ?? []);
  const each = (name: string, help: string, type: Reading['type'], read: (of: (typeof figures)[number]) => number) => ({
    name,
    help,
    type,
    values: figures.map((of) => ({ labels: { queue: of.name }, value: read(of) })),
  });
  return [
    each('ushirika_batch_queue_waiting', 'Commands that wait for a batch.', 'gauge', (of) => of.waiting),
    each('ushirika_batch_queue_longest_wait_seconds', 'The first of them has waited so long.', 'gauge', (of) => {
      return of.longestWaitMs / 1000;
    }),
    each('ushirika_batch_queue_begun_total', 'Commands that began.', 'counter', (of) => of.begun),
    each(
      'ushirika_batch_queue_wait_seconds_total',
      'What they had waited together.',
      'counter',
      (of) => of.waitedMs / 1000,
    ),
    each('ushirika_batch_queue_refused_total', 'Commands refused before they began.', 'counter', (of) => of.refused),
  ];
}

function ofThePool({ database }: Watched): Reading[] {
  const pool = database.pool?.();
  if (!pool) return [];
  return [
    gauge('ushirika_pool_size', 'Transactions that may be open at once.', pool.atOnceMax),
    gauge('ushirika_pool_running', 'Transactions that are open.', pool.running),
    gauge('ushirika_pool_waiting', 'Transactions that wait for a connection.', pool.waiting),
    gauge('ushirika_pool_longest_wait_seconds', 'The first of them has waited so long.', pool.longestWaitMs / 1000),
    counter('ushirika_pool_refused_total', 'Transactions refused before they began.', pool.refused),
  ];
}

/** Metrics of the limiters of heavy work (processor or memory), by the name of the work. */
export function ofLimiters(limiters: Readonly<Record<string, LimiterFigures | undefined>>): Reading[] {
  const each = (name: string, help: string, type: Reading['type'], read: (of: LimiterFigures) => number): Reading => ({
    name,
    help,
    type,
    values: Object.entries(limiters).flatMap(([work, of]) => (of ? [{ labels: { work }, value: read(of) }] : [])),
  });
  return [
    each('ushirika_limiter_waiting', 'Heavy work that waits in the queue.', 'gauge', ({ waiting }) => waiting),
    each('ushirika_limiter_refused_total', 'Heavy work refused before it waited.', 'counter', ({ refused }) => refused),
  ];
}

export function ofDatabaseHealth(health: DatabaseHealth): Reading[] {
  return [
    gauge('ushirika_database_answering', '1 while the database answers.', health.isAnswering ? 1 : 0),
    gauge('ushirika_database_trip_seconds', 'How long the last health check took.', health.tripMs / 1000),
  ];
}

/** The jobs of all processes, as the operator's health page shows them. */
export async function ofTheJobs({ sql }: Database): Promise<Reading[]> {
  const rows = await sql<{ task: string; waiting: number; failing: number }[]>`
    select task, waiting, failing from job_figures()`;
  const each = (name: string, help: string, read: (row: (typeof rows)[number]) => number): Reading => ({
    name,
    help,
    type: 'gauge',
    values: rows.map((row) => ({ labels: { task: row.task }, value: read(row) })),
  });
  return [
    each('ushirika_jobs_waiting', 'Jobs that wait to be done, by task.', (row) => row.waiting),
    each('ushirika_jobs_failing', 'Jobs whose last try failed, by task.', (row) => row.failing),
  ];
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

const gauge = (name: string, help: string, value: number): Reading => ({
  name,
  help,
  type: 'gauge',
  values: [{ value }],
});
const counter = (name: string, help: string, value: number): Reading => ({
  name,
  help,
  type: 'counter',
  values: [{ value }],
});
