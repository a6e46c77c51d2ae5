import type { InSacco, UseWaiting, WaitingThing } from '../../layouts/waiting-thing.ts';

const parts = import.meta.glob<UseWaiting>('../../*/waiting-for-you.tsx', { eager: true, import: 'useWaiting' });

/** What the domains have for "Waiting for you", the earliest due first; `isWhole` once all of them know. */
export function useWaitingOfDomains(own: InSacco): { things: readonly WaitingThing[]; isWhole: boolean } {
  // biome-ignore lint/correctness/useHookAtTopLevel: the list is the same at each drawing
  const known = Object.values(parts).map((useWaiting) => useWaiting(own));
  const things = known.flatMap((some) => some ?? []).sort((one, other) => dueOf(one).localeCompare(dueOf(other)));
  return { things, isWhole: known.every((some) => some !== undefined) };
}

/** What has no time comes after every time. */
const dueOf = ({ dueAt }: WaitingThing) => dueAt ?? '9999';
