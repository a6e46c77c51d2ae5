import { parseArgs } from 'node:util';
import { plainId, signUp } from '@ushirika/contract/identity';
import { Refusal } from '@ushirika/contract/refusal';
import { type Config, readConfig } from './config.ts';
import { openDatabase } from './db/database.ts';
import { FolderInUse } from './db/folder-lock.ts';
import { migrate } from './db/migrate.ts';
import type { Database, Tx } from './db/tx.ts';
import { createPerson } from './domains/identity/create-person.ts';
import { grantOperator, listOperators, resetSecondFactor, revokeOperator } from './domains/identity/operators.ts';
import { createPasswords } from './domains/identity/passwords.ts';
import { refuseWeakPassword } from './domains/identity/register.ts';
import { whoseId } from './domains/identity/whose-id.ts';
import { SignedHeads } from './domains/proofs/signed-heads.ts';
import { noteRegistration } from './domains/referrals/note-registration.ts';
import { isNameOfOfficial } from './domains/saccos/offices.ts';
import { findDatabase, whyNoDatabase } from './find-database.ts';
import { openKeyring } from './open-keyring.ts';
import { deployContract, isPlain, LOGS_USAGE, type LogTools, Mistake, readLogCommand } from './operator-logs.ts';
import { realWorld } from './world.ts';

const USAGE = `The operators of the platform.

  npm run operator -- create --id-number 99999999 --first-name Amina --last-name Hassan \\
                             --phone 0722000000 --email amina@example.co.ke
      Makes a new account that is an operator. The password is asked for; a script sets OPERATOR_PASSWORD,
      or gives --password-stdin and one line.
  npm run operator -- create --id-number 99999999
      Makes a person who has an account already an operator.
  npm run operator -- list
  npm run operator -- revoke 99999999
      Takes the office away and ends that person's sessions.
  npm run operator -- reset-totp 99999999
      Takes the authenticator app off an account whose owner has lost it, once they have proved who they are.
${LOGS_USAGE}

It works on DATABASE_URL, or on the embedded database of DATA_DIR, whether or not the server is running.`;

