import { sha256 as hash } from '@noble/hashes/sha2.js';
import { utf8 } from '@ushirika/verifier/bytes';
import type { Crypto, Sha256, VerifyEd25519 } from '@ushirika/verifier/crypto';

/*
 * The two functions that the verifier checks with, in a browser. SHA-256 is asked for in the middle of each proof and must answer at once, which WebCrypto's
 * does not. Ed25519 is WebCrypto's own, and a library's where the browser has none: before Chrome 137, and on a page without https (decision 242).
 */

type Bytes = Uint8Array<ArrayBuffer>;

const sha256: Sha256 = (input) => hash(typeof input === 'string' ? utf8(input) : input);

/** Null where the browser cannot check such a signature. */
async function byWebCrypto(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean | null> {
  try {
    const key = await crypto.subtle.importKey('raw', publicKey as Bytes, 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, signature as Bytes, message as Bytes);
  } catch {
    return null;
  }
}

const byLibrary: VerifyEd25519 = async (publicKey, message, signature) => {
  const { ed25519 } = await import('@noble/curves/ed25519.js');
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
};

const verifyEd25519: VerifyEd25519 = async (publicKey, message, signature) => {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  return (await byWebCrypto(publicKey, message, signature)) ?? byLibrary(publicKey, message, signature);
};

/** Hashes once before the first receipt is here, so that the browser has compiled it by then. */
export const warmUp = (): void => void sha256('.'.repeat(4_000));

export const browserCrypto: Crypto = { sha256, verifyEd25519 };

/** The same, with each signature checked once: thousands of receipts have the same few checkpoints. */
export function rememberingCrypto({ sha256: hashOf, verifyEd25519: verify }: Crypto): Crypto {
  const checked = new Map<string, Promise<boolean>>();
  return {
    sha256: hashOf,
    verifyEd25519(...parts) {
      const name = parts.map((part) => hashOf(part).join()).join('/');
      const answer = checked.get(name) ?? Promise.resolve(verify(...parts));
      checked.set(name, answer);
      return answer;
    },
  };
}
