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

/** Migrations from this one on are read by the rule below. */
const FIRST_BY_RULE = '0300';

test('an index of a table that is there already is built outside a transaction, so that its table can be written meanwhile', () => {
  const wrong = readMigrations()
    .filter(({ name, text }) => name >= FIRST_BY_RULE && !text.startsWith('-- outside a transaction'))
    .flatMap(({ name, text }) => {
      const made = [...text.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/g)].map(([, table]) => table);
      const indexed = [...text.matchAll(/create (?:unique )?index [^;]*? on (?:only )?(\w+)/g)].map(
        ([, table]) => table,
      );
      return indexed.filter((table) => !made.includes(table)).map((table) => `${name}: ${table}`);
    });
  expect(wrong).toEqual([]);
});
