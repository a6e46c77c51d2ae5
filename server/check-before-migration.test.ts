import { once } from 'node:events';
import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { checkBeforeMigration } from './check-before-migration.ts';
import { testDatabase } from './db/test-database.ts';

const database = await testDatabase();

function urlAs(user: string): string {
  const url = new URL(database.url);
  url.username = user;
  url.password = 'weak';
  return url.href;
}

/**
 * A port that answers each startup message with an error, as PgBouncer does for a parameter that it does not know.
 * @returns an address of a database behind it
 */
async function refusingPooler(): Promise<string> {
  const fields = ['SFATAL', 'C08P01', 'Munsupported startup parameter: lock_timeout']
    .map((field) => `${field}\0`)
    .join('');
  const body = Buffer.from(`${fields}\0`);
  const head = Buffer.from([0x45, 0, 0, 0, body.length + 4]);
  const server = net.createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end(Buffer.concat([head, body])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `postgres://somebody:secret@127.0.0.1:${(server.address() as net.AddressInfo).port}/ushirika`;
}

test('the database of this version is fit', async () => {
  await expect(checkBeforeMigration(database.url)).resolves.toBeUndefined();
});

test('a PostgreSQL that is too old is refused before the first migration', async () => {
  await expect(checkBeforeMigration(database.url, 990_000)).rejects.toThrow(
    /^DATABASE_URL leads to PostgreSQL 18\S*: Ushirika needs PostgreSQL 99 or newer\.$/,
  );
});

test('an owner who may not create roles is refused before the first migration', async () => {
  await database.owner`create role plain_owner login password 'weak'`;
  onTestFinished(async () => void (await database.owner`drop role plain_owner`));
  await expect(checkBeforeMigration(urlAs('plain_owner'))).rejects.toThrow('may not create roles: run ALTER ROLE');
});

test('a pooler that refuses startup parameters is named', async () => {
  await expect(checkBeforeMigration(await refusingPooler())).rejects.toThrow('DATABASE_URL leads to a pooler');
});

test('a database where connections do not get their settings is behind a pooler that drops them', async () => {
  const url = new URL(database.url);
  // As PgBouncer does with ignore_startup_parameters: the setting of the session is another one.
  url.searchParams.set('lock_timeout', '0');
  await expect(checkBeforeMigration(url.href)).rejects.toThrow('DATABASE_URL leads to a pooler');
});
