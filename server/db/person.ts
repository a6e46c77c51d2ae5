import { AsyncLocalStorage } from 'node:async_hooks';

/** The person for whom the database is asked. PostgreSQL shows the rows of this person only (docs/decisions/110). */
export interface Person {
  readonly userId: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const asking = new AsyncLocalStorage<Person | null>();

/** Runs something as a person: all its statements see and change only what that person may. */
export function asPerson<T>({ userId }: Person, run: () => T): T {
  // The id becomes part of a statement's text, so it must be a UUID.
  if (!UUID.test(userId)) throw new Error('The person to act as is named by something that is no id.');
  return asking.run({ userId }, run);
}

/**
 * Runs something as the platform: jobs, callbacks, batches of many people's requests, public data. Inside a person's
 * request the caller says why in a comment, and restricts the rows itself.
 */
export function asSystem<T>(run: () => T): T {
  return asking.run(null, run);
}

/** The current person; null is the platform. */
export function personNow(): Person | null {
  return asking.getStore() ?? null;
}

/** As `personNow`, but undefined where neither `asPerson` nor `asSystem` was called. */
export function personSaid(): Person | null | undefined {
  return asking.getStore();
}

/** Binds a function to the current person, for listeners that are called later. */
export function inThisContext<Input extends unknown[], T>(run: (...input: Input) => T): (...input: Input) => T {
  const person = personNow();
  return (...input) => asking.run(person, () => run(...input));
}
