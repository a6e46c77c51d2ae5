import { setInterval } from 'node:timers';
import { getHeapStatistics } from 'node:v8';
import { Refusal } from '@ushirika/contract/refusal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Deadline } from '../db/deadline.ts';
import { answerError } from './errors.ts';
import type { Figures, RouteFigures } from './figures.ts';
import type { Lifecycle } from './lifecycle.ts';

/** How often all requests under way are checked for their deadlines; one timer instead of one for each request. */
const TICK_MS = 250;
/** An event loop that is this late twice in a row is overloaded. */
const LATE_MS = 1_000;
/** The share of V8's memory limit above which garbage collection would take nearly all the time. */
const HEAP_SHARE_MAX = 0.9;

export interface RequestLimits {
  /** Every request is answered within this time. */
  readonly deadlineMs: number;
  /** For a request with a file, which takes longer to arrive. */
  readonly uploadDeadlineMs: number;
  /** The number of requests under way; one more is refused. */
  readonly atOnceMax: number;
}

export interface RequestsOptions {
  readonly limits: RequestLimits;
  readonly lifecycle: Lifecycle;
  readonly figures: Figures;
  /** Whether the database answers. While it does not, requests are refused before they start. */
  readonly isDatabaseAnswering: () => boolean;
}

/** One request, from its headers to its answer. */
class Underway {
  /** Its index in `#slots`. */
  readonly slot: number;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly figures: RouteFigures;
  readonly since = performance.now();
  readonly deadline = new Deadline();
  readonly limitMs: number;
  readonly isStream: boolean;
  /**
   * Rejects the promise of `within`, which ends the request before its handler returns; null until the handler starts.
   */
  refuse: ((refusal: Refusal) => void) | null = null;

  constructor(
    call: { readonly slot: number; readonly request: FastifyRequest; readonly reply: FastifyReply },
    figures: RouteFigures,
    limits: { readonly limitMs: number; readonly isStream: boolean },
  ) {
    this.slot = call.slot;
    this.request = call.request;
    this.reply = call.reply;
    this.figures = figures;
    this.limitMs = limits.limitMs;
    this.isStream = limits.isStream;
  }
}

/** A route's name and kind, by which its requests are counted and limited. */
export interface RouteKind {
  readonly name: string;
  readonly kind: 'api' | 'upload' | 'stream' | 'probe';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    ushirika?: RouteKind;
  }
  interface FastifyRequest {
    underway: unknown;
  }
}

/**
 * All requests under way. It limits their number and the time of each, and refuses those that cannot be served. No
 * request is queued here: it starts, or is refused at once with the time after which to retry.
 */
export class Requests {
  readonly #options: RequestsOptions;
  /**
   * Slots that are reused. A Map or Set that grows and shrinks all the time leaves old tables behind. They hold
   * thousands of finished requests in memory until a full collection, which took a third of a request's time.
   */
  readonly #slots: (Underway | null)[] = [];
  readonly #free: number[] = [];
  #count = 0;
  readonly #timer: NodeJS.Timeout;
  readonly #others: RouteFigures;
  #lastTick = performance.now();
  #lagMs = 0;
  #lagMaxMs = 0;
  #lateTicks = 0;
  #isHeapFull = false;
  #endsAt = Number.POSITIVE_INFINITY;

