import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { replyInWords } from '@ushirika/contract/in-words';
import type { Language } from '@ushirika/contract/notifications';
import { Refusal } from '@ushirika/contract/refusal';
import type { Route } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Deadline, withDeadline } from '../db/deadline.ts';
import { type Claim, claimIdempotencyKeys, type Filed, fileKeys, lookUpKeys, storeReplies } from '../db/idempotency.ts';
import { asPerson, asSystem } from '../db/person.ts';
import type { Database, Tx } from '../db/tx.ts';
import { type BatchQueue, type BatchQueueFigures, createBatchQueue } from '../ledger/batch-queue.ts';
import { admit, type Gatekeepers } from './admit.ts';
import type { Binding, Call, UploadedFile } from './bind.ts';
import { languageOf, validationRefusal } from './errors.ts';
import type { RequestCounts } from './request-counts.ts';

/** What every route handler needs. */
export interface HandlerServices {
  readonly database: Database;
  readonly gatekeepers: Gatekeepers;
  /** Whether replies are checked against their schemas: always, except in production. */
  readonly checkReplies: boolean;
  /** The limits of requests; without them nothing is counted. */
  readonly counts?: RequestCounts | null;
}

type AnyCall = Call<Route>;
type AnyReply = unknown;

/** What runs the requests of one binding. */
export interface RouteHandler {
  run(request: FastifyRequest, reply: FastifyReply, deadline: Deadline): Promise<AnyReply>;
  /** The figures of its batch queue; null without one. */
  figures(): BatchQueueFigures | null;
  close(): Promise<void>;
}

/** Makes the function that runs a binding for a request and returns its JSON reply. */
export function createRouteHandler(
  binding: Exclude<Binding, { how: 'stream' | 'file' }>,
  services: HandlerServices,
): RouteHandler {
  const { route } = binding;
  const queue = binding.how === 'batched' ? batchQueueFor(binding, services) : null;
  const act = (call: AnyCall): Promise<AnyReply> => {
    if (binding.how === 'handler')
      return binding.handle(call as never).then((reply) => replyInWords(reply, call.language));
    return services.database.transaction((tx) => actOnce(tx, binding as VerbBinding, call));
  };
  return {
    async run(request, reply, deadline) {
      const call = await readCall(route, request, services);
      // A batch contains requests of many persons. It runs as the platform and sets a shared deadline itself.
      const answer = queue
        ? await queue.submit(call, deadline)
        : await withDeadline(deadline, () => asCaller(route, call, () => act(call)));
      reply.code(route.status);
      for (const [name, value] of Object.entries(call.answerHeaders)) reply.header(name, value);
      if (services.checkReplies) assertReply(route, answer);
      return answer;
    },
    figures: () => queue?.figures() ?? null,
    close: async () => queue?.close(),
  };
}

/**
 * Runs an admitted request as its caller, so that the database shows only that person's rows. A route open to anyone
 * that changes something, such as signing in or a password reset, runs as the platform. It is authorised by what is
 * sent, whichever session the device may have.
 */
export function asCaller<T>(route: Route, { actor }: AnyCall, run: () => T): T {
  const isOpenAct = route.caller === 'anyone' && route.method !== 'GET';
  return actor && !isOpenAct ? asPerson(actor, run) : asSystem(run);
}

type VerbBinding = Extract<Binding, { how: 'verb' }>;
type BatchedBinding = Extract<Binding, { how: 'batched' }>;

/**
 * Parses and admits a request. The caller is checked before the input is, so that a stranger learns nothing of the
 * schema.
 */
