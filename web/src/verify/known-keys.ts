import type { LogFacts } from '@ushirika/contract/proofs';
import { fromBase64, toBase64, utf8 } from '@ushirika/verifier/bytes';
import type { Crypto, Sha256 } from '@ushirika/verifier/crypto';
import { formatKey, keyChangeText, parseKey, type VerifierKey } from '@ushirika/verifier/note';
import { readPreference, writePreference } from '../preferences.ts';

/*
 * The keys of logs that this browser has seen, by the host that signs with them. All logs of a host have the same keys, so that nothing here
 * says which saccos somebody has looked at.
 */

type Known = Readonly<Record<string, readonly string[]>>;

/** The host of a log, by its origin. */
export const hostOf = (origin: string): string => origin.split('/')[0] ?? '';

function known(): Known {
  try {
    const found: unknown = JSON.parse(readPreference('log_keys') ?? '{}');
    return typeof found === 'object' && found !== null ? (found as Known) : {};
  } catch {
    return {};
  }
}

/** The keys that this browser first saw of a log's host, as the log's vkeys; none before the first sight. */
export function rememberedKeys(sha256: Sha256, origin: string): string[] {
  const keys = known()[hostOf(origin)];
  if (!Array.isArray(keys)) return [];
  return keys.flatMap((encoded) => {
    const key = attempt(() => Uint8Array.from(atob(String(encoded)), (letter) => letter.charCodeAt(0)));
    return key?.length === 32 ? [formatKey(sha256, { name: origin, type: 'log', publicKey: key })] : [];
  });
}

/** Keeps keys of a log besides those that are kept already. Those of another name are left out. */
export function rememberKeys(sha256: Sha256, origin: string, vkeys: readonly string[]): void {
  const own = vkeys.flatMap((vkey): VerifierKey[] => {
    const key = attempt(() => parseKey(sha256, vkey));
    return key?.type === 'log' && key.name === origin ? [key] : [];
  });
  const before = known();
  const keys = [...(before[hostOf(origin)] ?? []), ...own.map(({ publicKey }) => toBase64(publicKey))];
  writePreference('log_keys', JSON.stringify({ ...before, [hostOf(origin)]: [...new Set(keys)] }));
}

/** The keys of a log as its server says them, the current one first. */
type Told = Pick<LogFacts, 'origin' | 'keys' | 'key_dates'>;

/**
 * The keys that this browser knows of a log. The first that it is told are kept. A later key is kept too where a known one, the one before it, has
 * signed for it; any other is `unseen`.
 */
export async function followedKeys(
  { sha256, verifyEd25519 }: Crypto,
  { origin, keys, key_dates }: Told,
): Promise<{ keys: readonly string[]; unseen: readonly string[] }> {
  const before = rememberedKeys(sha256, origin);
  if (before.length === 0) {
    if (keys.length > 0) rememberKeys(sha256, origin, keys);
    return { keys, unseen: [] };
  }
  const followed: string[] = [];
  const isKnown = (vkey: string | undefined) => vkey !== undefined && [...before, ...followed].includes(vkey);
  // The oldest first: a key that is followed may have signed for the next one.
  for (let at = keys.length - 2; at >= 0; at -= 1) {
    const [next = '', last = ''] = [keys[at], keys[at + 1]];
    if (isKnown(next) || !isKnown(last)) continue;
    const signature = attempt(() => fromBase64(key_dates[at]?.signed_by_last ?? ''));
    const message = attempt(() => utf8(keyChangeText(parseKey(sha256, next).publicKey)));
    if (signature?.length !== 64 || !message) continue;
    if (await verifyEd25519(parseKey(sha256, last).publicKey, message, signature)) followed.push(next);
  }
  if (followed.length > 0) rememberKeys(sha256, origin, followed);
  const known = [...before, ...followed];
  return { keys: known, unseen: keys.filter((key) => !known.includes(key)) };
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
