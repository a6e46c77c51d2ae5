import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase, faultsOfDatabase, UnsoundDatabase } from './check-database.ts';
import { openDatabase } from './db/database.ts';
import { type TestDatabase, testDatabase } from './db/test-database.ts';
import { realWorld } from './world.ts';

let database: TestDatabase<typeof realWorld>;

beforeAll(async () => {
  database = await testDatabase({ world: realWorld });
});
afterAll(() => database.close());
afterEach(async () => {
  await database.owner`alter table journals enable row level security`;
});

/** What is true of the tests' server and of no other: it forgets on purpose. */
const FORGETFUL = [
  'PostgreSQL runs with fsync = off: set it on, or a crash loses money.',
  'PostgreSQL runs with full_page_writes = off: set it on, or a crash loses money.',
  'PostgreSQL runs with synchronous_commit = off: what it acknowledges may be lost. Set it on.',
];

test('a server that forgets on purpose is told of, and stops the start in production', async () => {
  expect(await faultsOfDatabase(database)).toEqual(FORGETFUL);
  const lines: string[] = [];
  await checkDatabase(database, { isProduction: false, warn: (line) => void lines.push(line) });
  expect(lines).toEqual(FORGETFUL);
  const start = checkDatabase(database, { isProduction: true, warn: () => {} });
  await expect(start).rejects.toThrow(UnsoundDatabase);
});

test('an application that runs as the owner is found', async () => {
  const owners = openDatabase({ url: database.url, world: realWorld, poolSize: 1, role: null });
  expect(await faultsOfDatabase(owners)).toContain('The application runs as ushirika: it must run as ushirika_app.');
  await owners.close();
});

test('a table that row security does not close is found', async () => {
  await database.owner`alter table journals disable row level security`;
  expect(await faultsOfDatabase(database)).toContain('Row security is off for the table journals: enable it.');
});

test('clocks that are more than two seconds apart are found, in either direction', async () => {
  for (const [apartMs, isFound] of [
    [-3_000, true],
    [-1_000, false],
    [1_000, false],
    [3_000, true],
  ] as const) {
    const now = () => new Date(Date.now() + apartMs);
    const faults = await faultsOfDatabase({ sql: database.sql, now });
    expect(faults.some((fault) => fault.includes('clocks'))).toBe(isFound);
  }
});
