import { messageOf, TEXT_BYTES_MAX, Unchecked } from './files.ts';

/** Bounds of one answer. */
export interface Bounds {
  readonly bytesMax: number;
  readonly withinMs: number;
}

const SMALL: Bounds = { bytesMax: TEXT_BYTES_MAX, withinMs: 15_000 };

/**
 * Reads a text of a log's server. It follows no redirect, and ends where the answer takes too long or is too large.
 * @throws Unchecked with a sentence where there is no such answer
 */
export async function ask(address: string, { bytesMax, withinMs }: Bounds = SMALL): Promise<string> {
  try {
    if (!/^https?:$/.test(new URL(address).protocol)) throw new Error('only http and https are asked');
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(withinMs) });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`it answers ${response.status}`);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(await bounded(response, bytesMax));
  } catch (error) {
    const cause = error instanceof Error && error.cause ? ` (${messageOf(error.cause)})` : '';
    throw new Unchecked(`${address} gave no answer to check: ${messageOf(error)}${cause}.`);
  }
}

async function bounded({ body }: Response, bytesMax: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    if (length > bytesMax) throw new Error('the answer is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** @throws Unchecked where the answer is no JSON object */
export async function askJson(address: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await ask(address);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {}
  throw new Unchecked(`${address} gave an answer that cannot be read.`);
}

/** The address of a part of a log: `part(https://HOST/api/v1/log/platform, 'checkpoint')`. */
export const part = (log: string, path: string): string => `${log.replace(/\/+$/, '')}/${path}`;
