import http from 'node:http';
import net from 'node:net';
import type { Crowd } from './crowd.ts';
import type { Wire } from './requests.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly milliseconds: number;
}

/** Nothing came within the time that a request may take. */
export const HUNG = Symbol('hung');
/** It cannot be sent at all: Node itself refuses to write it, or it is so long that it was refused while it was sent. */
export const UNSENT = Symbol('unsent');
/** The line ended without an answer. */
export const CUT = Symbol('cut');
/** A body beyond this may be refused, and its line closed, while it is still being sent. */
const LONG_BYTES = 32 * 1024;

export interface Sender {
  readonly crowd: Crowd;
  readonly limitMs: number;
}

/** Sends a request into the server without a line between, or over a real one; a stream is left once it has begun. */
export async function send(
  { crowd, limitMs }: Sender,
  wire: Wire,
  way: 'inside' | 'line' | 'stream',
): Promise<Reply | typeof HUNG | typeof UNSENT | typeof CUT> {
  const began = performance.now();
  const out = { ...wire, headers: headersOf(crowd, wire) };
  const answer = way === 'inside' ? inject(crowd, out) : overLine(crowd, out, way);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof HUNG>((resolve) => {
    timer = setTimeout(() => resolve(HUNG), limitMs);
  });
  try {
    const reply = await Promise.race([answer, late]);
    return typeof reply === 'symbol' ? reply : { ...reply, milliseconds: performance.now() - began };
  } finally {
    clearTimeout(timer);
  }
}

type Answer = Omit<Reply, 'milliseconds'> | typeof UNSENT | typeof CUT;

function headersOf(crowd: Crowd, { as, headers }: Wire): Record<string, string | string[]> {
  const token = crowd.tokenOf(as);
  const fill = (text: string) => text.replaceAll('{{token}}', token ?? 'none');
  const own = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? fill(value) : value.map(fill),
  ]);
  return { ...(token === null ? {} : { authorization: `Token ${token}` }), ...Object.fromEntries(own) };
}

const payloadOf = ({ body, bytes }: Wire) => (bytes === undefined ? body : Buffer.from(bytes, 'base64'));

async function inject(crowd: Crowd, wire: Wire): Promise<Answer> {
  const { inject: into } = crowd.product.app.http as unknown as {
    // biome-ignore lint/suspicious/noExplicitAny: Fastify's own inject
    inject(request: any): Promise<any>;
  };
  const { method, url, headers } = wire;
  const payload = payloadOf(wire);
  const response = await into.call(crowd.product.app.http, {
    method,
    url,
    headers,
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: response.statusCode, headers: response.headers, text: response.payload };
}

function overLine(crowd: Crowd, wire: Wire, way: 'line' | 'stream'): Promise<Answer> {
  const { port } = crowd.product;
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      method: wire.method,
      path: wire.url,
      headers: wire.headers,
      agent: false as const,
    };
    let request: http.ClientRequest;
    try {
      request = http.request(options as http.RequestOptions);
    } catch {
      resolve(UNSENT);
      return;
    }
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      if (way === 'stream' && status === 200) {
        resolve({ status, headers: response.headers, text: '' });
        request.destroy();
        return;
      }
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () =>
        resolve({ status, headers: response.headers, text: Buffer.concat(pieces).toString('utf8') }),
      );
      response.on('error', reject);
    });
    const payload = payloadOf(wire);
    const isLong = Buffer.byteLength(payload ?? '') > LONG_BYTES;
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (['EPIPE', 'ECONNRESET'].includes(error.code ?? '')) resolve(isLong ? UNSENT : CUT);
      else reject(error);
    });
    request.end(payload);
  });
}

/** Writes bytes to the server's port as they are; what comes back until it closes, falls silent or time is up. */
export function sendRaw({ crowd, limitMs }: Sender, bytes: Buffer): Promise<string | typeof HUNG> {
  return new Promise((resolve) => {
    const socket = net.connect(crowd.product.port, '127.0.0.1');
    let heard = '';
    let quiet: NodeJS.Timeout | undefined;
    const end = (result: string | typeof HUNG) => {
      clearTimeout(limit);
      clearTimeout(quiet);
      socket.destroy();
      resolve(result);
    };
    const limit = setTimeout(() => end(HUNG), limitMs);
    socket.on('data', (piece) => {
      heard += piece.toString('latin1');
      clearTimeout(quiet);
      quiet = setTimeout(() => end(heard), 30);
    });
    socket.on('error', () => end(heard));
    socket.on('close', () => end(heard));
    // The other side is told that nothing more will come, so that half a request is answered or dropped.
    socket.on('connect', () => socket.end(bytes));
  });
}

/** Whether the server is there for others: one more request over a line of its own is answered well. */
export async function isThere({ crowd }: Pick<Sender, 'crowd'>): Promise<boolean> {
  const url = `http://127.0.0.1:${crowd.product.port}/api/v1/public/figures`;
  const response = await fetch(url, { headers: { connection: 'close' } }).catch(() => null);
  await response?.arrayBuffer();
  return response?.status === 200;
}
