import { chooseSacco, type StoredSacco } from '../session/session.ts';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

/** Stores the sacco that the person goes on to work in; false, and a message, when there is none to enter. */
export function enterSacco(sacco: StoredSacco | null | undefined): boolean {
  try {
    if (!sacco?.id) throw new Error('No sacco.');
    chooseSacco(sacco);
    return true;
  } catch {
    toast.error(say('could not access the sacco info'));
    return false;
  }
}
