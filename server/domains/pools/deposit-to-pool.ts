import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import type { Receipt } from '@ushirika/contract/receipts';
import { Refusal } from '@ushirika/contract/refusal';
import type { Unsaid } from '@ushirika/contract/said';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { lockAccounts } from '../../ledger/balances.ts';
import type { JournalInput } from '../../ledger/ledger.types.ts';
import { errorOf, post } from '../../ledger/post.ts';
import { allowanceOf } from '../identity/value-moved.ts';
import { refuseWhileMoneyIsHeld, requireMemberFor } from './pool-access.ts';
import {
  changeMembers,
  changePools,
  lockPool,
  memberOf,
  moveState,
  type PoolLocked,
  positionOf,
  walletOf,
} from './pool-rows.ts';
import { equityOf, OPENING_CONTRIBUTIONS, OPENING_MEMBERS } from './pools.rules.ts';
import { noNeeds, type PoolNeeds } from './request-guarantee.ts';
import { termsHashOf } from './signed-terms.ts';

export interface PoolDeposit {
  readonly userId: string;
  readonly sessionId: string;
  readonly poolId: string;
  readonly amount: Cents;
}

/**
 * Joins a pool with a first deposit, after its terms were accepted by their hash. All is judged before anything is written: a
 * refused one of a batch leaves nothing.
 * @throws Refusal `not_found`, `not_a_member`, `pool_state_conflict`, `already_in_pool`, `terms_changed`, `pool_amount_not_allowed`,
 *   `not_allowed` for an official where too few others could decide, `payout_held`, `insufficient_funds`, `proof_required`
 */
export async function joinPool(
  tx: Tx,
  input: PoolDeposit & { readonly termsHash: string },
  { mayJoin }: Pick<PoolNeeds, 'mayJoin'> = noNeeds,
): Promise<Unsaid<Receipt>> {
  const pool = await lockPool(tx, input.poolId);
  await requireMemberFor(tx, pool, input.userId);
  refuseNoDeposits(pool);
  const member = await memberOf(tx, pool.id, input.userId);
  if (member && member.position_cents > 0) throw new Refusal('already_in_pool');
  if (termsHashOf(pool) !== input.termsHash) {
    throw new Refusal('terms_changed', {
      message: sentence('The terms of this pool have changed. Read them again and confirm.'),
      extra: { terms_hash: termsHashOf(pool) },
    });
  }
  if (input.amount < pool.min_contribution_cents) {
    const least = formatShillings(shillingsFromCents(pool.min_contribution_cents));
    throw new Refusal('pool_amount_not_allowed', {
      message: sentence('The first deposit in this pool is at least {least}.', { least }),
    });
  }
  if (
    pool.sacco_id !== null &&
    !(await mayJoin(tx, { saccoId: pool.sacco_id, poolId: pool.id, userId: input.userId }))
  ) {
    throw new Refusal('not_allowed', { message: TOO_FEW_LEFT });
  }
  const memberId = member?.id ?? tx.newId();
  const receipt = await payIn(tx, pool, { ...input, memberId });
  // Who comes back has the place, and the account, that they had; the days in the pool begin anew.
  await tx.sql`
    insert into pool_members (id, pool_id, user_id, sequence, joined_at, terms_hash)
    values (${memberId}, ${pool.id}, ${input.userId},
      1 + coalesce((select max(sequence) from pool_members where pool_id = ${pool.id}), 0), ${tx.now}, ${input.termsHash})
    on conflict (pool_id, user_id) do update set joined_at = excluded.joined_at, terms_hash = excluded.terms_hash`;
  await addDeposit(tx, pool, { memberId, amount: input.amount, isNew: true });
  return receipt;
}

/**
 * Adds to a position.
 * @throws Refusal `not_found`, `not_a_pool_member`, `not_a_member`, `pool_state_conflict`, `payout_held`, `insufficient_funds`,
 *   `proof_required`
 */
export async function depositToPool(tx: Tx, input: PoolDeposit): Promise<Unsaid<Receipt>> {
  const pool = await lockPool(tx, input.poolId);
  const member = await memberOf(tx, pool.id, input.userId);
  if (!member || member.position_cents === 0) throw new Refusal('not_a_pool_member', { message: NOT_IN });
  await requireMemberFor(tx, pool, input.userId, true);
  refuseNoDeposits(pool);
  const receipt = await payIn(tx, pool, { ...input, memberId: member.id });
  await addDeposit(tx, pool, { memberId: member.id, amount: input.amount, isNew: false });
  return receipt;
}

const TOO_FEW_LEFT = sentence(
  'You are an official of this sacco. Nobody decides about a loan that their own money backs, and with yours in this pool too few officials would be left.',
);

export const NOT_IN = sentence('You are not a member of this pool. Join it first.');

function refuseNoDeposits({ state }: PoolLocked): void {
  if (state !== 'CLOSING' && state !== 'CLOSED') return;
  throw new Refusal('pool_state_conflict', { message: sentence('This pool is closing: it takes no more money.') });
}

/** The money, judged before it moves: what the wallet lacks is refused as that, and nobody is asked for a password in vain. */
async function payIn(
  tx: Tx,
  pool: PoolLocked,
  { userId, sessionId, memberId, amount }: PoolDeposit & { readonly memberId: string },
): Promise<Unsaid<Receipt>> {
  await refuseWhileMoneyIsHeld(tx, userId);
  const accounts = await lockAccounts(tx, [walletOf(userId), positionOf(memberId)]);
  if (accounts.balanceOf(walletOf(userId)) < amount) throw new Refusal('insufficient_funds');
  const moved = { userId, sessionId, cents: amount };
  const allowance = await allowanceOf(tx, [moved]);
  const refusal = allowance.take(moved);
  if (refusal) throw refusal;
  const id = tx.newId();
  const journal: JournalInput = {
    kind: 'pool_deposited',
    idempotencyKey: `pool_deposited:${id}`,
    causedBy: userId,
    about: { type: 'pool', id: pool.id },
    transfers: [{ debit: walletOf(userId), credit: positionOf(memberId), amount }],
  };
  const [result] = await post(tx, [journal], accounts);
  if (result?.status !== 'posted')
    throw errorOf(result?.status === 'refused' ? result.reason : 'account_closed', journal);
  await allowance.write();
  return {
    id,
    what: sentence('Deposit in the pool {name}', { name: pool.name }),
    amount: shillingsFromCents(amount),
    at: tx.now.toISOString(),
    journal: result.journalId,
  };
}

async function addDeposit(
  tx: Tx,
  pool: PoolLocked,
  { memberId, amount, isNew }: { readonly memberId: string; readonly amount: Cents; readonly isNew: boolean },
): Promise<void> {
  await changeMembers(tx, [{ memberId, position: amount }]);
  await changePools(tx, [{ poolId: pool.id, positions: amount, members: isNew ? 1 : 0 }]);
  const equity = equityOf({ positions: pool.positions_cents + amount, notice: pool.notice_cents });
  const isFull =
    pool.members_count + (isNew ? 1 : 0) >= OPENING_MEMBERS &&
    equity >= OPENING_CONTRIBUTIONS * pool.min_contribution_cents;
  if (pool.state === 'FORMING' && isFull) await moveState(tx, pool, 'OPEN', { userId: null });
}
