import { useSyncExternalStore } from 'react';

/**
 * The open dialogs, the latest last. While one is open the rest of the page is inert, so what must be seen and heard
 * above it (the toasts) is drawn inside it.
 */
const open: HTMLElement[] = [];
const listeners = new Set<() => void>();

/** Says that a dialog is open; call what it returns when it closes. */
export function enterTopLayer(element: HTMLElement): () => void {
  open.push(element);
  tell();
  return () => {
    open.splice(open.indexOf(element), 1);
    tell();
  };
}

/** The dialog that is on top, or null. */
export function useTopLayer(): HTMLElement | null {
  return useSyncExternalStore(subscribe, () => open.at(-1) ?? null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