export async function readCall(route: Route, request: FastifyRequest, services: HandlerServices): Promise<AnyCall> {
  const raw = await rawBody(route, request);
  const query = withoutBlanks((request.query ?? {}) as Record<string, unknown>);
  const params = (request.params ?? {}) as Record<string, unknown>;
  const named = { sacco: params.sacco ?? raw.fields.sacco ?? query.sacco };
  const { actor, saccoId } = await admit(route, request, named, services.gatekeepers);
  await services.counts?.countAdmitted(route, request, actor?.userId ?? null);
  const asked = {
    params: parsed(route.params, params, true),
    query: parsed(route.query, query),
    body: parsed(route.body, raw.fields),
  };
  // A provider's body is never refused for its characters: it is stored without those that PostgreSQL cannot hold.
  if (route.caller !== 'provider') for (const part of Object.values(asked)) assertStorable(part);
  return {
    ...asked,
    actor,
    saccoId,
    file: raw.file,
    address: request.ip,
    language: languageOf(request),
    requestId: request.id,
    idempotencyKey: keyOf(request),
    headers: request.headers,
    answerHeaders: {},
  } as unknown as AnyCall;
}

/** Removes empty query parameters: `?name=&member=` filters by nothing. */
function withoutBlanks(query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

/** Input by its schema. A malformed id in the path is answered as `not_found`. */
function parsed(schema: Route['body'], value: unknown, isPath = false): unknown {
  const result = schema.safeParse(value);
  if (!result.success) throw isPath ? new Refusal('not_found') : validationRefusal(result.error);
  return result.data;
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. Such text is refused here, whatever the schema allows. */
function assertStorable(value: unknown, field = 'request'): void {
  if (typeof value === 'string') {
    if (!value.includes('\0') && value.isWellFormed()) return;
    const message = sentence('There are characters in it that a text cannot have.');
    throw new Refusal('validation_failed', { message, errors: { [field]: [message] } });
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) assertStorable(inner, field === 'request' ? name : field);
}

interface RawBody {
  readonly fields: Record<string, unknown>;
  readonly file: UploadedFile | null;
}

async function rawBody(route: Route, request: FastifyRequest): Promise<RawBody> {
  if (route.bodyType === 'multipart') return multipartBody(route, request);
  if (request.isMultipart()) throw new Refusal('unsupported_media_type');
  const body = request.body ?? {};
  if (typeof body !== 'object' || Array.isArray(body)) throw new Refusal('malformed_request');
  return { fields: body as Record<string, unknown>, file: null };
}

async function multipartBody(route: Route, request: FastifyRequest): Promise<RawBody> {
  if (!request.isMultipart()) throw new Refusal('unsupported_media_type');
  try {
    return await readParts(route, request);
  } catch (error) {
    // The multipart parser's own errors (no boundary, an early end) have no code: the form is malformed.
    if (error instanceof Refusal || (error as { code?: unknown }).code !== undefined) throw error;
    throw Object.assign(new Refusal('malformed_request'), { cause: error });
  }
}

async function readParts(route: Route, request: FastifyRequest): Promise<RawBody> {
  const fields: Record<string, unknown> = {};
  let file: UploadedFile | null = null;
  const limits = { files: 1, fields: 30, fieldSize: 20_000, fileSize: route.file?.bytesMax ?? 0 };
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      // A form without a file sends the file's field as an empty text.
      const isFileField = part.fieldname === route.file?.field;
      if (!isFileField && !Object.hasOwn(fields, part.fieldname)) fields[part.fieldname] = part.value;
      continue;
    }
    if (part.fieldname !== route.file?.field) throw new Refusal('malformed_request');
    const bytes = await part.toBuffer();
    if (bytes.length > 0) file = { bytes, filename: part.filename };
  }
  return { fields, file };
}

function keyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return null;
  if (key.length > 100) {
    throw new Refusal('validation_failed', {
      errors: { 'Idempotency-Key': [sentence('Use at most 100 characters.')] },
    });
  }
  return key;
}

