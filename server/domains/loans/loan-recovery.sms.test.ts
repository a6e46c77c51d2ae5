import { countValue, dayValues } from '../notifications/sms-values.ts';
import type { Sms } from '../notifications/sms-words.ts';
import { sample, testSms } from '../notifications/test-sms.ts';
import { loanRecoverySms } from './loan-recovery.sms.ts';

const withNames = {
  ...{ sacco: sample.sacco, borrower: sample.person, amount: sample.amount },
  ...{ days: countValue(31), day: dayValues('2026-12-31') },
};
const without = { ...withNames, sacco: null, borrower: null };

testSms(
  Object.fromEntries(
    Object.entries(loanRecoverySms).map(([name, words]) => [name, [words(withNames), words(without)]]),
  ) as unknown as Record<keyof typeof loanRecoverySms, readonly Sms[]>,
  ['reminder', 'first', 'final', 'restructure'],
);
