import { z } from 'zod';
import type { RefusalCode } from './refusals.ts';
import { said } from './said.ts';
import { wholeNumber } from './whole-number.ts';

/**
 * Callers that a route admits. The server loads nothing for a caller who is not named here.
 *
 * - `anyone`: no session is needed; a session is read when one is sent.
 * - `signed_in`: a live session.
 * - `member`: a live session of a member of the sacco that the request means (header `saccoId`).
 * - `official`: a live session of an official of that sacco (any office; `offices` narrows it).
 * - `operator`: a live session of an operator of the platform.
 * - `provider`: an outside system that proves itself by an unguessable path; there is no session.
 */
export type Caller = 'anyone' | 'signed_in' | 'member' | 'official' | 'operator' | 'provider';

/** The offices that an official of a sacco may hold. */
export const OFFICES = [
  'chair',
  'vice_chair',
  'secretary',
  'treasurer',
  'credit_committee',
  'supervisory_committee',
  'manager',
] as const;
export type Office = (typeof OFFICES)[number];

/**
 * How a repeated request is kept from acting twice.
 *
 * - `read`: it changes nothing.
 * - `key`: the client sends `Idempotency-Key`; the same key and body give the first answer again.
 * - `natural`: the act itself is idempotent (a set, a delete) or guarded by what it is about (a unique row).
 */
export type Repetition = 'read' | 'key' | 'natural';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

type Schema = z.ZodType;

export interface Route<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
  HttpMethod extends Method = Method,
  Path extends string = string,
  Who extends Caller = Caller,
> {
  /** A unique name in camel case; the OpenAPI operation id. */
  readonly name: string;
  /** Method and path keep their literal types, so that a client can name a route without loading its schemas. */
  readonly method: HttpMethod;
  /** Below `/api/v1`, with `{name}` for a path parameter. It answers with and without its trailing slash. */
  readonly path: Path;
  readonly summary: string;
  readonly caller: Who;
  /** Set for a route for anyone: a session that is sent is not read, so that nobody knows who called. */
  readonly isSessionless?: boolean;
  /**
   * It writes, and whoever's account is suspended may call it all the same: it takes no money out and binds nobody else
   * (docs/decisions/161).
   */
  readonly whileSuspended?: boolean;
  /** Officials of the sacco who are no members may call this route for members, too. */
  readonly orOfficial?: boolean;
  readonly offices?: readonly Office[];
  readonly repetition: Repetition;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** `multipart` bodies hold the fields of `body` and at most one file, named `file`. */
  readonly bodyType: 'json' | 'multipart' | 'none';
  readonly file?: { readonly field: string; readonly bytesMax: number };
  readonly status: 200 | 201 | 202;
  readonly reply: Reply;
  /** `json`, or what the reply is instead: `sse` streams events, `file` sends bytes. */
  readonly replyType: 'json' | 'sse' | 'file';
  /** The refusals of its own; `refusalsOf` adds those of its caller and repetition, and those that every route shares. */
  readonly refusals: readonly RefusalCode[];
}

const none = z.object({});
type None = typeof none;

interface RouteInput<
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  R extends Schema,
  M extends Method,
  Path extends string,
  Who extends Caller,
> {
  name: string;
  method: M;
  path: Path;
  summary: string;
  caller: Who;
  isSessionless?: boolean;
  whileSuspended?: boolean;
  orOfficial?: boolean;
  offices?: readonly Office[];
  repetition: Repetition;
  params?: P;
  query?: Q;
  body?: B;
  bodyType?: 'json' | 'multipart' | 'none';
  file?: { field: string; bytesMax: number };
  status?: 200 | 201 | 202;
  reply: R;
  replyType?: 'json' | 'sse' | 'file';
  refusals?: readonly RefusalCode[];
}

/** Declares a route of the contract; both sides take paths, types and checks from it. */
export function route<
  R extends Schema,
  const M extends Method,
  const Path extends string,
  const Who extends Caller,
  P extends Schema = None,
  Q extends Schema = None,
  B extends Schema = None,
>(input: RouteInput<P, Q, B, R, M, Path, Who>): Route<P, Q, B, R, M, Path, Who> {
  return {
    name: input.name,
    method: input.method,
    path: input.path,
    summary: input.summary,
    caller: input.caller,
    ...(input.isSessionless ? { isSessionless: true } : {}),
    ...(input.whileSuspended ? { whileSuspended: true } : {}),
    ...(input.orOfficial ? { orOfficial: true } : {}),
    ...(input.offices ? { offices: input.offices } : {}),
    repetition: input.repetition,
    params: input.params ?? (none as unknown as P),
    query: input.query ?? (none as unknown as Q),
    body: input.body ?? (none as unknown as B),
    bodyType: input.bodyType ?? (input.body ? 'json' : 'none'),
    ...(input.file ? { file: input.file } : {}),
    status: input.status ?? 200,
    reply: input.reply,
    replyType: input.replyType ?? 'json',
    refusals: input.refusals ?? [],
  };
}

export type ParamsOf<T> = T extends Route<infer P, Schema, Schema, Schema> ? z.output<P> : never;
export type QueryOf<T> = T extends Route<Schema, infer Q, Schema, Schema> ? z.output<Q> : never;
export type BodyOf<T> = T extends Route<Schema, Schema, infer B, Schema> ? z.output<B> : never;
export type ReplyOf<T> = T extends Route<Schema, Schema, Schema, infer R> ? z.output<R> : never;
/** The values that a client sends: before defaults and parsing. */
export type ParamsIn<T> = T extends Route<infer P, Schema, Schema, Schema> ? z.input<P> : never;
export type QueryIn<T> = T extends Route<Schema, infer Q, Schema, Schema> ? z.input<Q> : never;
export type BodyIn<T> = T extends Route<Schema, Schema, infer B, Schema> ? z.input<B> : never;

/** `{success: true, message, …}`: the answer to an act. */
export function acted<S extends z.ZodRawShape>(shape: S) {
  return z.object({ success: z.literal(true), message: said, ...shape });
}

/** `{count, next, previous, results}`: the envelope of a list; `next` and `previous` are whole URLs or null. */
export function listOf<T extends Schema>(row: T) {
  return z.object({
    count: z.number().int().nonnegative(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(row),
  });
}

/** The query of a keyset list: an opaque cursor and a limit of 1 to 100, 20 unless told. */
export const pageQuery = {
  cursor: z.string().max(300).optional(),
  limit: wholeNumber(1, 100).default(20),
};
