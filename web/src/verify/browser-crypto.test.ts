import { utf8 } from '@ushirika/verifier/bytes';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { browserCrypto, rememberingCrypto } from './browser-crypto.ts';

afterEach(() => vi.unstubAllGlobals());

const message = utf8('a checkpoint') as Uint8Array<ArrayBuffer>;
const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
const key = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, message));

test.each(['WebCrypto', 'the library'])('a signature is checked by %s, and a changed one is refused', async (by) => {
  if (by === 'the library') vi.stubGlobal('crypto', {});
  expect(await browserCrypto.verifyEd25519(key, message, signature)).toBe(true);
  expect(await browserCrypto.verifyEd25519(key, utf8('another'), signature)).toBe(false);
  expect(
    await browserCrypto.verifyEd25519(
      key,
      message,
      signature.map((byte, at) => (at === 40 ? byte ^ 1 : byte)),
    ),
  ).toBe(false);
  expect(await browserCrypto.verifyEd25519(key.slice(1), message, signature)).toBe(false);
});

test('the browser hashes as Node does', () => {
  for (const text of ['', 'a', 'a'.repeat(1_000)]) {
    expect(browserCrypto.sha256(utf8(text))).toEqual(new Uint8Array(nodeCrypto.sha256(utf8(text))));
  }
});

test('a signature that was checked is not checked again', async () => {
  let checks = 0;
  const counted = rememberingCrypto({
    ...browserCrypto,
    verifyEd25519: (...parts) => {
      checks += 1;
      return browserCrypto.verifyEd25519(...parts);
    },
  });
  for (let times = 0; times < 3; times += 1) expect(await counted.verifyEd25519(key, message, signature)).toBe(true);
  expect(await counted.verifyEd25519(key, utf8('another'), signature)).toBe(false);
  expect(checks).toBe(2);
});
