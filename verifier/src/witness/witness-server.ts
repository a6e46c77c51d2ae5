import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Witness } from './witness.ts';

/** 63 hashes of a proof have 3 kB, and a note with 64 signatures less than 30 kB. */
const BODY_BYTES_MAX = 65_536;
const REQUEST_WITHIN_MS = 10_000;
const CONNECTIONS_MAX = 256;

/** Serves C2SP tlog-witness; `GET /` gives the witness's key, for whoever wants to check its signatures. */
export function witnessServer(witness: Witness, vkey: string, onError: (error: unknown) => void): Server {
  const server = createServer((request, response) => {
    answer(request, response, { witness, vkey }).catch((error: unknown) => {
      onError(error);
      if (!response.headersSent) end(response, 500, 'The witness could not do it. Nothing was signed.\n');
      else response.destroy();
    });
  });
  server.requestTimeout = REQUEST_WITHIN_MS;
  server.headersTimeout = REQUEST_WITHIN_MS;
  server.maxConnections = CONNECTIONS_MAX;
  return server;
}

function end(response: ServerResponse, status: number, body: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { witness, vkey }: { witness: Witness; vkey: string },
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://witness');
  if (pathname === '/' && request.method === 'GET') return end(response, 200, `${vkey}\n`);
  if (pathname !== '/add-checkpoint') return end(response, 404, 'There is nothing here.\n');
  if (request.method !== 'POST') return end(response, 405, 'Only POST is answered here.\n');
  const body = await bodyOf(request);
  if (body === null) {
    response.setHeader('connection', 'close');
    return end(response, 413, `A request has ${BODY_BYTES_MAX} bytes at most.\n`);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return end(response, 400, 'The request is not UTF-8.\n');
  }
  const { status, type, body: said } = await witness.addCheckpoint(text);
  end(response, status, said, type);
}

/** Null where it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > BODY_BYTES_MAX) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