/** What a request's idempotency key stands for: the person, the key, the route and a hash of the input. */
function claimOf(route: Route, call: AnyCall): Claim | null {
  if (route.repetition !== 'key' || !call.actor || call.idempotencyKey === null) return null;
  const content = JSON.stringify([route.name, call.params, call.query, call.body, call.saccoId]);
  return {
    userId: call.actor.userId,
    key: call.idempotencyKey,
    route: route.name,
    requestHash: hash('sha256', content),
  };
}

async function actOnce(tx: Tx, binding: VerbBinding, call: AnyCall): Promise<AnyReply> {
  const claim = claimOf(binding.route, call);
  if (!claim) return replyInWords(await binding.verb(tx, call), call.language);
  const [outcome] = await claimIdempotencyKeys(tx, [claim]);
  if (outcome === 'reused') throw new Refusal('idempotency_key_reused');
  if (outcome !== undefined && outcome !== 'claimed' && 'replay' in outcome) return outcome.replay.reply;
  const answer = replyInWords(await binding.verb(tx, call), call.language);
  await storeReplies(tx, [{ ...claim, status: binding.route.status, reply: answer }]);
  return answer;
}

function batchQueueFor(binding: BatchedBinding, services: HandlerServices): BatchQueue<AnyCall, AnyReply> {
  return createBatchQueue<AnyCall, AnyReply>({
    name: binding.queue,
    database: services.database,
    run: (tx, calls) => actOnceEach(tx, binding, calls),
    ...(binding.keyOf ? { keyOf: binding.keyOf } : {}),
  });
}

/** `actOnce` for a batch: looks up the keys, acts, and stores keys with replies, in a constant number of statements. */
async function actOnceEach(
  tx: Tx,
  binding: BatchedBinding,
  calls: readonly AnyCall[],
): Promise<readonly (AnyReply | Refusal)[]> {
  const answers = new Array<AnyReply | Refusal>(calls.length);
  const keyed = calls.flatMap((call, index) => {
    const claim = claimOf(binding.route, call);
    return claim ? [{ claim, index }] : [];
  });
  const claims = keyed.map(({ claim }) => claim);
  const outcomes = claims.length > 0 ? await lookUpKeys(tx, claims) : [];
  const fresh = new Set(calls.keys());
  const repeats = new Map<number, number>();
  for (const [position, { index }] of keyed.entries()) {
    const outcome = outcomes[position];
    if (outcome === 'free' || outcome === undefined) continue;
    fresh.delete(index);
    if (outcome === 'reused') answers[index] = new Refusal('idempotency_key_reused');
    else if ('sameAs' in outcome) repeats.set(index, keyed[outcome.sameAs]?.index ?? index);
    else answers[index] = outcome.replay.reply;
  }
  const acting = [...fresh];
  const asked = acting.map((index) => calls[index] as AnyCall);
  const results = asked.length > 0 ? await binding.verbs(tx, asked) : [];
  for (const [position, index] of acting.entries())
    answers[index] = answerInWords(results[position], (calls[index] as AnyCall).language);
  for (const [index, original] of repeats) answers[index] = answers[original];
  const { status } = binding.route;
  const filed = keyed.flatMap(({ claim, index }): Filed[] => {
    const reply = answers[index];
    return fresh.has(index) ? [{ ...claim, answer: reply instanceof Refusal ? null : { status, reply } }] : [];
  });
  await fileKeys(tx, filed);
  return answers;
}

function answerInWords(answer: AnyReply | Refusal, language: Language): AnyReply | Refusal {
  return answer instanceof Refusal ? answer : replyInWords(answer, language);
}

/** Throws for a reply with fields that its schema does not have, or without those that it has. Not in production. */
function assertReply(route: Route, answer: unknown): void {
  const wire: unknown = JSON.parse(JSON.stringify(answer ?? null));
  const result = route.reply.safeParse(wire);
  if (!result.success) throw new Error(`reply of ${route.name} is not of its schema: ${result.error.message}`);
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(result.data)), wire)) {
    throw new Error(`reply of ${route.name} has fields that its schema does not have: ${JSON.stringify(wire)}`);
  }
}
