import { Refusal } from '@ushirika/contract/refusal';
import { bytesOf, toText } from '@ushirika/contract/secret-ballots';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { blindSign } from './ballot-keys.ts';
import { leftPool, leftPools } from './left-pool.ts';
import { noSuchProposal, type ProposalRow, stateAt } from './proposal-rows.ts';

/**
 * Signs the blinded number of a member's ballot, once in a round: from the publication to the end, so that nobody has to vote right
 * after it. The same number once more gets the same answer, since a line breaks; another one is refused. A number that was blinded with
 * the key of another round is refused too: its signature would fit nothing, and the member could not vote in this round.
 * @throws Refusal `not_found`, `vote_conflict`, also without money in the pool any more, `not_on_roll`, `validation_failed` for a number that cannot be signed
 */
export async function issueToken(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly id: string; readonly saccoId: string; readonly round: number; readonly blinded: string },
): Promise<{ round: number; blind_signature: string }> {
  // The count waits until this is committed, and this until the count is.
  const [row] = await tx.sql<ProposalRow[]>`
    select * from proposals where id = ${input.id} and sacco_id = ${input.saccoId} for share`;
  if (!row) throw noSuchProposal();
  const state = stateAt(row, tx.now);
  if (row.ballot !== 'secret' || (state !== 'published' && state !== 'open')) throw new Refusal('vote_conflict');
  if (input.round !== row.round) throw new Refusal('vote_conflict', { message: OTHER_ROUND });
  const [place] = await tx.sql<{ handle: Buffer }[]>`
    select handle from proposal_roll where proposal_id = ${row.id} and member_id = ${actor.userId}`;
  if (!place) throw new Refusal('not_on_roll');
  const blinded = Buffer.from(bytesOf(input.blinded));
  const given = await givenTo(tx, row, place.handle);
  if (!given) await refuseWhoLeft(tx, row, actor);
  const token = given ?? (await give(tx, row, place.handle, blinded));
  if (!token?.blinded.equals(blinded)) throw new Refusal('vote_conflict', { message: TAKEN });
  return { round: row.round, blind_signature: toText(token.blind_signature) };
}

async function refuseWhoLeft(
  tx: Tx,
  { pool_id: poolId }: ProposalRow,
  { userId }: { readonly userId: string },
): Promise<void> {
  if (poolId !== null && (await leftPools(tx, [{ poolId, userId }]))({ poolId, userId })) throw leftPool();
}

const TAKEN = sentence(
  'Your ballot paper of this vote was given out already. Vote on the device on which you asked for it.',
);
const OTHER_ROUND = sentence('Your page shows another round of this vote. Load it again, then vote.');
const NO_NUMBER = sentence('This number cannot be signed.');

interface Token {
  readonly blinded: Buffer;
  readonly blind_signature: Buffer;
}

async function givenTo(tx: Tx, { id, round }: ProposalRow, handle: Buffer): Promise<Token | undefined> {
  const [token] = await tx.sql<Token[]>`
    select blinded, blind_signature from ballot_tokens where proposal_id = ${id} and round = ${round} and handle = ${handle}`;
  return token;
}

/** Of two requests at once the first is kept, and both read that one. */
async function give(tx: Tx, row: ProposalRow, handle: Buffer, blinded: Buffer): Promise<Token | undefined> {
  const signature = await sign(tx, row, blinded);
  await tx.sql`
    insert into ballot_tokens (proposal_id, round, handle, blinded, blind_signature)
    values (${row.id}, ${row.round}, ${handle}, ${blinded}, ${signature}) on conflict do nothing`;
  return givenTo(tx, row, handle);
}

async function sign(tx: Tx, { id, round }: ProposalRow, blinded: Buffer): Promise<Buffer> {
  const [key] = await tx.sql<{ private_key: Buffer | null }[]>`
    select private_key from proposal_keys where proposal_id = ${id} and round = ${round}`;
  if (!key?.private_key) throw new Refusal('vote_conflict');
  const signature = blindSign(key.private_key, blinded);
  if (!signature) throw new Refusal('validation_failed', { errors: { blinded: [NO_NUMBER] } });
  return signature;
}
