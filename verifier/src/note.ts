import { areEqual, concat, fromBase64, textOf, toBase64, toHex, uint64, utf8 } from './bytes.ts';
import type { Crypto, Sha256 } from './crypto.ts';
import { HASH_BYTES } from './tree.ts';

/*
 * Signed notes and checkpoints of C2SP (signed-note, tlog-checkpoint, tlog-cosignature). A checkpoint says how large a log is and what
 * its root is; the log signs it, and witnesses who saw it may sign below.
 */

export type SignatureType = 'log' | 'witness';

const TYPE_BYTES: Record<SignatureType, number> = { log: 1, witness: 4 };
const SIGNATURES_MAX = 64;

/** A key that signatures are checked by. Its text is a `vkey`: name+hash+base64(type || key). */
export interface VerifierKey {
  readonly name: string;
  readonly type: SignatureType;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
}

export interface SignatureLine {
  readonly name: string;
  /** Four bytes. */
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
}

export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
  /** The signed text, with its last line break. */
  readonly text: string;
  readonly signatures: readonly SignatureLine[];
}

/** Key names and origins have no blank and no plus. */
const NAME = /^[^\s+]{1,255}$/u;

/** The first four bytes of SHA-256(name, line break, type, key). */
export function keyIdOf(sha256: Sha256, { name, type, publicKey }: VerifierKey): Uint8Array {
  return sha256(concat(utf8(`${name}\n`), Uint8Array.of(TYPE_BYTES[type]), publicKey)).slice(0, 4);
}

export function formatKey(sha256: Sha256, key: VerifierKey): string {
  const id = toHex(keyIdOf(sha256, key));
  return `${key.name}+${id}+${toBase64(concat(Uint8Array.of(TYPE_BYTES[key.type]), key.publicKey))}`;
}

/** @throws where the text is no vkey of an Ed25519 key, or its middle part is not the key's */
export function parseKey(sha256: Sha256, vkey: string): VerifierKey {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/u.exec(vkey) ?? [];
  const bytes = NAME.test(name) ? fromBase64(encoded) : new Uint8Array();
  const type = (Object.keys(TYPE_BYTES) as SignatureType[]).find((each) => TYPE_BYTES[each] === bytes[0]);
  if (!type || bytes.length !== 33) throw new Error('This is not the key of a log or of a witness.');
  const key: VerifierKey = { name, type, publicKey: bytes.slice(1) };
  if (toHex(keyIdOf(sha256, key)) !== id) throw new Error('This key does not belong to its name.');
  return key;
}

