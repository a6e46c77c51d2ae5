import { crockfordCode, fastHash, inGroups } from '../../server/domains/identity/codes.rules.ts';
import { createPerson } from '../../server/domains/identity/create-person.ts';
import { openSession } from '../../server/domains/identity/open-session.ts';
import { grantOperator, resetSecondFactor, revokeOperator } from '../../server/domains/identity/operators.ts';
import type { Passwords } from '../../server/domains/identity/passwords.ts';
import { openOffice } from '../../server/domains/saccos/offices.ts';
import { testSaccos } from '../../server/domains/saccos/test-saccos.ts';
import { PASSWORD } from '../support/product.ts';
import { passwordsOf, type Scene } from './findings.ts';
import { proveStreamsEnd } from './streams.ts';
import { type TwoServers, twoHouses, twoProcesses } from './two-servers.ts';

/** How often each way of losing a right is tried. */
const TRIALS = {
  c: { cheap: 12, dear: 2, workers: 4 },
  n: { cheap: 1_900, dear: 200, workers: 8 },
  r: { cheap: 4_000, dear: 500, workers: 8 },
} as const;

export interface Subject {
  readonly id: string;
  readonly idNumber: string;
}

/** A pair of servers and what is needed to try something on them. */
export interface Stage extends TwoServers {
  readonly passwords: Passwords;
  readonly passwordHash: string;
  readonly saccoId: string;
  /** A new session of a person, opened as sign-in opens it. */
  signedIn(subject: Subject): Promise<string>;
  /** Asks one of the two servers. */
  ask(server: 0 | 1, token: string | null, method: string, path: string, body?: object): Promise<number>;
}

/** A right, how it is used, and how it is lost. */
interface Loss {
  readonly name: string;
  /** Whether losing it takes slow hashes. */
  readonly isDear: boolean;
  /** Where more at once would take it from one another, or from the throttle of their one network. */
  readonly atOnceMax?: number;
  readonly use: (stage: Stage, server: 0 | 1, token: string) => Promise<number>;
  readonly prepare?: (stage: Stage, subject: Subject) => Promise<void>;
  readonly lose: (stage: Stage, subject: Subject, token: string) => Promise<number>;
  /** What the use is answered while the right is there, and once it is lost. */
  readonly answers: readonly [there: number, lost: number];
}

/** P10: what was ended, changed or taken away on one server counts at the next request, on both. */
export async function proveLossCountsAtOnce({ run, findings }: Scene): Promise<void> {
  const servers =
    run.tier === 'c'
      ? await twoHouses(run.serverUrl, run.broken === 'sessions-remembered' ? 1_000 : 0)
      : await twoProcesses(run.serverUrl);
  try {
    const stage = await setTheStage(servers, run);
    const { cheap, dear, workers } = TRIALS[run.tier];
    let trials = 0;
    for (const loss of losses) {
      const times = loss.isDear ? dear : cheap;
      run.tell(`P10: ${loss.name}, ${times} times`);
      trials += await tryOften(stage, loss, { times, workers }, { run, findings });
      if (run.broken && findings.violations.length > 0) return;
    }
    await proveStreamsEnd(stage, { run, findings });
    const kind = run.tier === 'c' ? 'servers' : 'processes';
    findings.figures.P10 = `${trials.toLocaleString('en')} rights lost in ${losses.length} ways, asked for at once of two ${kind}: 0 stale acceptances; streams ended`;
  } finally {
    await servers.close();
  }
}

