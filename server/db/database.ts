import { Refusal } from '@ushirika/contract/refusal';
import postgres from 'postgres';
import { buggify } from '#faults';
import { newId, realWorld, type World } from '../world.ts';
import { ConnectionLimiter } from './connection-limiter.ts';
import { currentDeadline, type Deadline } from './deadline.ts';
import { personNow } from './person.ts';
import { onBehalfOfPersons, takeOnPerson } from './person-statements.ts';
import { poolSockets, STARTUP_PADDING, withoutEmptyRows } from './pool-socket.ts';
import type { Database, Tx } from './tx.ts';

export interface DatabaseOptions {
  /** The owner's connection. Each session switches to the role `ushirika_app` when it starts. */
  readonly url: string;
  readonly world?: World;
  readonly poolSize?: number;
  /** A statement that runs longer is ended by PostgreSQL. */
  readonly statementTimeoutMs?: number;
  /** A statement that waits longer for a lock is ended by PostgreSQL. */
  readonly lockTimeoutMs?: number;
  /** For tools of the operator: null stays the owner. */
  readonly role?: 'ushirika_app' | null;
}

/** Deadlock and serialization failure: PostgreSQL rolled everything back, and the same work may succeed when rerun. */
const rerunnable = new Set(['40001', '40P01']);
const rerunsMax = 3;
/** Timeout of a lock or statement, too many connections, starting up: nothing was done, and a retry makes sense. */
const busy = new Set(['55P03', '57014', '53300', '57P03', 'ECONNREFUSED', 'CONNECT_TIMEOUT']);

const POOL_SIZE = 10;
/** Requests whose transaction may wait for a connection; one more is refused as `unavailable`. */
const WAITING_MAX = 500;
/** PostgreSQL ends a transaction that is idle for longer. */
const IDLE_IN_TRANSACTION_MS_MAX = 30_000;
const CONNECT_SECONDS_MAX = 5;
/** How long closing waits for transactions under way. */
const CLOSING_SECONDS_MAX = 5;
/**
 * How long closing waits when no transaction is under way. postgres.js would wait for answers on broken connections.
 */
const CLOSING_SECONDS_MIN = 1;

/** Opens the application's connection pool. `Database` and `Tx` are described in tx.ts. */
export function openDatabase(options: DatabaseOptions): Database {
  const world = options.world ?? realWorld;
  const commits = new CommitsUnderWay();
  const pool = connect(options, (notice) => {
    if (notice.code === '01000') commits.doubtAll();
  });
  const sql = onBehalfOfPersons(withoutEmptyRows(pool), () => world.now());
  const limiter = new ConnectionLimiter({ atOnceMax: options.poolSize ?? POOL_SIZE, waitingMax: WAITING_MAX });
  const attempt = async <T>(run: (tx: Tx) => Promise<T>) => {
    await limiter.acquire(currentDeadline());
    try {
      return await runOnce(database, world, commits, run);
    } finally {
      limiter.release();
    }
  };
  const database: Database = {
    sql,
    transaction: (run) => rerunning(world, () => attempt(run)),
    now: () => world.now(),
    newId: () => newId(world),
    randomBytes: (length) => world.randomBytes(length),
    pool: () => limiter.figures(),
    close: () => sql.end({ timeout: limiter.figures().running > 0 ? CLOSING_SECONDS_MAX : CLOSING_SECONDS_MIN }),
  };
  return database;
}

function connect(options: DatabaseOptions, onnotice: (notice: postgres.Notice) => void): postgres.Sql {
  const role = options.role === undefined ? 'ushirika_app' : options.role;
  return postgres(options.url, {
    max: options.poolSize ?? POOL_SIZE,
    onnotice,
    // By default postgres.js waits up to 20 s before it reconnects, long after the database is back.
    backoff: (failures: number) => Math.min(0.05 * 2 ** failures, 1),
    connect_timeout: CONNECT_SECONDS_MAX,
    types: wireTypes,
    // The option is missing from its types.
    ...({ socket: poolSockets() } as object),
    connection: {
      application_name: 'ushirika',
      TimeZone: 'UTC',
      options: STARTUP_PADDING,
      ...(role ? { role } : {}),
      statement_timeout: options.statementTimeoutMs ?? 15_000,
      lock_timeout: options.lockTimeoutMs ?? 10_000,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS_MAX,
    },
  }) as unknown as postgres.Sql;
}

