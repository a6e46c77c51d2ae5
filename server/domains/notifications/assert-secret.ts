import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '@ushirika/contract/refusal';

/** Checks the secret in the address of a callback, which only the provider knows. A wrong one is answered like an unknown path. */
export function assertSecret(given: string, expected: string): void {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  if (!timingSafeEqual(hash(given), hash(expected))) throw new Refusal('not_found');
}
