import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { type JournalInput, PLATFORM_BOOK, type TransferInput } from '../../ledger/ledger.types.ts';
import { amountValue } from '../notifications/sms-values.ts';
import { lockContracts, writeLocks } from './guarantee-life.ts';
import { shrinkNotices } from './pay-withdrawals.ts';
import {
  addContractEvents,
  type ContractRow,
  callableFrom,
  changeMembers,
  changePools,
  type LockRow,
  lockPool,
  locksByContract,
  type MemberRow,
  membersByIds,
  type PoolLocked,
  positionOf,
  readPoolRows,
  reserveOf,
  unearnedOf,
} from './pool-rows.ts';
import { callWaterfall } from './pools.rules.ts';
import { poolsSms } from './pools.sms.ts';
import { tellOfPools } from './tell-of-pools.ts';

/** What a call pays, and the journal that pays it: settlement and the sacco's cash, against the loan's principal. */
export interface Called {
  readonly paid: Cents;
  /** What of it the pool's reserve and others paid: the borrower owes it to the pool. */
  readonly claim: Cents;
  readonly journals: readonly JournalInput[];
}

const NOTHING: Called = { paid: 0, claim: 0, journals: [] };

/**
 * Calls the guarantee of a loan, once the sacco has applied the borrower's own savings, dividends and collateral (A6). `shortfall` is the
 * principal that is left, without interest and penalties. It pays at most what is still guaranteed: the borrower's own position, then a
 * part of the reserve, then the locks. The journal moves the money to the sacco and credits `loan_principal`: the caller posts it, and
 * writes its own row.
 * @returns nothing where the loan has no guarantee of a pool
 * @throws Refusal `pool_contract_conflict` before 14 days after the demand, while it is disputed, or once it was paid
 */
export async function callGuarantee(
  tx: Tx,
  {
    loanId,
    shortfall,
    causedBy,
  }: { readonly loanId: string; readonly shortfall: Cents; readonly causedBy: string | null },
): Promise<Called> {
  const contract = (await lockContracts(tx, [loanId])).get(loanId);
  if (!contract || contract.outstanding_cents === 0) return NOTHING;
  refuseEarly(tx, contract);
  const pool = await lockPool(tx, contract.pool_id);
  const found = await callingOf(tx, { pool, contract, shortfall });
  await writeCall(tx, found);
  await tell(tx, causedBy, found);
  const paid = found.shares.borrower + found.shares.reserve + sum(found.shares.members);
  return { paid, claim: paid - found.shares.borrower, journals: journalOf(found, causedBy) };
}

/** What a call would take at this moment, and from whom. */
export interface Callable {
  readonly poolName: string;
  /** Of the borrower's own position. */
  readonly own: Cents;
  readonly reserve: Cents;
  readonly members: Cents;
}

/** The same without doing it; null where no pool guarantees the loan now. */
export async function previewCall(
  tx: Pick<Tx, 'sql' | 'now'>,
  { loanId, shortfall }: { readonly loanId: string; readonly shortfall: Cents },
): Promise<Callable | null> {
  const [contract] = await tx.sql<ContractRow[]>`
    select * from pool_contracts where loan_id = ${loanId} and outstanding_cents > 0 and activated_at is not null`;
  const [pool] = contract ? await readPoolRows(tx, [contract.pool_id]) : [];
  if (!contract || !pool) return null;
  const { shares } = await callingOf(tx, { pool, contract, shortfall });
  return {
    poolName: pool.name,
    own: shares.borrower,
    reserve: shares.reserve,
    members: sum(shares.members),
  };
}

async function callingOf(
  tx: Pick<Tx, 'sql' | 'now'>,
  { pool, contract, shortfall }: Pick<Calling, 'pool' | 'contract'> & { readonly shortfall: Cents },
): Promise<Calling> {
  const locks = (await locksByContract(tx, [contract.id])).get(contract.id) ?? [];
  const [borrower] = await membersByIds(tx, [contract.member_id]);
  if (!borrower) throw new Error('The borrower of a guarantee is not in its pool.');
  const ownLock = locks.find(({ member_id }) => member_id === contract.member_id)?.current_cents ?? 0;
  const others = locks.filter(({ member_id, current_cents }) => member_id !== contract.member_id && current_cents > 0);
  // Step 0: what of the fee is not earned stays with the pool.
  const unearned =
    contract.fee_cents - contract.fee_earned_cents - contract.fee_refunded_cents - contract.fee_to_reserve_cents;
  const shares = callWaterfall({
    shortfall: Math.min(shortfall, contract.outstanding_cents),
    // All of it but what backs others.
    borrowerPosition: borrower.position_cents - (borrower.locked_cents - ownLock),
    reserve: pool.reserve_cents + unearned,
    reserveDraw: contract.reserve_draw,
    locks: others.map(({ current_cents }) => current_cents),
  });
  return { pool, contract, borrower, ownLock, others, locks, unearned, shares };
}

function refuseEarly(tx: Tx, contract: ContractRow): void {
  const from = callableFrom(contract);
  const isDue = contract.state === 'CALLED' || (contract.state === 'DEMAND' && from !== null && from <= tx.now);
  if (isDue || !isGuarded('pools.demand_first')) return;
  throw new Refusal('pool_contract_conflict', {
    message:
      contract.state === 'DISPUTED'
        ? sentence('The pool disputes the demand: the supervisory committee decides first.')
        : sentence('A pool pays 14 days after the demand, and not earlier.'),
  });
}

interface Calling {
  readonly pool: PoolLocked;
  readonly contract: ContractRow;
  readonly borrower: MemberRow;
  readonly ownLock: Cents;
  /** Others whose money backs it. */
  readonly others: readonly LockRow[];
  readonly locks: readonly LockRow[];
  readonly unearned: Cents;
  readonly shares: { readonly borrower: Cents; readonly reserve: Cents; readonly members: readonly Cents[] };
}

