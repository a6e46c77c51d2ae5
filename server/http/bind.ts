import type { Language } from '@ushirika/contract/notifications';
import type { Refusal } from '@ushirika/contract/refusal';
import type { BodyOf, Caller, Office, ParamsOf, QueryOf, ReplyOf, Route } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import type { Tx } from '../db/tx.ts';

/** The caller: the person of a live session. */
export interface Actor {
  readonly userId: string;
  readonly sessionId: string;
  readonly isOperator: boolean;
  /** The offices held in the sacco of this request; empty without one. */
  readonly offices: readonly Office[];
}

type ActorOf<T> = T extends { caller: infer C extends Caller }
  ? C extends 'anyone'
    ? Actor | null
    : C extends 'provider'
      ? null
      : Actor
  : never;
type SaccoOf<T> = T extends { caller: infer C extends Caller }
  ? C extends 'member' | 'official'
    ? string
    : string | null
  : never;

export interface UploadedFile {
  readonly bytes: Buffer;
  readonly filename: string;
}

/** A route's reply before its sentences are put into the reader's language. */
export type Answer<T> = Unsaid<ReplyOf<T>>;

/** One request, parsed and admitted. */
export interface Call<T extends Route> {
  readonly params: ParamsOf<T>;
  readonly query: QueryOf<T>;
  readonly body: BodyOf<T>;
  readonly actor: ActorOf<T>;
  /** The sacco of the `saccoId` header, or of the path where the caller is a member or official. */
  readonly saccoId: SaccoOf<T>;
  readonly file: UploadedFile | null;
  /** The caller's network address, for rate limits. */
  readonly address: string;
  /** The reader's language. */
  readonly language: Language;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Headers of a successful answer; a handler may add to them. */
  readonly answerHeaders: Record<string, string>;
}

/**
 * The subject that a request of a route without a session counts for: requests with one subject share a limit. It gets the
 * caller's address, and the path's parameters and the body as they came, before anything is checked.
 */
export type CountedBy = (asked: {
  readonly ip: string;
  readonly params: unknown;
  readonly body: unknown;
}) => Promise<string>;

/** How a route of the contract is carried out. */
export type Binding<T extends Route = Route> =
  | {
      readonly how: 'handler';
      readonly route: T;
      readonly handle: (call: Call<T>) => Promise<Answer<T>>;
      readonly countedBy?: CountedBy | undefined;
    }
  | { readonly how: 'verb'; readonly route: T; readonly verb: (tx: Tx, call: Call<T>) => Promise<Answer<T>> }
  | {
      readonly how: 'batched';
      readonly route: T;
      readonly queue: string;
      readonly verbs: (tx: Tx, calls: readonly Call<T>[]) => Promise<readonly (Answer<T> | Refusal)[]>;
      readonly keyOf?: ((call: Call<T>) => string | null) | undefined;
      readonly countedBy?: CountedBy | undefined;
    }
  | {
      readonly how: 'stream';
      readonly route: T;
      readonly subscribe: (call: Call<T>, events: EventSink) => Promise<() => void>;
    }
  | { readonly how: 'file'; readonly route: T; readonly send: (call: Call<T>) => Promise<FileReply> };

/**
 * Writes the events of one client's stream, in the order given. Both functions return false once the client is
 * disconnected.
 */
export interface EventSink {
  /** Writes an event made for this client. The session is checked before each one. */
  send(event: { readonly event: string; readonly id?: string; readonly data: unknown }): boolean;
  /**
   * Writes an event made once for many clients. The session and the standing are checked at most once a second. So a
   * client that loses its access gets such events for at most one second more.
   */
  broadcast(frame: Buffer): boolean;
}

export interface FileReply {
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly filename?: string;
  readonly cacheSeconds?: number;
}

/**
 * A route that changes nothing, or whose work is not one transaction, such as password hashing or a call to another
 * system.
 * @param countedBy the subject that the limit of requests counts; left out: the network, by each request
 */
export function bindHandler<T extends Route>(
  route: T,
  handle: (call: Call<T>) => Promise<Answer<T>>,
  countedBy?: CountedBy,
): Binding<T> {
  return { how: 'handler', route, handle, countedBy };
}

/**
 * A route whose act is one verb in one transaction. Where the route's repetition is `key`, the key is claimed in the
 * same transaction and the reply stored with it.
 */
export function bindVerb<T extends Route>(route: T, verb: (tx: Tx, call: Call<T>) => Promise<Answer<T>>): Binding<T> {
  return { how: 'verb', route, verb };
}

/**
 * A busy route: calls that arrive while one batch commits form the next batch and share its transaction. `verbs`
 * returns a reply or a refusal for each call, in order; a refused call must have written nothing. The batch looks up
 * and stores the idempotency keys of all its calls.
 * @param keyOf what a call locks exclusively, such as its sacco: batches with different keys run at the same time
 * @param countedBy the subject that the limit of requests counts; left out: the network, by each request
 */
export function bindBatched<T extends Route>(
  route: T,
  queue: string,
  verbs: (tx: Tx, calls: readonly Call<T>[]) => Promise<readonly (Answer<T> | Refusal)[]>,
  keyOf?: (call: Call<T>) => string | null,
  countedBy?: CountedBy,
): Binding<T> {
  return { how: 'batched', route, queue, verbs, keyOf, countedBy };
}

/** A server-sent event stream; the returned function ends the subscription. */
export function bindStream<T extends Route>(
  route: T,
  subscribe: (call: Call<T>, events: EventSink) => Promise<() => void>,
): Binding<T> {
  return { how: 'stream', route, subscribe };
}

/** A route that answers with bytes: a picture, a statement. */
export function bindFile<T extends Route>(route: T, send: (call: Call<T>) => Promise<FileReply>): Binding<T> {
  return { how: 'file', route, send };
}
