import type { BodyIn } from '@ushirika/contract/route';
import type { draftVotingProposal } from '@ushirika/contract/voting';
import type { ReactNode } from 'react';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';

export type ChangeBody = NonNullable<BodyIn<typeof draftVotingProposal>['change']>;
/** What is typed, by the names of the fields. */
export type FormValues = Readonly<Record<string, string>>;

export interface FieldsProps {
  readonly sacco: string;
  /** The loan that is chosen, of which the address tells. */
  readonly product: string | null;
  readonly isOfficial: boolean;
  readonly choose: (product: string | null) => void;
}

/** The frame of the fields of any terms: they appear once what holds now is known. */
export function TermsFrame({ isLoaded, children }: { isLoaded: boolean; children: ReactNode }) {
  if (!isLoaded) return <Skeletons count={1} label={say('Loading...')} className="h-20 rounded-box" />;
  return <div className="grid gap-4">{children}</div>;
}

export const Two = ({ children }: { children: ReactNode }) => (
  <div className="grid items-start gap-4 sm:grid-cols-2">{children}</div>
);
