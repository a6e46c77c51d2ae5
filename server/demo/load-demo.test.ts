import { expect, test } from 'vitest';
import { audit } from '../audit.ts';
import { testDatabase } from '../db/test-database.ts';
import { loadDemo } from './load-demo.ts';

const NOW = new Date('2026-11-21T09:00:00.000Z');

test('the demonstration loads into an empty database, once, and its books hold', async () => {
  const database = await testDatabase();
  const told = await loadDemo(database.url, NOW);
  expect(told.join('\n')).toMatch(/12345678.*\n.*23456789.*\n.*34567890.*\n.*45678901.*\n.*99999999/);
  const [figures] = await database.owner`
    select (select count(*) from saccos)::int as saccos, (select count(*) from sacco_logos)::int as logos,
      (select count(*) from memberships)::int > 40 as has_members,
      (select count(*) from share_movements)::int > 40 as has_shares,
      (select count(*) from offices where ended_at is null)::int as offices`;
  expect(figures).toEqual({ saccos: 4, logos: 2, has_members: true, has_shares: true, offices: expect.any(Number) });
  expect(figures?.offices).toBeGreaterThan(2);
  expect((await audit(database.url)).filter(({ breach }) => breach !== null)).toEqual([]);
  expect(await loadDemo(database.url, NOW)).toEqual([]);
  await database.close();
}, 120_000);
