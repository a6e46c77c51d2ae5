import { useSyncExternalStore } from 'react';
import { now } from '../clock.ts';
import { currentSession } from '../session/session.ts';

/** An act with money that was sent from this tab and has no answer: it may have gone through. */
export interface Unanswered {
  /** The person who sent it. */
  readonly whose: string;
  readonly method: string;
  /** Its path, filled in. */
  readonly path: string;
  readonly saccoId: string | null;
  readonly body: unknown;
  readonly key: string;
  readonly at: number;
}

const NAME = 'unanswered';
const KEPT_MAX = 10;
/** The server knows a key no longer than that. */
const KEPT_MS = 24 * 3_600_000;

const underWay = new Set<string>();
const listeners = new Set<() => void>();
let shown: readonly Unanswered[] | null = null;

/**
 * Keeps an act in this tab until its answer is known, also after the page was left or loaded again. Returns the key to send it with: the
 * very same act without an answer keeps the key that it had, so that it counts once.
 */
export function begin(act: Omit<Unanswered, 'whose' | 'at'>): string {
  const whose = currentSession()?.user.id ?? '';
  const kept = read();
  const same = kept.find((each) => each.whose === whose && textOf(each) === textOf(act));
  const key = same?.key ?? act.key;
  underWay.add(key);
  if (!same) write([...kept, { ...act, whose, at: now() }].slice(-KEPT_MAX));
  return key;
}

/** Ends it: with an answer it is forgotten, without one it is told on the pages. */
export function end(key: string, isAnswered: boolean): void {
  underWay.delete(key);
  const kept = read();
  write(isAnswered ? kept.filter((each) => each.key !== key) : kept);
}

/** The acts of this person that nobody waits for any more. */
export function useUnanswered(): readonly Unanswered[] {
  return useSyncExternalStore(subscribe, list);
}

function list(): readonly Unanswered[] {
  const whose = currentSession()?.user.id;
  shown ??= read().filter((each) => each.whose === whose && !underWay.has(each.key));
  return shown;
}

const textOf = ({ method, path, saccoId, body }: Omit<Unanswered, 'whose' | 'at' | 'key'>): string =>
  JSON.stringify([method, path, saccoId, body]);

function read(): readonly Unanswered[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as readonly Unanswered[];
    return kept.filter(({ at }) => at > now() - KEPT_MS);
  } catch {
    return [];
  }
}

function write(kept: readonly Unanswered[]): void {
  try {
    if (kept.length > 0) sessionStorage.setItem(NAME, JSON.stringify(kept));
    else sessionStorage.removeItem(NAME);
  } catch {
    // Without storage the open form keeps the key.
  }
  shown = null;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  shown = null;
  listeners.add(listener);
  return () => listeners.delete(listener);
}
