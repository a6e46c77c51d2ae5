import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { preferencesOf } from '../domains/notifications/notifications.queries.ts';
import { migrate, readMigrations } from './migrate.ts';
import { testDatabase } from './test-database.ts';
import { testPeople } from './test-people.ts';

const database = await testDatabase();

function withMore(...more: [name: string, text: string][]) {
  const folder = mkdtempSync(join(tmpdir(), 'ushirika-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const { name, text } of readMigrations()) writeFileSync(join(folder, name), text);
  for (const [name, text] of more) writeFileSync(join(folder, name), text);
  return readMigrations(folder);
}

test('migrating a migrated database does nothing', async () => {
  expect(await migrate(database.url)).toEqual([]);
});

test('both published versions of 0101 are accepted, and no third', async () => {
  const edited = '0101_post_and_write_markets_at_once.sql';
  const renewed = '0103_levels_in_one_order.sql';
  const { owner } = database;
  const [kept] = await owner<{ checksum: string }[]>`select checksum from migration.applied where name = ${edited}`;
  const ranAs = (checksum: string) => owner`update migration.applied set checksum = ${checksum} where name = ${edited}`;
  await owner`delete from migration.applied where name = ${renewed}`;
  await ranAs('7d3dd9842200331718e7e2bdb3306a31da6e7ce9dea04f941a5b8f1429d48d05');
  expect(await migrate(database.url)).toEqual([renewed]);
  await ranAs('0'.repeat(64));
  await expect(migrate(database.url)).rejects.toThrow(`${edited} was changed after it ran`);
  await ranAs(kept?.checksum ?? '');
});

test('0135 keeps what each person has chosen of each topic', async () => {
  const { owner } = database;
  await owner`drop table sms_choices`;
  await owner`
    alter table notification_preferences add column sms_money boolean, add column sms_saccos boolean,
      add column sms_pools boolean, add column sms_referrals boolean`;
  await owner`alter table notifications drop constraint notifications_topic_check`;
  await owner`alter table notifications add constraint notifications_topic_check check (true)`;
  const amina = await testPeople(database).person('Amina');
  await owner`
    insert into notification_preferences values (${amina}, 'sw', now(), ${true}, ${false}, ${true}, ${false})`;
  await owner`delete from migration.applied where name = '0135_choices_by_topic.sql'`;
  expect(await migrate(database.url)).toEqual(['0135_choices_by_topic.sql']);
  expect(await preferencesOf(database.sql, amina)).toEqual({
    language: 'sw',
    // Of a topic that came later the default holds.
    sms: { money: true, saccos: false, pools: true, referrals: false, loans: true },
  });
});

test('a new migration runs once, and several processes at once do not run it twice', async () => {
  const migrations = withMore(['9001_purses.sql', 'create table purses (id integer primary key)']);
  const ran = await Promise.all([1, 2, 3].map(() => migrate(database.url, migrations)));
  expect(ran.flat()).toEqual(['9001_purses.sql']);
});

test('a migration that fails leaves nothing behind and names itself', async () => {
  const migrations = withMore(
    ['9001_purses.sql', 'create table purses (id integer primary key)'],
    ['9002_broken.sql', 'create table half (id integer); select 1 / 0'],
  );
  await expect(migrate(database.url, migrations)).rejects.toThrow('9002_broken.sql failed: division by zero');
  expect(await database.owner`select to_regclass('half') as half`).toEqual([{ half: null }]);
});

test('a migration that was changed after it ran is refused', async () => {
  const migrations = withMore(['9001_purses.sql', 'create table purses (id bigint primary key)']);
  await expect(migrate(database.url, migrations)).rejects.toThrow('9001_purses.sql was changed after it ran');
});

test('a migration that waits for a lock lets others read the table, and runs once the lock is free', async () => {
  const migrations = withMore(
    ['9001_purses.sql', 'create table purses (id integer primary key)'],
    ['9002_purse_names.sql', 'alter table purses add column name text'],
  );
  const { owner } = database;
  const reader = await owner.reserve();
  await reader`begin`;
  await reader`select * from purses`;
  const migrating = migrate(database.url, migrations, 100);
  const waits = () => owner`select 1 from pg_locks where relation = 'purses'::regclass and not granted`;
  await expect.poll(async () => (await waits()).length, { interval: 5, timeout: 20_000 }).toBe(1);
  // Behind a lock that waits for ever, this would wait for ever too.
  expect(await owner`select * from purses`).toEqual([]);
  await reader`commit`;
  reader.release();
  expect(await migrating).toEqual(['9002_purse_names.sql']);
});

test('an index is built outside a transaction, while the table is written', async () => {
  const migrations = withMore(
    ['9001_purses.sql', 'create table purses (id integer primary key)'],
    ['9002_purse_names.sql', 'alter table purses add column name text'],
    [
      '9003_index.sql',
      '-- outside a transaction\ndrop index concurrently if exists purses_name;\ncreate index concurrently purses_name on purses (name);\n',
    ],
  );
  expect(await migrate(database.url, migrations)).toEqual(['9003_index.sql']);
  const [index] = await database.owner`select indisvalid from pg_index where indexrelid = 'purses_name'::regclass`;
  expect(index).toEqual({ indisvalid: true });
});

test('a database from a later version is refused', async () => {
  await expect(migrate(database.url)).rejects.toThrow('which this version does not know');
});

test('two migrations with one number are refused', () => {
  expect(() => withMore(['9003_a.sql', ''], ['9003_b.sql', ''])).toThrow(
    'Two migrations have the number of 9003_b.sql',
  );
});

test('a migration with another kind of name is refused', () => {
  expect(() => withMore(['more.sql', ''])).toThrow('A migration is called NNNN_name.sql, not more.sql.');
});
