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
/** A client that does not read is disconnected, so that its events do not fill the memory. */
const UNSENT_BYTES_MAX = 256 * 1024;
/**
 * Streams that one session may have open in this process: each costs a connection, a timer and memory. A page uses one.
 */
export const STREAMS_PER_SESSION_MAX = 5;
/** A broadcast event is written without a new check for this long after the last check of the session began. */
const CHECK_VALID_MS = 1_000;
/**
 * The next check starts before that time is over, so that broadcasts need not wait for it. It differs between streams,
 * so that they do not all check at once.
 */
const NEXT_CHECK_MS = { least: 750, step: 25, steps: 6 } as const;

/**
 * For each open stream: a function that ends it (with the milliseconds after which its page should reconnect), and its
 * owner.
 */
export type OpenStreams = Map<(reconnectMs?: number) => void, string>;

/**
 * Serves a server-sent event stream. A comment is sent every 20 s, so that proxies keep the connection open and a
 * broken one is noticed. At each comment and before each event of its own, the session is checked again. A session that
 * has ended gets nothing more; broadcast events reach it for at most one second. These checks do not extend the
 * session. One session has a limited number of streams; the next is refused with 429, and the page retries.
 */
export function streamer(binding: Extract<Binding, { how: 'stream' }>, services: HandlerServices, open: OpenStreams) {
  const watcher = watching(services);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const checkedAt = performance.now();
    const call = await readCall(binding.route, request, services);
    const { raw } = reply;
    // The client disconnected while its request was being admitted. No 'close' event would follow, and the stream would
    // stay open.
    if (raw.destroyed) return void reply.hijack();
    const owner = ownerOfNew(call, open);
    let unsubscribe: (() => void) | null = null;
    writeHead(reply);
    const stream = new OpenStream(raw, checkedAt, {
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

interface OpenStreamOptions {
  /** The reader's language, for the sentences in events of its own. */
  readonly language: Language;
  /** Checks the session again; rejects when this client may not go on. */
  readonly admitAgain: () => Promise<unknown>;
  readonly onEnd: () => void;
}

let opened = 0;

/** One client's connection, the events that wait for a check, and the time of the last check. */
class OpenStream implements EventSink {
  hasEnded = false;
  readonly #raw: ServerResponse;
  readonly #options: OpenStreamOptions;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #nextCheckMs: number;
  /** When the latest successful check began. */
  #checkedAt: number;
  #isChecking = false;
  /** The end of the queue of events that wait for a check, and their number. */
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(raw: ServerResponse, checkedAt: number, options: OpenStreamOptions) {
    this.#raw = raw;
    this.#options = options;
    this.#checkedAt = checkedAt;
    opened += 1;
    this.#nextCheckMs = NEXT_CHECK_MS.least + (opened % NEXT_CHECK_MS.steps) * NEXT_CHECK_MS.step;
    this.#heartbeat = setInterval(() => {
      this.#write(': still here\n\n');
      this.#checkInBackground();
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
    // The first bytes must go through the response, which writes its headers before them.
    raw.write('retry: 2000\n\n');
  }

  send({ event, id, data }: Parameters<EventSink['send']>[0]): boolean {
    const text = `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(replyInWords(data, this.#options.language))}\n\n`;
    return this.#writeAfter(text, () => this.#check());
  }

  broadcast(frame: Buffer): boolean {
    const age = performance.now() - this.#checkedAt;
    if (this.#waiting > 0 || age >= CHECK_VALID_MS) return this.#writeAfter(frame, () => this.#checkUnlessFresh());
    if (age >= this.#nextCheckMs) this.#checkInBackground();
    return this.#write(frame);
  }

  /** An arrow function, because the function itself is the key in the map of open streams. */
  readonly end = (reconnectMs?: number): void => {
    if (this.hasEnded) return;
    if (reconnectMs !== undefined) this.#raw.write(`retry: ${reconnectMs}\n\n`);
    this.hasEnded = true;
    clearInterval(this.#heartbeat);
    this.#options.onEnd();
    this.#raw.end();
  };

  #write(text: string | Buffer): boolean {
    if (this.hasEnded) return false;
    // Written to the socket directly, which is faster than through the response: the headers are sent, and there are no
    // chunks.
    const line = this.#raw.socket ?? this.#raw;
    line.write(text);
    if (line.writableLength > UNSENT_BYTES_MAX) this.end();
    return !this.hasEnded;
  }

  #writeAfter(text: string | Buffer, check: () => Promise<void> | undefined): boolean {
    this.#waiting += 1;
    this.#queue = this.#queue
      .then(check)
      .then(() => void this.#write(text))
      .catch(() => this.end())
      .then(() => {
        this.#waiting -= 1;
      });
    return !this.hasEnded;
  }

  async #check(): Promise<void> {
    const began = performance.now();
    await this.#options.admitAgain();
    this.#checkedAt = Math.max(this.#checkedAt, began);
  }

  #checkUnlessFresh(): Promise<void> | undefined {
    return performance.now() - this.#checkedAt < CHECK_VALID_MS ? undefined : this.#check();
  }

  /** Checks the session in the background, after the current broadcast is written. A failed check ends the stream. */
  #checkInBackground(): void {
    if (this.#isChecking) return;
    this.#isChecking = true;
    setImmediate(() => {
      this.#check()
        .catch(() => this.end())
        .finally(() => {
          this.#isChecking = false;
        });
    });
  }
}

function writeHead(reply: FastifyReply): void {
  reply.hijack();
  // The connection ends with the stream, so chunked encoding is not needed, and would cost more than the writing
  // itself.
  reply.raw.useChunkedEncodingByDefault = false;
  reply.raw.writeHead(200, {
    ...reply.getHeaders(),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
    // The connection is not reused: kept alive after the stream, it would delay the server's shutdown.
    Connection: 'close',
  } as Record<string, string>);
}

/** Who a new stream counts for: the session, or the address without one. */
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
    counts: null,
    gatekeepers: { standingOf, readSession: (token) => readSession(token, { isWatching: true }) },
  };
}
