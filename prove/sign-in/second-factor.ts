import type { Replaced } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { hotp, stepOf } from '../../server/domains/identity/totp.rules.ts';
import { openOffice } from '../../server/domains/saccos/offices.ts';
import type { LiveSession } from '../../server/http/admit.ts';
import { type Answer, PASSWORD, type Person, type Product, productOn } from '../support/product.ts';
import { type Scene, short } from './findings.ts';

const STEP_MS = 30_000;
const WRONG_CODES = 45;
const WRONG_CODES_MAX = 10;

/** Somebody whose office waits for an authenticator app. */
interface Officer {
  readonly who: string;
  readonly person: Person;
  /** Does what the office is needed for. */
  act(token: string): Promise<Answer>;
}

/** Their app, as the phone has it. */
interface App {
  readonly secret: Buffer;
  readonly recoveryCodes: readonly string[];
  /** The code of the present step, or of one so many steps from it. */
  codeAt(steps: number): string;
}

/** What is typed at sign-in, in this order, and what it is answered. */
const tries: readonly { what: string; otp: (app: App) => string | undefined; answer: string }[] = [
  { what: 'no code', otp: () => undefined, answer: 'second_factor_required' },
  { what: 'a code of two steps ago', otp: (app) => app.codeAt(-2), answer: 'second_factor_invalid' },
  { what: 'a code two steps ahead', otp: (app) => app.codeAt(2), answer: 'second_factor_invalid' },
  { what: 'a code of the step before', otp: (app) => app.codeAt(-1), answer: 'let in' },
  { what: 'the same code again', otp: (app) => app.codeAt(-1), answer: 'second_factor_invalid' },
  { what: 'a code of the step ahead', otp: (app) => app.codeAt(1), answer: 'let in' },
  { what: 'an older code than the last one taken', otp: (app) => app.codeAt(0), answer: 'second_factor_invalid' },
  { what: 'a recovery code', otp: (app) => app.recoveryCodes[0], answer: 'let in' },
  { what: 'the same recovery code again', otp: (app) => app.recoveryCodes[0], answer: 'second_factor_invalid' },
];

const OPERATOR = 'an operator';
const CHAIR = 'the chair of a sacco';
const kinds = {
  heldBack: (who: string) => `${who} held back without an app`,
  tried: (who: string, what: string) => `${who} signing in with ${what}`,
  wrongPassword: (who: string) => `${who} signing in with a wrong code and a wrong password`,
  acted: (who: string) => `acts of ${who} who had shown a code`,
  particulars: 'lists of members read by a chair without an app, and with one',
  tables: 'tables looked through',
  tokens: 'tokens',
  misplaced: 'tokens in the wrong place',
  wrongCodes: 'wrong codes after the right password, with signing out everywhere in between',
  judgedCodes: 'wrong codes of those that were judged',
} as const;

/** Offices wait for an authenticator app, whose codes work once and near their time; and what tokens are. */
export async function proveSecondFactorAndTokens({ run, findings }: Scene): Promise<void> {
  const { particulars, tables, tokens, misplaced, wrongCodes, judgedCodes } = kinds;
  findings.mustHappen(...[OPERATOR, CHAIR].flatMap(kindsOf), particulars, tables, tokens, misplaced);
  findings.mustHappen(wrongCodes, judgedCodes);
  const production = readConfig({ NODE_ENV: 'production' });
  findings.expect(production.requireTotp, () => 'P13: in production offices do not need a second factor by default');
  const product = await productOn(run.serverUrl, { REQUIRE_TOTP: '1' }, replacedFor(run.broken));
  try {
    await breakTables(product, run.broken);
    if (run.broken === 'codes-forgiven-by-signing-out') return await codesAreNotGuessed(product, { run, findings });
    await officesWait(product, { run, findings });
    if (run.broken && findings.violations.length > 0) return;
    await codesAreNotGuessed(product, { run, findings });
    if (run.broken && findings.violations.length > 0) return;
    await tokensAreSecret(product, { run, findings });
  } finally {
    await product.close();
  }
}

function kindsOf(who: string): string[] {
  const tried = tries.map(({ what }) => kinds.tried(who, what));
  return [kinds.heldBack(who), ...tried, kinds.wrongPassword(who), kinds.acted(who)];
}

const signIn = (product: Product, person: Person, otp?: string, password = PASSWORD): Promise<Answer> =>
  product.call('POST', '/auth/login/', {
    body: { id_number: person.idNumber, password, user_type: 'client', ...(otp === undefined ? {} : { otp }) },
  });

