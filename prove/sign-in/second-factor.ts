import { readConfig } from '../../server/config.ts';
import { hotp, stepOf } from '../../server/domains/identity/totp.rules.ts';
import { type Answer, PASSWORD, type Person, type Product, productOn } from '../support/product.ts';
import { type Scene, short } from './findings.ts';

const STEP_MS = 30_000;

/** Offices wait for an authenticator app, whose codes work once and near their time; and what tokens are. */
export async function proveSecondFactorAndTokens({ run, findings }: Scene): Promise<void> {
  const production = readConfig({ NODE_ENV: 'production' });
  findings.expect(production.requireTotp, () => 'P13: in production offices do not need a second factor by default');
  const product = await productOn(run.serverUrl, { REQUIRE_TOTP: '1' });
  try {
    await officesWait(product, { run, findings });
    await tokensAreSecret(product, { run, findings });
  } finally {
    await product.close();
  }
}

const signIn = (product: Product, person: Person, otp?: string, password = PASSWORD): Promise<Answer> =>
  product.call('POST', '/auth/login/', {
    body: { id_number: person.idNumber, password, user_type: 'client', ...(otp === undefined ? {} : { otp }) },
  });

async function officesWait(product: Product, { findings }: Scene): Promise<void> {
  const operator = await product.operator();
  const desk = (token: string) => product.call('GET', '/operator/referrals', { token });
  const waiting = await desk(operator.token);
  findings.count('offices held back without an app');
  findings.expect(
    waiting.status === 403 && waiting.body.code === 'second_factor_enrolment_required',
    () => `P13: an operator without an authenticator app was answered ${waiting.status} ${short(waiting.text)}`,
  );
  const begun = await product.call('POST', '/client/second-factor', {
    as: operator,
    body: { current_password: PASSWORD },
  });
  const secret = fromBase32(begun.body.secret);
  const codeAt = (steps: number) => hotp(secret, stepOf(product.database.now()) + steps);
  const confirmed = await product.call('POST', '/client/second-factor/confirmation', {
    as: operator,
    body: { otp: codeAt(0) },
  });
  findings.expect((await desk(operator.token)).status === 200, () => 'P13: an operator with an app is held back');
  await nothingHolds(product, secret, 'the secret of an authenticator app', findings);
  product.database.world.advance(5 * STEP_MS);
  const tries: [string, string | undefined, number][] = [
    ['no code', undefined, 401],
    ['a code of two steps ago', codeAt(-2), 401],
    ['a code two steps ahead', codeAt(2), 401],
    ['a code of the step before', codeAt(-1), 200],
    ['the same code again', codeAt(-1), 401],
    ['a code of the step ahead', codeAt(1), 200],
    ['an older code than the last one taken', codeAt(0), 401],
    ['a recovery code', confirmed.body.recovery_codes[0], 200],
    ['the same recovery code again', confirmed.body.recovery_codes[0], 401],
  ];
  for (const [what, otp, expected] of tries) {
    const { status } = await signIn(product, operator, otp);
    findings.count('codes of apps, and used ones');
    findings.expect(status === expected, () => `P13: signing in with ${what} was answered ${status}, not ${expected}`);
  }
  const reset = await signIn(product, operator, codeAt(9), 'Wrong#2026');
  findings.expect(reset.body.code === 'invalid_credentials', () => 'P11: a code is judged before the password');
}

/** 32 random bytes, new at each sign-in, in one header and no other place; the database has their hash. */
async function tokensAreSecret(product: Product, { findings }: Scene): Promise<void> {
  const person = await product.person('Token');
  const tokens = [person.token];
  for (let time = 0; time < 3; time += 1) tokens.push((await signIn(product, person)).body.token);
  findings.count('tokens', tokens.length);
  findings.expect(new Set(tokens).size === tokens.length, () => 'P10: two sign-ins gave one token');
  findings.expect(
    tokens.every((token) => Buffer.from(token, 'base64url').length === 32 && /^[\w-]{43}$/.test(token)),
    () => 'P10: a token is not of 32 bytes',
  );
  for (const token of tokens) await nothingHolds(product, Buffer.from(token), 'a token', findings);
  const { token } = person;
  const wrong: [string, Readonly<Record<string, string>>, string][] = [
    ['another scheme', { authorization: `Bearer ${token}` }, '/client/'],
    ['small letters', { authorization: `token ${token}` }, '/client/'],
    ['no scheme', { authorization: token }, '/client/'],
    ['a cookie', { cookie: `token=${token}` }, '/client/'],
    ['the query', {}, `/client/?token=${token}`],
    ['its hash', { authorization: `Token ${await hashOf(product, token)}` }, '/client/'],
    ['one letter more', { authorization: `Token ${token}A` }, '/client/'],
  ];
  for (const [where, headers, path] of wrong) {
    const { status } = await product.call('GET', path, { headers });
    findings.count('tokens in the wrong place');
    findings.expect(status === 401, () => `P10: a token sent by ${where} was answered ${status}`);
  }
}

async function hashOf(product: Product, token: string): Promise<string> {
  const { hash } = await import('node:crypto');
  const tokenHash = hash('sha256', token, 'base64url');
  const [row] = await product.database.sql`select 1 from sessions where token_hash = ${tokenHash}`;
  if (!row) throw new Error('The session is not there by its hash.');
  return tokenHash;
}

/** Looks through every row of every table, as text and as bytes; and first for a number that is there, to see that it finds. */
async function nothingHolds(
  product: Product,
  secret: Buffer,
  what: string,
  findings: Scene['findings'],
): Promise<void> {
  const [anybody] = await product.database.owner<{ id_number: string }[]>`select id_number from users limit 1`;
  const known = await tablesWith(product, Buffer.from(anybody?.id_number ?? ''));
  findings.expect(known.found.includes('public.users'), () => 'P10: the search through the tables finds nothing');
  const { found, looked } = await tablesWith(product, secret);
  findings.expect(found.length === 0, () => `P10: ${found.join(', ')} holds ${what} as it is`);
  findings.count('tables looked through', looked);
}

async function tablesWith({ database }: Product, bytes: Buffer): Promise<{ found: string[]; looked: number }> {
  const tables = await database.owner<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`;
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await database.owner.unsafe(
      `select 1 from ${name} t where position($1 in t::text) > 0 or position($2 in t::text) > 0 limit 1`,
      [bytes.toString('utf8').replaceAll('\0', '?'), bytes.toString('hex')],
    );
    if (row) found.push(name);
  }
  return { found, looked: tables.length };
}

function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((symbol) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(symbol).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
