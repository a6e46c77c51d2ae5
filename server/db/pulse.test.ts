import { afterAll, expect, test } from 'vitest';
import { feelPulse } from './pulse.ts';
import { testDatabase } from './test-database.ts';

const database = await testDatabase();
afterAll(() => database.close());

test('the pulse is felt, and a migration that is gone is noticed', async () => {
  const pulse = feelPulse(database.url);
  await expect.poll(() => pulse.tripMs).toBeGreaterThan(0);
  expect(pulse.isAnswering).toBe(true);
  expect(pulse.missingMigrations).toEqual([]);
  await pulse.close();
  await database.owner`delete from migration.applied where name = '0001_roles.sql'`;
  const later = feelPulse(database.url);
  await expect.poll(() => later.missingMigrations).toEqual(['0001_roles.sql']);
  await later.close();
});

test('a database that is not there is a silence, told once', async () => {
  const pulse = feelPulse('postgres://nobody@127.0.0.1:1/nothing');
  let told = 0;
  pulse.onSilence(() => {
    told += 1;
  });
  await expect.poll(() => pulse.isAnswering, { timeout: 5_000 }).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(told).toBe(1);
  await pulse.close();
});