async function officesWait(product: Product, { run, findings }: Scene): Promise<void> {
  const operator = await product.operator();
  const chair = await product.person('Charity');
  const sacco = await product.saccos.sacco(chair.id, operator.id);
  await product.saccos.join(sacco, chair.id);
  // Who could confirm what the chair proposes.
  const second = await product.person('Teresia');
  const office = { saccoId: sacco, userId: second.id, office: 'treasurer' } as const;
  await product.database.transaction((tx) => openOffice(tx, { userId: chair.id }, office));
  const officers: readonly Officer[] = [
    { who: OPERATOR, person: operator, act: (token) => product.call('GET', '/operator/referrals', { token }) },
    { who: CHAIR, person: chair, act: (token) => proposeAndTakeBack(product, token, sacco) },
  ];
  const seesPhones = async () =>
    (await product.call('GET', '/sacco/members', { as: chair, sacco })).text.includes(chair.phone);
  const before = await seesPhones();
  for (const officer of officers) {
    await waitsForAnApp(officer, findings);
    if (run.broken && findings.violations.length > 0) return;
    const app = await setUpAnApp(product, officer);
    await appOpensTheOffice(product, officer, app, findings);
    if (run.broken && findings.violations.length > 0) return;
  }
  const after = await seesPhones();
  findings.count(kinds.particulars, 2);
  findings.expect(!before, () => `P13: ${CHAIR} without an authenticator app was shown the members’ particulars`);
  findings.expect(after, () => `P13: ${CHAIR} with an authenticator app is not shown the members’ particulars`);
}

/** Proposes terms, which takes the office, and takes the proposal back, so that the next one can be made. */
async function proposeAndTakeBack(product: Product, token: string, sacco: string): Promise<Answer> {
  const body = { reward: 0, monthly_rewards_max: 1 };
  const proposed = await product.call('PUT', '/sacco/referral-terms', { token, sacco, body });
  if (proposed.status !== 202) return proposed;
  return product.call('POST', `/sacco/changes/${proposed.body.change.id}/withdrawal`, { token });
}

async function waitsForAnApp({ who, person, act }: Officer, findings: Scene['findings']): Promise<void> {
  const waiting = await act(person.token);
  findings.count(kinds.heldBack(who));
  findings.expect(
    waiting.status === 403 && waiting.body.code === 'second_factor_enrolment_required',
    () => `P13: ${who} without an authenticator app was answered ${waiting.status} ${short(waiting.text)}`,
  );
}

async function setUpAnApp(product: Product, { person }: Pick<Officer, 'person'>): Promise<App> {
  const begun = await product.call('POST', '/client/second-factor', {
    as: person,
    body: { current_password: PASSWORD },
  });
  const secret = fromBase32(begun.body.secret);
  const codeAt = (steps: number) => hotp(secret, stepOf(product.database.now()) + steps);
  const confirmed = await product.call('POST', '/client/second-factor/confirmation', {
    as: person,
    body: { otp: codeAt(0) },
  });
  return { secret, codeAt, recoveryCodes: confirmed.body.recovery_codes };
}

/** In the session that has shown a code, and in each that signs in with one; never twice by the same one. */
async function appOpensTheOffice(
  product: Product,
  { who, person, act }: Officer,
  app: App,
  findings: Scene['findings'],
): Promise<void> {
  const acts = async (token: string, since: string) => {
    const { status } = await act(token);
    findings.count(kinds.acted(who));
    findings.expect(status === 200, () => `P13: ${who} who ${since} was answered ${status}`);
  };
  await acts(person.token, 'has set up an app');
  await nothingHolds(product, app.secret, 'the secret of an authenticator app', findings);
  product.database.world.advance(5 * STEP_MS);
  for (const { what, otp, answer } of tries) {
    const { status, body } = await signIn(product, person, otp(app));
    const answered = status === 200 ? 'let in' : body.code;
    findings.count(kinds.tried(who, what));
    findings.expect(
      answered === answer,
      () => `P13: ${who} signing in with ${what} was answered “${answered}”, not “${answer}”`,
    );
    if (status === 200) await acts(body.token, `signed in with ${what}`);
  }
  const wrong = await signIn(product, person, app.codeAt(9), 'Wrong#2026');
  findings.count(kinds.wrongPassword(who));
  findings.expect(wrong.body.code === 'invalid_credentials', () => 'P11: a code is judged before the password');
}

