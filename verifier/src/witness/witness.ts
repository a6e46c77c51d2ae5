import { areEqual, fromBase64, toHex, utf8 } from '../bytes.ts';
import type { Crypto } from '../crypto.ts';
import {
  type Checkpoint,
  cosignedMessage,
  isSignedBy,
  keyIdOf,
  parseCheckpoint,
  type SignatureLine,
  signatureLine,
  timedSignature,
  type VerifierKey,
} from '../note.ts';
import { emptyRoot, isConsistent } from '../tree.ts';

/*
 * A witness of C2SP tlog-witness. It signs a head of a log only where a proof shows that it continues the head that it signed before.
 * So a log cannot show one history to some readers and another to others.
 */

/** A log that a witness knows. */
export interface WitnessedLog {
  readonly origin: string;
  readonly keys: readonly VerifierKey[];
  /** The newest head that was co-signed, with this witness's signature; null before the first. */
  readonly note: string | null;
  /** Whether two signed heads that do not agree are kept: then no head of it is signed any more. */
  readonly isBroken: boolean;
}

/** Keeps what a witness knows. Each promise is kept once the file is on the disk. */
export interface WitnessStore {
  /** Null: a log that this witness was not told to follow. */
  log(origin: string): Promise<WitnessedLog | null>;
  keepNote(origin: string, note: string): Promise<void>;
  keepEvidence(origin: string, evidence: Evidence): Promise<void>;
}

/** Two heads that one log has signed, and that cannot both be true. */
export interface Evidence {
  readonly words: string;
  readonly notes: readonly [string, string];
}

export interface WitnessIdentity {
  readonly key: VerifierKey;
  readonly sign: (message: Uint8Array) => Uint8Array;
  readonly now: () => Date;
}

/** The answer to `add-checkpoint`, as the protocol numbers it. */
export interface Answer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly type: 'text/plain; charset=utf-8' | 'text/x.tlog.size';
  readonly body: string;
}

