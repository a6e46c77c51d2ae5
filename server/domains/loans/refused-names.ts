import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';

const DAY_MS = 86_400_000;
/** So many members may a borrower name in requests that are refused in 24 hours, since one of them cannot guarantee. */
const NAMES_A_DAY = 20;

/**
 * Does what names guarantors, as if alone, and counts the names for the borrower where a member was refused. The answer tells something
 * about each of them, and they hear nothing of it: without a limit a borrower could find out about all members of the sacco. The sacco is
 * locked, so that requests at once take turns.
 * @param names how many members are named
 * @returns what was done, or the refusal: what it wrote is taken back, the count stays
 */
export async function countingRefusedNames<Done>(
  tx: Tx,
  { userId, saccoId, names }: { readonly userId: string; readonly saccoId: string; readonly names: number },
  act: () => Promise<Done>,
): Promise<Done | Refusal> {
  const key = `refused_guarantor:${saccoId}:${userId}`;
  try {
    await lockSacco(tx, saccoId);
    if (names > 0) await refuseMany(tx, key);
    return await tx.alone(act);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    if (refusal.code === 'guarantor_not_accepted') await count(tx, key, names);
    return refusal;
  }
}

async function refuseMany(tx: Tx, key: string): Promise<void> {
  const [many] = await tx.sql`
    select from throttles where key = ${key} and window_started_at > ${dayAgo(tx)} and attempts >= ${NAMES_A_DAY}`;
  if (!many) return;
  throw new Refusal('loan_conflict', {
    message: sentence('You have named {n} members in requests that were refused. Try again tomorrow.', {
      n: NAMES_A_DAY,
    }),
  });
}

async function count(tx: Tx, key: string, names: number): Promise<void> {
  await tx.sql`
    insert into throttles as t (key, attempts, window_started_at, locks, updated_at) values (${key}, ${names}, ${tx.now}, 0, ${tx.now})
    on conflict (key) do update set updated_at = excluded.updated_at,
      attempts = case when t.window_started_at > ${dayAgo(tx)} then t.attempts + ${names} else ${names} end,
      window_started_at = case when t.window_started_at > ${dayAgo(tx)} then t.window_started_at else excluded.window_started_at end`;
}

const dayAgo = (tx: Tx) => new Date(tx.now.getTime() - DAY_MS);
