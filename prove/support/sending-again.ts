import { randomUUID } from 'node:crypto';
import type { Daraja } from '../../server/gateways/mobile-money/daraja.types.ts';

/** For negative controls: a payout whose answer was lost is sent again under a new id. */
export function sendingAgain(ours: Daraja): Daraja {
  return {
    ...ours,
    async b2c(request) {
      const first = await ours.b2c(request);
      return first.outcome === 'unknown' ? ours.b2c({ ...request, originatorConversationId: randomUUID() }) : first;
    },
  };
}
