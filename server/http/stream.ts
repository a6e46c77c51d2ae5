import { setInterval } from 'node:timers';
import { Refusal } from '@ushirika/contract/refusals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Binding, EventSink } from './bind.ts';
import { asCaller, type Carrier, readCall } from './carry-out.ts';

const HEARTBEAT_MS = 20_000;
/** A client that does not read is cut off rather than buffered for. */
const UNSENT_BYTES_MAX = 256 * 1024;
/** Streams that one session may have open on this process: each holds a line, a timer and memory. One page uses one. */
export const STREAMS_PER_SESSION_MAX = 5;

/** What ends each open stream, telling its page after how many milliseconds to come back, and whose it is. */
export type OpenStreams = Map<(comeBackMs?: number) => void, string>;

/**
 * Serves a server-sent event stream. A comment goes out every 20 s, so that proxies keep the line open and a dead one is
 * noticed. At each, and before every event, the session is read again: one that has ended hears nothing more. To be
 * listening is not to be there: a session whose person does nothing ends in its time all the same. One session has so
 * many streams and no more; the next is refused with 429, and the page asks again by itself.
 */
export function streamer(binding: Extract<Binding, { how: 'stream' }>, carrier: Carrier, open: OpenStreams) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const call = await readCall(binding.route, request, carrier);
    const { raw } = reply;
    // Its page went while it was let in: no 'close' is to come, and the stream would stay open for nobody.
    if (raw.destroyed) return void reply.hijack();
    const owner = ownerOfNew(call, open);
    let ended = false;
    let unsubscribe: (() => void) | null = null;
    const end = (comeBackMs?: number) => {
      if (ended) return;
      if (comeBackMs !== undefined) raw.write(`retry: ${comeBackMs}\n\n`);
      ended = true;
      clearInterval(heartbeat);
      open.delete(end);
      unsubscribe?.();
      raw.end();
    };
    const write = (text: string): boolean => {
      if (ended) return false;
      raw.write(text);
      if (raw.writableLength > UNSENT_BYTES_MAX) end();
      return !ended;
    };
    const admitAgain = () => readCall(binding.route, request, watching(carrier));
    let told = Promise.resolve();
    const sink: EventSink = {
      send: ({ event, id, data }) => {
        const text = `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
        told = told
          .then(admitAgain)
          .then(() => void write(text))
          .catch(() => end());
        return !ended;
      },
    };
    const heartbeat = setInterval(() => {
      write(': still here\n\n');
      admitAgain().catch(() => end());
    }, HEARTBEAT_MS);
    heartbeat.unref();
    writeHead(reply);
    write('retry: 2000\n\n');
    open.set(end, owner);
    raw.on('close', () => end());
    try {
      unsubscribe = await asCaller(binding.route, call, () => binding.subscribe(call, sink));
      if (ended) unsubscribe();
    } catch (error) {
      request.log.error({ err: error }, 'stream failed');
      end();
    }
  };
}

function writeHead(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...reply.getHeaders(),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
    // A stream's line is not used again: kept alive after its end, it would hold up the server's shutdown.
    Connection: 'close',
  } as Record<string, string>);
}

/** Whose a new stream is: the session's, or the address's of who has none. */
function ownerOfNew({ actor, address }: Awaited<ReturnType<typeof readCall>>, open: OpenStreams): string {
  const owner = actor?.sessionId ?? address;
  let own = 0;
  for (const other of open.values()) if (other === owner) own += 1;
  if (own < STREAMS_PER_SESSION_MAX) return owner;
  const message = 'This is open too many times already. Close some of your pages.';
  throw new Refusal('too_many_requests', { message, retryAfterSeconds: 30 });
}

function watching(carrier: Carrier): Carrier {
  const { readSession, standingOf } = carrier.gatekeepers;
  return {
    ...carrier,
    gatekeepers: { standingOf, readSession: (token) => readSession(token, { isWatching: true }) },
  };
}
