import { openDatabase } from '../../server/db/database.ts';
import type { TestDatabase } from '../../server/db/test-copy.ts';
import type { Database, Tx } from '../../server/db/tx.ts';
import { until } from '../support/waiting.ts';
import type { Asked, AskedTwice } from './each-message.ts';
import type { Findings } from './part.ts';
import { PostgresTap } from './postgres-tap.ts';

/** After how many messages something is cut off, and by whom. */
export interface Cut {
  readonly messages: number;
  readonly by: 'server' | 'PostgreSQL';
}

/** How one run of work ended. */
export interface Ended {
  /** Whether it was cut off, or came to its end before. */
  readonly isCut: boolean;
  /** Null where it came to its end. */
  readonly error: Error | null;
  /** How many messages passed. */
  readonly messages: number;
}

/** Nobody waits longer for a server that is cut off: a statement of its own may wait for a new line, and none comes. */
const DEAD_MS = 2_000;

/** Servers in this process, as PostgreSQL sees them: each has lines of its own, which are cut after some messages. */
export class TappedServers {
  readonly #database: TestDatabase;
  readonly #findings: Findings;
  readonly #broken: ((database: Database) => Database) | null;
  readonly #ends: Promise<unknown>[] = [];

  /** @param broken for a negative control: what makes each server wrong */
  constructor(database: TestDatabase, findings: Findings, broken: ((database: Database) => Database) | null) {
    this.#database = database;
    this.#findings = findings;
    this.#broken = broken;
    findings.expects('cut off by the server', 'cut off by PostgreSQL');
  }

  /**
   * Does `work` on a new server, and cuts it off after so many messages to or from PostgreSQL: the server's lines are gone, or
   * PostgreSQL's process is ended. Resolves when PostgreSQL has noticed that the other end is gone: until then its locks
   * stand in the way of whoever comes next.
   */
  async cutOff({ messages, by }: Cut, work: (database: Database) => Promise<unknown>): Promise<Ended> {
    const { tap, tapped, end } = await this.#start();
    let backend = 0;
    const dead = Promise.withResolvers<Error>();
    tap.stopAfter({ messages, ways: 'both' }, (reached) => {
      backend = reached.backend;
      if (by === 'server') {
        tap.cut();
        setTimeout(() => dead.resolve(new Error('The server is dead.')), DEAD_MS).unref();
      } else this.#database.owner`select pg_terminate_backend(${backend})`.then(() => tap.release());
    });
    const ended = work(tapped).then(
      () => null,
      (failure: Error) => failure,
    );
    const error = await Promise.race([ended, dead.promise]);
    if (backend > 0) this.#findings.fired(`cut off by ${by === 'server' ? 'the server' : by}`);
    if (backend > 0 && by === 'server' && error !== null) await this.#gone(backend);
    // Its lines are free for the next one; a dead server is not waited for, and may still try to open a line.
    const ending = end();
    this.#ends.push(error === null ? ending : ending.catch(() => {}));
    return { isCut: backend > 0, error, messages: tap.passed };
  }

  /** Asks on a server that is cut off, and again on another where nothing was done. */
  async askTwice(cut: Cut, { act, isDone }: Asked): Promise<AskedTwice> {
    const ended = await this.cutOff(cut, act);
    if (!ended.isCut && ended.error !== null) throw ended.error;
    const wasDone = await isDone();
    if (!wasDone) await act(this.#database);
    return { ...ended, wasDone };
  }

  async close(): Promise<void> {
    await Promise.all(this.#ends);
  }

  async #start(): Promise<{ tap: PostgresTap; tapped: Database; end(): Promise<unknown> }> {
    const tap = new PostgresTap(Number(new URL(this.#database.url).port));
    await tap.listen();
    // One line, so that every message on it is one of the work's; what is broken needs another.
    const poolSize = this.#broken ? 2 : 1;
    const { world } = this.#database;
    const tapped = openDatabase({ url: tap.through(this.#database.url), poolSize, world });
    // Its lines are there before messages are counted.
    await Promise.all(Array.from({ length: poolSize }, () => tapped.sql`select pg_sleep(0.02)`));
    const end = () => Promise.all([tap.close(), tapped.close()]);
    return { tap, tapped: this.#broken?.(tapped) ?? tapped, end };
  }

  #gone(backend: number): Promise<void> {
    return until(
      'the process of a dead server is gone',
      async () => (await this.#database.owner`select from pg_stat_activity where pid = ${backend}`).length === 0,
      30_000,
      5,
    );
  }
}

/**
 * For negative controls: statements about a table are committed at once, and not with their transaction.
 * @param pause how many empty statements follow in the transaction, so that a cut easily falls between the two commits
 */
export function committedApart(database: Database, statement: RegExp, pause = 0): Database {
  const { transaction } = database;
  const isMeant = (text: unknown) => Array.isArray(text) && statement.test(text.join(''));
  const atOnce = async (tx: Tx, given: unknown[]) => {
    const rows = await Reflect.apply(database.sql, undefined, given);
    for (let nth = 0; nth < pause; nth += 1) await tx.sql`select`;
    return rows;
  };
  const apart = (tx: Tx): Tx['sql'] =>
    new Proxy(tx.sql, {
      apply: (target, self, given) => (isMeant(given[0]) ? atOnce(tx, given) : Reflect.apply(target, self, given)),
    });
  return Object.assign(database, {
    transaction: <T>(run: (tx: Tx) => Promise<T>) =>
      transaction<T>((tx) => run(Object.create(tx, { sql: { value: apart(tx) } }))),
  });
}
