import { afterAll, expect, test } from 'vitest';
import { watchDatabaseHealth } from './database-health.ts';
import { testDatabase } from './test-database.ts';

const database = await testDatabase();
afterAll(() => database.close());

test('an answering database is healthy, and a missing migration is noticed', async () => {
  const health = watchDatabaseHealth(database.url);
  await expect.poll(() => health.tripMs).toBeGreaterThan(0);
  expect(health.isAnswering).toBe(true);
  expect(health.missingMigrations).toEqual([]);
  await health.close();
  await database.owner`delete from migration.applied where name = '0001_roles.sql'`;
  const later = watchDatabaseHealth(database.url);
  await expect.poll(() => later.missingMigrations).toEqual(['0001_roles.sql']);
  await later.close();
});

test('an unreachable database is noticed, and reported once', async () => {
  const health = watchDatabaseHealth('postgres://nobody@127.0.0.1:1/nothing');
  let told = 0;
  health.onSilence(() => {
    told += 1;
  });
  await expect.poll(() => health.isAnswering, { timeout: 5_000 }).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(told).toBe(1);
  await health.close();
});
