import { formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { endUnused } from './guarantee-life.ts';
import { stewardsOfPool } from './pool-access.ts';
import { addContractEvents, type ContractRow, lockPool, type PoolLocked } from './pool-rows.ts';
import type { PoolNeeds } from './request-guarantee.ts';
import { tellOfPools } from './tell-of-pools.ts';

/**
 * The borrower gives an approved guarantee back that no loan used: all locks are free at once, and no fee was taken. How long the borrower
 * waits before the next one is counted from here (`unused_lately`).
 * @throws Refusal `not_found`, `pool_contract_conflict` once a loan was paid out, or while an application that is handed in names it
 */
export async function giveGuaranteeBack(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly contractId: string },
  needs: Pick<PoolNeeds, 'applicationOf'>,
): Promise<void> {
  const [found] = await tx.sql<{ pool_id: string }[]>`
    select pool_id from pool_contracts where id = ${input.contractId} and user_id = ${actor.userId}`;
  if (!found) throw new Refusal('not_found');
  // Handing an application in and paying a loan out take this lock first: what is read below stays so until this is written.
  const pool = await lockPool(tx, found.pool_id);
  const [contract] = await tx.sql<ContractRow[]>`
    select * from pool_contracts where id = ${input.contractId} for update`;
  if (!contract) throw new Refusal('not_found');
  if (contract.state !== 'PENDING_LOAN') throw new Refusal('pool_contract_conflict');
  if (await isHandedIn(tx, contract, needs)) throw new Refusal('pool_contract_conflict', { message: HANDED_IN });
  await addContractEvents(tx, [{ contractId: contract.id, event: 'given_back', by: actor.userId }]);
  await endUnused(tx, [contract]);
  await tell(tx, pool, contract);
}

const HANDED_IN = sentence(
  'An application that is handed in names this guarantee. Take the application back first: that frees the guarantee too.',
);

/** Whether the sacco looks at an application that counts on the guarantee, or has approved it. */
export async function isHandedIn(
  tx: Pick<Tx, 'sql' | 'now'>,
  { loan_id, user_id }: Pick<ContractRow, 'loan_id' | 'user_id'>,
  needs: Pick<PoolNeeds, 'applicationOf'>,
): Promise<boolean> {
  return loan_id !== null && (await needs.applicationOf(tx, { loanId: loan_id, userId: user_id })) === null;
}

/** The borrower reads that it is over, and the stewards that the pool's money is free again. */
async function tell(tx: Tx, pool: PoolLocked, contract: ContractRow): Promise<void> {
  const [[person], stewards] = await Promise.all([
    tx.sql<{ name: string }[]>`
      select first_name || ' ' || last_name as name from users where id = ${contract.user_id}`,
    stewardsOfPool(tx, pool.id),
  ]);
  const amount = formatShillings(shillingsFromCents(contract.outstanding_cents));
  const about = { pool: pool.name, amount, borrower: person?.name ?? '' };
  await tellOfPools(tx, contract.user_id, [
    {
      userId: contract.user_id,
      template: 'pool_guarantee_given_back',
      text: sentence(
        '{pool}: you gave the guarantee of {amount} back. Nothing is locked for it, and no fee was taken.',
        {
          pool: pool.name,
          amount,
        },
      ),
    },
    ...stewards
      .filter((userId) => userId !== contract.user_id)
      .map((userId) => ({
        userId,
        template: 'pool_guarantee_given_back',
        text: sentence(
          '{pool}: {borrower} gave a guarantee of {amount} back that no loan had used. It is free again.',
          about,
        ),
      })),
  ]);
}
