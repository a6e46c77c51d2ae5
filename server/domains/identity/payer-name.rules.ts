import { wordSkeletons } from './name-skeleton.rules.ts';

interface AccountName {
  readonly firstName: string;
  readonly lastName: string;
}

/**
 * Whether the name that M-Pesa has for a phone is that of its account. Both are compared word by word, without case and
 * accents: one side may leave out names that the other has (`Wanjiru Kamau`, `WANJIRU NJOKI KAMAU`), two of them have to be
 * the same. Null where M-Pesa says too little: one word, or a name that it has masked.
 */
export function payerNameState(account: AccountName, payerName: string): 'agrees' | 'differs' | null {
  const theirs = new Set(wordSkeletons(payerName));
  const ours = new Set(wordSkeletons(`${account.firstName} ${account.lastName}`));
  if (payerName.includes('*') || theirs.size < 2 || ours.size < 2) return null;
  const [fewer, more] = theirs.size < ours.size ? [theirs, ours] : [ours, theirs];
  return [...fewer].every((word) => more.has(word)) ? 'agrees' : 'differs';
}
