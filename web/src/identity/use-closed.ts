import { say } from '../words/say.ts';
import { useProfile } from './profile.queries.ts';

/** Why a button that moves or promises something is closed to this person; null where the account is open. */
export function useClosed(): string | null {
  return useProfile().data?.suspended ? say('Your account is suspended: this is closed until it ends.') : null;
}
