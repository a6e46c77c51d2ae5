import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, type WalletWorld, walletWorld } from './test-wallet.ts';

let world: WalletWorld;
beforeAll(async () => {
  world = await walletWorld();
  await world.tasks.register_paybill?.({});
});
afterAll(() => world.close());

/** One thing that happens, to one of three people. */
const step = fc.record({
  act: fc.constantFrom(
    'push',
    'approve',
    'approve',
    'cancel',
    'timeout',
    'pay',
    'claim',
    'tick',
    'jobs',
    'sweep',
    'wait',
    'lie',
  ),
  who: fc.nat(2),
  amount: fc.constantFrom(10, 20, 30),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const rates = {
  drop: 0.25,
  duplicate: 0.2,
  reorder: 0.1,
  before_response: 0.1,
  lost_response: 0.15,
  http_500: 0.1,
  query_contradicts: 0.1,
  stk_and_c2b: 0.25,
  forged: 0.1,
  delay: 0.1,
};

async function carryOut(people: readonly Person[], { act, who, amount }: Step): Promise<void> {
  const person = people[who] as Person;
  if (act === 'push') {
    // A stray phone now and then: any Kenyan phone may pay for any wallet; here it is always one's own.
    await world.as(person, 'POST', '/integrations/mpesa/deposit', { amount, phone: person.phone });
  } else if (act === 'approve' || act === 'cancel' || act === 'timeout') {
    const open = (await world.prompts(person.phone)).find(({ status }) => status === 'open');
    if (open) await world.call(`/api/prompts/${open.id}`, { action: act });
  } else if (act === 'pay') {
    await world.call('/api/payments', { phone: person.phone, amount, account_reference: person.idNumber });
  } else if (act === 'claim') {
    await claimSome(person, 1);
  } else if (act === 'tick') await world.simulator.tick();
  else if (act === 'jobs') await world.runJobs();
  // A callback that names another amount. What M-Pesa answers when it is asked is the truth, by definition.
  else if (act === 'lie') await world.befall('stk_push', 'amount_mismatch');
  else if (act === 'sweep') await world.sweep(35_000);
  else world.database.world.advance(amount * 5_000);
}

async function truthOf(person: Person): Promise<{ receipt: string; amount_cents: number }[]> {
  return [
    ...(await world.database.owner<{ receipt: string; amount_cents: number }[]>`
      select receipt, amount_cents::int from simulator.payment
      where phone = ${person.phone} and kind in ('stk', 'c2b') order by completed_at, receipt`),
  ];
}

async function claimSome(person: Person, most: number): Promise<void> {
  for (const { receipt } of (await truthOf(person)).slice(-most)) {
    await world.as(person, 'POST', '/integrations/mpesa/transaction-checker', {
      transaction_id: receipt,
      phone_number: person.phone,
    });
  }
}

/** Faults end, time passes, and everybody claims what they paid: nothing may be missing, and nothing may be twice. */
async function comeToRest(people: readonly Person[]): Promise<void> {
  await fetch(`${world.origin}/simulator/__control/faults`, { method: 'DELETE' });
  for (const minutes of [1, 2, 5, 10, 60, 120, 400]) await world.sweep(minutes * 60_000);
  for (const person of people) await claimSome(person, 100);
  for (const minutes of [1, 2, 10, 60]) await world.sweep(minutes * 60_000);
}

test('whatever happens in whatever order, each wallet holds exactly what M-Pesa took from its phone', async () => {
  let paid = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      fc.string({ minLength: 1, maxLength: 8 }),
      async (steps, seed) => {
        const people = [await world.person(), await world.person(), await world.person()];
        await world.call('/__control/chaos', {
          seed: `s${seed}`,
          calls: ['stk_push', 'stk_query', 'transaction_status', 'c2b'],
          rates,
        });
        for (const each of steps) await carryOut(people, each);
        await comeToRest(people);
        for (const person of people) {
          const truth = (await truthOf(person)).reduce((sum, { amount_cents }) => sum + amount_cents, 0);
          paid += truth;
          expect(await world.funds(person)).toEqual({ available: truth, held: 0 });
        }
        expect((await world.audit()).suspense).toBe(0);
      },
    ),
    { numRuns: Number(process.env.TRUTH_RUNS ?? 25), seed: Number(process.env.TRUTH_SEED ?? 20_261_121) },
  );
  // A run in which nobody paid anything proves nothing.
  expect(paid).toBeGreaterThan(0);
}, 120_000);
