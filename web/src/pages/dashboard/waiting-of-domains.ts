import type { UseWaiting, WaitingThing } from '../../layouts/waiting-for-you.ts';

const parts = import.meta.glob<UseWaiting>('../../*/waiting-for-you.tsx', { eager: true, import: 'useWaiting' });

/** What the domains have for "Waiting for you", by the names of their folders. */
export function useWaitingOfDomains(sacco: string | undefined): readonly WaitingThing[] {
  // biome-ignore lint/correctness/useHookAtTopLevel: the list is the same at each drawing
  return Object.values(parts).flatMap((useWaiting) => useWaiting(sacco));
}
