import type postgres from 'postgres';
import { eachStatement } from './each-statement.ts';
import { type Person, personNow, personSaid } from './person.ts';
import { resendIfUnsent } from './pool-socket.ts';

/** What a session says before it acts as a person; until its transaction ends, and no longer. */
export function takeOnPerson({ userId }: Person, now: Date): string {
  return `set local role ushirika_member; set local ushirika.user_id = '${userId}'; set local ushirika.now = '${now.toISOString()}'`;
}

/** The parts of a postgres.js query and connection that this file leans on; `person.test.ts` holds them. */
interface Statement extends Promise<unknown> {
  handler: (statement: Statement) => void;
  state: unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}
interface Connection {
  execute(statement: Statement): boolean;
  /** Called whenever the connection has nothing under way and its transaction is still open. */
  reserved: (() => void) | null;
  /** Called when the connection is lost. */
  onclose: ((error: unknown) => void) | null;
}

/**
 * The pool, whose statements outside a transaction run as the person of the moment where there is one: in a short
 * transaction of their own. Its beginning, the statement and its end leave in one piece and cost one round trip.
 */
export function onBehalfOfPersons(sql: postgres.Sql, now: () => Date): postgres.Sql {
  return eachStatement<Statement>(sql, (statement) => {
    const { handler } = statement;
    // A query is sent when it is waited for, which may be elsewhere: it is of whoever made it.
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
 * Sends one statement as a person. `onexecute` is how postgres.js itself takes hold of a connection; what follows is
 * sent at once on the same one, which goes back to the pool when PostgreSQL says that no transaction is open. It is held
 * by an empty statement, because postgres.js leaves `onexecute` out on a crowded connection: then nothing has begun.
 */
function runAs(person: Person, now: Date, sql: postgres.Sql, statement: Statement): void {
  const { resolve, reject } = statement;
  const opening = sql.unsafe(`begin; ${takeOnPerson(person, now)}`) as unknown as Statement;
  const closing = sql.unsafe('commit') as unknown as Statement;
  const ends = [outcomeOf(opening), outcomeOf(closing)];
  const waiting = [opening, statement, closing];
  let isHeld = false;
  // What was read is handed out, and what was written is called done, once the commit is acknowledged.
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

/** A query's outcome without having it sent, which its own `then` would do. */
function outcomeOf(statement: Statement): Promise<unknown> {
  const outcome = Promise.prototype.then.call(statement, (value: unknown) => value);
  outcome.catch(() => {});
  return outcome;
}
