import { nairobiDay } from '@ushirika/contract/calendar-days';
import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { shillingsFromCents } from '@ushirika/contract/money';
import { WRITE_OFF_AFTER_DAYS } from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import type { About, ChangeExecutor } from '../saccos/changes.types.ts';
import { addVoice } from './decide-request.ts';
import { lockContract } from './demand-guarantee.ts';
import { stewardsOfPool } from './pool-access.ts';
import { addContractEvents, after, type ContractRow, DAY_MS } from './pool-rows.ts';
import { membersCanVote, poolRollSince } from './pools-that-vote.ts';
import { votedPool } from './voted-pool.ts';

type Reader = Pick<Tx, 'sql' | 'now'>;

/**
 * The stewards give a claim up, two years after it was paid, in a pool whose members cannot vote on it. It stays owed: what comes later is
 * still shared out.
 * @throws Refusal `not_found`, `not_allowed`, `pool_contract_conflict`, `change_conflict` where members decide
 */
export async function writeOffClaim(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly contractId: string; readonly reason: string },
): Promise<boolean> {
  const contract = await lockContract(tx, input.contractId);
  const stewards = await stewardsOfPool(tx, contract.pool_id);
  if (!stewards.includes(actor.userId)) throw new Refusal('not_found');
  const message = whyNotOld(contract, tx.now);
  if (message) throw new Refusal('pool_contract_conflict', { message });
  if (contract.user_id === actor.userId) throw new Refusal('not_allowed');
  const by = await whoGivesUp(tx, contract.pool_id);
  if (by !== 'stewards') throw new Refusal('change_conflict', { message: by === 'members' ? BY_MEMBERS : STAYS });
  const voices = await addVoice(
    tx,
    {
      poolId: contract.pool_id,
      matter: 'write_off',
      aboutId: contract.id,
      since: contract.state_at,
      stewardId: actor.userId,
      voice: 'approve',
      reason: input.reason,
    },
    stewards,
  );
  if (voices === null) throw new Refusal('pool_contract_conflict');
  if (voices.approve < voices.needed) return false;
  await writeOff(tx, contract, actor.userId);
  return true;
}

const TOO_EARLY = sentence('A claim is written off two years after it was paid, and not earlier.');
const NOT_OWED = sentence('Nothing is claimed here any more: it was paid back, or given up.');
const STAYS = sentence('The pool is closed: what is owed stays owed.');
const BY_MEMBERS = sentence('Members of the pool decide this by a vote.');

/** Why a contract is no claim that may be given up now, as a sentence; null for one that may. */
function whyNotOld({ state, settled_at }: Pick<ContractRow, 'state' | 'settled_at'>, now: Date): Sentence | null {
  if (state === 'RECOVERED' || state === 'WRITTEN_OFF') return NOT_OWED;
  const isOld =
    state === 'RECOVERING' && settled_at !== null && after(settled_at, WRITE_OFF_AFTER_DAYS * DAY_MS) <= now;
  return isOld ? null : TOO_EARLY;
}

/**
 * Who gives claims of a pool up: its members, where three of them could vote, now or once. Else accounts that nobody has
 * seen, which anybody makes, would give it back to the stewards. In a closed pool of a sacco nobody does. Members of all saccos have no roll.
 */
export async function whoGivesUp(reader: Reader, poolId: string): Promise<'stewards' | 'members' | 'nobody'> {
  const [pool] = await reader.sql<{ is_closed: boolean }[]>`
    select state = 'CLOSED' as is_closed from pools where id = ${poolId} and sacco_id is not null`;
  if (!pool) return 'stewards';
  if (pool.is_closed) return 'nobody';
  return (await membersCanVote(reader, poolId)) ? 'members' : 'stewards';
}

/** Whether somebody could propose a vote on a claim: it is old enough, members decide, and they would be on the roll. Asked of the platform. */
export async function couldProposeWriteOff(
  reader: Reader,
  claim: Pick<ContractRow, 'state' | 'settled_at' | 'pool_id' | 'user_id'>,
  userId: string,
): Promise<boolean> {
  if (claim.user_id === userId || whyNotOld(claim, reader.now)) return false;
  const [found] = await reader.sql<{ would: boolean }[]>`
    select would_vote_in_pool(${claim.pool_id}, ${poolRollSince(reader.now)}, ${userId}) as would`;
  return found?.would === true && (await whoGivesUp(reader, claim.pool_id)) === 'members';
}

async function writeOff(tx: Tx, contract: ContractRow, by: string | null): Promise<void> {
  await tx.sql`
    update pool_contracts set state = 'WRITTEN_OFF', state_at = ${tx.now}, ended_at = ${tx.now} where id = ${contract.id}`;
  await addContractEvents(tx, [
    {
      contractId: contract.id,
      event: 'written_off',
      amount: contract.claim_cents - contract.recovered_cents,
      by,
    },
  ]);
}

/** The members of a pool give a claim up, two years after it was paid. Its borrower is not named: the claim is, by amount and day. */
export const poolWriteOffChange: ChangeExecutor = {
  offices: [],
  isDelayed: false,
  words: sentence('a claim of a guarantor pool'),
  async current(tx, about, payload): Promise<ChangedValues> {
    const contract = await oldClaim(tx, about, payload);
    if (!contract?.settled_at) return {};
    const { id, pool_id, claim_cents, settled_at } = contract;
    return { pool: pool_id, contract: id, amount: shillingsFromCents(claim_cents), day: nairobiDay(settled_at) };
  },
  async refusalOf(tx, about, payload) {
    const contract = await contractOf(tx, about, payload);
    const message = contract ? whyNotOld(contract, tx.now) : TOO_EARLY;
    if (message) return new Refusal('change_conflict', { message });
    return contract?.user_id === about.proposedBy ? new Refusal('change_conflict', { message: OWN_CLAIM }) : null;
  },
  announce: async () => {},
  recall: async () => {},
  async apply(tx, about, payload) {
    const contract = await oldClaim(tx, about, payload);
    if (!contract) throw new Error('A claim is given up that is two years old.');
    await writeOff(tx, contract, null);
  },
};

const OWN_CLAIM = sentence('Another member drafts a vote on what you owe.');

async function oldClaim(tx: Tx, about: About, payload: ChangedValues): Promise<ContractRow | null> {
  const contract = await contractOf(tx, about, payload);
  return contract && whyNotOld(contract, tx.now) === null ? contract : null;
}

async function contractOf(tx: Tx, about: About, payload: ChangedValues): Promise<ContractRow | null> {
  const pool = await votedPool(tx, about, payload);
  const [found] = await tx.sql<{ id: string }[]>`
    select id from pool_contracts where id = ${String(payload.contract)}::uuid and pool_id = ${pool?.id ?? null}::uuid`;
  return found ? lockContract(tx, found.id) : null;
}
