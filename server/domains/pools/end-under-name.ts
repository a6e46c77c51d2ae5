import type { Tx } from '../../db/tx.ts';
import { endUnused } from './guarantee-life.ts';
import { addContractEvents, type ContractRow } from './pool-rows.ts';
import { endRequests } from './request-guarantee.ts';

/** The pools that somebody has asked for a guarantee, or whose guarantee no loan has used yet. */
export async function poolsUnderName(tx: Pick<Tx, 'sql'>, userId: string): Promise<string[]> {
  const rows = await tx.sql<{ pool_id: string }[]>`
    select pool_id from pool_requests where user_id = ${userId} and state in ('QUOTED', 'IN_REVIEW')
    union select pool_id from pool_contracts where user_id = ${userId} and state = 'PENDING_LOAN'`;
  return rows.map(({ pool_id }) => pool_id);
}

/** The name that quotes and guarantees were asked for under is another: what no loan has used ends. The pools are locked. */
export async function endPoolsUnderName(tx: Tx, userId: string): Promise<void> {
  const requests = await tx.sql<{ id: string }[]>`
    select id from pool_requests where user_id = ${userId} and state in ('QUOTED', 'IN_REVIEW') order by id for update`;
  await endRequests(
    tx,
    requests.map(({ id }) => id),
    'CANCELLED',
  );
  const contracts = await tx.sql<ContractRow[]>`
    select * from pool_contracts where user_id = ${userId} and state = 'PENDING_LOAN' order by id for update`;
  await addContractEvents(
    tx,
    contracts.map(({ id }) => ({ contractId: id, event: 'given_back' as const, by: userId })),
  );
  await endUnused(tx, contracts);
}
