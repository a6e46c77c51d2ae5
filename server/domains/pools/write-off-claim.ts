import { nairobiDay } from '@ushirika/contract/calendar-days';
import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { leastRoll, ROLL_MEMBER_DAYS } from '@ushirika/contract/voting-rules';
import type { Tx } from '../../db/tx.ts';
import type { About, ChangeExecutor } from '../saccos/changes.types.ts';
import { addVoice } from './decide-request.ts';
import { lockContract } from './demand-guarantee.ts';
import { stewardsOfPool } from './pool-access.ts';
import { addContractEvents, after, type ContractRow, DAY_MS } from './pool-rows.ts';
import { votedPool } from './voted-pool.ts';

const WRITE_OFF_AFTER_MS = 2 * 365 * DAY_MS;

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
  if (!isOld(contract, tx.now)) throw new Refusal('pool_contract_conflict', { message: TOO_EARLY });
  if (contract.user_id === actor.userId) throw new Refusal('not_allowed');
  if (await membersCanVote(tx, contract.pool_id)) throw new Refusal('change_conflict', { message: BY_MEMBERS });
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
const BY_MEMBERS = sentence('Members of the pool decide this by a vote.');

const isOld = ({ state, settled_at }: ContractRow, now: Date): boolean =>
  state === 'RECOVERING' && settled_at !== null && after(settled_at, WRITE_OFF_AFTER_MS) <= now;

/** Whether a roll of the pool that is made now would be large enough. Members of all saccos have none. */
async function membersCanVote(tx: Tx, poolId: string): Promise<boolean> {
  const since = after(tx.now, -ROLL_MEMBER_DAYS * DAY_MS);
  const [found] = await tx.sql<{ able: number; members: number; largest: number | null }[]>`
    select count(*) filter (where reason is null)::int as able,
      count(*) filter (where reason is null or reason not in ('new', 'operator'))::int as members,
      (select max(roll_size) from proposals where pool_id = ${poolId} and published_at is not null) as largest
    from pool_roll_standing(${poolId}, ${since})
    where exists (select from pools where id = ${poolId} and sacco_id is not null and state <> 'CLOSED')`;
  return found !== undefined && found.able >= leastRoll(found.members, found.largest);
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
    const contract = await oldClaim(tx, about, payload);
    if (!contract) return new Refusal('change_conflict', { message: TOO_EARLY });
    return contract.user_id === about.proposedBy ? new Refusal('change_conflict', { message: OWN_CLAIM }) : null;
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
  const pool = await votedPool(tx, about, payload);
  const [found] = await tx.sql<{ id: string }[]>`
    select id from pool_contracts where id = ${String(payload.contract)}::uuid and pool_id = ${pool?.id ?? null}::uuid`;
  const contract = found ? await lockContract(tx, found.id) : null;
  return contract && isOld(contract, tx.now) ? contract : null;
}
