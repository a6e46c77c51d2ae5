import { expect, test } from 'vitest';
import { smsPartsOf, toGsmLetters } from '../notifications/gsm-letters.ts';
import { amountValue, saccoValue } from '../notifications/sms-values.ts';
import type { Sms } from '../notifications/sms-words.ts';
import { sample, testSms } from '../notifications/test-sms.ts';
import { dividendsSms } from './dividends.sms.ts';

const all: Record<keyof typeof dividendsSms, readonly Sms[]> = {
  paid: [sample.sacco, null].map((name) => dividendsSms.paid(sample.amount, name)),
  used: [sample.sacco, null].map((name) => dividendsSms.used(sample.amount, sample.amount, name)),
};

testSms(all, ['paid', 'used']);

test('a dividend of a sacco with ’ in its name is one part, where that sign alone makes it two (field case M12)', () => {
  const sacco = saccoValue({ name: 'Murang’a Wakulima', state: 'active' });
  const { words } = dividendsSms.paid(amountValue(12_500_00), sacco);
  expect([smsPartsOf(words.en), smsPartsOf(toGsmLetters(words.en))]).toEqual([2, 1]);
});
