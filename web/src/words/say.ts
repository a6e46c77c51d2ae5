import { useSyncExternalStore } from 'react';
import { readPreference, writePreference } from '../preferences.ts';

export type Language = 'en' | 'sw';
type Catalogue = Readonly<Record<string, string>>;

const HOLE = /\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g;

let language: Language = 'en';
let catalogue: Catalogue = {};
const listeners = new Set<() => void>();

/**
 * A text in the person's language. The English text is its own key; `{name}` in it is filled from `values`, and
 * `{name|share|shares}` is its second part for one and its third for any other number, which stands for a `#` in it.
 * Call it while rendering, with a literal: a test reads every `say('…')` and asks for its Swahili.
 */
export function say(text: string, values?: Readonly<Record<string, string | number>>): string {
  const words = catalogue[text] ?? text;
  if (!values) return words;
  return words.replace(HOLE, (hole, name: string, one?: string, more = '') => {
    const value = values[name];
    if (value === undefined) return hole;
    if (one === undefined) return String(value);
    return String(value) === '1' ? one : more.replace('#', String(value));
  });
}

export function currentLanguage(): Language {
  return language;
}

/** Renders the caller again when the language changes. Layouts and pages have it; parts below them follow. */
export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, currentLanguage);
}

/** Changes the language and keeps the choice. The Swahili catalogue is loaded when it is first asked for. */
export async function chooseLanguage(next: Language): Promise<void> {
  writePreference('language', next);
  await apply(next);
}

/** Takes up the language chosen earlier, before the first render, so that no page shows twice. */
export async function startLanguage(): Promise<void> {
  if (readPreference('language') === 'sw') await apply('sw').catch(() => {});
}

async function apply(next: Language): Promise<void> {
  catalogue = next === 'sw' ? (await import('./swahili.ts')).swahili : {};
  language = next;
  document.documentElement.lang = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
