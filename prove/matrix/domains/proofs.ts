import { takeTotals } from '../../../server/domains/proofs/take-totals.ts';
import { logAndSign } from '../../../server/domains/proofs/test-logs.ts';
import type { Product } from '../../support/product.ts';
import type { Cast } from '../cast.ts';
import { type DomainPart, id, is, type Kinds, leftOut, NOBODYS } from '../domain-part.ts';
import { ownThing } from '../policies.ts';
import type { RoutePolicy } from '../policy.ts';

/** Logs, which everybody may read, and the receipts of one's own movements. */
export const proofs: DomainPart = {
  policies: {
    readLog: logOf(200),
    readCheckpoint: logOf(200),
    readTile: logOf(404),
    readDeepTile: logOf(200),
    readDeepestTile: logOf(404),
    readInclusion: logOf(200),
    readConsistency: logOf(200),
    readProofReceipt: ownThing('journal'),
    listProofReceipts: { caller: 'signed_in', lines: 'signed in | * | 200' },
    readEventReceipt: ownThing('event'),
    readReceiptAbout: ownThing('id'),
    listEventReceipts: { caller: 'signed_in', lines: 'signed in | * | 200' },
    readLogTotals: logOf(200),
    readOwnTotals: {
      caller: 'signed_in',
      lines: `
        signed in | log A/B       | 200
        signed in | log malformed | 400 validation_failed
        signed in | *             | 404 not_found`,
    },
  },
  fixtures: {
    log: id('log'),
    level: is('0'),
    'readTile.a': is('000'),
    'readDeepTile.a': is('000.p'),
    'readDeepTile.b': is('1'),
    'readDeepestTile.a': is('x001'),
    'readDeepestTile.b': is('000.p'),
    'readDeepestTile.c': is('1'),
    'readInclusion.index': is(0),
    'readInclusion.size': is(1),
    'readConsistency.from': is(1),
    'readConsistency.to': is(1),
    'readProofReceipt.journal': id('movement'),
    'listProofReceipts.after': leftOut,
    'readEventReceipt.event': id('event'),
    'readReceiptAbout.what': is('pool-contract'),
    'readReceiptAbout.id': id('own_contract'),
    'listEventReceipts.after': leftOut,
  },
  raise: raiseLogs,
};

/** A log of A, of B or of nobody: who asks makes no difference. */
function logOf(found: 200 | 404): RoutePolicy {
  return {
    caller: 'anyone',
    lines: `
      anybody | log A/B | ${found === 200 ? '200' : '404 not_found'}
      anybody | *       | 404 not_found`,
  };
}

/** All that has been posted is logged and signed; the newest movement of a wallet of each is theirs. */
async function raiseLogs({ database }: Product, cast: Cast): Promise<Kinds> {
  const event = async (name: string) => {
    const [row] = await database.owner<{ id: string; contract: string }[]>`
      insert into log_events (sacco_id, kind, subject_id, head, parts)
      values (${cast.saccos.A}, 'pools', ${cast.person(name).id},
        jsonb_build_object('event', 'pool_contract_signed', 'contract', gen_random_uuid()), '[]')
      returning id::text as id, head ->> 'contract' as contract`;
    return row ?? { id: '', contract: '' };
  };
  const [hers, his, foreign] = [await event('owner'), await event('fellow'), await event('other')];
  await takeTotals({ database, originBase: 'matrix.test/log' });
  await logAndSign(database, 'matrix.test/log');
  const newest = async (name: string) => {
    const [row] = await database.sql<{ id: string }[]>`
      select max(t.journal_id)::text as id from accounts a join transfers t on a.id in (t.debit_account_id, t.credit_account_id)
      where a.owner_id = ${cast.person(name).id} and a.kind = 'wallet'`;
    if (!row?.id) throw new Error(`${name} has no movement.`);
    return row.id;
  };
  return {
    log: { isPublic: true, objects: { A: cast.saccos.A, B: cast.saccos.B, ...NOBODYS } },
    event: { objects: { hers: hers.id, his: his.id, foreign: foreign.id, ...NOBODYS } },
    own_contract: {
      objects: { hers: hers.contract, his: his.contract, foreign: foreign.contract, ...NOBODYS },
    },
    movement: {
      objects: { hers: await newest('owner'), his: await newest('fellow'), foreign: await newest('other'), ...NOBODYS },
    },
  };
}
