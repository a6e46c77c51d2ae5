import { useSyncExternalStore } from 'react';
import { readPreference, writePreference } from '../preferences.ts';

export type Language = 'en' | 'sw';
type Catalogue = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string | number>>;

let language: Language = 'en';
let catalogue: Catalogue = {};
/** Of the texts of the catalogue, those with a plural or a select. */
let branching: Readonly<Record<string, (values: Values) => string>> = {};
let isChosen = false;
const listeners = new Set<() => void>();

/**
 * A text in the person's language. The English ICU text is its own key; `{name}` in it is filled from `values`, and a
 * plural or select of ICU chooses by them. Call it while rendering, with a literal: a test reads every `say('…')` and asks
 * for its Swahili.
 */
export function say(text: string, values?: Values): string {
  const words = catalogue[text];
  if (!values) return words ?? text;
  if (words === undefined)
    return fill(
      text.replace(PLURAL, (_, ...parts: string[]) => branchOf(parts, values)),
      values,
    );
  return branching[text]?.(values) ?? fill(words, values);
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}

/**
 * A plural of an English text, in the one form that ours have: a test holds them to it, and to what ICU makes of them. So the
 * texts themselves are all that English needs, and no first view waits for functions made of them.
 */
const PLURAL = /\{(\w+), plural, one \{((?:[^{}]|\{\w+\})*)\} other \{((?:[^{}]|\{\w+\})*)\}\}/g;

function branchOf([name = '', one = '', other = '']: readonly string[], values: Values): string {
  const count = values[name] ?? '';
  const shown = typeof count === 'number' ? count.toLocaleString('en') : count;
  return (String(count) === '1' ? one : other).replaceAll('#', shown);
}

export function currentLanguage(): Language {
  return language;
}

/** Renders the caller again when the language changes. Layouts and pages have it; parts below them follow. */
export function useLanguage(): Language {
  return useSyncExternalStore(onLanguageChange, currentLanguage);
}

/** Changes the language and keeps the choice. The Swahili catalogue is loaded when it is first asked for. */
export async function chooseLanguage(next: Language): Promise<void> {
  await apply(next);
  isChosen = true;
  writePreference('language', next);
}

/** Whether a language was chosen on the page since it was loaded. */
export function isLanguageChosen(): boolean {
  return isChosen;
}

/** Takes up the language chosen earlier, before the first render, so that no page shows twice. */
export async function startLanguage(): Promise<void> {
  if (readPreference('language') === 'sw') await apply('sw').catch(() => {});
}

async function apply(next: Language): Promise<void> {
  const swahili = next === 'sw' ? await import('./swahili.ts') : null;
  catalogue = swahili?.swahili ?? {};
  branching = swahili?.branching ?? {};
  language = next;
  document.documentElement.lang = next;
  for (const listener of listeners) listener();
}

// Chosen in another tab of this browser.
globalThis.addEventListener?.('storage', ({ key, newValue }) => {
  if (key === 'language') void apply(newValue === 'sw' ? 'sw' : 'en');
});

/** Hears of every change of the language; the returned function ends it. */
export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
