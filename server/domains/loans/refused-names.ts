import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';

const DAY_MS = 86_400_000;
/** So many members whom a borrower names in 24 hours may be found unfit to guarantee. */
const REFUSED_NAMES_A_DAY = 10;

/**
 * Does what names guarantors, as if alone, and counts for the borrower when a member was refused. That tells something about the
 * member, who hears nothing of it: without a limit a borrower could find out about all members of the sacco.
 * @returns what was done, or the refusal: what it wrote is taken back, the count stays
 */
export async function countingRefusedNames<Done>(
  tx: Tx,
  { userId, saccoId }: { readonly userId: string; readonly saccoId: string },
  act: () => Promise<Done>,
): Promise<Done | Refusal> {
  const key = `refused_guarantor:${saccoId}:${userId}`;
  try {
    await refuseMany(tx, key);
    return await tx.alone(act);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    if (refusal.code === 'guarantor_not_accepted') await count(tx, key);
    return refusal;
  }
}

async function refuseMany(tx: Tx, key: string): Promise<void> {
  const [many] = await tx.sql`
    select from throttles where key = ${key} and window_started_at > ${dayAgo(tx)} and attempts >= ${REFUSED_NAMES_A_DAY}`;
  if (!many) return;
  throw new Refusal('loan_conflict', {
    message: sentence('You have named {n} members who cannot guarantee your loan. Try again tomorrow.', {
      n: REFUSED_NAMES_A_DAY,
    }),
  });
}

async function count(tx: Tx, key: string): Promise<void> {
  await tx.sql`
    insert into throttles as t (key, attempts, window_started_at, locks, updated_at) values (${key}, 1, ${tx.now}, 0, ${tx.now})
    on conflict (key) do update set updated_at = excluded.updated_at,
      attempts = case when t.window_started_at > ${dayAgo(tx)} then t.attempts + 1 else 1 end,
      window_started_at = case when t.window_started_at > ${dayAgo(tx)} then t.window_started_at else excluded.window_started_at end`;
}

const dayAgo = (tx: Tx) => new Date(tx.now.getTime() - DAY_MS);
