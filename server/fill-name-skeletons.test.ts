import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from './db/test-database.ts';
import { testPeople } from './db/test-people.ts';
import { nameSkeleton } from './domains/identity/name-skeleton.rules.ts';
import { fillNameSkeletons } from './fill-name-skeletons.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('saccos of before get their skeletons at the start; of two that look alike the older one has it', async () => {
  const people = testPeople(database);
  const founder = await people.person('Founder');
  const older = await people.sacco('Mwangaza Traders Sacco', founder);
  database.world.advance(1_000);
  const younger = await people.sacco('Mwangaza Traders Sacc0', founder);
  const other = await people.sacco('Jua Kali Savings', founder);
  expect(await fillNameSkeletons(database)).toEqual(['Mwangaza Traders Sacc0']);
  expect(await fillNameSkeletons(database)).toEqual(['Mwangaza Traders Sacc0']);
  const rows = await database.sql`select id, name_skeleton from saccos order by id`;
  expect(rows).toEqual([
    { id: older, name_skeleton: nameSkeleton('Mwangaza Traders Sacco') },
    { id: younger, name_skeleton: null },
    { id: other, name_skeleton: nameSkeleton('Jua Kali Savings') },
  ]);
});
