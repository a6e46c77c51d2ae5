import { useState } from 'react';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { toast } from '../ui/toast.ts';
import { refreshLoans } from './loans.queries.ts';

/**
 * One act behind one button: sent once at a time, told in a toast, and what it may have changed is read again, also after
 * a refusal. `act` says whether it was done.
 */
export function useAct() {
  const [busy, setBusy] = useState(false);
  const act = async (send: () => Promise<{ message: string }>): Promise<boolean> => {
    setBusy(true);
    try {
      const { message } = await send();
      toast.success(message);
      await refreshLoans();
      return true;
    } catch (error) {
      if (!(error instanceof CallFailure && error.kind === 'aborted')) toast.error(wordsFor(error));
      void refreshLoans();
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, act };
}
