import { formatShillings } from '@ushirika/contract/format';
import { amountToSend } from '@ushirika/contract/typed';
import { say } from '../words/say.ts';

/** A whole number of shares above zero, or null. */
export function shareCount(text: string): number | null {
  const plain = amountToSend(text);
  const count = /^\d{1,8}$/.test(plain) ? Number(plain) : 0;
  return count > 0 ? count : null;
}

/** Shares times their value, exact in cents. */
export function sharesAmount(shares: number, shareValue: number): number {
  return (shares * Math.round(shareValue * 100)) / 100;
}

/** The spec's live preview, to the letter; `total` is what will leave the wallet, in shillings. */
export function purchasePreview(shares: number, total: number): string {
  const x = formatShillings(total).replace(/^Ksh\.\s/, '');
  const words = say(
    '{n} {n, plural, one {Share} other {Shares}} = Ksh. {x}. If you choose to proceed and "Buy Shares" then Ksh. {x} will be transferred form your wallet',
    { n: shares, x },
  );
  return words.replaceAll('Ksh. ', 'Ksh.\u00a0');
}