const PROOF_MAX = 63;
const refuse = (status: Answer['status'], words: string): Answer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${words}\n`,
});
const otherSize = (size: number): Answer => ({ status: 409, type: 'text/x.tlog.size', body: `${size}\n` });

/** A head, and the proof that it continues the head of `old` entries. */
export interface AddCheckpoint {
  readonly old: number;
  readonly proof: readonly Uint8Array[];
  readonly note: string;
}

/** @throws where the body is no `add-checkpoint` */
export function parseAddCheckpoint(body: string): AddCheckpoint {
  const split = body.indexOf('\n\n');
  const [first = '', ...hashes] = split < 0 ? [] : body.slice(0, split).split('\n');
  const [, old] = /^old (0|[1-9]\d{0,15})$/.exec(first) ?? [];
  if (old === undefined || !Number.isSafeInteger(Number(old)))
    throw new Error('The first line does not give the old size.');
  if (hashes.length > PROOF_MAX) throw new Error('The proof has more than 63 hashes.');
  const proof = hashes.map(fromBase64);
  if (proof.some(({ length }) => length !== 32)) throw new Error('A hash of the proof has not 32 bytes.');
  return { old: Number(old), proof, note: body.slice(split + 2) };
}

export class Witness {
  readonly #crypto: Crypto;
  readonly #store: WitnessStore;
  readonly #me: WitnessIdentity;
  /** The last piece of work on each log: the next waits for it, so that reading, signing and keeping are one act. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(crypto: Crypto, store: WitnessStore, me: WitnessIdentity) {
    this.#crypto = crypto;
    this.#store = store;
    this.#me = me;
  }

  /** Answers a request of C2SP tlog-witness. The signature is on the disk before it is answered. */
  async addCheckpoint(body: string): Promise<Answer> {
    let asked: AddCheckpoint;
    let checkpoint: Checkpoint;
    try {
      asked = parseAddCheckpoint(body);
      checkpoint = parseCheckpoint(asked.note);
      if (!Number.isSafeInteger(checkpoint.size)) throw new Error('The size is too large.');
    } catch (error) {
      return refuse(400, error instanceof Error ? error.message : String(error));
    }
    return this.#inTurn(checkpoint.origin, () => this.#add(asked, checkpoint));
  }

  /** Keeps two heads that do not agree. From now on no head of this log is signed. */
  keepEvidence(origin: string, evidence: Evidence): Promise<void> {
    return this.#inTurn(origin, () => this.#store.keepEvidence(origin, evidence));
  }

  /** Does work on a log after all work on it that was asked for before. */
  #inTurn<T>(origin: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(origin) ?? Promise.resolve();
    const done = before.then(work, work);
    this.#turns.set(origin, done);
    const forget = () => {
      if (this.#turns.get(origin) === done) this.#turns.delete(origin);
    };
    done.then(forget, forget);
    return done;
  }

  async #add({ old, proof, note }: AddCheckpoint, checkpoint: Checkpoint): Promise<Answer> {
    const log = await this.#store.log(checkpoint.origin);
    if (!log) return refuse(404, 'This witness does not know this log.');
    if (!(await this.isSigned(checkpoint)))
      return refuse(403, 'No key that this witness knows of the log has signed it.');
    if (log.isBroken)
      return refuse(404, 'This witness holds two heads of this log that do not agree, and signs no other.');
    if (old > checkpoint.size) return refuse(400, 'The old size is larger than the new one.');
    const known = log.note === null ? null : parseCheckpoint(log.note);
    const size = known?.size ?? 0;
    if (known && size === checkpoint.size && !areEqual(known.root, checkpoint.root)) {
      await this.#store.keepEvidence(log.origin, twoHistories(known, log.note as string, note));
      return otherSize(size);
    }
    if (old !== size) return otherSize(size);
    if (!this.#continues(known, checkpoint, proof))
      return refuse(422, 'The proof does not show that the log has only grown.');
    return { status: 200, type: 'text/plain; charset=utf-8', body: await this.#cosign(checkpoint, note, log.keys) };
  }

  /** Whether a key of the log that this witness knows has signed this head. */
  async isSigned(checkpoint: Checkpoint): Promise<boolean> {
    const log = await this.#store.log(checkpoint.origin);
    for (const key of log?.keys ?? []) if (await isSignedBy(this.#crypto, checkpoint, key)) return true;
    return false;
  }

  /** Whether a head continues the one that was signed before, as the proof shows. */
  #continues(known: Checkpoint | null, { size, root }: Checkpoint, proof: readonly Uint8Array[]): boolean {
    const { sha256 } = this.#crypto;
    if (size === 0 && !areEqual(root, emptyRoot(sha256))) return false;
    if (known === null || known.size === 0) return proof.length === 0;
    return isConsistent(sha256, { from: known.size, fromRoot: known.root, to: size, toRoot: root }, proof);
  }

  /** Signs a head, keeps it, and gives the line of the signature. */
  async #cosign({ origin, text, signatures }: Checkpoint, note: string, keys: readonly VerifierKey[]): Promise<string> {
    const seconds = Math.floor(this.#me.now().getTime() / 1000);
    const signature = this.#me.sign(cosignedMessage(text, seconds));
    const own = signatureLine(this.#crypto.sha256, this.#me.key, timedSignature(seconds, signature));
    // The log's own signatures are kept, each once: a note that anybody may send does not grow what is stored.
    const lines = note.slice(text.length + 1).split('\n');
    const ofLog = signatures.flatMap((each, at) => (keys.some((key) => this.#isBy(key, each)) ? [lines[at]] : []));
    await this.#store.keepNote(origin, `${text}\n${[...new Set(ofLog)].map((each) => `${each}\n`).join('')}${own}`);
    return own;
  }

  #isBy(key: VerifierKey, { name, keyId }: SignatureLine): boolean {
    return name === key.name && areEqual(keyId, keyIdOf(this.#crypto.sha256, key));
  }
}

/** One log has signed two heads of the same size with different roots: nothing else is needed to prove it. */
export const twoHistories = ({ origin, size }: Checkpoint, known: string, other: string): Evidence => ({
  words: `The log ${origin} has signed two different histories of ${size} entries.`,
  notes: [known, other],
});

/** The name of a log's files: its origin may hold slashes. */
export const fileNameOf = ({ sha256 }: Crypto, origin: string): string => toHex(sha256(utf8(origin))).slice(0, 32);
