import type { ReactNode } from 'react';
import type { IconName } from '../ui/icon.tsx';

/** One line of "Waiting for you" on the dashboard, which leads to where it is done. */
export interface WaitingThing {
  readonly key: string;
  readonly icon: IconName;
  readonly title: string;
  readonly words: ReactNode;
  readonly to: string;
  /** When it is due: the earliest stands first, and what has no time last. */
  readonly dueAt?: string | undefined;
  /** What its link says; `Look` unless told. */
  readonly act?: string;
}

/** The chosen sacco, and what one is in it. */
export interface InSacco {
  readonly sacco: string;
  readonly isMember: boolean;
  readonly isOfficial: boolean;
}

/**
 * A domain's part of "Waiting for you". The dashboard finds it by its name: `useWaiting` of the domain's `waiting-for-you.tsx`.
 * @returns undefined while it is not known
 */
export type UseWaiting = (own: InSacco) => readonly WaitingThing[] | undefined;
