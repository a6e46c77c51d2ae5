import { type Argon2Parameters, argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ConcurrencyLimiter, type LimiterFigures } from '../../concurrency-limiter.ts';
import type { World } from '../../world.ts';

const argon2Async = promisify(argon2);

/** OWASP's floor for argon2id: 19 MiB, two passes, one lane; about 46 ms on the machine we measured. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** Reset codes are found by their hash, so they share a salt. At 40 random bits for ten minutes that loses nothing. */
const CODE_SALT = Buffer.from('ushirika/reset-code/1');

/** Slow hashes, a few at a time. Never call one while a transaction is open. */
export interface Passwords {
  /** A new PHC string for a password. */
  hash(password: string): Promise<string>;
  /** Whether the password is the one of the PHC string. Null stands for nobody: the same work, and false. */
  verify(password: string, encoded: string | null): Promise<boolean>;
  /** The same hash for the same short code, slow to guess: base64url, 43 characters. */
  hashCode(code: string): Promise<string>;
  /** How many hashes have been begun: tests hold every path of an answer to the same number. */
  begun(): number;
  /** Who waits for a hash, and who could not; not there where a hash costs nothing. */
  figures?(): LimiterFigures;
}

export interface PasswordOptions {
  readonly world: World;
  /** Hashes at once: each takes a core and 19 MiB. */
  readonly atOnceMax: number;
  /** Callers that may wait; the next one is refused with `unavailable`, so that a flood cannot pile up. */
  readonly waitingMax: number;
}

/** @throws Refusal `unavailable` with Retry-After, from every method, when too many are waiting. */
export function createPasswords({ world, atOnceMax, waitingMax }: PasswordOptions): Passwords {
  const limiter = new ConcurrencyLimiter({ atOnceMax, waitingMax, retryAfterSeconds: 2 });
  const stranger = encode(world.randomBytes(SALT_BYTES), world.randomBytes(HASH_BYTES));
  let begun = 0;
  const derive = (parameters: Argon2Parameters): Promise<Buffer> => {
    begun += 1;
    return limiter.run(() => argon2Async('argon2id', parameters));
  };
  return {
    async hash(password) {
      const salt = world.randomBytes(SALT_BYTES);
      return encode(salt, await derive(parametersFor(password, salt)));
    },
    async verify(password, encoded) {
      const known = decode(encoded ?? stranger);
      const derived = await derive({ ...parametersFor(password, known.salt), ...known.cost });
      return timingSafeEqual(derived, known.hash) && encoded !== null;
    },
    async hashCode(code) {
      return (await derive(parametersFor(code, CODE_SALT))).toString('base64url');
    },
    begun: () => begun,
    figures: () => limiter.figures(),
  };
}

/** One password in Unicode is one password, however the keyboard composed it (NIST SP 800-63B). */
function parametersFor(password: string, salt: Buffer): Argon2Parameters {
  return {
    message: password.normalize('NFKC'),
    nonce: salt,
    memory: MEMORY_KIB,
    passes: PASSES,
    parallelism: LANES,
    tagLength: HASH_BYTES,
  };
}

function encode(salt: Buffer, hash: Buffer): string {
  const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${bare(salt)}$${bare(hash)}`;
}

function decode(encoded: string) {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(encoded);
  if (!parts) throw new Error('a stored password hash is not one of argon2id');
  const hash = Buffer.from(parts[5] ?? '', 'base64');
  return {
    cost: { memory: Number(parts[1]), passes: Number(parts[2]), parallelism: Number(parts[3]), tagLength: hash.length },
    salt: Buffer.from(parts[4] ?? '', 'base64'),
    hash,
  };
}
