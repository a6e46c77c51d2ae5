import { askJson, part } from './ask-log.ts';
import { areEqual, fromBase64 } from './bytes.ts';
import { readText, shown, Unchecked } from './files.ts';
import { nodeCrypto } from './node-crypto.ts';
import { type Checkpoint, isSignedBy, parseCheckpoint, parseKey } from './note.ts';
import { exitCodeOf, type Found, line, type Verdict } from './report.ts';
import { emptyRoot, isConsistent } from './tree.ts';

/** Files with the older and the newer head, and where the proof between them comes from. */
export interface TwoHeads {
  readonly older: string;
  readonly newer: string;
  readonly proofFile: string | null;
  readonly logUrl: string | null;
  readonly keys: readonly string[];
}

type Step = readonly [verdict: Verdict, words: string, reason?: string];

/** Checks that the newer of two signed heads of a log continues the older one. @throws Unchecked where something cannot be read */
export async function checkConsistency(given: TwoHeads): Promise<Found> {
  const [older, newer] = [await head(given.older), await head(given.newer)];
  if (older.origin !== newer.origin) {
    const two = `${shown(older.origin)} and ${shown(newer.origin)} are two.`;
    return { lines: [line('failed', 'Both heads are of one log.', two)], code: 1 };
  }
  if (older.size > newer.size)
    throw new Unchecked('The first head is of more entries than the second: give the older one first.');
  const steps: Step[] = [
    ['passed', `Both heads are of the log ${shown(newer.origin)}.`],
    await signed(`The older head, of ${older.size} entries, is signed.`, older, given.keys),
    await signed(`The newer head, of ${newer.size} entries, is signed.`, newer, given.keys),
    await history(older, newer, given),
  ];
  return { lines: steps.map((step) => line(...step)), code: exitCodeOf(steps.map(([verdict]) => verdict)) };
}

async function head(path: string): Promise<Checkpoint> {
  const text = await readText(path);
  try {
    return parseCheckpoint(text);
  } catch {
    throw new Unchecked(`The file ${path} holds no signed head of a log.`);
  }
}

async function signed(words: string, checkpoint: Checkpoint, keys: readonly string[]): Promise<Step> {
  if (keys.length === 0) return ['open', words, 'Give the key that you know with --key.'];
  for (const vkey of keys) {
    const key = parseKey(nodeCrypto.sha256, vkey);
    if (key.type === 'log' && key.name === checkpoint.origin && (await isSignedBy(nodeCrypto, checkpoint, key))) {
      return ['passed', words];
    }
  }
  return ['failed', words, 'No key that you gave has signed it.'];
}

async function history(older: Checkpoint, newer: Checkpoint, given: TwoHeads): Promise<Step> {
  const words = `The first ${older.size} of ${newer.size} entries are the same as before.`;
  if (older.size === 0) {
    const isEmpty = areEqual(older.root, emptyRoot(nodeCrypto.sha256));
    return isEmpty ? ['passed', words] : ['failed', words, 'The older head is of no entries, and has not their root.'];
  }
  if (older.size === newer.size) {
    if (areEqual(older.root, newer.root)) return ['passed', words];
    return ['failed', words, 'The log has signed two different histories of the same length.'];
  }
  const proof = await proofOf(older, newer, given);
  if (proof === null) return ['open', words, 'Give a proof with --proof, or the log with --url.'];
  const trees = { from: older.size, fromRoot: older.root, to: newer.size, toRoot: newer.root };
  return isConsistent(nodeCrypto.sha256, trees, proof)
    ? ['passed', words]
    : ['failed', words, 'The proof does not lead from the older head to the newer one.'];
}

/** A proof of the file: JSON `{"proof": [...]}` as the log answers, or one hash a line. */
async function proofOf(
  { size: from }: Checkpoint,
  { size: to }: Checkpoint,
  { proofFile, logUrl }: TwoHeads,
): Promise<Uint8Array[] | null> {
  if (proofFile !== null) {
    const text = await readText(proofFile);
    try {
      return readProof(
        text.trimStart().startsWith('{') ? JSON.parse(text) : { proof: text.split('\n').filter(Boolean) },
      );
    } catch {
      throw new Unchecked(`The file ${proofFile} holds no proof.`);
    }
  }
  return logUrl === null ? null : askConsistency(logUrl, from, to);
}

/** Asks a log to prove that its first `from` entries are the beginning of its first `to`. @throws Unchecked where it does not answer */
export async function askConsistency(logUrl: string, from: number, to: number): Promise<Uint8Array[]> {
  const answer = await askJson(part(logUrl, `proof/consistency?from=${from}&to=${to}`));
  try {
    return readProof(answer);
  } catch {
    throw new Unchecked(`${logUrl} answered with something that is no proof.`);
  }
}

/** @throws where it is not 64 hashes in base64 at most */
function readProof({ proof }: { readonly proof?: unknown }): Uint8Array[] {
  if (!Array.isArray(proof) || proof.length > 64) throw new Error('This is no proof.');
  return proof.map((hash) => fromBase64(String(hash)));
}
