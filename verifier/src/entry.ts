import { areEqual, fromBase64, toBase64, utf8 } from './bytes.ts';
import { canonical, type Plain } from './canonical.ts';
import type { Sha256 } from './crypto.ts';

/*
 * An entry of a log. The public entry holds no fact: only a commitment to a salted payload, its place, its hour and a coarse kind. Who is
 * given the payload and its salts can check that the entry commits to them; who is not learns nothing from the entry.
 */

/**
 * `books`: a journal; `shares`, `loans`, `pools`, `votes`: what happened there; `saccos`: its terms, by-laws, officials and state; `totals`:
 * sums of a day; `log`: about the log itself.
 */
export type EntryKind = 'books' | 'shares' | 'loans' | 'pools' | 'votes' | 'saccos' | 'totals' | 'log';

/** Exactly these seven members, as they are hashed. */
export interface LogEntry {
  readonly v: 1;
  /** The origin of the log. */
  readonly log: string;
  /** The position, from 0. */
  readonly i: number;
  /** The hour in which the entry was logged: `2026-11-29T06:00:00Z`. */
  readonly t: string;
  readonly k: EntryKind;
  /** The commitment to the payload, base64. */
  readonly c: string;
  /** The leaf hash of the entry before, base64; of 32 zero bytes for the first. */
  readonly p: string;
}

export const NO_LEAF = new Uint8Array(32);
const SALT_BYTES = 32;

/** The bytes that are hashed: RFC 8785. */
export const entryBytes = (entry: LogEntry): Uint8Array => utf8(canonical(entry as unknown as Plain));

/** The leaf of the tree: SHA-256 of a zero byte and the entry's bytes (RFC 9162). */
export const leafOf = (sha256: Sha256, entry: LogEntry): Uint8Array =>
  sha256(`\0${canonical(entry as unknown as Plain)}`);

/** The salt of the payload (`at` 0) or of one of its parts (1 and up). No salt leads to another or to the secret that all come from. */
export const saltOf = (sha256: Sha256, secret: Uint8Array, at: number): Uint8Array =>
  sha256(`sacco-salt-v1\n${at}\n${toBase64(secret)}`);

/** A salted commitment: SHA-256 of three lines of text, so that a person can repeat it with any tool. */
const commitTo = (sha256: Sha256, tag: 'commit' | 'part', salt: Uint8Array, value: Plain): Uint8Array =>
  sha256(`sacco-${tag}-v1\n${toBase64(salt)}\n${canonical(value)}`);

/**
 * The payload that an entry commits to. `head` is for everybody who is given the entry; each part is for some of them alone, and the others
 * get its hash.
 */
export interface Payload {
  readonly head: Plain;
  readonly parts: readonly Plain[];
}

/** The payload as the entry commits to it, for whoever may see the head alone. */
interface Committed {
  readonly head: Plain;
  /** The hash of each part, base64. */
  readonly parts: readonly string[];
}

/** A part that is shown. `at` counts from 0. */
export interface ShownPart {
  readonly at: number;
  readonly salt: string;
  readonly value: Plain;
}

/** The payload as it is shown to one reader. */
export interface Opening extends Committed {
  /** The salt of the head, base64. */
  readonly salt: string;
  readonly shown: readonly ShownPart[];
}

/** The commitment that an entry holds, from the payload and the 32 secret bytes of the entry. */
export function commitmentOf(sha256: Sha256, secret: Uint8Array, { head, parts }: Payload): Uint8Array {
  const hashes = parts.map((part, at) => toBase64(partHash(sha256, saltOf(sha256, secret, at + 1), part)));
  return commitTo(sha256, 'commit', saltOf(sha256, secret, 0), { head, parts: hashes });
}

const partHash = (sha256: Sha256, salt: Uint8Array, part: Plain): Uint8Array => commitTo(sha256, 'part', salt, part);

/** Shows a payload to a reader who may see the parts for which `maySee` answers true. */
export function open(
  sha256: Sha256,
  secret: Uint8Array,
  { head, parts }: Payload,
  maySee: (part: Plain, at: number) => boolean,
): Opening {
  const salts = parts.map((_, at) => saltOf(sha256, secret, at + 1));
  return {
    salt: toBase64(saltOf(sha256, secret, 0)),
    head,
    parts: parts.map((part, at) => toBase64(partHash(sha256, salts[at] as Uint8Array, part))),
    shown: parts.flatMap((value, at) =>
      maySee(value, at) ? [{ at, salt: toBase64(salts[at] as Uint8Array), value }] : [],
    ),
  };
}

/** Whether what is shown is what the entry commits to. @throws where a salt or a hash cannot be read */
export function isOpenedBy(sha256: Sha256, entry: LogEntry, { head, parts, salt, shown }: Opening): boolean {
  const salts = [salt, ...shown.map((part) => part.salt)].map(fromBase64);
  if (salts.some(({ length }) => length !== SALT_BYTES)) return false;
  const committed = commitTo(sha256, 'commit', salts[0] as Uint8Array, { head, parts });
  if (!areEqual(committed, fromBase64(entry.c))) return false;
  // Each part once: a part that is shown twice would count its money twice.
  const isOnce = shown.every(({ at }, index) => Number.isSafeInteger(at) && at > (shown[index - 1]?.at ?? -1));
  if (!isOnce) return false;
  return shown.every(({ at, value }, index) => {
    const hash = parts[at];
    return hash !== undefined && areEqual(fromBase64(hash), partHash(sha256, salts[index + 1] as Uint8Array, value));
  });
}
