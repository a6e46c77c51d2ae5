import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BadSetting, readConfig } from './config.ts';
import { type TestDatabase, testDatabase } from './db/test-database.ts';
import { createKeyring } from './domains/identity/keyring.ts';
import { openSecret, type SealedRow } from './domains/identity/sealed-secrets.ts';
import { confirmSecondFactor, enrolSecondFactor } from './domains/identity/second-factor.ts';
import { PASSWORD, personNumber, signIn, signUp, testIdentity } from './domains/identity/test-identity.ts';
import { hotp, stepOf } from './domains/identity/totp.rules.ts';
import { openKeyring } from './open-keyring.ts';

const folder = mkdtempSync('/tmp/ushirika-keyring-');
const [OLD, NEW] = ['0a'.repeat(32), '0b'.repeat(32)] as const;
let database: TestDatabase;
let n = 0;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const open = (env: Record<string, string> = {}) =>
  openKeyring(readConfig({ DATA_DIR: folder, ...env }), database, database.world);

const rowOf = async (userId: string) => {
  const [row] = await database.sql<SealedRow[]>`
    select user_id, secret, key_id from second_factors where user_id = ${userId}`;
  if (!row) throw new Error('There is no second factor.');
  return row;
};

/** A person with an authenticator app under the keys of `SECRETS_KEY`; `secret` is what the app itself was given. */
async function withApp(SECRETS_KEY: string) {
  n += 1;
  const identity = { ...testIdentity(database), keyring: await open({ SECRETS_KEY }) };
  const { actor, person } = await signUp(identity, personNumber(n));
  await enrolSecondFactor(identity, actor, { currentPassword: PASSWORD });
  const secret = openSecret(identity.keyring, await rowOf(actor.userId));
  await confirmSecondFactor(identity, actor, { otp: hotp(secret, stepOf(database.now())) });
  return { actor, person, secret };
}

async function forget(userId: string): Promise<void> {
  await database.sql`delete from recovery_codes where user_id = ${userId}`;
  await database.sql`delete from second_factors where user_id = ${userId}`;
}

test('a key is made at the first start, for its owner alone to read, and found at the next', async () => {
  const first = await open();
  const file = join(folder, 'secrets.key');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  expect((await open()).keyIds).toEqual(first.keyIds);
});

test('what the database holds of an app is sealed: nobody finds the secret in it, nor opens it for another person', async () => {
  const { actor, secret } = await withApp(OLD);
  const row = await rowOf(actor.userId);
  expect(row.secret).toHaveLength(48);
  expect(row.secret.includes(secret)).toBe(false);
  const keyring = await open({ SECRETS_KEY: OLD });
  expect(() => openSecret(keyring, { ...row, user_id: database.newId() })).toThrow();
  const flipped = Buffer.from(row.secret);
  flipped[20] = (flipped[20] ?? 0) ^ 1;
  expect(() => openSecret(keyring, { ...row, secret: flipped })).toThrow();
  await forget(actor.userId);
});

test('it does not start without the key that a row needs, and says which and where to put it', async () => {
  const { actor } = await withApp(OLD);
  const [keyId] = createKeyring([Buffer.from(OLD, 'hex')]).keyIds;
  const refused = await open({ SECRETS_KEY: NEW }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(BadSetting);
  expect((refused as Error).message).toContain(`sealed with the key ${keyId}, which is not in SECRETS_KEY`);
  expect((refused as Error).message).toContain('npm run operator -- reset-totp');
  await expect(open()).rejects.toThrow(join(folder, 'secrets.key'));
  await forget(actor.userId);
});

test('a key is changed by putting the new one before it: everything is sealed anew, and the app goes on', async () => {
  const { actor, person, secret } = await withApp(OLD);
  const both = await open({ SECRETS_KEY: `${NEW},${OLD}` });
  expect((await rowOf(actor.userId)).key_id).toBe(both.keyIds[0]);
  const identity = { ...testIdentity(database), keyring: await open({ SECRETS_KEY: NEW }) };
  database.world.advance(30_000);
  const otp = hotp(secret, stepOf(database.now()));
  await expect(signIn(identity, person.id_number, PASSWORD, undefined, otp)).resolves.toBeTruthy();
  await forget(actor.userId);
});

test('a row from before keys is sealed at the next start', async () => {
  const { actor, secret } = await withApp(OLD);
  await database.owner`update second_factors set secret = ${secret}, key_id = null where user_id = ${actor.userId}`;
  const keyring = await open({ SECRETS_KEY: OLD });
  const row = await rowOf(actor.userId);
  expect(row.key_id).toBe(keyring.keyIds[0]);
  expect(openSecret(keyring, row).equals(secret)).toBe(true);
  await forget(actor.userId);
});

test('a process with another key than the rest seals nothing', async () => {
  const { actor } = await withApp(OLD);
  const identity = { ...testIdentity(database), keyring: createKeyring([Buffer.from(NEW, 'hex')]) };
  const other = await signUp(identity, personNumber(500 + n));
  await expect(enrolSecondFactor(identity, other.actor, { currentPassword: PASSWORD })).rejects.toThrow('SECRETS_KEY');
  await forget(actor.userId);
});

test.each(['abc', '0a'.repeat(31), `${OLD},xyz`])('SECRETS_KEY=%s is refused by name', (SECRETS_KEY) => {
  expect(() => readConfig({ SECRETS_KEY })).toThrow('SECRETS_KEY: write 64 hexadecimal digits');
});
