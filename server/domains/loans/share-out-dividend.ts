import type { ShareOut } from '../dividends/pay-dividends.ts';
import { dueNow } from './repayment.rules.ts';
import { shareOutChunk } from './share-out-chunk.ts';

/** A dividend pays what is late or due of its member's loans in the sacco, and no more; the rest is the member's. */
export const shareOutDividend: ShareOut = (tx, { id, saccoId, firstMember }, lines, keep) =>
  shareOutChunk(
    tx,
    {
      saccoId,
      account: { book: saccoId, kind: 'dividends_payable', owner: id },
      about: { type: 'dividend', id },
      channel: 'dividend',
      returned: 'dividend_paid',
      keyOf: ({ memberId }) => `${id}:${memberId}`,
      chunkKey: `${id}:${firstMember}`,
      mostOf: dueNow,
    },
    lines,
    ({ outcomes }) => keep(outcomes),
  );
