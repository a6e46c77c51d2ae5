import type { Database } from '../../db/tx.ts';
import { tellPayer } from './payer-notices.ts';
import { sweepProposals } from './sweep-proposals.ts';

export function operatorTasks(deps: { readonly database: Database; readonly publicUrl: string }) {
  return {
    sweep_proposals: () => sweepProposals(deps.database, deps.database.now()),
    tell_payer: (payload: unknown) => tellPayer(deps, payload),
  };
}

export const operatorSchedules = [{ task: 'sweep_proposals', everySeconds: 60 }] as const;
