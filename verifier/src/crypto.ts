/*
 * The two functions that every check rests on. Node and browsers have each their own (`node-crypto.ts`, and the page's), and all code
 * that checks something is given them.
 */

/** SHA-256 of bytes, or of a text as UTF-8. */
export type Sha256 = (input: Uint8Array | string) => Uint8Array;

/** Whether `signature` (64 bytes) of `message` is by the Ed25519 key `publicKey` (32 bytes). Never throws. */
export type VerifyEd25519 = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>;

export interface Crypto {
  readonly sha256: Sha256;
  readonly verifyEd25519: VerifyEd25519;
}
