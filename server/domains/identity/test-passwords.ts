import { createHash } from 'node:crypto';
import type { Passwords } from './passwords.ts';

const digest = (text: string) => createHash('sha256').update(text.normalize('NFKC')).digest('base64url');
const quick = (password: string) => `$argon2id$quick$${digest(password)}`;

/** Passwords that cost nothing, for tests of what people do and not of what a hash costs (46 ms each). */
export function createQuickPasswords(): Passwords {
  let begun = 0;
  const counted = <T>(value: T) => {
    begun += 1;
    return Promise.resolve(value);
  };
  return {
    hash: (password) => counted(quick(password)),
    verify: (password, encoded) => counted(quick(password) === encoded),
    hashCode: (code) => counted(digest(code)),
    begun: () => begun,
  };
}
