import {
  type ComponentType,
  isValidElement,
  lazy,
  type ReactElement,
  type ReactNode,
  useSyncExternalStore,
} from 'react';
import { useLanguage } from '../words/say.ts';

const loads = new WeakMap<object, () => Promise<unknown>>();
let loading = 0;
const listeners = new Set<() => void>();

/** A page or layout that is loaded when it is first opened, and drawn again when the language changes. */
export function page<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name): ReactElement {
  const Lazy = lazy(async () => {
    count(1);
    try {
      const loaded: ComponentType = (await load())[name];
      return { default: loaded };
    } finally {
      count(-1);
    }
  });
  loads.set(Lazy, load);
  return <LocalPage of={Lazy} />;
}

/** Begins to load a page that is about to be drawn, so that a layout and the page in it come together. */
export function preload(node: ReactNode): void {
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

function LocalPage({ of: Page }: { of: ComponentType }) {
  useLanguage();
  return <Page />;
}

function count(change: 1 | -1): void {
  loading += change;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