/**
 * A thief who has the password guesses at the code, and signs out everywhere whenever that might help: ten guesses are
 * judged, wherever they come from; then 15 minutes of rest, and the owner comes in meanwhile where they have been before.
 */
async function codesAreNotGuessed(product: Product, { findings }: Scene): Promise<void> {
  const owner = await product.person('Guarded');
  const home = { address: '41.90.7.7', browser: 'guarded' };
  const body = { id_number: owner.idNumber, password: PASSWORD };
  const signInFrom = (from: { address: string; browser?: string }, otp?: string) =>
    product.call('POST', '/auth/login/', {
      ...from,
      body: { ...body, user_type: 'client', ...(otp === undefined ? {} : { otp }) },
    });
  await signInFrom(home);
  const app = await setUpAnApp(product, { person: owner });
  let judged = 0;
  for (let guess = 0; guess < WRONG_CODES; guess += 1) {
    const { body: answer } = await signInFrom(
      { address: guess % 2 === 0 ? home.address : `10.70.${guess}.1` },
      app.codeAt(1_000 + guess),
    );
    if (answer.code === 'second_factor_invalid') judged += 1;
    if (guess % 9 === 8) await product.call('POST', '/auth/logoutall/', { address: `10.71.${guess}.1`, body });
  }
  findings.count(kinds.wrongCodes, WRONG_CODES);
  findings.count(kinds.judgedCodes, judged);
  findings.expect(
    judged <= WRONG_CODES_MAX,
    () => `P13: ${judged} of ${WRONG_CODES} wrong codes were judged within 15 minutes, more than ${WRONG_CODES_MAX}`,
  );
  product.database.world.advance(2 * STEP_MS);
  const abroad = await signInFrom({ address: '10.72.0.1' }, app.codeAt(0));
  findings.expect(
    abroad.status === 429 && Number(abroad.headers['retry-after']) <= 900,
    () => `P13: after ${judged} wrong codes the next one was answered ${abroad.status} ${short(abroad.text)}`,
  );
  const atHome = await signInFrom(home, app.codeAt(0));
  findings.expect(atHome.status === 200, () => `P13: wrong codes locked the owner out at home: ${short(atHome.text)}`);
}

/** 32 random bytes, new at each sign-in, in one header and no other place; the database has their hash. */
async function tokensAreSecret(product: Product, { findings }: Scene): Promise<void> {
  const person = await product.person('Token');
  const tokens = [person.token];
  for (let time = 0; time < 3; time += 1) tokens.push((await signIn(product, person)).body.token);
  findings.count(kinds.tokens, tokens.length);
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
    findings.count(kinds.misplaced);
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
  findings.count(kinds.tables, looked);
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

/** The negative controls: an office is open to whoever holds it, whatever their session has shown. */
function replacedFor(broken: string | undefined): Replaced {
  const opened: Readonly<Record<string, (session: LiveSession) => LiveSession>> = {
    'operators-without-an-app': (session) => ({ ...session, isOperator: session.isOperator || isWaiting(session) }),
    'officials-without-an-app': (session) => ({ ...session, mayHoldOffice: true }),
  };
  const open = opened[broken ?? ''];
  if (!open) return {};
  return {
    gatekeepers: (ours) => ({
      ...ours,
      readSession: async (token, options) => {
        const session = await ours.readSession(token, options);
        return session && open(session);
      },
    }),
  };
}

const isWaiting = (session: LiveSession) => session.isOperatorInWaiting === true;

/**
 * The negative controls: which code was taken last is forgotten; an app that was confirmed is on no more than before;
 * signing out everywhere forgets all wrong codes.
 */
async function breakTables(product: Product, broken: string | undefined): Promise<void> {
  if (broken === 'codes-forgiven-by-signing-out') {
    await product.database.owner.unsafe(`
      create function forgive_codes() returns trigger language plpgsql security definer as $$
        begin delete from throttles where key like 'otp:%'; return null; end $$;
      create trigger forgive_codes after update on sessions for each statement execute function forgive_codes();`);
  }
  const assignments: Readonly<Record<string, string>> = {
    'app-code-used-again': 'new.last_step := null;',
    'password-without-the-app': `new.state := 'pending'; new.confirmed_at := null;`,
  };
  const assignment = assignments[broken ?? ''];
  if (assignment === undefined) return;
  await product.database.owner.unsafe(`
    create function break_app() returns trigger language plpgsql as $$ begin ${assignment} return new; end $$;
    create trigger break_app before update on second_factors for each row execute function break_app();`);
}
