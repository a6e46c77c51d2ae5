import { AsyncLocalStorage } from 'node:async_hooks';

/** For whom the database is asked: PostgreSQL shows this person's rows and no others (docs/decisions/110). */
export interface Person {
  readonly userId: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const asking = new AsyncLocalStorage<Person | null>();

/** Runs something as a person: every statement in it, however deep, sees and changes what that person may. */
export function asPerson<T>({ userId }: Person, run: () => T): T {
  // The id becomes part of a statement's text, so that nothing but an id may be one.
  if (!UUID.test(userId)) throw new Error('The person to act as is named by something that is no id.');
  return asking.run({ userId }, run);
}

/**
 * Runs something as the platform itself: jobs, callbacks, batches of many people's requests, what anybody may read.
 * Whoever calls it inside a person's request says why, and names the person's rows by hand.
 */
export function asSystem<T>(run: () => T): T {
  return asking.run(null, run);
}

/** The person of this moment; null is the platform. */
export function personNow(): Person | null {
  return asking.getStore() ?? null;
}

/** The same, but undefined where nobody has said as whom: for what is made now and done later. */
export function personSaid(): Person | null | undefined {
  return asking.getStore();
}

/** The same function, as whoever asks for it now, wherever it will be called from: for what listens and is told later. */
export function inThisContext<Input extends unknown[], T>(run: (...input: Input) => T): (...input: Input) => T {
  const person = personNow();
  return (...input) => asking.run(person, () => run(...input));
}