/** What the command line is given besides its words: the test hands in its own. */
export interface Terminal {
  print(line: string): void;
  /** One line from standard input. */
  readLine(): Promise<string>;
  /** Asks on the terminal without echo; null where there is no terminal. */
  readonly askSecret: ((prompt: string) => Promise<string>) | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Carries one command out. Returns the exit status. */
export async function runOperator(
  args: readonly string[],
  open: () => Promise<{ database: Database; tools: LogTools; close(): Promise<void> }>,
  terminal: Terminal,
): Promise<number> {
  try {
    if (args.join(' ') === 'chain deploy') {
      await deployContract(terminal);
      return 0;
    }
    const command = readCommand(args);
    if (command === null) {
      terminal.print(USAGE);
      return args.length === 0 ? 2 : 0;
    }
    const { database, tools, close } = await open();
    try {
      await command(database, terminal, tools);
      return 0;
    } finally {
      await close();
    }
  } catch (error) {
    const isOurs = isPlain(error) || error instanceof FolderInUse;
    if (!isOurs && !(error instanceof Refusal)) throw error;
    const sentences = error instanceof Refusal ? Object.values(error.body().errors ?? {}).flat() : [];
    for (const line of sentences.length > 0 ? sentences : [error.message]) terminal.print(line);
    return 1;
  }
}

type Command = (database: Database, terminal: Terminal, tools: LogTools) => Promise<void>;

const options = {
  'id-number': { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  phone: { type: 'string' },
  email: { type: 'string' },
  'password-stdin': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Options = ReturnType<typeof parse>['values'];

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new Mistake(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function readCommand(args: readonly string[]): Command | null {
  const { values, positionals } = parse(args);
  const [name, subject] = positionals;
  if (name === undefined || values.help) return null;
  if (name === 'list') return list;
  if (name === 'create') return create(values);
  if (name === 'revoke' || name === 'reset-totp') {
    if (subject === undefined) throw new Mistake(`Whose? npm run operator -- ${name} <ID number>`);
    return name === 'revoke' ? revoke(subject) : resetTotp(subject);
  }
  const ofLogs = readLogCommand(positionals);
  if (ofLogs) return ofLogs;
  throw new Mistake(`There is no command "${name}".\n\n${USAGE}`);
}

const list: Command = async (database, { print }) => {
  const operators = await database.transaction(listOperators);
  if (operators.length === 0) print('There are no operators yet.');
  for (const row of operators) {
    const state = row.revoked_at ? `revoked ${row.revoked_at.toISOString()}` : 'operator';
    const factor = row.has_second_factor ? 'authenticator app on' : 'no authenticator app';
    print(`${row.id_number}  ${row.first_name} ${row.last_name}  ${row.phone}  ${state}, ${factor}`);
  }
};

function create(values: Options): Command {
  return async (database, terminal) => {
    const idNumber = values['id-number'] && plainId(values['id-number']);
    if (!idNumber) throw new Mistake('create needs --id-number.');
    const existing = await personWith(database, idNumber);
    const isNew = (['first-name', 'last-name', 'phone', 'email'] as const).some((name) => values[name] !== undefined);
    if (existing && isNew) {
      throw new Mistake(`${idNumber} has an account already. Leave the other options out to make them an operator.`);
    }
    if (existing) {
      const granted = await database.transaction(async (tx) => {
        await refuseOfficialsName(tx, existing.id);
        return grantOperator(tx, existing.id);
      });
      if (!granted) throw new Mistake(`${existing.id_number} is an operator already.`);
    } else await createOperator(database, terminal, idNumber, values);
    terminal.print(`${existing?.id_number ?? idNumber} is an operator of the platform.`);
  };
}

async function createOperator(database: Database, terminal: Terminal, idNumber: string, values: Options) {
  // The same rules and sentences as sign-up; the password comes after, so that nobody types one for nothing.
  const fields = signUp.omit({ password: true, referal_code: true }).safeParse({
    id_number: idNumber,
    first_name: values['first-name'] ?? '',
    last_name: values['last-name'] ?? '',
    phone_number: values.phone ?? '',
    email: values.email ?? '',
    user_type: 'client',
  });
  if (!fields.success) throw new Mistake(fields.error.issues.map(({ message }) => message).join('\n'));
  const password = await readPassword(terminal, values['password-stdin'] ?? false);
  refuseWeakPassword(password);
  const passwordHash = await createPasswords({ world: realWorld, atOnceMax: 1, waitingMax: 1 }).hash(password);
  const { data } = fields;
  await database.transaction(async (tx) => {
    const userId = await createPerson(tx, {
      idNumber: data.id_number,
      firstName: data.first_name,
      lastName: data.last_name,
      phone: data.phone_number,
      email: data.email,
      passwordHash,
    });
    await noteRegistration(tx, { userId, phone: data.phone_number, idNumber: data.id_number, address: null });
    await refuseOfficialsName(tx, userId);
    await grantOperator(tx, userId);
  });
}

/** An official must not be taken for an operator (docs/decisions/162). */
async function refuseOfficialsName(tx: Tx, userId: string): Promise<void> {
  const [person] = await tx.sql<{ first_name: string; last_name: string }[]>`
    select first_name, last_name from users where id = ${userId}`;
  if (!person) return;
  const { first_name: firstName, last_name: lastName } = person;
  if (!(await isNameOfOfficial(tx, { userId, firstName, lastName }))) return;
  throw new Mistake('An official of a sacco has that name. Add a further name of the person, under their profile.');
}

async function readPassword(terminal: Terminal, fromStandardInput: boolean): Promise<string> {
  if (fromStandardInput) return terminal.readLine();
  const { OPERATOR_PASSWORD: given } = terminal.env;
  if (given) return given;
  if (!terminal.askSecret) throw new Mistake('There is no terminal to ask for the password: use --password-stdin.');
  const password = await terminal.askSecret('Password: ');
  if ((await terminal.askSecret('The same again: ')) !== password) throw new Mistake('The two are not the same.');
  return password;
}

function revoke(idNumber: string): Command {
  return async (database, { print }) => {
    const person = await requirePerson(database, idNumber);
    const revoked = await database.transaction((tx) => revokeOperator(tx, person.id));
    if (!revoked) throw new Mistake(`${person.id_number} is not an operator.`);
    print(`${person.id_number} is no longer an operator, and has been signed out.`);
  };
}

function resetTotp(idNumber: string): Command {
  return async (database, { print }) => {
    const person = await requirePerson(database, idNumber);
    const removed = await database.transaction((tx) => resetSecondFactor(tx, person.id));
    if (!removed) throw new Mistake(`${person.id_number} has no authenticator app.`);
    print(`The authenticator app of ${person.id_number} is off, and they have been signed out.`);
  };
}

async function personWith(database: Database, idNumber: string) {
  const [person] = await database.sql<{ id: string; id_number: string }[]>`
    select u.id, u.id_number from users u ${whoseId(database, plainId(idNumber))}`;
  return person;
}

async function requirePerson(database: Database, idNumber: string) {
  const person = await personWith(database, idNumber);
  if (!person) throw new Mistake(`Nobody has the ID number ${idNumber}.`);
  return person;
}

/** The database of the settings, migrated. The first operator may be made before the first start; any other command needs a database. */
async function openConfigured(config: Config, command: string | undefined) {
  const missing = command === 'create' ? null : whyNoDatabase(config);
  if (missing) throw new Mistake(missing);
  const { url, stop } = await findDatabase(config);
  try {
    await migrate(url);
    const database = openDatabase({ url, world: realWorld, poolSize: 2 });
    const tools: LogTools = {
      heads: new SignedHeads(config.dataDir),
      chainSettings: config.chain,
      keyring: () => openKeyring(config, database, realWorld),
    };
    return {
      database,
      tools,
      close: async () => {
        await database.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function realTerminal(): Terminal {
  return {
    print: (line) => console.log(line),
    readLine: () => readLine(),
    askSecret: process.stdin.isTTY ? (prompt) => askSecret(prompt) : null,
    env: process.env,
  };
}

async function readLine(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  return text.split(/\r?\n/)[0] ?? '';
}

/** Reads a line from the terminal, key by key, so that nothing is shown. */
function askSecret(prompt: string): Promise<string> {
  const { stdin, stdout } = process;
  // Before the prompt: who answers at once is not shown either.
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  stdout.write(prompt);
  return new Promise((resolve, reject) => {
    let typed = '';
    const finish = (end: () => void) => {
      stdin.off('data', onData);
      stdin.setRawMode(false);
      stdin.pause();
      stdout.write('\n');
      end();
    };
    const onData = (chunk: string) => {
      for (const key of chunk) {
        if (key === '\r' || key === '\n') return finish(() => resolve(typed));
        if (key === '\u0003' || key === '\u0004') return finish(() => reject(new Mistake('Nothing was done.')));
        typed = key === '\u007f' || key === '\b' ? [...typed].slice(0, -1).join('') : typed + key;
      }
    };
    stdin.on('data', onData);
    stdin.resume();
  });
}

if (import.meta.main) {
  process.exitCode = await runOperator(
    process.argv.slice(2),
    async () => openConfigured(readConfig(process.env), process.argv[2]),
    realTerminal(),
  );
}
