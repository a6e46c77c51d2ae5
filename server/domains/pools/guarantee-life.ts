import type { Cents } from '@ushirika/contract/money';
import type { PoolContractState } from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import type { Tx } from '../../db/tx.ts';
import type { JournalInput } from '../../ledger/ledger.types.ts';
import { booleans, integers, texts } from '../../ledger/sql-arrays.ts';
import { earn, monthAfter, monthsPassed } from './earn-fees.ts';
import {
  addContractEvents,
  type ContractRow,
  changeMembers,
  changePools,
  LIVE_STATES,
  lockPools,
  locksByContract,
  type NewEvent,
  unearnedOf,
  walletOf,
} from './pool-rows.ts';
import { guaranteeLeft, locksAfterRelease, weightedExposure } from './pools.rules.ts';

/*
 * What loans do to guarantees as a loan lives. Each function locks the pools, writes the pools' rows and gives the journals that belong
 * to it: whoever calls posts them with its own, in one `post`, after all its locks.
 */

/**
 * Locks the pools that guarantee loans or are asked to, and those of requests, in the order of their ids. Whoever locks a sacco, pools, loans
 * and accounts does it in this order.
 */
export async function lockPoolsOf(
  tx: Tx,
  { loanIds, requestIds = [] }: { readonly loanIds: readonly string[]; readonly requestIds?: readonly string[] },
): Promise<void> {
  const found = await tx.sql<{ pool_id: string }[]>`
    select distinct pool_id from (
      select pool_id from pool_requests where loan_id = any (${texts(loanIds)}::uuid[])
      union all select pool_id from pool_requests where id = any (${texts(requestIds)}::uuid[])) as each`;
  await lockPools(
    tx,
    found.map(({ pool_id }) => pool_id),
  );
}

/** Contracts of loans, once their pools are locked, in the order of the loans' ids. A loan without one is not there. */
export async function lockContracts(tx: Tx, loanIds: readonly string[]): Promise<Map<string, ContractRow>> {
  const ids = texts([...new Set(loanIds)]);
  const found = await tx.sql<{ id: string; pool_id: string }[]>`
    select id, pool_id from pool_contracts
    where loan_id = any (${ids}::uuid[]) and (state <> 'RELEASED' or activated_at is not null)`;
  if (found.length === 0) return new Map();
  await lockPools(
    tx,
    found.map(({ pool_id }) => pool_id),
  );
  const rows = await tx.sql<ContractRow[]>`
    select * from pool_contracts where id = any (${texts(found.map(({ id }) => id))}::uuid[]) order by id for update`;
  return new Map(rows.map((row) => [row.loan_id as string, row]));
}

/**
 * The loan is paid out: the guarantee is in force, and its fee leaves the borrower's wallet with the journal that this gives. Post it
 * behind the journal of the disbursement. Null where the loan has no guarantee of a pool.
 * @throws Refusal `pool_contract_conflict` where the guarantee is over, or was not for this loan
 */
export async function activateGuarantee(
  tx: Tx,
  paidOut: { readonly loanId: string; readonly saccoId: string; readonly principal: Cents },
): Promise<JournalInput | null> {
  const contract = (await lockContracts(tx, [paidOut.loanId])).get(paidOut.loanId);
  if (!contract) return null;
  if (contract.state !== 'PENDING_LOAN' || contract.sacco_id !== paidOut.saccoId) {
    throw new Refusal('pool_contract_conflict');
  }
  await tx.sql`
    update pool_contracts set state = 'ACTIVE', state_at = ${tx.now}, use_by = null, activated_at = ${tx.now},
      principal_at_start_cents = ${paidOut.principal}, earns_at = ${monthAfter(tx.now, 1)}
    where id = ${contract.id}`;
  await changePools(tx, [{ poolId: contract.pool_id, unearned: contract.fee_cents }]);
  await addContractEvents(tx, [{ contractId: contract.id, event: 'activated', amount: contract.fee_cents }]);
  if (contract.fee_cents === 0) return null;
  return {
    kind: 'pool_fee_paid',
    idempotencyKey: `pool_fee_paid:${contract.id}`,
    causedBy: contract.user_id,
    about: { type: 'pool_contract', id: contract.id },
    transfers: [
      { debit: walletOf(contract.user_id), credit: unearnedOf(contract.pool_id), amount: contract.fee_cents },
    ],
  };
}

