import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPaybill, type Person, type WalletWorld, walletWorld } from './test-wallet.ts';

let world: WalletWorld;
beforeAll(async () => {
  world = await walletWorld();
  await openPaybill(world);
});
afterAll(async () => {
  await world.audit();
  await world.close();
});

/** Pays to the paybill from a phone that M-Pesa knows by a name. Accounts here are of `Wanjiru Kamau`. */
async function pay(person: Person, name: string, to = person): Promise<void> {
  await world.database.owner`
    insert into simulator.subscriber (phone, name, balance_cents, paid_on)
    values (${person.phone}, ${name}, 1000000, '2020-01-01')
    on conflict (phone) do update set name = excluded.name`;
  await world.call('/api/payments', { phone: person.phone, amount: 100, account_reference: to.account });
  await world.settle(1_000);
}
const kept = async (person: Person) =>
  (await world.database.owner<{ state: string }[]>`select state from mpesa_names where user_id = ${person.id}`)[0]
    ?.state;

test('a payment from a confirmed phone says whether M-Pesa knows it by the name of the account', async () => {
  const person = await world.person();
  await pay(person, 'WANJIRU NJOKI KAMAU');
  expect(await kept(person)).toBe('agrees');
  // The latest payment counts.
  await pay(person, 'JOHN OTIENO');
  expect(await kept(person)).toBe('differs');
  await pay(person, 'Wanjiru Kamau');
  expect(await kept(person)).toBe('agrees');
});

test('it is the payer’s phone that counts, not the account that was paid', async () => {
  const [payer, other] = [await world.person(), await world.person()];
  await pay(payer, 'Wanjiru Kamau', other);
  expect([await kept(payer), await kept(other)]).toEqual(['agrees', undefined]);
});

test('of an unconfirmed phone, and of a name that says too little, nothing is kept', async () => {
  const [unconfirmed, short] = [await world.person({ confirmed: false }), await world.person()];
  await pay(unconfirmed, 'Wanjiru Kamau');
  await pay(short, 'WANJIRU');
  expect([await kept(unconfirmed), await kept(short)]).toEqual([undefined, undefined]);
});

test('the name itself stands in no answer and in no log', async () => {
  const person = await world.person();
  await pay(person, 'ZAWADI MWENDWA');
  expect(await kept(person)).toBe('differs');
  const [found] = await world.database.owner<{ count: number }[]>`
    select (select count(*) from status_queries q where q::text ilike '%zawadi%')
         + (select count(*) from callback_log c where c.kind = 'status_result' and c::text ilike '%zawadi%') as count`;
  expect(Number(found?.count)).toBe(0);
});