const sum = (amounts: readonly Cents[]) => amounts.reduce((total, amount) => total + amount, 0);

async function writeCall(
  tx: Tx,
  { pool, contract, borrower, ownLock, others, locks, unearned, shares }: Calling,
): Promise<void> {
  const lostBy = new Map(others.map(({ member_id }, index) => [member_id, shares.members[index] ?? 0]));
  await writeLocks(
    tx,
    locks.map(({ member_id }) => ({
      contractId: contract.id,
      memberId: member_id,
      stays: 0,
      lost: lostBy.get(member_id) ?? 0,
    })),
  );
  const free = borrower.position_cents - borrower.locked_cents - borrower.notice_cents + ownLock;
  // What of the borrower's money is under notice is taken too: the notices shrink first, so that the rows stay within the position.
  const underNotice = Math.max(0, shares.borrower - free);
  await changeMembers(tx, [{ memberId: borrower.id, locked: -ownLock }]);
  await changePools(tx, [
    {
      poolId: pool.id,
      locked: -contract.outstanding_cents,
      guaranteed: -contract.outstanding_cents,
      weighted: -contract.weighted_cents,
      guarantees: -1,
    },
  ]);
  if (underNotice > 0) await shrinkNotices(tx, pool.id, [{ memberId: borrower.id, cents: underNotice }]);
  await changeMembers(tx, [
    { memberId: borrower.id, position: -shares.borrower },
    ...others.map(({ member_id, current_cents }) => ({
      memberId: member_id,
      locked: -current_cents,
      position: -(lostBy.get(member_id) ?? 0),
    })),
  ]);
  const [left] = await tx.sql<{ members: number }[]>`
    select count(*)::int as members from pool_members where pool_id = ${pool.id} and position_cents > 0`;
  await changePools(tx, [
    {
      poolId: pool.id,
      positions: -shares.borrower - sum(shares.members),
      reserve: unearned - shares.reserve,
      unearned: -unearned,
      members: (left?.members ?? 0) - pool.members_count,
    },
  ]);
  await writePaid(tx, contract, unearned, shares);
}

async function writePaid(tx: Tx, contract: ContractRow, unearned: Cents, shares: Calling['shares']): Promise<void> {
  const paid = shares.borrower + shares.reserve + sum(shares.members);
  const claim = paid - shares.borrower;
  await tx.sql`
    update pool_contracts set state = ${claim > 0 ? 'RECOVERING' : 'SETTLED'}, state_at = ${tx.now}, settled_at = ${tx.now},
      ended_at = ${claim > 0 ? null : tx.now}, outstanding_cents = 0, weighted_cents = 0, earns_at = null,
      fee_to_reserve_cents = fee_to_reserve_cents + ${unearned}, paid_cents = ${paid}, own_paid_cents = ${shares.borrower},
      reserve_paid_cents = ${shares.reserve}, claim_cents = ${claim}
    where id = ${contract.id}`;
  await addContractEvents(tx, [
    { contractId: contract.id, event: 'called', amount: paid },
    { contractId: contract.id, event: 'settled', amount: paid },
  ]);
}

function journalOf(
  { pool, contract, borrower, others, unearned, shares }: Calling,
  causedBy: string | null,
): JournalInput[] {
  const saccoId = contract.sacco_id as string;
  const settlement = { book: PLATFORM_BOOK, kind: 'settlement', owner: saccoId } as const;
  const paid = shares.borrower + shares.reserve + sum(shares.members);
  const transfers: TransferInput[] = [
    { debit: unearnedOf(pool.id), credit: reserveOf(pool.id), amount: unearned },
    { debit: positionOf(borrower.id), credit: settlement, amount: shares.borrower },
    { debit: reserveOf(pool.id), credit: settlement, amount: shares.reserve },
    ...others.map(({ member_id }, index) => ({
      debit: positionOf(member_id),
      credit: settlement,
      amount: shares.members[index] ?? 0,
    })),
    {
      debit: { book: saccoId, kind: 'cash', owner: null },
      credit: { book: saccoId, kind: 'loan_principal', owner: contract.loan_id },
      amount: paid,
    },
  ];
  const moved = transfers.filter(({ amount }) => amount > 0);
  if (moved.length === 0) return [];
  return [
    {
      kind: 'pool_called',
      idempotencyKey: `pool_called:${contract.id}`,
      causedBy,
      about: { type: 'pool_contract', id: contract.id },
      transfers: moved,
    },
  ];
}

async function tell(tx: Tx, causedBy: string | null, { contract, others, shares }: Calling): Promise<void> {
  const paid = shares.borrower + shares.reserve + sum(shares.members);
  const claim = paid - shares.borrower;
  const losers = others.flatMap(({ user_id }, index) => {
    const lost = shares.members[index] ?? 0;
    return lost > 0 ? [{ userId: user_id, lost }] : [];
  });
  await tellOfPools(tx, causedBy, [
    {
      userId: contract.user_id,
      template: 'pool_called_borrower',
      text: sentence('The pool paid {paid} of your loan. You owe the pool {claim}.', {
        paid: money(paid),
        claim: money(claim),
      }),
      sms: poolsSms.calledBorrower(amountValue(paid), amountValue(claim)),
    },
    ...losers.map(({ userId, lost }) => ({
      userId,
      template: 'pool_called_backer',
      text: sentence(
        'Your pool paid for a borrower, and {lost} of it was yours. What the borrower pays back comes to you first.',
        {
          lost: money(lost),
        },
      ),
      sms: poolsSms.lost(amountValue(lost)),
    })),
  ]);
}

const money = (cents: Cents) => formatShillings(shillingsFromCents(cents));
