import { afterAll, beforeAll, expect, test } from 'vitest';
import { breaches } from '../../ledger/invariants.ts';
import { openPaybill, type WalletWorld, walletWorld } from './test-wallet.ts';
import { walletInvariants } from './wallet.invariants.ts';

let world: WalletWorld;
let receipt: string;
beforeAll(async () => {
  world = await walletWorld();
  await openPaybill(world);
  const paid = { phone: '254711000300', amount: 700, account_reference: 'nobody' };
  receipt = (await world.call('/api/payments', paid)).body.receipt as string;
  await world.settle();
});
afterAll(() => world.close());

const [asBooked, isShown, inAll, isDifferenceShown] = walletInvariants.map(({ name }) => name);

/** The invariants that a change by the database's owner breaks. The change is then undone. */
async function noticed(hand: string): Promise<string[]> {
  const names: string[] = [];
  const undo = new Error('undone');
  const trial = world.database.owner.begin(async (sql) => {
    // So that no trigger or constraint refuses the change, as with a fault that gets past them.
    await sql`set local session_replication_role = replica`;
    await sql.unsafe(hand);
    names.push(...(await breaches(sql, walletInvariants)).map(({ name }) => name));
    throw undo;
  });
  await expect(trial).rejects.toBe(undo);
  return names;
}

test('A payment whose owner is not known is in suspense, and is shown to operators as it was booked', async () => {
  expect(await world.exceptions()).toMatchObject([{ receipt, held_in: 'suspense', amount_cents: 70_000 }]);
  expect(await noticed('select 1')).toEqual([]);
});

test('A shown amount that differs from the booked one, or a row on one side only, is found', async () => {
  expect(await noticed('update money_exceptions set amount_cents = 9000000')).toEqual([asBooked, inAll]);
  expect(await noticed("update mpesa_receipts set credited_to = 'wallet', user_id = gen_random_uuid()")).toEqual([
    asBooked,
  ]);
  expect(await noticed("update money_exceptions set resolved_at = now(), resolution = 'dismiss'")).toEqual([
    isShown,
    inAll,
  ]);
  expect(await noticed("update accounts set balance = balance + 1 where kind = 'suspense'")).toEqual([inAll]);
  expect(await noticed('delete from money_exceptions')).toEqual([isShown, inAll]);
});

test('A day on which M-Pesa held another amount, and of which no operator was told, is found', async () => {
  const differing = `
    insert into float_comparisons (id, day, state, asks, mpesa_cents, expected_cents, under_way_least_cents,
      under_way_most_cents, compared_at, created_at)
    values (gen_random_uuid(), '2026-03-02', 'differs', 1, 1, 2, 0, 0, now(), now())`;
  expect(await noticed(differing)).toEqual([isDifferenceShown]);
  const told = `
    insert into money_exceptions (id, kind, amount_cents, held_in, detail, opened_at)
    values (gen_random_uuid(), 'float_variance', -1, 'nowhere', '{}', now() - interval '1 day')`;
  expect(await noticed(`${told}; ${differing}`)).toEqual([]);
});
