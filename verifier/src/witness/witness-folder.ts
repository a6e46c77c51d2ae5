import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { chmod, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readText, Unchecked, writeWhole } from '../files.ts';
import { lockFolder } from '../lock-folder.ts';
import { nodeCrypto } from '../node-crypto.ts';
import { formatKey, parseKey, type VerifierKey } from '../note.ts';
import { type Evidence, fileNameOf, type WitnessedLog, type WitnessIdentity, type WitnessStore } from './witness.ts';

const { sha256 } = nodeCrypto;

/** A log as it stands in a file: its name, where it is read, and the keys that were taken for its own. */
export interface KnownLog {
  readonly origin: string;
  /** Null: it is not read; it sends its heads. */
  readonly url: string | null;
  readonly keys: readonly string[];
}

const isThere = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

/** Locks the folder of a witness: a second one could sign an older head after a newer one. @throws Unchecked where another process has it */
export const lockWitness = (folder: string): Promise<() => Promise<void>> =>
  lockFolder(folder, {
    name: 'ushirika-witness',
    mode: 0o700,
    refused: (holder) =>
      new Unchecked(
        `${holder ? `Process ${holder}` : 'Another process'} is a witness with the folder ${folder} already.`,
      ),
  });

/**
 * The folder of a witness. Of each log: `NAME.log`, its name, address and keys; `NAME.note`, the newest head that was co-signed;
 * `NAME.evidence.txt`, where two heads do not agree. Whoever deletes the last one lets the witness sign this log again.
 */
export class WitnessFolder implements WitnessStore {
  readonly #folder: string;
  /** Keys that the operator gave, which are trusted beside the stored ones. */
  readonly #given: readonly VerifierKey[];

  readonly #onEvidence: (evidence: Evidence, path: string) => void;

  constructor(
    folder: string,
    given: readonly VerifierKey[],
    onEvidence: (evidence: Evidence, path: string) => void = () => {},
  ) {
    this.#folder = folder;
    this.#given = given;
    this.#onEvidence = onEvidence;
  }

  #path(origin: string, ending: string): string {
    return join(this.#folder, `${fileNameOf(nodeCrypto, origin)}.${ending}`);
  }

  async logs(): Promise<KnownLog[]> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.log'));
    return Promise.all(names.map(async (name) => readKnownLog(await readText(join(this.#folder, name)))));
  }

  /** Takes up a log; one that is known gets its address and keys anew. */
  async keepLog({ origin, url, keys }: KnownLog): Promise<void> {
    const lines = [`log ${origin}`, ...(url === null ? [] : [`address ${url}`]), ...keys.map((key) => `key ${key}`)];
    await writeWhole(this.#path(origin, 'log'), `${lines.join('\n')}\n`);
  }

  async log(origin: string): Promise<WitnessedLog | null> {
    const stored = await isThere(this.#path(origin, 'log'));
    const kept = stored === null ? [] : readKnownLog(stored).keys.map((key) => parseKey(sha256, key));
    const keys = [...kept, ...this.#given].filter(({ name, type }) => name === origin && type === 'log');
    if (stored === null && keys.length === 0) return null;
    const isBroken = (await isThere(this.evidencePath(origin))) !== null;
    return { origin, keys, note: await isThere(this.#path(origin, 'note')), isBroken };
  }

  keepNote(origin: string, note: string): Promise<void> {
    return writeWhole(this.#path(origin, 'note'), note);
  }

  evidencePath(origin: string): string {
    return this.#path(origin, 'evidence.txt');
  }

  async hasEvidence(): Promise<boolean> {
    return (await readdir(this.#folder)).some((name) => name.endsWith('.evidence.txt'));
  }

  /** The first evidence stays as it is. */
  async keepEvidence(origin: string, evidence: Evidence): Promise<void> {
    const { words, notes } = evidence;
    const path = this.evidencePath(origin);
    if ((await isThere(path)) !== null) return;
    await writeWhole(path, `${words}\n\n=== the head that was co-signed\n${notes[0]}\n=== the other head\n${notes[1]}`);
    this.#onEvidence(evidence, path);
  }
}

function readKnownLog(text: string): KnownLog {
  const values = (name: string) =>
    text.split('\n').flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));
  const [origin = ''] = values('log');
  return { origin, url: values('address')[0] ?? null, keys: values('key') };
}

/** The key of the witness in a file (PKCS #8, PEM); the first call makes it, for its owner's eyes alone. */
export async function witnessIdentity(name: string, path: string, now: () => Date): Promise<WitnessIdentity> {
  const pem = (await isThere(path)) ?? (await makeKey(path));
  let secret: KeyObject;
  try {
    secret = createPrivateKey(pem);
  } catch {
    throw new Unchecked(`The file ${path} holds no key.`);
  }
  if (secret.asymmetricKeyType !== 'ed25519') throw new Unchecked(`The key in ${path} is no Ed25519 key.`);
  const publicKey = createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-32);
  const key: VerifierKey = { name, type: 'witness', publicKey: Uint8Array.from(publicKey) };
  // A name that no key can have is found here, before anything is signed with it.
  parseKey(sha256, formatKey(sha256, key));
  return { key, sign: (message) => sign(null, message, secret), now };
}

async function makeKey(path: string): Promise<string> {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(pem);
    await file.sync();
  } finally {
    await file.close();
  }
  await chmod(path, 0o600);
  return pem;
}
