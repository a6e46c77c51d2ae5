import { type Asked, hintsOf, settleDeposit } from './settle-deposit.ts';
import type { WalletDeps } from './wallet.deps.ts';

/**
 * Asks M-Pesa for the outcome of a prompt and settles the deposit by the answer. Called after callbacks, by sweeps and
 * for claims. It may run any number of times, also at once.
 */
export async function verifyDeposit(deps: WalletDeps, id: string): Promise<void> {
  const { database } = deps;
  const [deposit] = await database.sql<{ checkout_request_id: string | null; credited_at: Date | null }[]>`
    select checkout_request_id, credited_at from deposits where id = ${id}`;
  if (!deposit) return;
  const asked = deposit.credited_at ? null : await ask(deps, id, deposit.checkout_request_id);
  await database.transaction((tx) => settleDeposit(tx, id, asked));
}

/**
 * Asks about the stored request id. When the answer to the push was lost, it asks about the ids in callbacks, newest
 * first.
 */
async function ask(deps: WalletDeps, id: string, stored: string | null): Promise<Asked | null> {
  const hinted =
    stored === null ? (await hintsOf(deps.database, id)).map((hint) => hint.checkoutRequestId).reverse() : [];
  const candidates = stored === null ? [...new Set(hinted)].slice(0, 3) : [stored];
  let last: Asked | null = null;
  for (const checkoutRequestId of candidates) {
    last = await askAbout(deps, id, checkoutRequestId);
    if (last?.verdict === 'paid') return last;
  }
  return last;
}

async function askAbout(deps: WalletDeps, id: string, checkoutRequestId: string): Promise<Asked | null> {
  // An id that belongs to another deposit is not asked about.
  const [other] = await deps.database.sql`
    select id from deposits where checkout_request_id = ${checkoutRequestId} and id <> ${id}`;
  if (other) return null;
  const answer = await deps.daraja.stkQuery({ checkoutRequestId });
  return answer.outcome === 'accepted'
    ? { checkoutRequestId, verdict: answer.verdict, resultCode: answer.resultCode }
    : { checkoutRequestId, verdict: 'unknown', resultCode: null };
}
