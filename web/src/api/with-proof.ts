import { useSyncExternalStore } from 'react';
import { CallFailure } from './failure.ts';

/** The password is asked for, because of this refusal; `answer` says whether it was entered. */
export interface AskedProof {
  readonly refusal: CallFailure;
  readonly answer: (isProven: boolean) => void;
}

let asked: AskedProof | null = null;
const listeners = new Set<() => void>();

/**
 * Sends something for which the server may want the password once more: where it does, the person is asked in place, and
 * the very same is sent again, with the key that it had. Whoever closes the question has sent nothing: an `aborted` failure.
 */
export async function withProof<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof CallFailure) || error.code !== 'proof_required') throw error;
    if (!(await isProvenNow(error))) throw new CallFailure('aborted', '');
    return await send();
  }
}

/** What is asked at this moment, or null. */
export function useAskedProof(): AskedProof | null {
  return useSyncExternalStore(subscribe, () => asked);
}

function isProvenNow(refusal: CallFailure): Promise<boolean> {
  // One question at a time: a second one takes its place.
  asked?.answer(false);
  return new Promise((resolve) => {
    const answer = (isProven: boolean) => {
      tell(null);
      resolve(isProven);
    };
    tell({ refusal, answer });
  });
}

function tell(next: AskedProof | null): void {
  asked = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
