import type { Passwords } from '../../server/domains/identity/passwords.ts';

/** For negative controls: nobody's password costs nothing to judge. */
export function sparing(real: Passwords): Passwords {
  return { ...real, verify: async (password, encoded) => (encoded === null ? false : real.verify(password, encoded)) };
}
