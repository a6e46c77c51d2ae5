import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEmbedded } from './db/embedded.ts';
import { type TestDatabase, testDatabase } from './db/test-database.ts';
import { createPasswords } from './domains/identity/passwords.ts';
import { HOME, personNumber, sessionReader, signIn, signUp, testIdentity } from './domains/identity/test-identity.ts';
import { SignedHeads } from './domains/proofs/signed-heads.ts';
import { testKeyring } from './domains/proofs/test-logs.ts';
import { runOperator, type Terminal } from './operator.ts';

const PASSWORD = 'Ushirika#2026';
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** What only the commands about logs use (operator-logs.test.ts). */
const tools = { heads: new SignedHeads('/nowhere'), chainSettings: null, keyring: async () => testKeyring };

/** Runs a command as a person would; the exit status and what was printed. */
async function operator(args: string, terminal: Partial<Terminal> = {}) {
  const lines: string[] = [];
  const status = await runOperator(
    args.split(' ').filter(Boolean),
    async () => ({ database, tools, close: async () => {} }),
    {
      print: (line) => lines.push(line),
      readLine: async () => PASSWORD,
      askSecret: null,
      env: {},
      ...terminal,
    },
  );
  return { status, lines };
}

const newOperator = (n: number) =>
  `create --id-number 8888000${n} --first-name Amina --last-name Hassan --phone 07220000${n}0 --email amina${n}@example.co.ke`;

describe('the operator’s command line', () => {
  test('makes an account that is an operator and can sign in', async () => {
    expect(await operator(`${newOperator(1)} --password-stdin`)).toEqual({
      status: 0,
      lines: ['88880001 is an operator of the platform.'],
    });
    // With real hashes, as the command writes them.
    const passwords = createPasswords({ world: database.world, atOnceMax: 1, waitingMax: 1 });
    const identity = { ...testIdentity(database), passwords };
    const { token } = await signIn(identity, '88880001', PASSWORD, HOME);
    expect((await sessionReader(identity)(token))?.isOperator).toBe(true);
  });

  test('takes the password from OPERATOR_PASSWORD, or asks for it twice', async () => {
    expect((await operator(newOperator(2), { env: { OPERATOR_PASSWORD: PASSWORD } })).status).toBe(0);
    expect((await operator(newOperator(3), { askSecret: async () => PASSWORD })).status).toBe(0);
    const answers = [PASSWORD, 'Other#2026'];
    expect(await operator(newOperator(4), { askSecret: async () => answers.shift() ?? '' })).toEqual({
      status: 1,
      lines: ['The two are not the same.'],
    });
    expect((await operator(newOperator(4))).lines).toEqual([
      'There is no terminal to ask for the password: use --password-stdin.',
    ]);
  });

  test('holds to the rules of sign-up, in its words', async () => {
    expect(await operator(`${newOperator(5)} --password-stdin`, { readLine: async () => 'weak' })).toEqual({
      status: 1,
      lines: ['Password has not satisfied the required specs'],
    });
    expect((await operator('create --id-number 1 --password-stdin')).lines).toEqual([
      [
        'Enter a valid phone number, such as 254712345678 or 0712345678.',
        'Enter the number of your national ID (7 or 8 digits), alien ID or passport, such as 12345678 or AK123456. With a passport of another country, choose the country.',
        'First name is required.',
        'Last name is required.',
        'Enter a valid email address.',
      ].join('\n'),
    ]);
    const taken = newOperator(1).replace('88880001', '77770001');
    // Only a confirmed phone is taken.
    await database.sql`update users set phone_confirmed_at = ${database.now()} where id_number = '88880001'`;
    expect((await operator(`${taken} --password-stdin`)).lines).toEqual([
      'An account with this phone number already exists.',
      'An account with this email already exists.',
    ]);
  });

  test('makes a person who has an account an operator, lists them, and takes it away again', async () => {
    const identity = testIdentity(database);
    const { person, token } = await signUp(identity, personNumber(1));
    expect((await operator(`create --id-number ${person.id_number}`)).status).toBe(0);
    expect((await operator(`create --id-number ${person.id_number}`)).lines).toEqual([
      `${person.id_number} is an operator already.`,
    ]);
    const { lines } = await operator('list');
    expect(lines).toContain(
      `${person.id_number}  Wanjiru Kamau  ${person.phone_number}  operator, no authenticator app`,
    );
    expect((await operator(`revoke ${person.id_number}`)).status).toBe(0);
    expect(await sessionReader(identity)(token)).toBeNull();
    expect(await operator(`revoke ${person.id_number}`)).toMatchObject({ status: 1 });
    expect((await operator('list')).lines.join('\n')).toContain(`${person.id_number}  Wanjiru Kamau`);
  });

  test('says what it needs when it is not understood', async () => {
    expect((await operator('')).status).toBe(2);
    expect((await operator('--help')).status).toBe(0);
    expect((await operator('remove x')).lines[0]).toContain('There is no command "remove".');
    expect((await operator('revoke')).lines).toEqual(['Whose? npm run operator -- revoke <ID number>']);
    expect((await operator('revoke NOBODY')).lines).toEqual(['Nobody has the ID number NOBODY.']);
    expect((await operator('reset-totp 88880001')).lines).toEqual(['88880001 has no authenticator app.']);
    expect((await operator('list --colour')).status).toBe(1);
  });
});

describe('as a program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ushirika-operator-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function program(args: string[], input = ''): Promise<{ status: number | null; output: string }> {
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
    const child = spawn(process.execPath, [join(import.meta.dirname, 'operator.ts'), ...args], {
      env: { PATH, HOME, NODE_COMPILE_CACHE, DATA_DIR: folder },
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.stdin.end(input);
    return new Promise((resolve) => child.on('close', (status) => resolve({ status, output })));
  }

  test('a folder without a database is named, and no empty one is made in it', { timeout: 60_000 }, async () => {
    for (const command of ['log status', 'list']) {
      const refused = await program(command.split(' '));
      expect(refused).toEqual({
        status: 1,
        output: `There is no database in ${folder}: set DATA_DIR or DATABASE_URL.\n`,
      });
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test('it works on an empty data folder, and beside a server that runs on it', { timeout: 120_000 }, async () => {
    const made = await program([...newOperator(1).split(' '), '--password-stdin'], `${PASSWORD}\n`);
    expect(made).toEqual({ status: 0, output: '88880001 is an operator of the platform.\n' });
    const server = await startEmbedded({ folder: join(folder, 'postgres') });
    try {
      const listed = await program(['list']);
      expect(listed.output).toContain('88880001  Amina Hassan  254722000010  operator');
    } finally {
      await server.stop();
    }
  });
});
