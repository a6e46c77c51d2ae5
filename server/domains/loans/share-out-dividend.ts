import type { DividendLoans, Outcome, ShareOut } from '../dividends/pay-dividends.ts';
import { type DividendHeld, membersInRecovery, takeForRecoveries } from './recover-from-dividend.ts';
import { dueNow } from './repayment.rules.ts';
import { type LineOutcome, shareOutChunk } from './share-out-chunk.ts';

/**
 * Of a dividend, first what its member owes of loans in recovery and written off: to guarantors, then to pools, then to the sacco. Then what is
 * late or due of the member's other loans in the sacco, and no more; the rest is the member's.
 */
export const shareOutDividend: ShareOut = async (tx, { id, saccoId, firstMember, areInRecovery }, lines, keep) => {
  const dividend: DividendHeld = { id, saccoId, account: { book: saccoId, kind: 'dividends_payable', owner: id } };
  const taken = await takeForRecoveries(tx, dividend, areInRecovery ? lines : []);
  const takenOf = new Map(taken.lines.map((each) => [each.line, each]));
  const outcomeOf = ({ line, repaid, returned }: LineOutcome): Outcome => {
    const { toLoans = 0, refunded = 0, leavesCash = 0 } = takenOf.get(line) ?? {};
    return { line, repaid: repaid + toLoans, refunded, leavesCash: returned + leavesCash };
  };
  await shareOutChunk(
    tx,
    {
      saccoId,
      account: dividend.account,
      about: { type: 'dividend', id },
      channel: 'dividend',
      returned: 'dividend_paid',
      keyOf: ({ memberId }) => `${id}:${memberId}`,
      chunkKey: `${id}:${firstMember}`,
      mostOf: dueNow,
      before: taken,
    },
    lines.map((each) => {
      const { toLoans = 0, refunded = 0 } = takenOf.get(each.line) ?? {};
      return { ...each, amountCents: each.amountCents - toLoans - refunded };
    }),
    ({ outcomes }) => keep(outcomes.map(outcomeOf)),
  );
};

/** What the payment of dividends is handed of loans. */
export const dividendLoans: DividendLoans = { inRecovery: membersInRecovery, shareOut: shareOutDividend };
