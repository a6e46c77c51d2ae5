import type postgres from 'postgres';
import { eachStatement } from './each-statement.ts';
import { type Person, personNow, personSaid } from './person.ts';
import { resendIfUnsent } from './pool-socket.ts';

/** The statement that makes a session act as a person until its transaction ends. */
export function takeOnPerson({ userId }: Person, now: Date): string {
  return `set local role ushirika_member; set local ushirika.user_id = '${userId}'; set local ushirika.now = '${now.toISOString()}'`;
}

/** The fields of a postgres.js query and connection that this file uses; `person.test.ts` checks them. */
interface Statement extends Promise<unknown> {
  handler: (statement: Statement) => void;
  state: unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}
interface Connection {
  execute(statement: Statement): boolean;
  /** Called whenever the connection is idle and its transaction is still open. */
  reserved: (() => void) | null;
  /** Called when the connection is lost. */
  onclose: ((error: unknown) => void) | null;
}

/**
 * Wraps the pool: a statement outside a transaction runs as the current person, if there is one, in a short transaction
 * of its own. BEGIN, the statement and COMMIT are sent together and cost one round trip.
 */
export function onBehalfOfPersons(sql: postgres.Sql, now: () => Date): postgres.Sql {
  return eachStatement<Statement>(sql, (statement) => {
    const { handler } = statement;
    // A query is sent when it is awaited, which may be in another context. It belongs to the person who made it.
    const maker = personSaid();
    statement.handler = () => {
      const person = maker === undefined ? personNow() : maker;
      if (person) return runAs(person, now(), sql, statement);
      resendIfUnsent(statement, handler);
      handler(statement);
    };
  });
}

/**
 * Sends one statement as a person. postgres.js calls `onexecute` when it gives a query a connection; the other
 * statements follow on the same one, which returns to the pool when no transaction is open. An empty statement reserves
 * the connection, because postgres.js skips `onexecute` on a busy connection; then nothing has begun.
 */
function runAs(person: Person, now: Date, sql: postgres.Sql, statement: Statement): void {
  const { resolve, reject } = statement;
  const opening = sql.unsafe(`begin; ${takeOnPerson(person, now)}`) as unknown as Statement;
  const closing = sql.unsafe('commit') as unknown as Statement;
  const ends = [outcomeOf(opening), outcomeOf(closing)];
  const waiting = [opening, statement, closing];
  let isHeld = false;
  // Rows are handed out, and writes count as done, only once the commit is acknowledged.
  statement.resolve = (value) => void Promise.all(ends).then(() => resolve(value), reject);
  const fail = (error: unknown) => {
    for (const each of waiting.splice(0)) each.reject(error);
  };
  const onexecute = (connection: Connection) => {
    const sendNext = () => {
      while (waiting.length > 0 && connection.execute(waiting.shift() as Statement));
    };
    isHeld = true;
    connection.onclose = fail;
    connection.reserved = sendNext;
    sendNext();
  };
  const hold = sql.unsafe('', [], { onexecute } as never) as unknown as Statement;
  resendIfUnsent(hold, hold.handler);
  hold.then(() => {
    if (isHeld) return;
    statement.resolve = resolve;
    runAs(person, now, sql, statement);
  }, fail);
}

/** The outcome of a query. Calling its own `then` would send it. */
function outcomeOf(statement: Statement): Promise<unknown> {
  const outcome = Promise.prototype.then.call(statement, (value: unknown) => value);
  outcome.catch(() => {});
  return outcome;
}
