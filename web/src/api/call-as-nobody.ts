import type { ReplyOf } from '@ushirika/contract/route';
import { type AnyRoute, type Arguments, addressOf, type LooseInput, read, send, signalOf } from './call.ts';
import { CallFailure } from './failure.ts';

/**
 * Calls a route that reads no session, so that nothing says who called: without cookie, token, sacco, language or referrer.
 * Throws CallFailure.
 */
export async function callAsNobody<T extends AnyRoute>(
  method: T['method'],
  path: T['path'],
  ...[input]: Arguments<T>
): Promise<ReplyOf<T>> {
  const sent = (input ?? {}) as LooseInput;
  const response = await send(addressOf(path, sent), {
    method,
    headers: { accept: 'application/json', ...(sent.body ? { 'content-type': 'application/json' } : {}) },
    ...(sent.body ? { body: JSON.stringify(sent.body) } : {}),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    signal: signalOf(sent.signal),
  });
  const answer = await read(response);
  if (response.ok) return answer as ReplyOf<T>;
  throw CallFailure.fromAnswer(response.status, answer);
}
