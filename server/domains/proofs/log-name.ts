import type { Database, Tx } from '../../db/tx.ts';

/**
 * A log's name in addresses is the last part of its origin: a sacco's id or `platform`, and `.2` and so on for one that was begun anew.
 * @returns the sacco, null for the platform, and in SQL the condition that `l` is that log
 */
export function logNamed({ sql }: Pick<Database | Tx, 'sql'>, given: string) {
  const name = given.toLowerCase();
  const [whose = ''] = name.split('.');
  const ending = `/${name}`;
  return {
    saccoId: whose === 'platform' ? null : whose,
    isNamed: sql`right(l.origin, ${ending.length}) = ${ending}`,
  };
}

/** The name of a log in addresses. */
export const nameOf = (origin: string): string => origin.split('/').at(-1) ?? '';

/** The origin of the log that follows one: `.2` after the first. */
export function nextOrigin(origin: string): string {
  const [whose = '', generation = '1'] = nameOf(origin).split('.');
  return `${origin.slice(0, -nameOf(origin).length)}${whose}.${Number(generation) + 1}`;
}
