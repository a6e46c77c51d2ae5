/*
 * Secret ballots (pools-voting-anchoring.md B4; docs/decisions/192): what is signed, what is committed to, and how a signature is
 * checked. RFC 9474, suite RSABSSA-SHA384-PSS-Randomized: a finished signature is an ordinary RSA-PSS one, which WebCrypto checks.
 * No schema stands here: the browser and whoever recounts a vote load this too.
 */

/** How members vote: in the open under a random number, or so that nobody can tie a ballot to its voter. */
export const BALLOT_KINDS = ['open', 'secret'] as const;
export type BallotKind = (typeof BALLOT_KINDS)[number];

/** The part of the roll, one in so many, that may demand a secret ballot. */
export const DEMAND_ONE_IN = 10;
/** Members who must ask before a vote becomes secret. */
export const demandsNeeded = (roll: number): number => Math.ceil(roll / DEMAND_ONE_IN);

export const SERIAL_BYTES = 32;
/** The random bytes that RFC 9474 puts before a message. */
export const PREFIX_BYTES = 32;
export const SALT_BYTES = 32;
/** Of a key of 2,048 bits. */
export const SIGNATURE_BYTES = 256;
/** Bytes of the salt of RSA-PSS. */
export const PSS_SALT_BYTES = 48;

/** What is cast: bytes in base64url. */
export interface CastBallot {
  readonly serial: string;
  readonly prefix: string;
  readonly signature: string;
  readonly choice: string;
  readonly salt: string;
}

/** Bytes in base64url, without padding. */
export const toText = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** The bytes of a text in base64url. @throws where it is none */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

/** The message that is signed: the prefix, then the serial. */
export function signedMessage({ prefix, serial }: Pick<CastBallot, 'prefix' | 'serial'>): Uint8Array<ArrayBuffer> {
  const message = new Uint8Array(PREFIX_BYTES + SERIAL_BYTES);
  message.set(bytesOf(prefix));
  message.set(bytesOf(serial), PREFIX_BYTES);
  return message;
}

/** SHA-256("sacco-ballot-v1\0" || serial || length of the choice, one byte || choice || salt), in base64url. */
export async function commitOf({ serial, choice, salt }: Omit<CastBallot, 'prefix' | 'signature'>): Promise<string> {
  const words = new TextEncoder().encode(choice);
  const parts = [
    new TextEncoder().encode('sacco-ballot-v1\0'),
    bytesOf(serial),
    Uint8Array.of(words.length),
    words,
    bytesOf(salt),
  ];
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
  return toText(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

type PublicKey = Awaited<ReturnType<typeof publicKeyOf>>;

/** The public key of a round, from its SubjectPublicKeyInfo in base64url. @throws where it is none */
export const publicKeyOf = (key: string) =>
  crypto.subtle.importKey('spki', bytesOf(key), { name: 'RSA-PSS', hash: 'SHA-384' }, true, ['verify']);

/** Whether the key of its round has signed a ballot. */
export async function isSigned(key: PublicKey, ballot: CastBallot): Promise<boolean> {
  try {
    const algorithm = { name: 'RSA-PSS', saltLength: PSS_SALT_BYTES };
    return await crypto.subtle.verify(algorithm, key, bytesOf(ballot.signature), signedMessage(ballot));
  } catch {
    return false;
  }
}