export interface Repaid {
  readonly loanId: string;
  /** Principal that is still owed. */
  readonly principalOut: Cents;
  readonly principalAtStart: Cents;
  /** No day of the loan is overdue now: a demand is over. */
  readonly isCured?: boolean;
}

/**
 * Principal was paid back: guarantees and locks fall in proportion, whatever the number of loans in a constant number of statements.
 * Where nothing is owed any more the guarantee is over, and what of the fee is not earned goes back by the journals that this gives.
 */
export async function releaseGuarantees(tx: Tx, repaid: readonly Repaid[]): Promise<JournalInput[]> {
  const contracts = await lockContracts(
    tx,
    repaid.map(({ loanId }) => loanId),
  );
  const moves = repaid.flatMap((one): Release[] => {
    const contract = contracts.get(one.loanId);
    if (!contract || !(LIVE_STATES as readonly PoolContractState[]).includes(contract.state)) return [];
    const left = Math.min(
      contract.outstanding_cents,
      guaranteeLeft(contract.amount_cents, one.principalOut, one.principalAtStart),
    );
    const isCured = one.isCured === true && contract.reminded_day > 0 && contract.state !== 'DISPUTED';
    return left === contract.outstanding_cents && !isCured ? [] : [{ contract, left, isCured }];
  });
  const ended = moves.filter(({ left }) => left === 0).map(({ contract }) => contract);
  const journals = await earn(
    tx,
    ended.map((contract) => ({ contract, months: monthsPassed(contract, tx.now) })),
  );
  await fall(tx, moves);
  return [...journals, ...(await refund(tx, ended))];
}

export interface Release {
  readonly contract: ContractRow;
  /** What stays guaranteed. */
  readonly left: Cents;
  readonly isCured: boolean;
}

/** Locks, sums and states of guarantees that fall. Pools and contracts are locked. */
async function fall(tx: Tx, moves: readonly Release[]): Promise<void> {
  if (moves.length === 0) return;
  const locks = await locksByContract(
    tx,
    moves.map(({ contract }) => contract.id),
  );
  const changed = moves.flatMap(({ contract, left }) => {
    const own = locks.get(contract.id) ?? [];
    const after = locksAfterRelease(
      own.map(({ current_cents }) => current_cents),
      left,
    );
    return own.flatMap((lock, index) => {
      const stays = after[index] ?? 0;
      return stays < lock.current_cents ? [{ lock, stays }] : [];
    });
  });
  await writeLocks(
    tx,
    changed.map(({ lock, stays }) => ({ contractId: lock.contract_id, memberId: lock.member_id, stays })),
  );
  await changeMembers(
    tx,
    changed.map(({ lock, stays }) => ({ memberId: lock.member_id, locked: stays - lock.current_cents })),
  );
  await changePools(
    tx,
    moves.map(({ contract, left }) => ({
      poolId: contract.pool_id,
      locked: left - contract.outstanding_cents,
      guaranteed: left - contract.outstanding_cents,
      weighted: weightedExposure(left, contract.risk_weight) - contract.weighted_cents,
      guarantees: left === 0 ? -1 : 0,
    })),
  );
  await writeFallen(tx, moves);
}

export async function writeLocks(
  tx: Tx,
  locks: readonly {
    readonly contractId: string;
    readonly memberId: string;
    readonly stays: Cents;
    readonly lost?: Cents;
  }[],
): Promise<void> {
  if (locks.length === 0) return;
  await tx.sql`
    update pool_locks l set current_cents = c.stays, lost_cents = l.lost_cents + c.lost
    from unnest(${texts(locks.map(({ contractId }) => contractId))}::uuid[], ${texts(locks.map(({ memberId }) => memberId))}::uuid[],
      ${integers(locks.map(({ stays }) => stays))}::bigint[], ${integers(locks.map(({ lost }) => lost ?? 0))}::bigint[])
      as c (contract_id, member_id, stays, lost)
    where l.contract_id = c.contract_id and l.member_id = c.member_id`;
}

function stateAfter({ contract, left, isCured }: Release): PoolContractState {
  if (left === 0) return 'RELEASED';
  if (!isCured && contract.state !== 'ACTIVE') return contract.state;
  return left < contract.amount_cents ? 'RELEASING' : 'ACTIVE';
}

