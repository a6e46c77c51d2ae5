import { expect, test } from 'vitest';
import { readMigrations } from '../server/db/migrate.ts';
import { read } from './source.ts';

/* A server refuses to start on a database in which a migration ran that has been changed since (server/db/migrate.ts). */

const landed = new Map(
  read('server/db/migrations/landed.sha256')
    .trim()
    .split('\n')
    .map((line) => line.split('  ').reverse() as [string, string]),
);

test('a migration that has landed is never changed: a new one does what is to be done', () => {
  const now = new Map(readMigrations().map(({ name, checksum }) => [name, checksum]));
  const changed = [...landed].filter(([name, checksum]) => now.get(name) !== checksum).map(([name]) => name);
  expect(changed).toEqual([]);
});

test('every migration is in the list of those that have landed', () => {
  const missing = readMigrations().filter(({ name }) => !landed.has(name));
  expect(missing.map(({ name, checksum }) => `${checksum}  ${name}`)).toEqual([]);
});
