import { z } from 'zod';
import type { Database } from '../../db/tx.ts';
import { tellPayer } from './payer-notices.ts';
import { executeProposal, sweepProposals } from './sweep-proposals.ts';

const payloadSchema = z.object({ id: z.uuid() });

export function operatorTasks(deps: { readonly database: Database; readonly publicUrl: string }) {
  return {
    sweep_proposals: () => sweepProposals(deps.database, deps.database.now()),
    carry_out_proposal: (payload: unknown) => executeProposal(deps.database, payloadSchema.parse(payload).id),
    tell_payer: (payload: unknown) => tellPayer(deps, payload),
  };
}

export const operatorSchedules = [{ task: 'sweep_proposals', everySeconds: 60 }] as const;
