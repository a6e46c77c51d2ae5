import { toBase64, utf8 } from '@ushirika/verifier/bytes';
import type { Plain } from '@ushirika/verifier/canonical';
import { commitmentOf, type LogEntry, leafOf, NO_LEAF, open, type Payload } from '@ushirika/verifier/entry';
import {
  checkpointText,
  formatKey,
  keyChangeText,
  parseKey,
  signatureLine,
  type VerifierKey,
} from '@ushirika/verifier/note';
import type { Receipt } from '@ushirika/verifier/receipt';
import { consistencyRanges, Edge, hashOfRange, inclusionRanges, type Range } from '@ushirika/verifier/tree';
import { browserCrypto } from './browser-crypto.ts';

const { sha256 } = browserCrypto;

export interface TestSide {
  account: number;
  kind: string;
  asset?: 'KES' | 'SHARE';
  book?: string;
  transfer: number;
  position?: number;
  side: 'debit' | 'credit';
  amount: number;
  after: number;
}

export interface TestJournal {
  kind: string;
  sides: TestSide[];
  /** What an entry says that is about no journal. */
  head?: Plain;
}

/** A log with a key of its own, as the server would keep it, of the journals that it is given. */
export async function testLog(origin: string, journals: readonly TestJournal[]) {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  const key: VerifierKey = { name: origin, type: 'log', publicKey };
  let before: Uint8Array = NO_LEAF;
  const logged = journals.map(({ kind, sides, head }, i) => {
    const secret = sha256(utf8(`secret ${i}`));
    const own = sides.map((side): Plain => ({ asset: 'KES', book: 'platform', position: 0, ...side }));
    const payload: Payload = {
      head: head ?? { journal: 100 + i, kind, at: '2026-11-20T06:05:00.000000Z', reverses: null },
      parts: [
        { caused_by: null, key: `k${i}` },
        { owner: 'me', sides: own },
      ],
    };
    const entry: LogEntry = {
      v: 1,
      log: origin,
      i,
      t: '2026-11-20T06:00:00Z',
      k: 'books',
      c: toBase64(commitmentOf(sha256, secret, payload)),
      p: toBase64(before),
    };
    before = leafOf(sha256, entry);
    return { entry, leaf: before, opening: open(sha256, secret, payload, (_, at) => at === 1) };
  });
  const rangeHash = ({ start, end }: Range): Uint8Array => {
    const leaves = logged.slice(start, end).map(({ leaf }) => leaf);
    const edge = new Edge(sha256);
    for (const leaf of leaves) edge.append(leaf);
    return hashOfRange(sha256, edge.peaks);
  };
  const rootOf = (size: number) => rangeHash({ start: 0, end: size });
  const checkpoint = async (size: number): Promise<string> => {
    const text = checkpointText(origin, size, rootOf(size));
    const signature = new Uint8Array(
      await crypto.subtle.sign('Ed25519', pair.privateKey, utf8(text) as Uint8Array<ArrayBuffer>),
    );
    return `${text}\n${signatureLine(sha256, key, signature)}`;
  };
  return {
    vkey: formatKey(sha256, key),
    size: logged.length,
    root: (size: number) => toBase64(rootOf(size)),
    checkpoint,
    /** The signature of this log's key for the one that signs after it. */
    signFor: async (vkey: string): Promise<string> => {
      const text = utf8(keyChangeText(parseKey(sha256, vkey).publicKey)) as Uint8Array<ArrayBuffer>;
      return toBase64(new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, text)));
    },
    inclusion: (i: number, size: number) => inclusionRanges(i, size).map((range) => toBase64(rangeHash(range))),
    consistency: (from: number, to: number) => consistencyRanges(from, to).map((range) => toBase64(rangeHash(range))),
    async receipt(i: number, size = logged.length): Promise<Receipt> {
      const { entry, opening } = logged[i] as (typeof logged)[number];
      return {
        type: 'ushirika-receipt/1',
        entry,
        opening,
        inclusion: inclusionRanges(i, size).map((range) => toBase64(rangeHash(range))),
        checkpoint: await checkpoint(size),
        key: formatKey(sha256, key),
        anchor: null,
      };
    },
  };
}
