import { requestDeposit } from '../../server/domains/wallet/request-deposit.ts';
import { withdraw } from '../../server/domains/wallet/withdraw.ts';
import { balances } from '../../server/ledger/balances.ts';
import { PLATFORM_BOOK } from '../../server/ledger/ledger.types.ts';
import type { Person } from '../support/product.ts';
import type { CallbackWorld } from './callback-world.ts';
import { payPaybill } from './genuine.ts';

const LATEST_MS = 5 * 60_000;

/**
 * Callbacks that never come, with M-Pesa well otherwise: each payment must be in the books, and each payout settled,
 * within five minutes. Returns how long the slowest took, in seconds.
 */
export async function findLostCallbacks(world: CallbackWorld): Promise<{ seconds: number; lost: number }> {
  const { product } = world;
  const began = product.database.now();
  for (const [index, person] of world.people.entries()) await loseOne(world, person, index);
  await world.quiet();
  const open = await product.database.owner<{ id: string }[]>`select id from simulator.prompt where status = 'open'`;
  for (const { id } of open) {
    await product.call('POST', `//simulator/api/prompts/${id}`, { body: { action: 'approve' } });
  }
  await world.pass(LATEST_MS, 15_000);
  const found = await foundAfter(world, began);
  for (const { what, seconds } of found) {
    if (seconds === null || seconds * 1_000 > LATEST_MS) {
      world.violate(
        `the callback of ${what} was lost, and it was not found within five minutes, but after ${seconds} s`,
      );
    }
  }
  const dropped = await droppedSince(world, began);
  if (dropped < found.length) world.violate(`of ${found.length} callbacks that were to be lost only ${dropped} were`);
  world.count('callbacks lost for good', dropped);
  return { seconds: Math.max(0, ...found.map(({ seconds }) => Number(seconds))), lost: dropped };
}

async function loseOne(world: CallbackWorld, person: Person, index: number): Promise<void> {
  const { database } = world.product;
  const { phone } = person;
  const amountCents = (4_000 + index) * 100;
  if (index % 3 === 2) return payPaybill(world, person, 'drop');
  const [available = 0] = await balances(database, [{ book: PLATFORM_BOOK, kind: 'wallet', owner: person.id }]);
  if (index % 3 === 1 && available >= 2_000) {
    await world.control('faults', { call: 'b2c', phone, faults: index % 2 ? 'drop' : 'drop, lost_response' });
    await database.transaction((tx) => withdraw(tx, { userId: person.id }, { amountCents: 1_000, phone }));
    return;
  }
  await world.control('faults', { call: 'stk_push', phone, faults: index % 2 ? 'drop' : 'drop, lost_response' });
  await database.transaction((tx) => requestDeposit(tx, { userId: person.id }, { amountCents, phone }));
}

async function droppedSince(world: CallbackWorld, began: Date): Promise<number> {
  const [row] = await world.product.database.owner<{ times: number }[]>`
    select count(*)::int as times from simulator.delivery where status = 'dropped' and created_at >= ${began}`;
  return row?.times ?? 0;
}

function foundAfter(world: CallbackWorld, began: Date): Promise<readonly { what: string; seconds: number | null }[]> {
  return world.product.database.owner<{ what: string; seconds: number | null }[]>`
    select p.kind || ' ' || p.receipt as what,
      extract(epoch from coalesce(w.settled_at, d.credited_at, r.credited_at) - p.completed_at)::int as seconds
    from simulator.payment p
    left join withdrawals w on w.id::text = p.originator_conversation_id
    left join mpesa_receipts r on r.receipt = p.receipt
    left join deposits d on p.kind = 'stk' and d.reference = p.account_reference
    where p.completed_at >= ${began}` as Promise<readonly { what: string; seconds: number | null }[]>;
}
