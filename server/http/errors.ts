import { saidByIssue } from '@ushirika/contract/checks';
import type { Language } from '@ushirika/contract/notifications';
import { Refusal } from '@ushirika/contract/refusal';
import type { RefusalCode } from '@ushirika/contract/refusals';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isLost } from '../db/database.ts';
import { noteRefusal } from './note-refusal.ts';

/**
 * The refusal for input that does not fit its schema: its sentences by field, as forms show them. Errors of no field
 * are under `request`.
 */
export function validationRefusal(error: z.ZodError): Refusal {
  const errors: Record<string, Sentence[]> = {};
  for (const issue of error.issues.slice(0, 50)) {
    const field = issue.path.length > 0 ? issue.path.join('.').slice(0, 100) : 'request';
    errors[field] ??= [];
    errors[field].push(sentenceOfIssue(issue));
  }
  const first = Object.values(errors)[0]?.[0];
  return new Refusal('validation_failed', { errors, ...(first ? { message: first } : {}) });
}

/** The schema's own sentence, else one of ours by the kind of the error: zod's messages are for programmers. */
function sentenceOfIssue(issue: z.core.$ZodIssue): Sentence {
  const own = saidByIssue(issue);
  if (own) return own;
  if (issue.code === 'too_small')
    return isLength(issue.origin) ? sentence('This is too short.') : sentence('This is too small.');
  if (issue.code === 'too_big')
    return isLength(issue.origin) ? sentence('This is too long.') : sentence('This is too large.');
  return /received undefined$/.test(issue.message)
    ? sentence('This is required.')
    : sentence('This is not filled in as it should be.');
}

function isLength(origin: string): boolean {
  return origin === 'string' || origin === 'array';
}

/** Errors of Fastify and the refusals that they become. */
const fastifyRefusals: Record<string, RefusalCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_REQ_FILE_TOO_LARGE: 'payload_too_large',
  FST_FILES_LIMIT: 'payload_too_large',
  FST_PARTS_LIMIT: 'payload_too_large',
  FST_FIELDS_LIMIT: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_request',
};

/** PostgreSQL and socket errors after which a retry may succeed. */
const unavailableCodes = new Set([
  '53300', // too_many_connections
  '53100', // disk_full
  '55P03', // lock_not_available
  '57014', // query_canceled: a statement over its time limit
  '57P01', // admin_shutdown
  '57P03', // cannot_connect_now
  'ECONNREFUSED',
  'ECONNRESET',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
]);

/**
 * PostgreSQL's code for "permission denied". The role of a person may not do this, so a check in the application is
 * missing. Nothing was done. The person gets a refusal, and the log an error.
 */
export const BEYOND_ROLE = '42501';

/** The refusal for an error; null where the error is a fault of the program. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  const { code, statusCode } = error as FastifyError;
  if (typeof code === 'string') {
    const known = fastifyRefusals[code];
    if (known) return new Refusal(known);
    if (code === BEYOND_ROLE) return new Refusal('not_allowed');
    if (unavailableCodes.has(code) || isLost(error)) return new Refusal('unavailable', { retryAfterSeconds: 2 });
  }
  if (statusCode === 429) return new Refusal('too_many_requests');
  // An address outside the web client's folder, or longer than that of any file or id.
  if (statusCode === 403 || statusCode === 404 || statusCode === 414) return new Refusal('not_found');
  if (statusCode === 400) return new Refusal('malformed_request');
  return null;
}

/**
 * The language of a request, by Accept-Language, which the web client sets to the person's. English without the header.
 */
export function languageOf(request: FastifyRequest): Language {
  return /^sw\b/i.test(request.headers['accept-language'] ?? '') ? 'sw' : 'en';
}

/** Turns every error into an answer. It never contains a stack trace or SQL. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error);
  // A refusal is not cached: the next answer may differ.
  reply.header('Cache-Control', 'no-store');
  if (!refusal) {
    request.log.error({ err: error }, 'unexpected error');
    const body = new Refusal('internal_error', { extra: { request_id: request.id } });
    reply.code(500).send(body.body(languageOf(request)));
    return;
  }
  if ((error as FastifyError).code === BEYOND_ROLE) {
    request.log.error({ err: error }, 'PostgreSQL refused what the application had let through');
  }
  noteRefusal(request, refusal);
  const { retryAfterSeconds } = refusal.details;
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  else if (refusal.status === 429 || refusal.status === 503) reply.header('Retry-After', '5');
  reply.code(refusal.status).send(refusal.body(languageOf(request)));
}
