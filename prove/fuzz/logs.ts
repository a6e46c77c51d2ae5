import { takeTotals } from '../../server/domains/proofs/take-totals.ts';
import { logAndSign } from '../../server/domains/proofs/test-logs.ts';
import type { Crowd } from './crowd.ts';
import type { Pools } from './pools.ts';

const ORIGIN_BASE = 'fuzz.test/log';
/** The platform's own log. */
const LOG = 'platform';
/** Values that go together for the routes of a log, in whose tree there are some entries. */
const OF_LOG = {
  readLog: {},
  readCheckpoint: {},
  readTile: { level: '0', a: '000' },
  readDeepTile: { level: '0', a: '000.p', b: '1' },
  readInclusion: { index: 0, size: 1 },
  readConsistency: { from: 1, to: 1 },
  readLogTotals: {},
  readOwnTotals: {},
} as const;

/** All that was posted is logged and signed, the totals of the day are taken, and a pool contract of the member has an entry. */
export async function raiseLogs({ product: { database }, people, saccos }: Crowd, pools: Pools): Promise<void> {
  const member = people.get('member');
  const [event] = await database.owner<{ contract: string }[]>`
    insert into log_events (sacco_id, kind, subject_id, head, parts)
    values (${saccos[0] ?? null}, 'pools', ${member?.id ?? null}, jsonb_build_object('event', 'pool_contract_signed', 'contract', gen_random_uuid()),
      jsonb_build_array(jsonb_build_object('owner', ${member?.id ?? null}::text)))
    returning head ->> 'contract' as contract`;
  await takeTotals({ database, originBase: ORIGIN_BASE });
  await logAndSign(database, ORIGIN_BASE);
  for (const as of ['member', 'neighbour', 'official']) {
    for (const [route, values] of Object.entries(OF_LOG)) pools.ready(route, as, { log: LOG, ...values });
  }
  if (event) pools.ready('readReceiptAbout', 'member', { what: 'pool-contract', about: event.contract });
}
