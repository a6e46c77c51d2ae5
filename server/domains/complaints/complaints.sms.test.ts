import type { Sms } from '../notifications/sms-words.ts';
import { sample, testSms } from '../notifications/test-sms.ts';
import { complaintsSms } from './complaints.sms.ts';

const all: Record<keyof typeof complaintsSms, readonly Sms[]> = {
  answered: [sample.sacco, null].map((name) => complaintsSms.answered(name)),
  resolved: [sample.sacco, null].map((name) => complaintsSms.resolved(name)),
};

testSms(all);
