import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import type { Receipt } from '@ushirika/contract/receipts';
import { Refusal } from '@ushirika/contract/refusal';
import type { Unsaid } from '@ushirika/contract/said';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { lockAccounts } from '../../ledger/balances.ts';
import type { JournalInput } from '../../ledger/ledger.types.ts';
import { errorOf, post } from '../../ledger/post.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { allowanceOf } from '../identity/value-moved.ts';
import { lockContract } from './demand-guarantee.ts';
import { lockContracts } from './guarantee-life.ts';
import {
  addContractEvents,
  type ContractRow,
  changeMembers,
  changePools,
  type LockRow,
  locksByContract,
  membersByIds,
  positionOf,
  reserveOf,
  walletOf,
} from './pool-rows.ts';
import { allocate, shareRecovery } from './pools.rules.ts';
import { tellOfPools } from './tell-of-pools.ts';

/**
 * What comes back from a borrower for whom a pool paid: to the members by what they lost until they are whole, in their wallets once they
 * have left, then to the reserve, or in a closed pool to those who lost; never above the claim. Writes the rows and gives the journal to post.
 * @returns what of `cents` is taken: the rest is not the pool's
 */
export async function recoverForPool(
  tx: Tx,
  back: { readonly loanId: string; readonly cents: Cents; readonly causedBy: string | null },
): Promise<{ taken: Cents; journals: JournalInput[] }> {
  const contract = (await lockContracts(tx, [back.loanId])).get(back.loanId);
  if (!contract) return { taken: 0, journals: [] };
  return recover(tx, contract, back);
}

async function recover(
  tx: Tx,
  contract: ContractRow,
  { cents, causedBy }: { readonly cents: Cents; readonly causedBy: string | null },
): Promise<{ taken: Cents; journals: JournalInput[] }> {
  const taken = Math.min(cents, contract.claim_cents - contract.recovered_cents);
  if (taken <= 0) return { taken: 0, journals: [] };
  const locks = (await locksByContract(tx, [contract.id])).get(contract.id) ?? [];
  const lost = locks.filter(({ lost_cents, recovered_cents }) => lost_cents > recovered_cents);
  const shares = shareRecovery(taken, {
    members: lost.map(({ lost_cents, recovered_cents }) => lost_cents - recovered_cents),
    reserve: contract.reserve_paid_cents - contract.reserve_recovered_cents,
  });
  const members = await membersByIds(
    tx,
    lost.map(({ member_id }) => member_id),
  );
  const inPool = new Set(members.filter(({ position_cents }) => position_cents > 0).map(({ id }) => id));
  const [pool] = await tx.sql<{ state: string }[]>`select state from pools where id = ${contract.pool_id}`;
  const toPosition = (memberId: string) => pool?.state !== 'CLOSED' && inPool.has(memberId);
  const ofReserve = pool?.state === 'CLOSED' ? shareReserve(contract, locks, shares.reserve) : [];
  const id = tx.newId();
  await writeRecovery(tx, contract, { id, taken, causedBy, lost, shares, toPosition, ofReserve });
  const wallet = walletOf(contract.user_id);
  const transfers = [
    ...lost.map(({ member_id, user_id }, index) => ({
      debit: wallet,
      credit: toPosition(member_id) ? positionOf(member_id) : walletOf(user_id),
      amount: shares.members[index] ?? 0,
    })),
    ...ofReserve.map(({ userId, cents }) => ({ debit: wallet, credit: walletOf(userId), amount: cents })),
    { debit: wallet, credit: reserveOf(contract.pool_id), amount: shares.reserve - sumOf(ofReserve) },
  ].filter(({ amount }) => amount > 0);
  const journal: JournalInput = {
    kind: 'pool_recovered',
    idempotencyKey: `pool_recovered:${id}`,
    causedBy,
    about: { type: 'pool_contract', id: contract.id },
    transfers,
  };
  return { taken, journals: [journal] };
}

interface OfReserve {
  readonly userId: string;
  readonly cents: Cents;
}

const sumOf = (parts: readonly OfReserve[]): Cents => parts.reduce((sum, { cents }) => sum + cents, 0);

/**
 * A closed pool has no reserve that anybody could be paid from: the reserve's part goes to the members who lost, by what each lost. Where
 * nobody lost, it goes to those whose money was locked, by how much.
 */
function shareReserve(contract: ContractRow, locks: readonly LockRow[], cents: Cents): OfReserve[] {
  const others = locks.filter(({ member_id }) => member_id !== contract.member_id);
  const losers = others.filter(({ lost_cents }) => lost_cents > 0);
  const parts = losers.length > 0 ? losers : others;
  if (cents === 0 || parts.length === 0) return [];
  const shares = allocate(
    cents,
    parts.map(({ lost_cents, initial_cents }) => (losers.length > 0 ? lost_cents : initial_cents)),
  );
  return parts.map(({ user_id }, index) => ({ userId: user_id, cents: shares[index] ?? 0 }));
}

