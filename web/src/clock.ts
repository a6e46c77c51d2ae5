/** The one place where the web asks for the time, so that a test moves it by moving `Date`. */
export function now(): number {
  return Date.now();
}

/** A key that nobody else has: 128 random bits. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
