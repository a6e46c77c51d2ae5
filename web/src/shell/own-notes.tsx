import { Suspense } from 'react';
import { useUnanswered } from '../api/unanswered.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { later } from '../layouts/later.tsx';

const SuspensionNote = later(() => import('../identity/suspension-note.tsx'), 'SuspensionNote', true);
const UnansweredActs = later(() => import('./unanswered-acts.tsx'), 'UnansweredActs', true);

/** On each page of whoever is signed in: that the account is suspended, and what was sent and has no answer. */
export function OwnNotes() {
  const suspended = useProfile().data?.suspended;
  const acts = useUnanswered();
  return (
    <Suspense>
      {suspended && <SuspensionNote {...suspended} />}
      {acts.length > 0 && <UnansweredActs acts={acts} />}
    </Suspense>
  );
}