/** The text that a log signs. @throws for an origin with a blank or a plus */
export function checkpointText(origin: string, size: number, root: Uint8Array): string {
  if (!NAME.test(origin)) throw new Error('An origin has no blank and no plus.');
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/** One signature line, with its line break. */
export function signatureLine(sha256: Sha256, key: VerifierKey, signature: Uint8Array): string {
  return `— ${key.name} ${toBase64(concat(keyIdOf(sha256, key), signature))}\n`;
}

/** Reads a checkpoint. No signature is checked yet. @throws with a sentence where the text is none */
export function parseCheckpoint(note: string): Checkpoint {
  const split = note.lastIndexOf('\n\n');
  if (split < 0 || !note.endsWith('\n')) throw new Error('This checkpoint has no signature.');
  const text = note.slice(0, split + 1);
  const [origin = '', sizeText = '', rootText = '', ...extensions] = text.slice(0, -1).split('\n');
  const root = fromBase64(rootText);
  if (!NAME.test(origin) || !/^(0|[1-9]\d{0,15})$/.test(sizeText) || root.length !== HASH_BYTES) {
    throw new Error('This is not a checkpoint.');
  }
  // Every byte that is signed is read: nobody can hide a second statement behind the third line.
  if (extensions.length > 0) throw new Error('This checkpoint has lines that its log does not write.');
  const lines = note.slice(split + 2, -1).split('\n');
  if (lines.length > SIGNATURES_MAX) throw new Error('This checkpoint has too many signatures.');
  return { origin, size: Number(sizeText), root, text, signatures: lines.map(parseSignature) };
}

function parseSignature(line: string): SignatureLine {
  const [, name = '', encoded = ''] = /^— ([^ ]+) ([^ ]+)$/u.exec(line) ?? [];
  const bytes = NAME.test(name) ? fromBase64(encoded) : new Uint8Array();
  if (bytes.length < 5) throw new Error('A signature of this checkpoint cannot be read.');
  return { name, keyId: bytes.slice(0, 4), signature: bytes.slice(4) };
}

/** Whether this key signed this checkpoint. A witness's time is part of what it signs. */
export async function isSignedBy(crypto: Crypto, checkpoint: Checkpoint, key: VerifierKey): Promise<boolean> {
  const id = keyIdOf(crypto.sha256, key);
  const own = checkpoint.signatures.filter(({ name, keyId }) => name === key.name && areEqual(keyId, id));
  for (const { signature } of own) {
    const [message, bytes] =
      key.type === 'log' ? [utf8(checkpoint.text), signature] : cosignedBy(checkpoint.text, signature);
    if (!(await crypto.verifyEd25519(key.publicKey, message, bytes))) return false;
  }
  return own.length > 0;
}

/** The text by which a key of logs names the one that signs after it. No checkpoint has its second line. */
export const keyChangeText = (next: Uint8Array): string => `ushirika-log-key/1\n${toBase64(next)}\n`;

/** The text that a witness signs: the checkpoint's text and the second at which it saw it. */
export const cosignedMessage = (text: string, seconds: number): Uint8Array =>
  utf8(`cosignature/v1\ntime ${seconds}\n${text}`);

/** A witness's signature as it stands in a note: the second (8 bytes), then Ed25519. */
export const timedSignature = (seconds: number, signature: Uint8Array): Uint8Array =>
  concat(uint64(seconds), signature);

function cosignedBy(text: string, timed: Uint8Array): [message: Uint8Array, signature: Uint8Array] {
  if (timed.length !== 72) return [utf8(text), new Uint8Array()];
  const seconds = Number(new DataView(timed.buffer, timed.byteOffset).getBigUint64(0));
  return [cosignedMessage(text, seconds), timed.slice(8)];
}

/** A C2SP tlog-proof: an entry's position, its proof and the checkpoint, as text. */
export interface TlogProof {
  readonly index: number;
  readonly proof: readonly Uint8Array[];
  readonly checkpoint: string;
  /** The words of the entry, for whoever keeps the file. It proves nothing by itself. */
  readonly extra?: string;
}

const PROOF_HEAD = 'c2sp.org/tlog-proof@v1';

export function formatProof({ index, proof, checkpoint, extra }: TlogProof): string {
  const lines = [PROOF_HEAD, ...(extra === undefined ? [] : [`extra ${toBase64(utf8(extra))}`]), `index ${index}`];
  return `${[...lines, ...proof.map(toBase64)].join('\n')}\n\n${checkpoint}`;
}

/** @throws with a sentence where the text is no such file */
export function parseProof(text: string): TlogProof {
  const split = text.indexOf('\n\n');
  const lines = split < 0 ? [] : text.slice(0, split).split('\n');
  if (lines.shift() !== PROOF_HEAD) throw new Error('This is not a .tlog-proof file.');
  const extraLine = lines[0]?.startsWith('extra ') ? lines.shift() : undefined;
  const [, index] = /^index (0|[1-9]\d{0,15})$/.exec(lines.shift() ?? '') ?? [];
  if (index === undefined) throw new Error('This file does not say which entry it is about.');
  const proof = lines.map(fromBase64);
  if (proof.length > 63 || proof.some(({ length }) => length !== HASH_BYTES)) throw new Error('This is no proof.');
  return {
    index: Number(index),
    proof,
    checkpoint: text.slice(split + 2),
    ...(extraLine === undefined ? {} : { extra: textOf(fromBase64(extraLine.slice('extra '.length))) }),
  };
}
