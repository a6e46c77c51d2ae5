import net from 'node:net';
import postgres from 'postgres';
import { eachStatement } from './each-statement.ts';

/** The options that postgres.js passes to a socket factory, of which these are used. */
interface Address {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false | null;
}

/**
 * Makes the sockets of a postgres.js 3.4.9 pool, and works around a bug. postgres.js rejects the statements under way
 * at the socket's 'error', but drops the connection only at 'close', a turn of the event loop later. A statement sent
 * between the two is written to the dead socket and never settles. These sockets emit only 'close' when a connection
 * breaks, which does both. An error before the connection was established is emitted unchanged.
 */
export function poolSockets(): (options: unknown) => net.Socket {
  let made = 0;
  return (options) => {
    const { host, port, path } = options as Address;
    const index = made % host.length;
    made += 1;
    const socket = new PoolSocket();
    // With Nagle's algorithm consecutive statements would wait up to 40 ms for an acknowledgement.
    socket.setNoDelay(true);
    return path ? socket.connect(path) : socket.connect(port[index] ?? 5432, host[index] ?? 'localhost');
  };
}

/**
 * Spaces in the startup message, against a bug of postgres.js. Bytes that it had buffered when a connection broke stay
 * in the buffer, and with fewer than a kilobyte the next startup message is never sent. With this padding the two are
 * sent together. PostgreSQL refuses that message, and the connection after it is clean.
 */
export const STARTUP_PADDING = ' '.repeat(1_024);

/** The fields of a postgres.js query that this file uses; `pool-socket.test.ts` checks them. */
interface Statement {
  resolve: (rows: unknown) => void;
  reject: (error: unknown) => void;
  /** Set when the query is written to a connection. */
  state: unknown;
}

const SENDS_MAX = 4;

/**
 * Sends a statement outside a transaction again if it failed before it was sent. When PostgreSQL ends a connection with
 * an error, postgres.js keeps that error and gives it to the first statement on the next connection, which has done
 * nothing yet.
 */
export function resendIfUnsent<S extends Statement>(statement: S, send: (statement: S) => void): void {
  const { reject } = statement;
  let sends = 1;
  statement.reject = (error) => {
    const isUnsent = statement.state === null && error instanceof postgres.PostgresError;
    if (!isUnsent || sends === SENDS_MAX) return reject(error);
    sends += 1;
    // By the next turn of the event loop the connection is usable.
    setImmediate(send, statement);
  };
}

/**
 * Wraps the pool so that answers have no empty rows. When a connection breaks in the middle of an answer, postgres.js
 * keeps its row counter, and the first answer on the next connection begins with that many empty elements: a session
 * that exists would look absent. In a transaction, BEGIN resets the counter.
 */
export function withoutEmptyRows(sql: postgres.Sql): postgres.Sql {
  return eachStatement<Pick<Statement, 'resolve'>>(sql, (statement) => {
    const { resolve } = statement;
    statement.resolve = (rows) => resolve(Array.isArray(rows) ? dense(rows) : rows);
  });
}

/** Changes the array in place, since it has more properties than its rows. */
function dense(rows: unknown[]): unknown[] {
  if (rows.length === 0 || 0 in rows) return rows;
  const first = rows.findIndex((_, index) => index in rows);
  rows.splice(0, first === -1 ? rows.length : first);
  return rows;
}

class PoolSocket extends net.Socket {
  #hasStood = false;

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'connect') this.#hasStood = true;
    if (this.#hasStood && event === 'error') return true;
    if (this.#hasStood && event === 'close') return super.emit('close', false);
    return super.emit(event, ...values);
  }
}
