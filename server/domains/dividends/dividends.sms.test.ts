import type { Sms } from '../notifications/sms-words.ts';
import { sample, testSms } from '../notifications/test-sms.ts';
import { dividendsSms } from './dividends.sms.ts';

const all: Record<keyof typeof dividendsSms, readonly Sms[]> = {
  paid: [sample.sacco, null].map((name) => dividendsSms.paid(sample.amount, name)),
  used: [sample.sacco, null].map((name) => dividendsSms.used(sample.amount, sample.amount, name)),
};

testSms(all, ['paid', 'used']);
