import type { House } from './world.ts';

const expected = [
  'ushirika_ready 1',
  'ushirika_http_requests_total{route="depositSavings",status="2xx"}',
  'ushirika_http_request_duration_seconds_bucket{route="depositSavings"',
  'ushirika_http_shed_total{reason="too_many"}',
  'ushirika_http_shed_total{reason="database_silent"}',
  'ushirika_http_deadlines_total{code="unavailable"}',
  'ushirika_http_deadlines_total{code="request_too_slow"}',
  'ushirika_http_deadlines_total{code="unknown_outcome"}',
  'ushirika_refusals_total{code="unavailable"}',
  'ushirika_batch_queue_begun_total{queue=',
  'ushirika_batch_queue_refused_total{queue="savings"}',
  'ushirika_pool_size',
  'ushirika_pool_refused_total ',
  'ushirika_limiter_waiting{work="password_hash"}',
  'ushirika_limiter_refused_total{work="password_hash"}',
  'ushirika_limiter_refused_total{work="picture"}',
  'ushirika_http_connections_refused_total ',
  'ushirika_event_loop_lag_seconds',
  'process_resident_memory_bytes',
  'ushirika_database_answering 1',
];

/** After such days the metrics tell of each of them, to whoever may read them, and of nobody by name. */
export async function readMetrics(house: House): Promise<void> {
  const own = await house.asker.ask({ path: '/metrics' });
  house.happened('metrics read');
  for (const line of expected) if (!own.text.includes(line)) house.violated(`the metrics do not say ${line}`);
  const personal = /[0-9a-f]{8}-[0-9a-f]{4}-|2547\d{8}|Wanjiru|life-\d/.exec(own.text);
  if (personal) house.violated(`the metrics name somebody: ${personal[0]}`);
  const forwarded = await house.asker.ask({ path: '/metrics', headers: { 'x-forwarded-for': '41.90.1.2' } });
  if (forwarded.status !== 404) house.violated(`behind a proxy the metrics are answered ${forwarded.status}`);
}
