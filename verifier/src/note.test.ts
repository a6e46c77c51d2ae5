import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { fromBase64, toHex, utf8 } from './bytes.ts';
import { nodeCrypto } from './node-crypto.ts';
import {
  checkpointText,
  cosignedMessage,
  formatKey,
  formatProof,
  isSignedBy,
  keyIdOf,
  parseCheckpoint,
  parseKey,
  parseProof,
  signatureLine,
  timedSignature,
  type VerifierKey,
} from './note.ts';

const { sha256 } = nodeCrypto;

/** A key pair of our own, as a log's or a witness's. */
function keyOf(name: string, type: VerifierKey['type']): VerifierKey & { secret: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  return { name, type, publicKey: Uint8Array.from(raw), secret: privateKey };
}

const log = keyOf('sacco.example/log/1', 'log');
const witness = keyOf('witness.example/w1', 'witness');
const root = Uint8Array.from(sha256(utf8('root')));

function signed(): string {
  const text = checkpointText('sacco.example/log/1', 12, root);
  return `${text}\n${signatureLine(sha256, log, sign(null, utf8(text), log.secret))}`;
}

test('the key and the signature that the Go library is documented with are read as Go reads them', async () => {
  const key = parseKey(sha256, 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
  const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
  const line = fromBase64(
    'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=',
  );
  expect(toHex(keyIdOf(sha256, key))).toBe('c74f20a3');
  expect(toHex(line.slice(0, 4))).toBe('c74f20a3');
  expect(await nodeCrypto.verifyEd25519(key.publicKey, utf8(text), line.slice(4))).toBe(true);
  expect(await nodeCrypto.verifyEd25519(key.publicKey, utf8(`${text} `), line.slice(4))).toBe(false);
});

test('a checkpoint is read back as it was signed, and by its own key alone', async () => {
  const checkpoint = parseCheckpoint(signed());
  expect(checkpoint).toMatchObject({ origin: 'sacco.example/log/1', size: 12, root });
  expect(await isSignedBy(nodeCrypto, checkpoint, log)).toBe(true);
  expect(await isSignedBy(nodeCrypto, checkpoint, keyOf('sacco.example/log/1', 'log'))).toBe(false);
  expect(await isSignedBy(nodeCrypto, checkpoint, { ...log, name: 'other.example' })).toBe(false);
  expect(parseKey(sha256, formatKey(sha256, log))).toEqual({ name: log.name, type: 'log', publicKey: log.publicKey });
});

test('no letter of a signed checkpoint can be changed', async () => {
  const note = signed();
  const accepted: string[] = [];
  for (let at = 0; at < note.length; at += 1) {
    const changed = note.slice(0, at) + (note[at] === 'A' ? 'B' : 'A') + note.slice(at + 1);
    const isRight = await Promise.resolve()
      .then(() => isSignedBy(nodeCrypto, parseCheckpoint(changed), log))
      .catch(() => false);
    if (isRight) accepted.push(`letter ${at} of ${note}`);
  }
  expect(accepted).toEqual([]);
});

test('a witness signs the checkpoint together with the second at which it saw it', async () => {
  const note = signed();
  const { text } = parseCheckpoint(note);
  const signature = sign(null, cosignedMessage(text, 1_700_000_000), witness.secret);
  const both = note + signatureLine(sha256, witness, timedSignature(1_700_000_000, signature));
  expect(await isSignedBy(nodeCrypto, parseCheckpoint(both), log)).toBe(true);
  expect(await isSignedBy(nodeCrypto, parseCheckpoint(both), witness)).toBe(true);
  const later = note + signatureLine(sha256, witness, timedSignature(1_700_000_001, signature));
  expect(await isSignedBy(nodeCrypto, parseCheckpoint(later), witness)).toBe(false);
});

test('texts that are no checkpoint, no key and no proof are refused with a sentence', () => {
  const note = signed();
  expect(() => parseCheckpoint('')).toThrow('no signature');
  expect(() => parseCheckpoint(note.replace('\n12\n', '\n012\n'))).toThrow('not a checkpoint');
  expect(() => parseCheckpoint(note.replace('\n12\n', '\n-1\n'))).toThrow('not a checkpoint');
  expect(() => parseCheckpoint(note.replace('\n\n', '\nmore\n\n'))).toThrow('lines that its log does not write');
  expect(() => parseCheckpoint(note + note.slice(note.indexOf('—')).repeat(64))).toThrow('too many signatures');
  expect(() => parseKey(sha256, 'sacco.example+00000000+AAAA')).toThrow('not the key');
  expect(() => parseKey(sha256, formatKey(sha256, log).replace('sacco', 'socca'))).toThrow('does not belong');
  expect(() => parseProof('nothing')).toThrow('not a .tlog-proof');
});

test('a proof is written as a .tlog-proof file and read back', () => {
  const file = formatProof({ index: 7, proof: [root, root], checkpoint: signed(), extra: '{"Kes":310}' });
  expect(file.split('\n').slice(0, 3)).toEqual(['c2sp.org/tlog-proof@v1', 'extra eyJLZXMiOjMxMH0=', 'index 7']);
  expect(parseProof(file)).toMatchObject({ index: 7, extra: '{"Kes":310}', proof: [root, root] });
  expect(parseCheckpoint(parseProof(file).checkpoint).size).toBe(12);
});
