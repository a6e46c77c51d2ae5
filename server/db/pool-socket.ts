import net from 'node:net';
import postgres from 'postgres';
import { eachStatement } from './each-statement.ts';

/** What postgres.js hands to a maker of sockets, of all its options. */
interface Address {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false | null;
}

/**
 * Makes the sockets of a pool of postgres.js 3.4.9, so that a connection that breaks is learnt of in one stroke. By
 * itself it rejects what was under way at the socket's 'error' and takes the connection away at its 'close', a turn of
 * the event loop later; a statement that comes between the two, such as what is tried again, is written to the dead
 * socket and never settles. On these sockets a break is a 'close' alone, which does both. What fails before the
 * connection stood is told as ever.
 */
export function poolSockets(): (options: unknown) => net.Socket {
  let made = 0;
  return (options) => {
    const { host, port, path } = options as Address;
    const index = made % host.length;
    made += 1;
    const socket = new PoolSocket();
    // Statements that follow one another unasked would each wait, for up to 40 ms, until the one before was acknowledged.
    socket.setNoDelay(true);
    return path ? socket.connect(path) : socket.connect(port[index] ?? 5432, host[index] ?? 'localhost');
  };
}

/**
 * Spaces in the startup message. What postgres.js had buffered when a connection broke (less than a kilobyte, to be sent
 * at the end of the turn) stays in the buffer, and keeps the next connection's startup message from ever being sent,
 * unless the two together are long enough to be sent at once. PostgreSQL then refuses the mixture, and the connection
 * after that is a clean one.
 */
export const STARTUP_PADDING = ' '.repeat(1_024);

/** The parts of a postgres.js query that this leans on; `pool-socket.test.ts` holds them. */
interface Statement {
  resolve: (rows: unknown) => void;
  reject: (error: unknown) => void;
  /** Set as it is written to a connection. */
  state: unknown;
}

const SENDS_MAX = 4;

/**
 * Has a statement of no transaction sent again where PostgreSQL is said to have refused it before it was ever sent. Where
 * PostgreSQL ended a connection in words while somebody waited on it, postgres.js tells that one of the break alone. It
 * keeps the words, and gives them to whoever is the first on the next connection in that place, who has done nothing yet.
 */
export function resendIfUnsent<S extends Statement>(statement: S, send: (statement: S) => void): void {
  const { reject } = statement;
  let sends = 1;
  statement.reject = (error) => {
    const isUnsent = statement.state === null && error instanceof postgres.PostgresError;
    if (!isUnsent || sends === SENDS_MAX) return reject(error);
    sends += 1;
    // By the next turn the connection that spoke is there for it.
    setImmediate(send, statement);
  };
}

/**
 * The same pool, whose answers have no holes. Where a connection broke between a row and the end of its answer,
 * postgres.js goes on counting on the next connection, and the first answer there begins with as many empty places: a
 * session or a member that is there would look as if it were not. In a transaction BEGIN has set the count right.
 */
export function withoutEmptyRows(sql: postgres.Sql): postgres.Sql {
  return eachStatement<Pick<Statement, 'resolve'>>(sql, (statement) => {
    const { resolve } = statement;
    statement.resolve = (rows) => resolve(Array.isArray(rows) ? dense(rows) : rows);
  });
}

/** In its place, since it carries more than its rows. */
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
