import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toBase64, utf8 } from './bytes.ts';
import { commitmentOf, type LogEntry, leafOf, NO_LEAF, open, type Payload } from './entry.ts';
import { nodeCrypto } from './node-crypto.ts';
import { checkpointText, formatKey, signatureLine, type VerifierKey } from './note.ts';
import type { Receipt } from './receipt.ts';
import { consistencyRanges, hashOfRange, leafHash, nodeHash, nodesOf, type Range } from './tree.ts';

const { sha256 } = nodeCrypto;

/** A key pair of a log or a witness. */
export function testKey(name: string, type: VerifierKey['type']) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const key: VerifierKey = { name, type, publicKey: Uint8Array.from(raw) };
  return { key, vkey: formatKey(sha256, key), sign: (message: Uint8Array) => sign(null, message, privateKey) };
}

export type TestKey = ReturnType<typeof testKey>;

/** A log in memory. `write(n, at)` is the text of entry n; two logs with one key and other texts are a fork. */
export class TestLog {
  readonly origin: string;
  readonly keys: TestKey;
  readonly #leaves: Uint8Array[];

  constructor(origin: string, keys: TestKey, write: (at: number) => string = String) {
    this.origin = origin;
    this.keys = keys;
    this.#leaves = Array.from({ length: 70 }, (_, at) => leafHash(sha256, utf8(write(at))));
  }

  #hash(range: Range): Uint8Array {
    const nodeOf = (level: number, index: number): Uint8Array =>
      level === 0
        ? (this.#leaves[index] as Uint8Array)
        : nodeHash(sha256, nodeOf(level - 1, index * 2), nodeOf(level - 1, index * 2 + 1));
    return hashOfRange(
      sha256,
      nodesOf(range).map(({ level, index }) => nodeOf(level, index)),
    );
  }

  root = (size: number): Uint8Array => (size === 0 ? sha256(new Uint8Array()) : this.#hash({ start: 0, end: size }));

  /** A signed head, by this log's key or another. */
  note(size: number, by: TestKey = this.keys): string {
    const text = checkpointText(this.origin, size, this.root(size));
    return `${text}\n${signatureLine(sha256, by.key, by.sign(utf8(text)))}`;
  }

  proof(from: number, to: number): string[] {
    return from === 0 ? [] : consistencyRanges(from, to).map((range) => toBase64(this.#hash(range)));
  }

  /** A request to a witness. */
  body(from: number, to: number): string {
    return [`old ${from}`, ...this.proof(from, to), '', this.note(to)].join('\n');
  }
}

/** A receipt of a log with two entries: this one, and one that nobody knows. */
export function testReceipt({ origin, keys }: TestLog, contract: string): Receipt {
  const secret = sha256(utf8('secret'));
  const payload: Payload = {
    head: { kind: 'shares_bought' },
    parts: [{ owner: 'Amina\u202e', amount: -31_000 }, { owner: null }],
  };
  const entry: LogEntry = {
    v: 1,
    log: origin,
    i: 0,
    t: '2026-04-01T09:00:00Z',
    k: 'books',
    c: toBase64(commitmentOf(sha256, secret, payload)),
    p: toBase64(NO_LEAF),
  };
  const other = sha256(utf8('other leaf'));
  const root = nodeHash(sha256, leafOf(sha256, entry), other);
  const text = checkpointText(origin, 2, root);
  return {
    type: 'ushirika-receipt/1',
    entry,
    opening: open(sha256, secret, payload, (_, at) => at === 0),
    inclusion: [toBase64(other)],
    checkpoint: `${text}\n${signatureLine(sha256, keys.key, keys.sign(utf8(text)))}`,
    key: keys.vkey,
    anchor: {
      chain_id: 31_337,
      contract,
      size: 2,
      root: toBase64(root),
      consistency: [],
    },
  };
}

/** Serves a log as the product does. What it shows can be changed while it runs. */
export interface ServedLog {
  readonly url: string;
  /** `says`: what the log's own address answers beside its keys. */
  shows: { log: TestLog; size: number; proofsOf?: TestLog; redirectTo?: string; says?: object };
  readonly server: Server;
  close(): Promise<void>;
}

export async function serveLog(log: TestLog, size: number): Promise<ServedLog> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://log');
    const { shows } = served;
    if (shows.redirectTo) return response.writeHead(302, { location: shows.redirectTo }).end();
    if (pathname === '/log/checkpoint') return response.end(shows.log.note(shows.size));
    if (pathname === '/log') return response.end(JSON.stringify({ keys: [shows.log.keys.vkey], ...shows.says }));
    const [from, to] = [Number(searchParams.get('from')), Number(searchParams.get('to'))];
    if (to > shows.size && !shows.proofsOf) return response.writeHead(404).end();
    return response.end(JSON.stringify({ proof: (shows.proofsOf ?? shows.log).proof(from, to) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const served: ServedLog = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/log`,
    shows: { log, size },
    server,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return served;
}