async function writeFallen(tx: Tx, moves: readonly Release[]): Promise<void> {
  const states = moves.map(stateAfter);
  await tx.sql`
    update pool_contracts c set outstanding_cents = m.left_cents, weighted_cents = m.weighted,
      state_at = case when c.state = m.state then c.state_at else ${tx.now} end, state = m.state,
      demanded_at = case when m.state in ('DEMAND', 'DISPUTED', 'CALLED') then c.demanded_at end,
      reminded_day = case when m.is_cured then 0 else c.reminded_day end,
      earns_at = case when m.state = 'RELEASED' then null else c.earns_at end,
      ended_at = case when m.state = 'RELEASED' then ${tx.now}::timestamptz end
    from unnest(${texts(moves.map(({ contract }) => contract.id))}::uuid[], ${integers(moves.map(({ left }) => left))}::bigint[],
      ${integers(moves.map(({ contract, left }) => weightedExposure(left, contract.risk_weight)))}::bigint[],
      ${texts(states)}::text[], ${booleans(moves.map(({ isCured }) => isCured))}::boolean[])
      as m (id, left_cents, weighted, state, is_cured)
    where c.id = m.id`;
  await addContractEvents(
    tx,
    moves.flatMap(({ contract, left, isCured }): NewEvent[] => [
      ...(isCured && contract.demanded_at !== null ? [{ contractId: contract.id, event: 'cured' as const }] : []),
      ...(left === 0
        ? [{ contractId: contract.id, event: 'released' as const, amount: contract.outstanding_cents }]
        : left < contract.outstanding_cents
          ? [{ contractId: contract.id, event: 'released_part' as const, amount: contract.outstanding_cents - left }]
          : []),
    ]),
  );
}

/** What of the fees is not earned goes back to the borrowers. */
async function refund(tx: Tx, ended: readonly ContractRow[]): Promise<JournalInput[]> {
  if (ended.length === 0) return [];
  const rows = await tx.sql<{ id: string; pool_id: string; user_id: string; rest: Cents }[]>`
    update pool_contracts set fee_refunded_cents = fee_cents - fee_earned_cents - fee_to_reserve_cents
    where id = any (${texts(ended.map(({ id }) => id))}::uuid[]) and activated_at is not null
      and fee_cents > fee_earned_cents + fee_to_reserve_cents + fee_refunded_cents
    returning id, pool_id, user_id, fee_refunded_cents as rest`;
  await changePools(
    tx,
    rows.map(({ pool_id, rest }) => ({ poolId: pool_id, unearned: -rest })),
  );
  return rows.map(
    ({ id, pool_id, user_id, rest }): JournalInput => ({
      kind: 'pool_fee_refunded',
      idempotencyKey: `pool_fee_refunded:${id}`,
      causedBy: null,
      about: { type: 'pool_contract', id },
      transfers: [{ debit: unearnedOf(pool_id), credit: walletOf(user_id), amount: rest }],
    }),
  );
}

/**
 * The application came to nothing: its guarantee, if it was approved, is released without a fee; a quote is free for another loan.
 * Of a loan that was paid out this is `releaseGuarantees` with nothing owed.
 */
export async function closeGuarantee(tx: Tx, { loanId }: { readonly loanId: string }): Promise<JournalInput[]> {
  const contract = (await lockContracts(tx, [loanId])).get(loanId);
  if (contract && contract.state !== 'PENDING_LOAN') {
    return releaseGuarantees(tx, [{ loanId, principalOut: 0, principalAtStart: 1 }]);
  }
  if (contract) await endUnused(tx, [contract]);
  await tx.sql`
    update pool_requests set loan_id = null, sacco_id = null where loan_id = ${loanId} and state in ('QUOTED', 'IN_REVIEW')`;
  return [];
}

/** Approved guarantees that no loan used: all locks are free again, and no fee was taken. Pools are locked. */
export async function endUnused(tx: Tx, contracts: readonly ContractRow[]): Promise<void> {
  await fallUnused(
    tx,
    contracts.filter(({ state }) => state === 'PENDING_LOAN'),
  );
}

async function fallUnused(tx: Tx, contracts: readonly ContractRow[]): Promise<void> {
  if (contracts.length === 0) return;
  await tx.sql`
    update pool_contracts set use_by = null, loan_id = null, state = 'RELEASED', ended_at = ${tx.now}, state_at = ${tx.now},
      outstanding_cents = 0, weighted_cents = 0
    where id = any (${texts(contracts.map(({ id }) => id))}::uuid[])`;
  await tx.sql`
    update pool_requests set loan_id = null, sacco_id = null
    where id = any (${texts(contracts.map(({ request_id }) => request_id))}::uuid[])`;
  await fall(
    tx,
    contracts.map((contract) => ({ contract, left: 0, isCured: false })),
  );
}
