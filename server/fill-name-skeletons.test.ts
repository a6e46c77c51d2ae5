import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from './db/test-database.ts';
import { testPeople } from './db/test-people.ts';
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
  const younger = await people.sacco('Mwangaza Traderss Sacco Ltd', founder);
  const other = await people.sacco('Jua Kali Savings', founder);
  expect(await fillNameSkeletons(database)).toEqual(['Mwangaza Traderss Sacco Ltd']);
  expect(await fillNameSkeletons(database)).toEqual(['Mwangaza Traderss Sacco Ltd']);
  const rows = await database.sql`select id, name_skeleton from saccos order by id`;
  expect(rows).toEqual([
    { id: older, name_skeleton: 'rnwangazatraders' },
    { id: younger, name_skeleton: null },
    { id: other, name_skeleton: 'juakallsavlngs' },
  ]);
});
