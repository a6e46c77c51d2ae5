import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  privateDecrypt,
  publicEncrypt,
  verify,
} from 'node:crypto';
import { promisify } from 'node:util';
import {
  bytesOf,
  type CastBallot,
  PSS_SALT_BYTES,
  SIGNATURE_BYTES,
  signedMessage,
} from '@ushirika/contract/secret-ballots';
import type { Tx } from '../../db/tx.ts';

const MODULUS_BITS = SIGNATURE_BYTES * 8;

/**
 * Makes the key of a round. The proposal's lock is held; a publication and a count hold the sacco's too, so that its trades and purchases
 * wait meanwhile: some tenths of a second, once or twice for a vote. Node makes the key in another thread.
 */
export async function makeKey(tx: Tx, proposalId: string, round: number): Promise<void> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: MODULUS_BITS,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  await tx.sql`
    insert into proposal_keys (proposal_id, round, public_key, private_key) values (${proposalId}, ${round}, ${publicKey}, ${privateKey})`;
}

/** Destroys the private keys of a proposal that are left: nothing can be signed any more. */
export async function destroyKeys(tx: Tx, proposalId: string): Promise<void> {
  await tx.sql`update proposal_keys set private_key = null where proposal_id = ${proposalId} and private_key is not null`;
}

/**
 * RFC 9474, section 4.3, BlindSign: the private operation on a blinded message, checked by the public one. About a millisecond.
 * @returns null where the message is no number below the modulus
 */
export function blindSign(privateKey: Buffer, blinded: Uint8Array): Buffer | null {
  const key = createPrivateKey({ key: privateKey, type: 'pkcs8', format: 'der' });
  try {
    const signature = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, blinded);
    const back = publicEncrypt({ key: createPublicKey(key), padding: constants.RSA_NO_PADDING }, signature);
    return back.equals(blinded) ? signature : null;
  } catch {
    return null;
  }
}

/** Whether a ballot carries a signature by a public key. */
export const isSignedBallot = (publicKey: Buffer, ballot: CastBallot): boolean =>
  isSignature(publicKey, signedMessage(ballot), bytesOf(ballot.signature));

/** RSASSA-PSS with SHA-384 (RFC 9474, section 4.5). */
export function isSignature(publicKey: Buffer, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: publicKey, type: 'spki', format: 'der' });
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return verify('sha384', message, { key, padding, saltLength: PSS_SALT_BYTES }, signature);
}
