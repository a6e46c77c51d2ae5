import type { ServerResponse } from 'node:http';
import { setInterval } from 'node:timers';
import { replyInWords } from '@ushirika/contract/in-words';
import type { Language } from '@ushirika/contract/notifications';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Binding, EventSink } from './bind.ts';
import { asCaller, type HandlerServices, readCall } from './route-handler.ts';

const HEARTBEAT_MS = 20_000;
/** A client that does not read is cut off rather than buffered for. */
const UNSENT_BYTES_MAX = 256 * 1024;
/** Streams that one session may have open on this process: each holds a line, a timer and memory. One page uses one. */
export const STREAMS_PER_SESSION_MAX = 5;
/** What many are told is written for so long after a look at this client's session had begun. */
const LOOK_HOLDS_MS = 1_000;
/** Sooner than that the next look is begun, so that nobody's frames wait for it; not all in the same turn. */
const LOOK_AGAIN_MS = { least: 750, step: 25, steps: 6 } as const;

/** What ends each open stream, telling its page after how many milliseconds to come back, and whose it is. */
export type OpenStreams = Map<(comeBackMs?: number) => void, string>;

/**
 * Serves a server-sent event stream. A comment goes out every 20 s, so that proxies keep the line open and a dead one is
 * noticed. At each, and before every event of its own, the session is read again: one that has ended hears nothing more;
 * of what is broadcast to many, for a second at most. To be listening is not to be there: a session whose person does
 * nothing ends in its time all the same. One session has so many streams and no more; the next is refused with 429, and
 * the page asks again by itself.
 */
export function streamer(binding: Extract<Binding, { how: 'stream' }>, services: HandlerServices, open: OpenStreams) {
  const watcher = watching(services);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const lookedAt = performance.now();
    const call = await readCall(binding.route, request, services);
    const { raw } = reply;
    // Its page went while it was let in: no 'close' is to come, and the stream would stay open for nobody.
    if (raw.destroyed) return void reply.hijack();
    const owner = ownerOfNew(call, open);
    let unsubscribe: (() => void) | null = null;
    writeHead(reply);
    const stream = new OpenStream(raw, lookedAt, {
      language: call.language,
      admitAgain: () => readCall(binding.route, request, watcher),
      onEnd: () => {
        open.delete(stream.end);
        unsubscribe?.();
      },
    });
    open.set(stream.end, owner);
    raw.on('close', () => stream.end());
    try {
      unsubscribe = await asCaller(binding.route, call, () => binding.subscribe(call, stream));
      if (stream.hasEnded) unsubscribe();
    } catch (error) {
      request.log.error({ err: error }, 'stream failed');
      stream.end();
    }
  };
}

interface Kept {
  /** The reader's: sentences in an event of its own are said in it. */
  readonly language: Language;
  /** Rejects where this client may hear this stream no more. */
  readonly admitAgain: () => Promise<unknown>;
  readonly onEnd: () => void;
}

let opened = 0;

/** One client's line, what waits to be written to it, and when its session was last looked at. */
class OpenStream implements EventSink {
  hasEnded = false;
  readonly #raw: ServerResponse;
  readonly #kept: Kept;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #lookAgainMs: number;
  /** When the latest look that let the client stay was begun. */
  #lookedAt: number;
  #isLooking = false;
  /** What waits for a look, one after the other, and how many there are. */
  #told: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(raw: ServerResponse, lookedAt: number, kept: Kept) {
    this.#raw = raw;
    this.#kept = kept;
    this.#lookedAt = lookedAt;
    opened += 1;
    this.#lookAgainMs = LOOK_AGAIN_MS.least + (opened % LOOK_AGAIN_MS.steps) * LOOK_AGAIN_MS.step;
    this.#heartbeat = setInterval(() => {
      this.#write(': still here\n\n');
      this.#lookAhead();
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
    // The first of it goes through the answer, which writes its head before it.
    raw.write('retry: 2000\n\n');
  }

  send({ event, id, data }: Parameters<EventSink['send']>[0]): boolean {
    const text = `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(replyInWords(data, this.#kept.language))}\n\n`;
    return this.#inTurn(text, () => this.#look());
  }

  broadcast(frame: Buffer): boolean {
    const age = performance.now() - this.#lookedAt;
    if (this.#waiting > 0 || age >= LOOK_HOLDS_MS) return this.#inTurn(frame, () => this.#lookUnlessFresh());
    if (age >= this.#lookAgainMs) this.#lookAhead();
    return this.#write(frame);
  }

  /** Bound: it is also the name by which the open streams are known. */
  readonly end = (comeBackMs?: number): void => {
    if (this.hasEnded) return;
    if (comeBackMs !== undefined) this.#raw.write(`retry: ${comeBackMs}\n\n`);
    this.hasEnded = true;
    clearInterval(this.#heartbeat);
    this.#kept.onEnd();
    this.#raw.end();
  };

  #write(text: string | Buffer): boolean {
    if (this.hasEnded) return false;
    // Past the answer, which would do no more than this and takes its time for it: its head is written, and it has no chunks.
    const line = this.#raw.socket ?? this.#raw;
    line.write(text);
    if (line.writableLength > UNSENT_BYTES_MAX) this.end();
    return !this.hasEnded;
  }

  #inTurn(text: string | Buffer, look: () => Promise<void> | undefined): boolean {
    this.#waiting += 1;
    this.#told = this.#told
      .then(look)
      .then(() => void this.#write(text))
      .catch(() => this.end())
      .then(() => {
        this.#waiting -= 1;
      });
    return !this.hasEnded;
  }

  async #look(): Promise<void> {
    const began = performance.now();
    await this.#kept.admitAgain();
    this.#lookedAt = Math.max(this.#lookedAt, began);
  }

  #lookUnlessFresh(): Promise<void> | undefined {
    return performance.now() - this.#lookedAt < LOOK_HOLDS_MS ? undefined : this.#look();
  }

  /** Looks once what is being written to everybody has been written; a stream that may not stay ends. */
  #lookAhead(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    setImmediate(() => {
      this.#look()
        .catch(() => this.end())
        .finally(() => {
          this.#isLooking = false;
        });
    });
  }
}

function writeHead(reply: FastifyReply): void {
  reply.hijack();
  // The line ends with the stream: to cut it into chunks as well would cost more than the writing.
  reply.raw.useChunkedEncodingByDefault = false;
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
  const message = sentence('This is open too many times already. Close some of your pages.');
  throw new Refusal('too_many_requests', { message, retryAfterSeconds: 30 });
}

function watching(services: HandlerServices): HandlerServices {
  const { readSession, standingOf } = services.gatekeepers;
  return {
    ...services,
    gatekeepers: { standingOf, readSession: (token) => readSession(token, { isWatching: true }) },
  };
}
