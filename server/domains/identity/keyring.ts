import { createCipheriv, createDecipheriv, hash } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What is stored of a sealed secret: which key opens it, and nonce, text and tag in one. */
export interface Sealed {
  readonly keyId: string;
  readonly bytes: Buffer;
}

/**
 * Keys that lie beside the database, never in it: who reads the tables alone learns no secret. The first one seals, all
 * open, so that a key is changed by putting a new one before it.
 */
export interface Keyring {
  readonly keyIds: readonly string[];
  /** AES-256-GCM. `belongsTo` is bound in: what was sealed for one row does not open in another. */
  seal(plain: Buffer, belongsTo: string, nonce: Buffer): Sealed;
  /** Throws when the key is not there, or when the bytes or what they belong to are not what was sealed. */
  open(sealed: Sealed, belongsTo: string): Buffer;
}

/** A key's name, by which rows say what opens them; it tells nothing of the key. */
function idOf(key: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from('ushirika/key-id/1'), key]), 'hex').slice(0, 16);
}

/** Keys of 64 hexadecimal digits, separated by commas or lines; null when that is not what the text holds. */
export function parseKeys(text: string): Buffer[] | null {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const isRight = parts.length > 0 && parts.every((part) => /^[0-9a-f]{64}$/i.test(part));
  return isRight ? parts.map((part) => Buffer.from(part, 'hex')) : null;
}

export function createKeyring(keys: readonly Buffer[]): Keyring {
  const [first] = keys;
  if (!first || keys.some((key) => key.length !== KEY_BYTES)) throw new Error('A keyring needs keys of 32 bytes.');
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  return {
    keyIds: [...byId.keys()],
    seal(plain, belongsTo, nonce) {
      if (nonce.length !== NONCE_BYTES) throw new Error('A nonce has 12 bytes.');
      const cipher = createCipheriv('aes-256-gcm', first, nonce).setAAD(Buffer.from(belongsTo));
      const bytes = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
      return { keyId: idOf(first), bytes };
    },
    open({ keyId, bytes }, belongsTo) {
      const key = byId.get(keyId);
      if (!key) throw new Error(`The key ${keyId} is not here.`);
      const opener = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      opener.setAAD(Buffer.from(belongsTo)).setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([opener.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), opener.final()]);
    },
  };
}
