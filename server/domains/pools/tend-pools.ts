import type { Database } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { openAgain } from './change-pool-state.ts';
import { closeIfEmpty, closingPools } from './close-pool.ts';
import { endSilentDisputes } from './demand-guarantee.ts';
import { endUnused } from './guarantee-life.ts';
import { after, type ContractRow, DAY_MS, lockPools } from './pool-rows.ts';
import { ATTACHED_DAYS_MORE, endRequests } from './request-guarantee.ts';

const CHUNK = 200;

/**
 * What nobody waits for: quotes and reviews that were not answered expire, approved guarantees that no loan used are released, disputes that nobody decided
 * end, pools that were
 * suspended 30 days ago open again, pools that close are paid out. Sets, each a transaction; a second run finds nothing left.
 */
export async function tendPools(database: Database): Promise<void> {
  while ((await expireRequests(database)) === CHUNK);
  while ((await releaseUnused(database)) === CHUNK);
  while ((await database.transaction(endSilentDisputes)) === CHUNK);
  await openAgain(database);
  for (const poolId of await closingPools(database)) {
    await database.transaction((tx) => closeIfEmpty(tx, null, poolId));
  }
}

async function expireRequests(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    const due = await tx.sql<{ id: string; pool_id: string }[]>`
      select id, pool_id from pool_requests
      where state in ('QUOTED', 'IN_REVIEW') and expires_at <= ${tx.now} order by expires_at, id limit ${CHUNK}`;
    await lockPools(
      tx,
      due.map(({ pool_id }) => pool_id),
    );
    const open = await tx.sql<{ id: string }[]>`
      select id from pool_requests
      where id = any (${texts(due.map(({ id }) => id))}::uuid[]) and state in ('QUOTED', 'IN_REVIEW') and expires_at <= ${tx.now}`;
    await endRequests(
      tx,
      open.map(({ id }) => id),
      'EXPIRED',
    );
    return due.length;
  });
}

/** Fourteen days without a loan; with an application under way, as long as that takes, 60 days at most. */
async function releaseUnused(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    const longAgo = after(tx.now, -ATTACHED_DAYS_MORE * DAY_MS);
    const due = await tx.sql<{ id: string; pool_id: string }[]>`
      select id, pool_id from pool_contracts
      where state = 'PENDING_LOAN' and use_by <= ${tx.now} and (loan_id is null or use_by <= ${longAgo})
      order by use_by, id limit ${CHUNK}`;
    await lockPools(
      tx,
      due.map(({ pool_id }) => pool_id),
    );
    const unused = await tx.sql<ContractRow[]>`
      select * from pool_contracts
      where id = any (${texts(due.map(({ id }) => id))}::uuid[]) and state = 'PENDING_LOAN'
        and (loan_id is null or use_by <= ${longAgo}) order by id for update`;
    await endUnused(tx, unused);
    return due.length;
  });
}