async function setTheStage(servers: TwoServers, run: Scene['run']): Promise<Stage> {
  const { database } = servers;
  const passwords = passwordsOf(run, database);
  const passwordHash = await passwords.hash(PASSWORD);
  const founder = await newSubject(servers, passwordHash, 0);
  const operator = await newSubject(servers, passwordHash, 900_000);
  await database.transaction((tx) => grantOperator(tx, operator.id));
  const saccoId = await testSaccos(database).sacco(founder.id, operator.id);
  return {
    ...servers,
    passwords,
    passwordHash,
    saccoId,
    signedIn: (subject) =>
      database.transaction(async (tx) => {
        const origin = { address: '127.0.0.1', userAgent: '' };
        return (await openSession(tx, { userId: subject.id, origin, hasSecondFactor: true })).token;
      }),
    ask: async (server, token, method, path, body) => {
      const response = await fetch(`${servers.origins[server]}/api/v1${path}`, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Token ${token}`, saccoid: saccoId }),
          ...(method === 'GET' || method === 'DELETE' ? {} : { 'content-type': 'application/json' }),
        },
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify(body ?? {}) }),
      });
      await response.arrayBuffer();
      return response.status;
    },
  };
}

async function newSubject({ database }: TwoServers, passwordHash: string, number: number): Promise<Subject> {
  const idNumber = `REV${10_000 + number}`;
  const person = {
    idNumber,
    firstName: 'Subject',
    // An official may not have an operator's name.
    lastName: `Revoked ${number}`,
    phone: `25471${String(1_000_000 + number)}`,
    email: `subject${number}@revoked.example`,
    passwordHash,
  };
  return { id: await database.transaction((tx) => createPerson(tx, person)), idNumber };
}

let subjects = 0;

/** Each worker has people of its own; one whose password a trial has changed is not used again. */
async function tryOften(
  stage: Stage,
  loss: Loss,
  { times, workers }: { times: number; workers: number },
  { run, findings }: Scene,
): Promise<number> {
  let left = times;
  let done = 0;
  const work = async () => {
    let subject: Subject | null = null;
    while (left > 0) {
      left -= 1;
      if (!subject || loss.isDear) {
        subjects += 1;
        subject = await newSubject(stage, stage.passwordHash, subjects);
      }
      await tryOnce(stage, loss, subject, { run, findings });
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, times, loss.atOnceMax ?? workers) }, work));
  findings.count(`lost: ${loss.name}`, done);
  return done;
}

async function tryOnce(stage: Stage, loss: Loss, subject: Subject, { findings }: Scene): Promise<void> {
  await loss.prepare?.(stage, subject);
  const token = await stage.signedIn(subject);
  const before = await Promise.all([loss.use(stage, 0, token), loss.use(stage, 1, token)]);
  findings.expect(
    before.every((status) => status === loss.answers[0]),
    () => `P10: ${loss.name}: the right was not there before it was lost: ${before}`,
  );
  const lost = await loss.lose(stage, subject, token);
  findings.expect(lost === 200, () => `P10: ${loss.name}: it could not be lost: ${lost}`);
  // The other server first: it has not heard of it but through the database.
  const after = [await loss.use(stage, 1, token), await loss.use(stage, 0, token)];
  findings.expect(
    after.every((status) => status === loss.answers[1]),
    () => `P10: ${loss.name}: stale: right after it was lost the two servers answered ${after}, not ${loss.answers[1]}`,
  );
}

const profile: Loss['use'] = (stage, server, token) => stage.ask(server, token, 'GET', '/client/preferences');
const operators: Loss['use'] = (stage, server, token) => stage.ask(server, token, 'GET', '/operator/referrals');
/** Who asks is settled before what they sent is judged: an official's empty request is a bad one, a stranger's is none. */
const officials: Loss['use'] = (stage, server, token) => stage.ask(server, token, 'PUT', '/sacco/referral-terms', {});

const losses: readonly Loss[] = [
  {
    name: 'signed out',
    isDear: false,
    use: profile,
    lose: (stage, _subject, token) => stage.ask(0, token, 'POST', '/auth/logout/'),
    answers: [200, 401],
  },
  {
    name: 'signed out by its owner elsewhere',
    isDear: false,
    use: profile,
    lose: async (stage, subject, token) => {
      const own = await stage.signedIn(subject);
      const [row] = await stage.database.sql<{ id: string }[]>`
        select id from sessions where token_hash = ${fastHash(token)}`;
      const status = await stage.ask(0, own, 'DELETE', `/client/sessions/${row?.id}`);
      await stage.ask(0, own, 'POST', '/auth/logout/');
      return status;
    },
    answers: [200, 401],
  },
  {
    name: 'operator revoked',
    isDear: false,
    use: operators,
    prepare: async ({ database }, { id }) => void (await database.transaction((tx) => grantOperator(tx, id))),
    lose: async ({ database }, { id }) => ((await database.transaction((tx) => revokeOperator(tx, id))) ? 200 : 0),
    answers: [200, 401],
  },
  {
    name: 'office ended',
    isDear: false,
    atOnceMax: 1,
    use: officials,
    prepare: async ({ database, saccoId }, { id }) => {
      await database.sql`update offices set ended_at = ${database.now()} where office = 'chair' and ended_at is null`;
      await database.transaction((tx) => openOffice(tx, { userId: id }, { saccoId, userId: id, office: 'chair' }));
    },
    lose: async ({ database, saccoId }, { id }) => {
      await database.sql`
        update offices set ended_at = ${database.now()} where sacco_id = ${saccoId} and user_id = ${id} and ended_at is null`;
      return 200;
    },
    answers: [400, 403],
  },
  {
    name: 'authenticator app taken off',
    isDear: false,
    use: profile,
    prepare: async ({ database }, { id }) => {
      await database.sql`
        insert into second_factors (user_id, secret, state, created_at, confirmed_at)
        values (${id}, ${database.randomBytes(20)}, 'on', ${database.now()}, ${database.now()})`;
    },
    lose: async ({ database }, { id }) => ((await database.transaction((tx) => resetSecondFactor(tx, id))) ? 200 : 0),
    answers: [200, 401],
  },
  {
    name: 'signed out everywhere',
    isDear: true,
    use: profile,
    lose: (stage, { idNumber }) =>
      stage.ask(0, null, 'POST', '/auth/logoutall/', { id_number: idNumber, password: PASSWORD }),
    answers: [200, 401],
  },
  {
    name: 'password changed elsewhere',
    isDear: true,
    use: profile,
    lose: async (stage, subject) =>
      stage.ask(0, await stage.signedIn(subject), 'POST', '/client/password', {
        current_password: PASSWORD,
        password: 'Nyingine#2028',
      }),
    answers: [200, 401],
  },
  {
    name: 'password reset',
    isDear: true,
    atOnceMax: 3,
    use: profile,
    lose: async ({ database, passwords, ask }, { id }) => {
      const code = crockfordCode(8, (length) => database.randomBytes(length));
      const now = database.now();
      await database.sql`
        insert into reset_codes (id, user_id, code_hash, created_at, expires_at)
        values (${database.newId()}, ${id}, ${await passwords.hashCode(code)}, ${now}, ${new Date(now.getTime() + 60_000)})`;
      return ask(0, null, 'POST', '/auth/reset-password/', { reset_code: inGroups(code), password: 'Nyingine#2028' });
    },
    answers: [200, 401],
  },
];
