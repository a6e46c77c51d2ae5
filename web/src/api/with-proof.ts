import { useSyncExternalStore } from 'react';
import { CallFailure } from './failure.ts';

/** The password is asked for, because of this refusal; `answer` says whether it was entered. */
export interface AskedProof {
  readonly refusal: CallFailure;
  /** Said instead of the refusal's own reason; null: that one. */
  readonly because: string | null;
  readonly answer: (isProven: boolean) => void;
}

let asked: AskedProof | null = null;
const listeners = new Set<() => void>();

/**
 * Sends something for which the server may want the password once more: where it does, the person is asked in place, and
 * the very same is sent again, with the key that it had. Whoever closes the question has sent nothing: an `aborted` failure.
 * `because` says why the password is asked for, where it is not for money that leaves the wallet.
 */
export async function withProof<T>(send: () => Promise<T>, because: string | null = null): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof CallFailure) || error.code !== 'proof_required') throw error;
    if (!(await isProvenNow(error, because))) throw new CallFailure('aborted', '');
    return await send();
  }
}

/** What is asked at this moment, or null. */
export function useAskedProof(): AskedProof | null {
  return useSyncExternalStore(subscribe, () => asked);
}

function isProvenNow(refusal: CallFailure, because: string | null): Promise<boolean> {
  // One question at a time: a second one takes its place.
  asked?.answer(false);
  return new Promise((resolve) => {
    const answer = (isProven: boolean) => {
      tell(null);
      resolve(isProven);
    };
    tell({ refusal, because, answer });
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
