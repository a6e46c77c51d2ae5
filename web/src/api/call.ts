import { API_BASE } from '@ushirika/contract/constants';
import type { BodyIn, ParamsIn, QueryIn, ReplyOf } from '@ushirika/contract/route';
import { useRef } from 'react';
import { randomKey } from '../clock.ts';
import { currentSacco, currentSession, signOut } from '../session/session.ts';
import { currentLanguage } from '../words/say.ts';
import { CallFailure } from './failure.ts';
import { begin, end, type Unanswered } from './unanswered.ts';

const TIMEOUT_MS = 30_000;

type Optional<Name extends string, Value> = [Value] extends [never]
  ? { [K in Name]?: undefined }
  : Record<never, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

/** What a call sends; whatever the route's schemas ask for is asked for here. */
export type CallInput<T> = Optional<'params', ParamsIn<T>> &
  Optional<'query', QueryIn<T>> &
  Optional<'body', BodyIn<T>> & {
    /** The file of a multipart route, under the field's name that the route declares. */
    file?: { field: string; file: File };
    /** Sends a multipart route's fields where there is no file. */
    multipart?: boolean;
    /** From useIdempotencyKey, for routes whose repetition is `key`. */
    idempotencyKey?: string;
    /** The sacco that is meant, where it is not the chosen one; null sends none. */
    saccoId?: string | null;
    signal?: AbortSignal;
  };

export interface AnyRoute {
  readonly method: string;
  readonly path: string;
}

export type Arguments<T> = Record<never, never> extends CallInput<T> ? [input?: CallInput<T>] : [input: CallInput<T>];

/**
 * Calls a route of the contract: `call<typeof login>('POST', '/auth/login/', { body })`. Method and path are the
 * route's own literal types, so the contract's schemas are never loaded here.
 * Throws CallFailure, whose words are in failure.ts.
 */
export async function call<T extends AnyRoute>(
  method: T['method'],
  path: T['path'],
  ...[input]: Arguments<T>
): Promise<ReplyOf<T>> {
  const sent = (input ?? {}) as LooseInput;
  const session = currentSession();
  const headers: Record<string, string> = { accept: 'application/json', 'accept-language': currentLanguage() };
  if (session) headers.authorization = `Token ${session.token}`;
  const saccoId = sent.saccoId === undefined ? currentSacco()?.id : sent.saccoId;
  if (saccoId) headers.saccoId = saccoId;
  const body = sent.file || sent.multipart ? multipart(sent.body, sent.file) : jsonBody(method, sent.body, headers);
  const ask = async () => {
    const response = await send(addressOf(path, sent), { method, headers, body, signal: signalOf(sent.signal) });
    const answer = await read(response);
    if (response.ok) return answer as ReplyOf<T>;
    const failure = CallFailure.fromAnswer(response.status, answer);
    if (response.status === 401 && session && !isCredentialRefusal(failure.code)) signOut('ended');
    throw failure;
  };
  if (!sent.idempotencyKey) return ask();
  const act = { method, path: addressOf(path, sent).slice(API_BASE.length), saccoId: saccoId ?? null, body: sent.body };
  return onceAnswered({ ...act, key: sent.idempotencyKey }, headers, ask);
}

/** Sends an act with money under its key. Whether it went through is kept in this tab until there is an answer. */
async function onceAnswered<T>(
  act: Omit<Unanswered, 'whose' | 'at'>,
  headers: Record<string, string>,
  ask: () => Promise<T>,
): Promise<T> {
  // Offline nothing is sent, and nothing is in doubt.
  const mayArrive = navigator.onLine;
  const key = mayArrive ? begin(act) : act.key;
  headers['idempotency-key'] = key;
  let isAnswered = true;
  try {
    return await ask();
  } catch (error) {
    const failure = error as CallFailure;
    isAnswered = failure.isFinal;
    throw mayArrive && failure.kind !== 'server' ? CallFailure.lost() : failure;
  } finally {
    if (mayArrive) end(key, isAnswered);
  }
}

/**
 * The key of a money act, for as long as its form is open. `keyFor(body)` gives the same key for the same body, however
 * often it is sent, and another one once the body has changed. Call `settle(error?)` when an answer is here: a success
 * or a clear refusal ends the act, so that the next submit is a new one; a lost or unclear answer keeps the key, so
 * that sending again cannot act twice.
 */
export function useIdempotencyKey(): { keyFor: (body: unknown) => string; settle: (error?: unknown) => void } {
  const act = useRef<{ text: string; key: string } | null>(null);
  return {
    keyFor(body) {
      const text = JSON.stringify(body);
      if (act.current?.text !== text) act.current = { text, key: randomKey() };
      return act.current.key;
    },
    settle(error) {
      if (error === undefined || (error instanceof CallFailure && error.isFinal)) act.current = null;
    },
  };
}

export interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  file?: { field: string; file: File };
  multipart?: boolean;
  idempotencyKey?: string;
  saccoId?: string | null;
  signal?: AbortSignal;
}

/** The path on this origin with its parameters and query filled in. */
export function addressOf(path: string, { params, query }: Pick<LooseInput, 'params' | 'query'>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return `${API_BASE}${filled}${search.size ? `?${search}` : ''}`;
}

/** A wrong password or code is no dead session. */
function isCredentialRefusal(code: string): boolean {
  return code !== 'session_ended' && code !== 'not_signed_in' && code !== '';
}

function jsonBody(method: string, body: unknown, headers: Record<string, string>): string | undefined {
  if (body === undefined && (method === 'GET' || method === 'DELETE')) return undefined;
  headers['content-type'] = 'application/json';
  return JSON.stringify(body ?? {});
}

function multipart(body: unknown, file: LooseInput['file']): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== null) form.set(name, String(value));
  }
  if (file) form.set(file.field, file.file);
  return form;
}

export function signalOf(own: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  return own ? AbortSignal.any([own, timeout]) : timeout;
}

export async function send(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch (error) {
    throw CallFailure.fromThrown(error);
  }
}

export async function read(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text());
  } catch (error) {
    if (error instanceof SyntaxError) throw CallFailure.unreadable(response.status);
    throw CallFailure.fromThrown(error);
  }
}