interface Recovery {
  readonly id: string;
  readonly taken: Cents;
  /** Null where nobody asked for it: it was taken out of a dividend. */
  readonly causedBy: string | null;
  readonly lost: readonly LockRow[];
  readonly shares: { readonly members: readonly Cents[]; readonly reserve: Cents };
  readonly toPosition: (memberId: string) => boolean;
  /** Whom a closed pool's part for the reserve goes to; empty while there is a reserve. */
  readonly ofReserve: readonly OfReserve[];
}

async function writeRecovery(
  tx: Tx,
  contract: ContractRow,
  { id, taken, causedBy, lost, shares, toPosition, ofReserve }: Recovery,
): Promise<void> {
  const toMembers = taken - shares.reserve;
  const isWhole = contract.recovered_cents + taken === contract.claim_cents;
  await tx.sql`
    insert into pool_recoveries (id, contract_id, amount_cents, to_members_cents, to_reserve_cents, at)
    values (${id}, ${contract.id}, ${taken}, ${toMembers}, ${shares.reserve}, ${tx.now})`;
  await tx.sql`
    update pool_locks l set recovered_cents = l.recovered_cents + b.cents
    from unnest(${texts(lost.map(({ member_id }) => member_id))}::uuid[], ${integers(lost.map((_, index) => shares.members[index] ?? 0))}::bigint[])
      as b (id, cents)
    where l.contract_id = ${contract.id} and l.member_id = b.id`;
  const back = lost.flatMap(({ member_id }, index) => {
    const cents = shares.members[index] ?? 0;
    return cents > 0 && toPosition(member_id) ? [{ memberId: member_id, position: cents }] : [];
  });
  await changeMembers(tx, back);
  await changePools(tx, [
    {
      poolId: contract.pool_id,
      positions: back.reduce((sum, { position }) => sum + position, 0),
      reserve: shares.reserve - sumOf(ofReserve),
    },
  ]);
  const isOver = isWhole && contract.state === 'RECOVERING';
  await tx.sql`
    update pool_contracts set recovered_cents = recovered_cents + ${taken},
      reserve_recovered_cents = reserve_recovered_cents + ${shares.reserve},
      state = ${isWhole ? 'RECOVERED' : contract.state}, state_at = case when ${isWhole} then ${tx.now} else state_at end,
      ended_at = case when ${isOver} then ${tx.now}::timestamptz else ended_at end
    where id = ${contract.id}`;
  await addContractEvents(tx, [
    { contractId: contract.id, event: isWhole ? 'recovered' : 'recovered_part', amount: taken, by: causedBy },
  ]);
  await tellOfBack(tx, causedBy, [
    ...lost.map(({ user_id }, index) => ({ userId: user_id, cents: shares.members[index] ?? 0 })),
    ...ofReserve,
  ]);
}

/** Each is told once, of all that is theirs. */
async function tellOfBack(tx: Tx, causedBy: string | null, parts: readonly OfReserve[]): Promise<void> {
  const byPerson = Map.groupBy(parts, ({ userId }) => userId);
  await tellOfPools(
    tx,
    causedBy,
    [...byPerson].flatMap(([userId, own]) => {
      const cents = sumOf(own);
      const text = sentence('A borrower paid your pool back, and {amount} of it is yours.', { amount: money(cents) });
      return cents > 0 ? [{ userId, template: 'pool_recovered', text }] : [];
    }),
  );
}

const money = (cents: Cents) => formatShillings(shillingsFromCents(cents));

/**
 * A borrower pays a pool back from the wallet.
 * @throws Refusal `not_found`, `pool_contract_conflict`, `pool_amount_not_allowed`, `insufficient_funds`, `proof_required`, `payout_held`
 */
export async function payPoolClaim(
  tx: Tx,
  actor: { readonly userId: string; readonly sessionId: string },
  input: { readonly contractId: string; readonly amount: Cents },
): Promise<Unsaid<Receipt>> {
  const contract = await lockContract(tx, input.contractId);
  if (contract.user_id !== actor.userId) throw new Refusal('not_found');
  const owed = contract.claim_cents - contract.recovered_cents;
  if (owed === 0) throw new Refusal('pool_contract_conflict');
  if (input.amount > owed) {
    throw new Refusal('pool_amount_not_allowed', {
      message: sentence('That is more than you owe the pool: {owed}.', { owed: money(owed) }),
    });
  }
  const accounts = await lockAccounts(tx, [walletOf(actor.userId)]);
  if (accounts.balanceOf(walletOf(actor.userId)) < input.amount) throw new Refusal('insufficient_funds');
  const moved = { userId: actor.userId, sessionId: actor.sessionId, cents: input.amount };
  const allowance = await allowanceOf(tx, [moved]);
  const refusal = allowance.take(moved);
  if (refusal) throw refusal;
  const { journals } = await recover(tx, contract, { cents: input.amount, causedBy: actor.userId });
  const [journal] = journals;
  if (!journal) throw new Error('A recovery without a journal.');
  const [result] = await post(tx, journals, accounts);
  if (result?.status !== 'posted')
    throw errorOf(result?.status === 'refused' ? result.reason : 'account_closed', journal);
  await allowance.write();
  return {
    id: journal.idempotencyKey.slice(-36),
    what: sentence('Paid back to a guarantor pool'),
    amount: shillingsFromCents(input.amount),
    at: tx.now.toISOString(),
    journal: result.journalId,
  };
}
