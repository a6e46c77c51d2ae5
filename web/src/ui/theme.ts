import { useSyncExternalStore } from 'react';
import { readPreference, writePreference } from '../preferences.ts';

export type Theme = 'system' | 'light' | 'dark';
const listeners = new Set<() => void>();

/** The person's choice; `system` follows the device. */
function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme);
}

/** Takes up the choice made earlier, before the first render. */
export function startTheme(): void {
  apply(readPreference('theme'));
}

export function chooseTheme(theme: Theme): void {
  writePreference('theme', theme);
  apply(theme);
  for (const listener of listeners) listener();
}

/** Whether the page is dark now, by choice or by the device. */
export function isDark(): boolean {
  const theme = currentTheme();
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

function apply(theme: string | null): void {
  const root = document.documentElement;
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  else delete root.dataset.theme;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
