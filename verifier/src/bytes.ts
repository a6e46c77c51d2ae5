/*
 * Bytes as text and back, for Node and browsers alike. Base64 is the standard alphabet with padding (RFC 4648, section 4); another
 * spelling of the same bytes is refused, so that a proof has one text only.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** @throws where the bytes are no UTF-8 */
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}

export function toBase64(bytes: Uint8Array): string {
  // Node has a faster one, and the log of the books writes some for each entry.
  if (typeof Buffer !== 'undefined')
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

/** @throws where the text is not the one standard base64 of some bytes */
export function fromBase64(text: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new Error('This is not base64.');
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  if (toBase64(bytes) !== text) throw new Error('This is not base64 as it is written here.');
  return bytes;
}

/** Small letters, two digits a byte, without a prefix. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @throws where the text is no hexadecimal of whole bytes; a leading `0x` is read past */
export function fromHex(text: string): Uint8Array {
  const digits = text.replace(/^0x/i, '');
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits)) throw new Error('This is not hexadecimal.');
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Eight bytes, the highest first. @throws unless `value` is a whole number from 0 to 2^53 - 1 */
export function uint64(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error('A whole number is needed.');
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}
