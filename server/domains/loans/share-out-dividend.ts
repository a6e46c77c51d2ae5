import type { Outcome, ShareOut } from '../dividends/pay-dividends.ts';
import { type DividendHeld, takeForRecoveries } from './recover-from-dividend.ts';
import { dueNow } from './repayment.rules.ts';
import { type LineOutcome, shareOutChunk } from './share-out-chunk.ts';

/**
 * Of a dividend, first what its member owes of loans in recovery, to those who have paid for them, and of loans that were written off. Then what is
 * late or due of other loans in the sacco, and no more; the rest is the member's.
 */
export const shareOutDividend: ShareOut = async (tx, { id, saccoId, firstMember }, lines, keep) => {
  const dividend: DividendHeld = { id, saccoId, account: { book: saccoId, kind: 'dividends_payable', owner: id } };
  const taken = await takeForRecoveries(tx, dividend, lines);
  const takenOf = new Map(taken.lines.map((each) => [each.line, each]));
  const outcomeOf = ({ line, repaid, returned }: LineOutcome): Outcome => {
    const { toLoans = 0, toGuarantors = 0, ofCash = 0 } = takenOf.get(line) ?? {};
    return { line, repaid: repaid + toLoans, refunded: toGuarantors, ofCash: returned + ofCash };
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
      const { toLoans = 0, toGuarantors = 0 } = takenOf.get(each.line) ?? {};
      return { ...each, amountCents: each.amountCents - toLoans - toGuarantors };
    }),
    ({ outcomes }) => keep(outcomes.map(outcomeOf)),
  );
};