  constructor(options: RequestsOptions) {
    this.#options = options;
    this.#others = options.figures.route('other');
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
    options.lifecycle.onDraining(() => {
      // Node then sends `Connection: close` itself, and closes the connection after the answer.
      for (const { reply } of this.#all()) reply.raw.shouldKeepAlive = false;
    });
  }

  get count(): number {
    return this.#count;
  }

  /** How late the event loop was at the last tick, and at worst since the last call, in milliseconds. */
  lag(): { readonly nowMs: number; readonly maxMs: number } {
    const maxMs = this.#lagMaxMs;
    this.#lagMaxMs = this.#lagMs;
    return { nowMs: this.#lagMs, maxMs };
  }

  /** Called when the headers have arrived. Returns the refusal of a request that cannot be served now, else null. */
  enter(request: FastifyRequest, reply: FastifyReply, route: RouteKind | undefined): Refusal | null {
    if (route?.kind === 'probe') return null;
    const { lifecycle, limits, figures } = this.#options;
    if (lifecycle.phase === 'draining' || lifecycle.phase === 'closing') reply.header('Connection', 'close');
    const own = route ? figures.route(route.name) : this.#others;
    const reason = this.#reasonAgainst(route);
    if (reason) {
      own.count(503, 0);
      this.#shed(reason);
      return new Refusal('unavailable', { retryAfterSeconds: reason === 'too_many' ? 1 : 2 });
    }
    const limitMs = route?.kind === 'upload' ? limits.uploadDeadlineMs : limits.deadlineMs;
    const isStream = route?.kind === 'stream';
    const slot = this.#free.pop() ?? this.#slots.length;
    const underway = new Underway({ slot, request, reply }, own, { limitMs, isStream });
    this.#slots[slot] = underway;
    this.#count += 1;
    request.underway = underway;
    return null;
  }

  /** Runs a request's handler within its deadline, and counts its result. */
  within<T>(request: FastifyRequest, run: (deadline: Deadline) => Promise<T>): Promise<T> {
    const underway = underwayOf(request);
    if (!underway) return run(new Deadline());
    // The database may have stopped answering while the body arrived.
    if (!this.#options.isDatabaseAnswering()) {
      this.#shed('database_silent');
      return Promise.reject(new Refusal('unavailable', { retryAfterSeconds: 2 }));
    }
    return new Promise<T>((resolve, reject) => {
      underway.refuse = reject;
      run(underway.deadline).then((value) => {
        this.leave(request, underway.reply.raw.statusCode);
        resolve(value);
      }, reject);
    });
  }

  /** Ends a request that was answered with `status`; null: its caller disconnected before the answer. */
  leave(request: FastifyRequest, status: number | null): void {
    const underway = underwayOf(request);
    if (!underway) return;
    request.underway = null;
    this.#slots[underway.slot] = null;
    this.#free.push(underway.slot);
    this.#count -= 1;
    underway.figures.count(status, (performance.now() - underway.since) / 1000);
  }

  /** The connections that have a request under way. */
  sockets(): ReadonlySet<unknown> {
    return new Set(this.#all().map(({ request }) => request.raw.socket));
  }

  /** Sets an end for all requests (by `performance.now()`), because the process is closing. */
  endBy(instant: number): void {
    this.#endsAt = instant;
  }

  /** Refuses all requests whose handlers run, because the database does not answer. */
  refuseAll(): void {
    for (const underway of this.#all()) if (underway.refuse) this.#expire(underway);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #all(): Underway[] {
    return this.#slots.filter((underway) => underway !== null);
  }

  #reasonAgainst(route: RouteKind | undefined): string | null {
    const { lifecycle, limits, isDatabaseAnswering } = this.#options;
    if (lifecycle.phase === 'closing') return 'closing';
    if (this.#count >= limits.atOnceMax) return 'too_many';
    if (this.#lateTicks >= 2 || this.#isHeapFull) return 'overloaded';
    return route && !isDatabaseAnswering() ? 'database_silent' : null;
  }

  #shed(reason: string): void {
    this.#options.figures.count('ushirika_http_shed_total', 'Requests refused at the door, by reason.', { reason });
  }

  #tick(): void {
    const now = performance.now();
    this.#lagMs = Math.max(0, now - this.#lastTick - TICK_MS);
    this.#lagMaxMs = Math.max(this.#lagMaxMs, this.#lagMs);
    this.#lateTicks = this.#lagMs > LATE_MS ? this.#lateTicks + 1 : 0;
    this.#lastTick = now;
    const heap = getHeapStatistics();
    this.#isHeapFull = heap.used_heap_size > heap.heap_size_limit * HEAP_SHARE_MAX;
    if (!this.#options.isDatabaseAnswering()) this.refuseAll();
    for (const underway of this.#all()) {
      const { raw } = underway.reply;
      if (raw.destroyed && !underway.refuse) this.leave(underway.request, null);
      else if (underway.isStream && raw.headersSent) this.leave(underway.request, raw.statusCode);
      else if (now - underway.since > underway.limitMs || now > this.#endsAt) this.#expire(underway);
    }
  }

  #expire(underway: Underway): void {
    const { refuse, request, reply } = underway;
    if (reply.sent || reply.raw.headersSent) return;
    const known = underway.deadline.expire();
    const isArriving = request.raw.complete === false;
    const refusal = isArriving ? new Refusal('request_too_slow') : known;
    this.#options.figures.count('ushirika_http_deadlines_total', 'Requests whose time was over, by what was said.', {
      code: refusal.code,
    });
    // The rest of a body that is still arriving is not read.
    if (isArriving) reply.header('Connection', 'close');
    if (refuse) refuse(refusal);
    else answerError(refusal, request, reply);
  }
}

function underwayOf(request: FastifyRequest): Underway | null {
  return request.underway as Underway | null;
}
