import { useState } from 'react';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { toast } from '../ui/toast.ts';
import { refreshDesk } from './loans-desk.queries.ts';

/** Sends one act at a time, and tells what came of it. */
export function useAct() {
  const [busy, setBusy] = useState(false);
  const run = async (send: () => Promise<{ message: string }>, then?: () => void) => {
    setBusy(true);
    try {
      toast.success((await send()).message);
      then?.();
      await refreshDesk();
    } catch (error) {
      if (!(error instanceof CallFailure && error.kind === 'aborted')) toast.error(wordsFor(error));
    }
    setBusy(false);
  };
  return { busy, run };
}
