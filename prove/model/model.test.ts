import { contract } from '@ushirika/contract/contract';
import { Refusal } from '@ushirika/contract/refusal';
import { expect, inject, test } from 'vitest';
import { testHarness } from '../support/test-harness.ts';
import { ClockJobs } from './clock-jobs.ts';
import { uncovered } from './coverage.ts';
import type { House } from './house.ts';
import { harness, simulate } from './model.harness.ts';
import { NaiveMpesa } from './naive-mpesa.ts';
import { SimulatedWorld } from './simulated-world.ts';
import { Simulation } from './simulation.ts';
import { readExceptions } from './years.ts';

testHarness(harness);

test('a writing route that nobody simulates is named', () => {
  expect(uncovered(contract)).toEqual([]);
  const invented = { name: 'giveMoneyAway', repetition: 'key' as const };
  expect(uncovered([...contract, invented])).toEqual([
    'The writing route giveMoneyAway is in no act of the simulation (prove/model/acts/).',
  ]);
});

const short = { actsAStep: 120, peopleMax: 40, checkEvery: 300, auditEvery: 1_000_000, faultyShare: 0 };

test('a seed is the same run each time, act by act and fault by fault, and another seed is another', async () => {
  const serverUrl = inject('testServerUrl');
  const runs = [];
  // Two ways part within the first acts; faults need more of them.
  for (const [seed, acts] of [
    [14, 300],
    [14, 300],
    [15, 60],
  ] as const)
    runs.push(await simulate({ serverUrl, seed }, { ...short, acts, faultyShare: 1 }));
  expect(runs.map(({ violation }) => violation)).toEqual([null, null, null]);
  const [first, second, other] = runs.map(({ trace, simulation }) => [trace, simulation.fired.faults]);
  expect(second).toEqual(first);
  expect(other).not.toEqual(first);
  expect(first?.[1]).toBeGreaterThan(10);
}, 120_000);

test('a list of exceptions that a fault lost is asked for again: an old one shows what was settled since', async () => {
  const simulation = await Simulation.open({ serverUrl: inject('testServerUrl'), seed: 1682173680 });
  const shown = { id: 'one', held_in: 'nowhere', receipt: null, about: null };
  let looks = 0;
  const ask = async () => {
    looks += 1;
    return looks === 1 ? { ok: false, code: 'unknown_outcome' } : { ok: true, reply: { results: [shown] } };
  };
  Object.assign(simulation.house, { ask });
  Object.assign(simulation, { isFaulty: true, active: [Object.assign(simulation.newPerson(), { isOperator: true })] });
  await readExceptions(simulation);
  expect(simulation.exceptions).toEqual([shown]);
  await simulation.house.close();
});

test('what a reading of M-Pesa’s list was given before it failed, nobody knows of', async () => {
  const world = new SimulatedWorld(1, new Date('2026-11-22T12:00:00Z'));
  const mpesa = new NaiveMpesa(world);
  const payment = mpesa.payByHand('254712345678', 10_100, 'ROOF', 0);
  let tries = 0;
  const readList = async () => {
    tries += 1;
    if (tries > 1) return;
    await mpesa.client.pull({ from: new Date(0), to: world.now(), offset: 0 });
    throw new Refusal('unknown_outcome');
  };
  const jobs = new ClockJobs({ tasks: { read_payment_list: readList } } as unknown as House, world, mpesa);
  await jobs.runSchedules(['read_payment_list']);
  expect(tries).toBe(2);
  expect(payment.isListed).toBe(false);
});

test('a job that throws says which one it was', async () => {
  const world = new SimulatedWorld(1, new Date('2026-11-22T12:00:00Z'));
  const payOut = async () => {
    throw new Error('no such wallet');
  };
  const jobs = new ClockJobs({ tasks: { pay_out: payOut } } as unknown as House, world, new NaiveMpesa(world));
  await expect(jobs.runSchedules(['pay_out'])).rejects.toThrow(
    'the job pay_out threw at its try 1: Error: no such wallet',
  );
});
