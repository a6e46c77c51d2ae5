import type { Language } from '@ushirika/contract/notifications';
import type { Refusal } from '@ushirika/contract/refusal';
import type { BodyOf, Caller, Office, ParamsOf, QueryOf, ReplyOf, Route } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import type { Tx } from '../db/tx.ts';

/** Who is asking: a live session's person. */
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

/** The reply of a route as its binding makes it: its sentences are in no language yet. */
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
  /** What an answer that is no refusal carries besides; a handler may add to it. */
  readonly answerHeaders: Record<string, string>;
}

/** How a route of the contract is carried out. */
export type Binding<T extends Route = Route> =
  | { readonly how: 'handler'; readonly route: T; readonly handle: (call: Call<T>) => Promise<Answer<T>> }
  | { readonly how: 'verb'; readonly route: T; readonly verb: (tx: Tx, call: Call<T>) => Promise<Answer<T>> }
  | {
      readonly how: 'batched';
      readonly route: T;
      readonly queue: string;
      readonly verbs: (tx: Tx, calls: readonly Call<T>[]) => Promise<readonly (Answer<T> | Refusal)[]>;
      readonly keyOf?: ((call: Call<T>) => string | null) | undefined;
    }
  | {
      readonly how: 'stream';
      readonly route: T;
      readonly subscribe: (call: Call<T>, events: EventSink) => Promise<() => void>;
    }
  | { readonly how: 'file'; readonly route: T; readonly send: (call: Call<T>) => Promise<FileReply> };

/** Where a stream's events go, in the order given; both return false once the client has gone. */
export interface EventSink {
  /** An event of this one client: the session is looked at before it is written. */
  send(event: { readonly event: string; readonly id?: string; readonly data: unknown }): boolean;
  /**
   * Whole events, made once for many clients: the session and the standing are looked at once a second and no more, so
   * that who may no longer hear this hears it for a second at most.
   */
  broadcast(frame: Buffer): boolean;
}

export interface FileReply {
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly filename?: string;
  readonly cacheSeconds?: number;
}

/** A route that changes nothing, or whose work is not one transaction (hashing first, a cache, an outside answer). */
export function bindHandler<T extends Route>(route: T, handle: (call: Call<T>) => Promise<Answer<T>>): Binding<T> {
  return { how: 'handler', route, handle };
}

/**
 * A route whose act is one verb in one transaction. Where the route's repetition is `key`, the key is claimed in the
 * same transaction and the reply stored with it.
 */
export function bindVerb<T extends Route>(route: T, verb: (tx: Tx, call: Call<T>) => Promise<Answer<T>>): Binding<T> {
  return { how: 'verb', route, verb };
}

/**
 * A hot route: calls that arrive while one batch commits become the next batch and share its transaction. `verbs` gives
 * a reply or a refusal for each call, in order; a refused one must have written nothing. Keys are claimed for the batch.
 * @param keyOf what a call will lock for itself alone, such as its sacco: batches with other keys go on beside it
 */
export function bindBatched<T extends Route>(
  route: T,
  queue: string,
  verbs: (tx: Tx, calls: readonly Call<T>[]) => Promise<readonly (Answer<T> | Refusal)[]>,
  keyOf?: (call: Call<T>) => string | null,
): Binding<T> {
  return { how: 'batched', route, queue, verbs, keyOf };
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