/** Types of values from PostgreSQL: an int8 is a number or an error, a date stays text. */
const wireTypes = {
  int8: { to: 20, from: [20], serialize: (value: unknown) => String(value), parse: parseSafeInteger },
  date: { to: 1082, from: [1082], serialize: (value: unknown) => String(value), parse: (text: string) => text },
};

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} is past what a number holds exactly.`);
  return value;
}

async function runOnce<T>(
  database: Database,
  world: World,
  commits: CommitsUnderWay,
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  const effects: (() => void)[] = [];
  const commit = commits.next();
  const deadline = currentDeadline();
  const session = new TransactionSession(deadline);
  let result: T;
  try {
    if (buggify('begin_lost')) throw new NotBegun(brokenLine());
    result = (
      await database.sql.begin(async (transaction) => {
        const person = personNow();
        // Not awaited: it is sent with the first statement. If it fails, the transaction fails.
        if (person) transaction.unsafe(takeOnPerson(person, world.now())).execute();
        const value = await session.hold(async () => {
          const done = await run(makeTx(session.guard(transaction), database, world, effects));
          if (buggify('commit_slow')) await transaction`select pg_sleep(0.05)`;
          return done;
        });
        if (buggify('commit_never_sent')) throw brokenLine();
        // When the deadline has passed, the caller was already told `unavailable`: the transaction is rolled back.
        deadline?.commits();
        // From here until `begin` returns, COMMIT may have been sent. Without an answer the outcome is unknown.
        commit.begin();
        return { value };
      })
    ).value as T;
    if (buggify('commit_reply_lost')) throw brokenLine();
  } catch (error) {
    if (!session.hasBegun && (isLost(error) || error instanceof postgres.PostgresError)) throw new NotBegun(error);
    if (commit.isUnderWay && !isDefiniteFailure(error)) throw unknownOutcome(error);
    throw session.loss ?? error;
  } finally {
    session.end();
    commit.end();
  }
  if (commit.isDoubtful) throw unknownOutcome(new Error('PostgreSQL gave a warning (01000) at COMMIT'));
  for (const effect of effects) runEffect(effect);
  return result;
}

function makeTx(sql: postgres.TransactionSql, database: Database, world: World, effects: (() => void)[]): Tx {
  return {
    sql,
    database,
    now: world.now(),
    newId: () => newId(world),
    afterCommit: (effect) => void effects.push(effect),
    alone: (act) => alone(sql, effects, act),
  };
}

async function alone<T>(sql: postgres.TransactionSql, effects: (() => void)[], act: () => Promise<T>): Promise<T> {
  const before = effects.length;
  await sql`savepoint alone`;
  let done: T;
  try {
    done = await act();
  } catch (error) {
    effects.length = before;
    // On a lost line nothing can be taken back; the whole transaction is rolled back.
    if (!isLost(error)) await sql`rollback to savepoint alone; release savepoint alone`.simple();
    throw error;
  }
  await sql`release savepoint alone`;
  return done;
}

/**
 * Sends nothing more for a transaction whose connection broke. postgres.js would send its statements and its ROLLBACK
 * over the dead socket, which ends the process (porsager/postgres 1208). After a reconnect it would send them into
 * another transaction (1216). So the function that `begin` waits for never returns; `begin` rejects when the socket
 * closes.
 */
class TransactionSession {
  /** Why the connection was lost. */
  loss: unknown;
  /** BEGIN was answered. */
  hasBegun = false;
  #isOver = false;
  readonly #deadline: Deadline | undefined;

  constructor(deadline: Deadline | undefined) {
    this.#deadline = deadline;
  }

  /**
   * The same handle, but it rejects every statement once the transaction is over. It never throws synchronously: of
   * statements sent together, the earlier ones would then reject unhandled, which ends the process.
   */
  guard(sql: postgres.TransactionSql): postgres.TransactionSql {
    return new Proxy(sql, {
      apply: (target, self, parameters) => {
        const why = this.#whyNot();
        return why ? rejected(why) : Reflect.apply(target, self, parameters);
      },
      get: (target, name) => {
        const why = name === 'unsafe' || name === 'savepoint' || name === 'file' ? this.#whyNot() : null;
        return why ? () => rejected(why) : Reflect.get(target, name);
      },
    });
  }

  #whyNot(): unknown {
    if (this.#isOver || this.loss) return new Error('The transaction is over.', { cause: this.loss });
    try {
      this.#deadline?.check();
      return null;
    } catch (error) {
      return error;
    }
  }

  async hold<T>(run: () => Promise<T>): Promise<T> {
    this.hasBegun = true;
    try {
      const value = await run();
      if (this.#isOver) await never;
      return value;
    } catch (error) {
      if (this.#isOver) await never;
      if (!isLost(error)) throw error;
      this.loss = error;
      // The close normally follows at once. If it does not, the connection is alive and the transaction must be rolled
      // back.
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      if (this.#isOver) await never;
      throw error;
    }
  }

  end(): void {
    this.#isOver = true;
  }
}

const never = new Promise<never>(() => {});

/** A rejection that counts as handled. */
function rejected(error: unknown): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => {});
  return promise;
}

/**
 * No transaction began: PostgreSQL was unreachable, or postgres.js used a broken connection and reported its old error.
 * Nothing was done, so it can be retried.
 */
class NotBegun extends Error {
  constructor(cause: unknown) {
    super('No transaction could be begun.', { cause });
  }
}

/** Whether the error says that the connection is lost, according to the server or to the socket. */
export function isLost(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return error.severity === 'FATAL' || error.severity === 'PANIC';
  const code = String((error as { code?: unknown } | null | undefined)?.code ?? '');
  return code.startsWith('CONNECTION_') || ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(code);
}

/** Whether PostgreSQL answered that the transaction failed, as opposed to no answer or a shutdown. */
function isDefiniteFailure(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.severity === 'ERROR';
}

/** The error that postgres.js gives for a broken connection; for fault points. */
function brokenLine(): Error {
  return Object.assign(new Error('The line broke (fault point).'), { code: 'CONNECTION_CLOSED' });
}

function unknownOutcome(cause: unknown): Refusal {
  return Object.assign(new Refusal('unknown_outcome'), { cause });
}

function runEffect(effect: () => void): void {
  try {
    effect();
  } catch (error) {
    // The transaction is committed. A failed effect must not make it look undone.
    console.error('An effect after the commit failed:', error);
  }
}

async function rerunning<T>(world: World, attempt: () => Promise<T>): Promise<T> {
  for (let reruns = 0; ; reruns += 1) {
    try {
      return await attempt();
    } catch (error) {
      const code = String((error as { code?: unknown }).code ?? '');
      if (busy.has(code)) throw Object.assign(new Refusal('unavailable'), { cause: error });
      if (!rerunnable.has(code) && !(error instanceof NotBegun)) throw error;
      if (reruns === rerunsMax) throw Object.assign(new Refusal('unavailable'), { cause: error });
      // A random delay, so that transactions that deadlocked do not retry in step.
      const jitter = (world.randomBytes(1)[0] ?? 0) / 256;
      await new Promise((resolve) => setTimeout(resolve, 5 * 2 ** reruns * (0.5 + jitter)));
    }
  }
}

/**
 * The COMMITs that wait for an answer. A warning at COMMIT (a synchronous standby that was not waited for) does not
 * name its connection, so it makes the outcome of all of them unknown. A COMMIT that succeeded is then found by its
 * idempotency key; one that was wrongly called a success would be lost money.
 */
class CommitsUnderWay {
  readonly #commits = new Set<Commit>();

  next(): Commit {
    return new Commit(this.#commits);
  }

  doubtAll(): void {
    for (const commit of this.#commits) commit.isDoubtful = true;
  }
}

class Commit {
  isUnderWay = false;
  isDoubtful = false;
  readonly #commits: Set<Commit>;

  constructor(commits: Set<Commit>) {
    this.#commits = commits;
  }

  begin(): void {
    this.isUnderWay = true;
    this.#commits.add(this);
  }

  end(): void {
    this.#commits.delete(this);
  }
}
