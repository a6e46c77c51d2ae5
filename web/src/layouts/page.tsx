import { type ComponentType, isValidElement, type ReactElement, type ReactNode, useSyncExternalStore } from 'react';
import { matchRoutes, type RouteObject, useLocation, useRoutes } from 'react-router';
import { useLanguage } from '../words/say.ts';
import { type Later, loadedLater, Part } from './later.tsx';

const loads = new WeakMap<object, () => Promise<unknown>>();
let loading = 0;
const listeners = new Set<() => void>();

/** A page or layout that is loaded when it is first opened, and drawn again when the language changes. */
export function page<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name): ReactElement {
  const of = loadedLater(async () => {
    count(1);
    try {
      return await load();
    } finally {
      count(-1);
    }
  }, name);
  loads.set(of, load);
  return <LocalPage of={of} />;
}

/** The element that a table of routes has for the address. Its layout and its page are loaded at once, so that they come together. */
export function usePages(routes: RouteObject[]): ReactElement | null {
  const { pathname } = useLocation();
  for (const { route } of matchRoutes(routes, pathname) ?? []) preload(route.element);
  return useRoutes(routes);
}

function preload(node: ReactNode): void {
  if (!isValidElement<{ of?: object; children?: ReactNode }>(node)) return;
  const { of, children } = node.props;
  if (of)
    loads
      .get(of)?.()
      .catch(() => {});
  preload(children);
}

/** Whether a page is on its way; the one before it stays on screen until it is here. */
export function usePageIsLoading(): boolean {
  return useSyncExternalStore(subscribe, () => loading > 0);
}

function LocalPage({ of }: { of: Later<object> }) {
  useLanguage();
  return <Part key={of.id} of={of} props={{}} />;
}

function count(change: 1 | -1): void {
  loading += change;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
