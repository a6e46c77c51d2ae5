import { toBase64 } from '@ushirika/verifier/bytes';
import type { Sha256 } from '@ushirika/verifier/crypto';
import { formatKey, parseKey, type VerifierKey } from '@ushirika/verifier/note';
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

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
